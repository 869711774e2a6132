import type { Json, JsonObject } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'

/** From so many fields on it pays to remember what was made of a struct. */
const MANY_FIELDS = 8

/**
 * Remembers what a pure function made of a struct of some size, by the identity of the value and of
 * its type: objects are never changed in place, and most of a write is shared with what is there.
 */
export class Remembered<Made extends Json> {
  readonly #known = new WeakMap<TypeRef, WeakMap<JsonObject, Made>>()

  /** The memory for values of a type; undefined where it would not pay. */
  of(type: TypeRef): WeakMap<JsonObject, Made> | undefined {
    if (type.goType === undefined || (type.fields?.size ?? 0) < MANY_FIELDS) return undefined
    let known = this.#known.get(type)
    if (known === undefined) {
      known = new WeakMap()
      this.#known.set(type, known)
    }
    return known
  }
}
