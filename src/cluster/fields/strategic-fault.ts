import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { PatchFault } from './contract.ts'
import { goTypeOf, goValue } from './go-value.ts'

/** Ends the merging from wherever it has come to; caught where the patch was handed in. */
export class PatchRefused extends Error {
  readonly fault: PatchFault

  constructor(message: string, code: 400 | 422 | 500 = 500) {
    super(message)
    const reason =
      code === 400 ? { reason: 'BadRequest' } : code === 422 ? { reason: 'Invalid' } : {}
    this.fault = { code, message, ...reason }
  }
}

export function badPatchType(directive: Json | undefined, map: JsonObject): PatchRefused {
  const shown = typeof directive === 'string' ? directive : wronglyShown(directive)
  return new PatchRefused(`unknown patch type: ${shown} in map: ${goValue(map)}`)
}

/** Go's %s of what is no string. */
function wronglyShown(value: Json | undefined): string {
  if (value === null || value === undefined) return '%!s(<nil>)'
  return isObject(value) || isList(value)
    ? goValue(value)
    : `%!s(${goTypeOf(value)}=${String(value)})`
}
