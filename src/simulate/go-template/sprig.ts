import type { Functions } from './exec.ts'
import { choices } from './sprig-choices.ts'
import { dicts } from './sprig-dicts.ts'
import { jsonFunctions, valueOf } from './sprig-json.ts'
import { lists } from './sprig-lists.ts'
import { numbers } from './sprig-numbers.ts'
import { paths } from './sprig-paths.ts'
import { regexps } from './sprig-regexps.ts'
import { texts } from './sprig-texts.ts'

export { valueOf }

/**
 * The functions of sprig that read no clock, chance or world. Each is held against the real Helm
 * in fixtures/go-template.
 */
export const sprig: Functions = {
  ...texts,
  ...regexps,
  ...choices,
  ...lists,
  ...dicts,
  ...numbers,
  ...jsonFunctions,
  ...paths,
}
