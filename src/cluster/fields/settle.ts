import type { KubeObject } from '../object.ts'
import { equal } from './equal.ts'

/**
 * A write that changes nothing but the times of managers is no write: the times go back to what
 * they were. An entry that came or went, or owns something else, counts as a change.
 */
export function settleTimes(next: KubeObject, live: KubeObject): KubeObject {
  const now = next.metadata.managedFields ?? []
  const before = live.metadata.managedFields ?? []
  if (now === before || now.length !== before.length || now.length === 0) return next
  if (now.every(({ time }, at) => time === before[at]?.time)) return next
  for (const [at, entry] of now.entries()) {
    const { time: _, ...mine } = entry
    const { time: __, ...theirs } = before[at] ?? {}
    if (!equal(mine, theirs)) return next
  }
  const settled: KubeObject = { ...next, metadata: { ...next.metadata, managedFields: before } }
  return equal(settled, live) ? settled : next
}
