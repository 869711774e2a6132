import type { KubeObject } from '../object.ts'
import type { Kind } from './kind.ts'
import type { DeleteOptions } from './options.ts'

/** The marks by which the garbage collector learns what to do with dependents first. */
const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'

/**
 * The finalizers after a delete: the policy that was asked for decides; without one a mark that is
 * there already, and without that the kind's default. A later delete with another policy takes the
 * earlier mark off: Background cuts a foreground deletion short (K-14).
 */
export function deletionFinalizers(
  kind: Kind,
  { metadata }: KubeObject,
  options: DeleteOptions,
): readonly string[] {
  const old = metadata.finalizers ?? []
  const mark = markOf(kind, old, options)
  const others = old.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND)
  const next = mark === undefined ? others : [...others, mark]
  return isSameSet(next, old) ? old : next
}

function markOf(
  kind: Kind,
  old: readonly string[],
  { orphanDependents, propagationPolicy }: DeleteOptions,
): string | undefined {
  if (kind.defaultPropagation === 'Unsupported') return undefined
  if (orphanDependents !== undefined) return orphanDependents ? ORPHAN : undefined
  if (propagationPolicy === 'Orphan') return ORPHAN
  if (propagationPolicy === 'Foreground') return FOREGROUND
  if (propagationPolicy === 'Background') return undefined
  const there = old.find((finalizer) => finalizer === ORPHAN || finalizer === FOREGROUND)
  return there ?? (kind.defaultPropagation === 'Orphan' ? ORPHAN : undefined)
}

export function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.every((item) => other.includes(item)) && other.every((item) => one.includes(item))
}
