import type { Io } from '../../actor.ts'
import type { CowMap } from '../../api/cow-map.ts'
import { controllerOf, type KubeObject } from '../../object.ts'
import { asPod, PODS, type Pod } from '../../pod.ts'
import type { Instant } from '../../time.ts'
import type { Backoff } from './backoff.ts'
import { asJob, isFinished, JOBS, keyOf, type Job, type LabelSelector } from './job.ts'
import type { Turns } from './limits.ts'
import { isManagedElsewhere, type JobRules } from './rules.ts'

/** The controller's memory, all of it lost with its process (K-18). */
export interface JobControllerState {
  /** Before this instant its process is not up yet. */
  readonly readyAt: Instant
  readonly backoffs: CowMap<string, Backoff>
  /** Refused syncs in a row, by key: the next try waits 1, 2, 4 ... 60 s. */
  readonly refusals: CowMap<string, number>
  /** Names of pods without a controller, by namespace. */
  readonly orphans: CowMap<string, Map<string, true>>
  turns: Turns | undefined
}

export type JobWake =
  | { readonly do: 'sync'; readonly job: string }
  | { readonly do: 'turn' }
  /** Takes the finalizer off a pod that no unfinished Job counts. */
  | { readonly do: 'free'; readonly namespace: string; readonly name: string }
  | { readonly do: 'freeAll'; readonly of: FormerJob }

export interface FormerJob {
  readonly namespace: string
  readonly uid: string
  readonly selector: LabelSelector | undefined
}

export interface Here {
  readonly io: Io<JobWake>
  readonly rules: JobRules
}

/** A sync at once: the Job itself is new, changed or gone. */
export function soon(state: JobControllerState, job: Job, { io, rules }: Here): void {
  if (isManagedElsewhere(job, rules)) return
  const key = keyOf(job)
  const { generation, deletionTimestamp } = job.metadata
  const isNew = generation === 1 && deletionTimestamp === undefined
  const delay = isNew ? io.latencies.jobSync : io.latencies.jobChange
  io.wakeAt(Math.max(io.now + delay, state.readyAt), { do: 'sync', job: key }, `sync ${key}`)
}

/** A sync soon, together with whatever else happens until then. */
export function batched(state: JobControllerState, job: Job, here: Here): void {
  const { io } = here
  later(state, job, Math.max(io.now, state.readyAt) + io.latencies.podBatch, here)
}

/** A sync at that instant, or earlier if anything else asks for one. */
export function later(state: JobControllerState, job: Job, at: Instant, { io, rules }: Here): void {
  if (isFinished(job) || isManagedElsewhere(job, rules)) return
  const key = keyOf(job)
  io.wakeAt(Math.max(at, state.readyAt), { do: 'sync', job: key }, `later ${key}`)
}

export function freeSoon(state: JobControllerState, pod: Pod, { io }: Here): void {
  const { namespace = '', name } = pod.metadata
  const at = Math.max(io.now + io.latencies.jobChange, state.readyAt)
  io.wakeAt(at, { do: 'free', namespace, name }, `free ${namespace}/${name}`)
}

export function freeAllOf(state: JobControllerState, job: Job, { io }: Here): void {
  const { namespace = '', uid } = job.metadata
  const at = Math.max(io.now + io.latencies.jobChange, state.readyAt)
  const { selector } = job.spec
  io.wakeAt(at, { do: 'freeAll', of: { namespace, uid, selector } }, `free ${uid}`)
}

/** The pods of a namespace that no controller has. */
export function orphansIn(
  state: JobControllerState,
  namespace: string,
  io: Io<JobWake>,
): readonly Pod[] {
  const names = state.orphans.get(namespace)
  if (names === undefined || names.size === 0) return []
  const pods: Pod[] = []
  for (const name of names.keys()) {
    const pod = io.read.get(PODS, namespace, name)
    if (pod !== undefined) pods.push(asPod(pod))
  }
  return pods
}

/** The Job that a pod names as its controller, if it is that very object. */
export function jobOf(pod: KubeObject, io: Io<JobWake>): Job | undefined {
  const owner = controllerOf(pod)
  if (owner?.kind !== 'Job') return undefined
  const job = io.read.get(JOBS, pod.metadata.namespace, owner.name)
  return job?.metadata.uid === owner.uid ? asJob(job) : undefined
}
