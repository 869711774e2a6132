import { byText } from '../choose.ts'
import type { ClusterQueue } from './queues.ts'
import { fit, type Admission, type Workload } from './workload.ts'

export type Decision =
  | { readonly kind: 'admit'; readonly workload: Workload; readonly admission: Admission }
  | { readonly kind: 'evict'; readonly workload: Workload; readonly why: string }

/**
 * One pass over one ClusterQueue (KU-3, KU-7): who waits is looked at by priority and time. What does
 * not fit is passed by (BestEffortFIFO) or stops the line (StrictFIFO), and may push out others.
 */
export function decide(
  queue: ClusterQueue,
  waiting: readonly Workload[],
  admitted: readonly Workload[],
): readonly Decision[] {
  if (queue.stopPolicy === 'HoldAndDrain') {
    return admitted.map((workload) => ({
      kind: 'evict',
      workload,
      why: `ClusterQueue ${queue.name} is being drained`,
    }))
  }
  if (queue.stopPolicy === 'Hold') return []
  const decisions: Decision[] = []
  let holders = [...admitted]
  for (const workload of waiting.toSorted(inLine)) {
    const admission = fit(workload, queue, holders)
    if (admission !== undefined) {
      decisions.push({ kind: 'admit', workload, admission })
      holders = [...holders, { ...workload, admission }]
      continue
    }
    const victims = victimsFor(workload, queue, holders)
    if (victims.length > 0) {
      const why = `Job ${workload.namespace}/${workload.name} needs the room`
      for (const victim of victims) decisions.push({ kind: 'evict', workload: victim, why })
      // They hold their quota until their pods are gone; nobody else is admitted into it meanwhile.
      break
    }
    if (queue.isStrict) break
  }
  return decisions
}

function inLine(one: Workload, other: Workload): number {
  return (
    other.priority - one.priority || one.queuedAt - other.queuedAt || byText(one.name, other.name)
  )
}

/** The lowest and newest first, as many as it takes; none when even all of them are too few. */
function victimsFor(
  workload: Workload,
  queue: ClusterQueue,
  holders: readonly Workload[],
): readonly Workload[] {
  const candidates = holders
    .filter((holder) => yields(holder, workload, queue.preempts))
    .toSorted((one, other) => inLine(other, one))
  // Room is being made already: it waits for that.
  if (holders.some(({ isEvicted }) => isEvicted)) return []
  for (let count = 1; count <= candidates.length; count += 1) {
    const gone = new Set(candidates.slice(0, count).map(({ uid }) => uid))
    const rest = holders.filter(({ uid }) => !gone.has(uid))
    if (fit(workload, queue, rest) !== undefined) return candidates.slice(0, count)
  }
  return []
}

function yields(holder: Workload, workload: Workload, policy: string): boolean {
  if (holder.isEvicted === true) return false
  if (policy === 'Never') return false
  if (holder.priority < workload.priority) return true
  if (policy !== 'LowerOrNewerEqualPriority') return false
  return holder.priority === workload.priority && holder.queuedAt > workload.queuedAt
}
