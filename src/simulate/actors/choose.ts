import { isSatisfied, newestFirst } from '../engines/flux-operator/semver.ts'
import type { Tag } from './registry.ts'

/** How an updater finds the newest of many tags. */
export type Strategy = 'semver' | 'newest-build' | 'alphabetical' | 'digest'

/**
 * The newest tag by a strategy, or undefined where none will do. A constraint is a range of versions
 * for `semver` (left out: any release) and the very tag for `digest`; the others know none.
 */
export function newestOf(
  tags: readonly Tag[],
  strategy: Strategy,
  constraint: string | undefined,
): Tag | undefined {
  switch (strategy) {
    case 'semver': {
      const names = tags.map(({ name }) => name)
      const [newest] = newestFirst(names.filter((name) => isSatisfied(name, constraint ?? '*')))
      return tags.find(({ name }) => name === newest)
    }
    case 'newest-build':
      return tags.toSorted((a, b) => a.pushedAt - b.pushedAt || byText(a.name, b.name)).at(-1)
    case 'alphabetical':
      return tags.toSorted((a, b) => byText(a.name, b.name)).at(-1)
    case 'digest':
      return tags.find(({ name }) => name === constraint)
    default:
      return strategy satisfies never
  }
}

export function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
