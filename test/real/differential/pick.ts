import type { Chance } from '../../../src/cluster/chance.ts'

export function pick<T>(chance: Chance, from: readonly T[]): T {
  return from[Math.floor(chance.next() * from.length)] as T
}

/** Some of the entries, each by its own throw. */
export function some<T extends object>(chance: Chance, from: T, share = 0.3): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(() => chance.next() < share)) as Partial<T>
}
