import { REALISTIC, type Latencies } from '../../cluster/actor.ts'
import type { Instant } from '../../cluster/time.ts'
import type { ObservedJob, Trace } from './format.ts'

/** The first event of a pod begins a batch. */
const BATCH_SECONDS = REALISTIC.podBatch / 1000

/** What the model has come to. */
export interface PlayedSoFar {
  readonly now: Instant
  readonly zero: Instant
  readonly jobs: readonly ObservedJob[]
}

/**
 * The delays of a cluster on a machine that was as busy as the recorded one: where the Job
 * controller was later with a Job than half of the tolerance, the model's is too. What it then does
 * is the model's own affair.
 */
export function busyLatencies(trace: Trace, played: () => PlayedSoFar): Latencies {
  const least = trace.tolerance.seconds / 2
  const most = (kind: 'start' | 'end'): number => {
    const { now, zero, jobs } = played()
    const t = (now - zero) / 1000
    const late = jobs.flatMap((job, at) => {
      const twin = twinOf(job, jobs.slice(0, at), trace)
      if (twin === undefined) return []
      const isIt = kind === 'start' ? isNew(job, t) : isOpen(job, twin)
      return isIt ? [latenessOf(twin)[kind]] : []
    })
    const found = Math.max(0, ...late)
    return found > least ? found * 1000 : 0
  }
  return {
    ...REALISTIC,
    get jobSync() {
      return Math.max(REALISTIC.jobSync, most('start'))
    },
    get podBatch() {
      return REALISTIC.podBatch + most('end')
    },
  }
}

function isNew({ created, pods }: ObservedJob, t: number): boolean {
  return pods.length === 0 && t - created < 0.001
}

/** A pod that runs for longer than a batch begins a new one when it ends. */
function isOpen({ pods, conditions, deleted }: ObservedJob, twin: ObservedJob): boolean {
  const [pod] = pods
  if (pod === undefined || conditions.length > 0 || deleted !== null) return false
  const [recorded] = twin.pods
  const ended = recorded?.ended ?? Infinity
  return pod.ended !== null || ended - (recorded?.created ?? 0) < BATCH_SECONDS
}

/** The Job of the recording that has the same name and place among those of its name. */
function twinOf(
  { name }: ObservedJob,
  before: readonly ObservedJob[],
  { observed }: Trace,
): ObservedJob | undefined {
  const earlier = before.filter((job) => job.name === name).length
  return observed.jobs.filter((job) => job.name === name)[earlier]
}

/** Seconds from a Job to its first pod, and from its pod's end to what the Job says, beyond usual. */
function latenessOf({ created, deletionRequested, conditions, pods }: ObservedJob): {
  readonly start: number
  readonly end: number
} {
  const [pod] = pods
  const [condition] = conditions
  if (pod === undefined) {
    const isUnseen = deletionRequested !== null && condition === undefined
    // It came and went before the controller had looked.
    return { start: isUnseen ? deletionRequested - created + 1 : 0, end: 0 }
  }
  const start = pod.created - created
  const ended = pods.length === 1 ? pod.ended : null
  if (ended === null || condition === undefined || condition.t < ended) return { start, end: 0 }
  const isShort = ended - pod.created < BATCH_SECONDS
  const usual = (isShort ? pod.created : ended) + BATCH_SECONDS
  return { start, end: Math.max(0, condition.t - usual) }
}
