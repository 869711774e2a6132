import type { Functions } from './exec.ts'
import { choices, deepCopy } from './sprig-choices.ts'
import { dicts } from './sprig-dicts.ts'
import { jsonFunctions, jsonOf } from './sprig-json.ts'
import { lists } from './sprig-lists.ts'
import { numbers } from './sprig-numbers.ts'
import { paths } from './sprig-paths.ts'
import { regexps } from './sprig-regexps.ts'
import { texts } from './sprig-texts.ts'
import { valueOf } from './sprig-json.ts'

export { deepCopy, jsonOf, valueOf }

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
