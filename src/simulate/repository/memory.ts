import type { World } from '../../ownership/world.ts'
import type { Around } from './part.ts'

/**
 * What was made of files, for the next state of the same repository. It holds as long as the bytes
 * of each file are the same ones, not only equal: whoever reads several states keeps what is alike.
 */
export interface Memory {
  readonly made: Map<string, { readonly bytes: readonly unknown[]; readonly value: unknown }>
}

export function newMemory(): Memory {
  return { made: new Map() }
}

export function keeper({ made }: Memory, world: World): Around['kept'] {
  return <Value>(what: string, paths: readonly string[], make: () => Value): Value => {
    const bytes = paths.flatMap((path) => [path, world.sourceOf(path)?.bytes])
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
