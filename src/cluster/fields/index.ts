import { isObject } from '../../core/json.ts'
import type { Fields } from './contract.ts'
import { jsonPatch } from './json-patch.ts'
import { mergePatch } from './merge-patch.ts'

export const fields: Fields = {
  decode: (body) =>
    isObject(body) ? { object: body, unknown: [] } : { message: 'the body is no JSON object' },
  jsonPatch,
  mergePatch,
  strategicMergePatch: (target, patch) => mergePatch(target, patch),
  apply: (input) => {
    const merged = mergePatch(input.live ?? {}, input.config)
    return 'message' in merged
      ? { fault: { code: 400, message: String(merged['message']) } }
      : { object: merged as never, managedFields: [] }
  },
  updateManagers: ({ before }) => before?.metadata.managedFields ?? [],
}
