import { apply } from './apply.ts'
import type { Fields } from './contract.ts'
import { decode } from './decode.ts'
import { goValue } from './go-value.ts'
import { jsonPatch } from './json-patch.ts'
import { mergePatch } from './merge-patch.ts'
import { settleTimes } from './settle.ts'
import { strategicMergePatch } from './strategic-merge.ts'
import { updateManagers } from './update.ts'

export { equal } from './equal.ts'
export { ANY, ANY_ATOMIC, typeOf } from './schema.ts'

/** What the API server does with fields: reading bodies, patches, server-side apply, managers. */
export const fields: Fields = {
  decode,
  jsonPatch,
  mergePatch,
  strategicMergePatch,
  patchText: goValue,
  apply,
  updateManagers,
  settleTimes,
}
