import type { JsonObject } from '../../core/json.ts'
import type { World } from '../../ownership/world.ts'
import type { Around } from './part.ts'

/**
 * What was made of files, for the next state of the same repository. It holds as long as the bytes
 * of each file are the same ones, not only equal: whoever reads several states keeps what is alike.
 */
export interface Memory {
  readonly made: Map<string, { readonly bytes: readonly unknown[]; readonly value: unknown }>
  readonly ofObjects: WeakMap<JsonObject, Map<string, unknown>>
}

export function newMemory(): Memory {
  return { made: new Map(), ofObjects: new WeakMap() }
}

export function keptFor({ made }: Memory, world: () => World): Around['kept'] {
  return <Value>(what: string, paths: readonly string[], make: () => Value): Value => {
    const of = world()
    const bytes = paths.flatMap((path) => [path, of.sourceOf(path)?.bytes])
    const known = made.get(what)
    if (known !== undefined && isSame(known.bytes, bytes)) return known.value as Value
    const value = make()
    made.set(what, { bytes, value })
    return value
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index])
}

/** Objects are never changed in place, so what was made of one holds as long as it lives. */
export function madeOf({ ofObjects }: Memory): Around['madeOf'] {
  return <Value>(object: JsonObject, what: string, make: () => Value): Value => {
    let known = ofObjects.get(object)
    if (known === undefined) ofObjects.set(object, (known = new Map()))
    if (known.has(what)) return known.get(what) as Value
    const value = make()
    known.set(what, value)
    return value
  }
}
