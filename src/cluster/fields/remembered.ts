import type { Json, JsonObject } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'

/** Large, and mostly the same from one write to the next: for these it pays. */
const WORTH: ReadonlySet<string> = new Set(['v1.JobSpec', 'v1.PodSpec'])

/**
 * Remembers what a pure function made of a large struct, by the identity of the value and of
 * its type: objects are never changed in place, and most of a write is shared with what is there.
 */
export class Remembered<Made extends Json> {
  readonly #known = new WeakMap<TypeRef, WeakMap<JsonObject, Made>>()

  /** The memory for values of a type; undefined where it would not pay. */
  of(type: TypeRef): WeakMap<JsonObject, Made> | undefined {
    if (type.goType === undefined || !WORTH.has(type.goType)) return undefined
    let known = this.#known.get(type)
    if (known === undefined) {
      known = new WeakMap()
      this.#known.set(type, known)
    }
    return known
  }
}
