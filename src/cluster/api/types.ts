import type { TypeRef } from '../fields/contract.ts'
import { ANY, typeOf as typeNamed } from '../fields/index.ts'
import type { Kind } from './kind.ts'

/** How the kind's objects are built; anything goes where nothing is known. */
export function typeOf(kind: Kind): TypeRef {
  if (kind.schema !== undefined) return kind.schema
  return kind.type === undefined ? ANY : (typeNamed(kind.type) ?? ANY)
}
