import type { Instant } from '../../cluster/time.ts'

/** The first tick of a period from `anchor` that is at or after `at` and later than `last`. */
export function tickAt(
  { anchor, everyMs }: { readonly anchor: Instant; readonly everyMs: number },
  at: Instant,
  last: Instant,
): Instant {
  const from = Math.max(at, last + 1, anchor)
  return anchor + Math.ceil((from - anchor) / everyMs) * everyMs
}
