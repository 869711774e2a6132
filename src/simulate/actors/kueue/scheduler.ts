import { byText } from '../choose.ts'
import type { ClusterQueue } from './queues.ts'
import { count, fit, usageOf, type Admission, type Usage, type Workload } from './workload.ts'

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
  const holders = [...admitted]
  const usage = usageOf(holders)
  for (const workload of waiting.toSorted(inLine)) {
    const admission = fit(workload, queue, usage)
    if (admission !== undefined) {
      decisions.push({ kind: 'admit', workload, admission })
      const holder = { ...workload, admission }
      holders.push(holder)
      count(usage, holder, 1)
      continue
    }
    const victims = victimsFor(workload, queue, holders, usage)
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
  usage: Usage,
): readonly Workload[] {
  if (queue.preempts === 'Never') return []
  // Room is being made already: it waits for that.
  if (holders.some(({ isEvicted }) => isEvicted)) return []
  const left: Usage = new Map(usage)
  const victims: Workload[] = []
  const candidates = holders.filter((holder) => yields(holder, workload, queue.preempts))
  for (const candidate of candidates.toSorted((one, other) => inLine(other, one))) {
    victims.push(candidate)
    count(left, candidate, -1)
    if (fit(workload, queue, left) !== undefined) return victims
  }
  return []
}

function yields(holder: Workload, workload: Workload, policy: string): boolean {
  if (holder.priority < workload.priority) return true
  if (policy !== 'LowerOrNewerEqualPriority') return false
  return holder.priority === workload.priority && holder.queuedAt > workload.queuedAt
}
