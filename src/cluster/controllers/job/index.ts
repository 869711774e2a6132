import type { Actor, Io } from '../../actor.ts'
import { CowMap } from '../../api/cow-map.ts'
import type { Rules } from '../../api/kind.ts'
import type { WatchEvent } from '../../api/request.ts'
import { controllerOf, type KubeObject } from '../../object.ts'
import { asPod, isDeleting, PODS, type Pod } from '../../pod.ts'
import { instantOf, type Instant } from '../../time.ts'
import type { Backoff } from './backoff.ts'
import { ownPods } from './claim.ts'
import { JobClient } from './client.ts'
import { asJob, isFinished, JOBS, keyOf, type Job, type LabelSelector } from './job.ts'
import { fullTurns, pass, spend, untilTurn, waitTurn, type ClientLimit, type Turns } from './limits.ts'
import { isTracked } from './pods.ts'
import { isManagedElsewhere, jobRules, type JobRules } from './rules.ts'
import { selects } from './selector.ts'
import { syncJob } from './sync.ts'

export interface JobControllerOptions {
  readonly rules: Rules
  /** Left out: as many requests as it likes. */
  readonly limit?: ClientLimit
  /** Default `job-controller`; a second one beside it needs another name. */
  readonly name?: string
}

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

interface FormerJob {
  readonly namespace: string
  readonly uid: string
  readonly selector: LabelSelector | undefined
}

const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 60_000

/**
 * The Job controller (K-15 to K-24), after the sources of Kubernetes 1.36. K-16: a Job's creation,
 * deletion and change of spec are acted on at once (`latencies.jobSync`); what happens to its pods
 * and status is gathered: the first such event plans a sync `latencies.podBatch` later, all others
 * until then join it. Any wait (delay after failures, deadline, retry) shares that one timer, and
 * the earliest wins.
 */
export function jobController(
  options: JobControllerOptions,
): Actor<JobControllerState, JobWake> {
  const rules = jobRules(options.rules)
  const { limit } = options
  return {
    name: options.name ?? 'job-controller',
    begin: (io) => begin(io, rules, limit),
    observe: (state, event, io) => observe(state, event, { io, rules }),
    wake: (state, wake, io) => act(state, wake, { io, rules, limit }),
    copy: (state) => ({
      readyAt: state.readyAt,
      backoffs: state.backoffs.copy(),
      refusals: state.refusals.copy(),
      orphans: state.orphans.copy(),
      turns: state.turns,
    }),
  }
}

interface Here {
  readonly io: Io<JobWake>
  readonly rules: JobRules
}

interface Acting extends Here {
  readonly limit: ClientLimit | undefined
}

function begin(io: Io<JobWake>, rules: JobRules, limit?: ClientLimit): JobControllerState {
  const jobs = io.read.list(JOBS).map(asJob)
  const pods = io.read.list(PODS).map(asPod)
  // With nothing to read a process is up at once.
  const isFirst = jobs.length === 0 && pods.length === 0
  const state: JobControllerState = {
    readyAt: isFirst ? io.now : io.now + io.latencies.controllerStart,
    backoffs: new CowMap(),
    refusals: new CowMap(),
    orphans: new CowMap(),
    turns: limit === undefined ? undefined : fullTurns(limit, io.now),
  }
  for (const job of jobs) if (!isFinished(job)) soon(state, job, { io, rules })
  for (const pod of pods) podAppeared(state, pod, { io, rules })
  return state
}

function observe(state: JobControllerState, event: WatchEvent, here: Here): void {
  const { resource } = event.resource
  if (resource === 'pods' && event.resource.group === '') observePod(state, event, here)
  if (resource === 'jobs' && event.resource.group === 'batch') observeJob(state, event, here)
}

function observeJob(state: JobControllerState, event: WatchEvent, here: Here): void {
  const job = asJob(event.object)
  if (event.type === 'DELETED') {
    state.backoffs.delete(keyOf(job))
    state.refusals.delete(keyOf(job))
    freeAllOf(state, job, here)
    return
  }
  if (event.before === undefined) {
    soon(state, job, here)
    return
  }
  if (isFinished(job)) {
    state.backoffs.delete(keyOf(job))
    if (needsFreeing(state, job, here)) freeAllOf(state, job, here)
    return
  }
  const before = asJob(event.before)
  if (job.metadata.generation === before.metadata.generation) batched(state, job, here)
  else soon(state, job, here)
  const { activeDeadlineSeconds } = job.spec
  const startTime = job.status?.startTime
  if (startTime === undefined || activeDeadlineSeconds === undefined) return
  if (activeDeadlineSeconds === before.spec.activeDeadlineSeconds) return
  const deadline = instantOf(startTime) + activeDeadlineSeconds * 1000
  if (deadline > here.io.now) later(state, job, deadline, here)
  else soon(state, job, here)
}

function observePod(state: JobControllerState, event: WatchEvent, here: Here): void {
  const pod = asPod(event.object)
  noteOrphan(state, pod, event.type === 'DELETED')
  if (event.type === 'DELETED' || isDeleting(pod)) {
    podLeaves(state, pod, here)
    return
  }
  if (event.before === undefined) {
    podAppeared(state, pod, here)
    return
  }
  const before = controllerOf(event.before)
  const owner = controllerOf(pod)
  const hasNewOwner = before?.uid !== owner?.uid
  if (hasNewOwner && before !== undefined) {
    const job = jobOf(event.before, here.io)
    if (job !== undefined) batched(state, job, here)
  }
  if (owner !== undefined) {
    const job = jobOf(pod, here.io)
    if (job !== undefined) batched(state, job, here)
    return
  }
  if (isTracked(pod)) freeSoon(state, pod, here)
  if (hasNewOwner || !sameLabels(pod, asPod(event.before))) wakeAdopters(state, pod, here)
}

function podAppeared(state: JobControllerState, pod: Pod, here: Here): void {
  noteOrphan(state, pod, false)
  if (isDeleting(pod)) {
    podLeaves(state, pod, here)
    return
  }
  if (controllerOf(pod) !== undefined) {
    const job = jobOf(pod, here.io)
    if (job !== undefined) batched(state, job, here)
    return
  }
  if (isTracked(pod)) freeSoon(state, pod, here)
  wakeAdopters(state, pod, here)
}

/** A pod is being deleted, or gone. */
function podLeaves(state: JobControllerState, pod: Pod, here: Here): void {
  const job = controllerOf(pod) === undefined ? undefined : jobOf(pod, here.io)
  if (job === undefined || isFinished(job)) {
    if (isTracked(pod)) freeSoon(state, pod, here)
    return
  }
  batched(state, job, here)
}

function noteOrphan(state: JobControllerState, pod: Pod, isGone: boolean): void {
  const { namespace = '', name } = pod.metadata
  const isOrphan = !isGone && controllerOf(pod) === undefined
  if (isOrphan === (state.orphans.get(namespace)?.has(name) ?? false)) return
  const mine = state.orphans.own(namespace, (names) => new Map(names))
  if (!isOrphan) mine?.delete(name)
  else if (mine === undefined) state.orphans.set(namespace, new Map([[name, true]]))
  else mine.set(name, true)
}

/** A pod without a controller may fit a Job's selector: that Job adopts it. */
function wakeAdopters(state: JobControllerState, pod: Pod, here: Here): void {
  if (pod.metadata.labels === undefined) return
  for (const object of here.io.read.list(JOBS, pod.metadata.namespace)) {
    const job = asJob(object)
    if (selects(job.spec.selector, pod.metadata.labels)) batched(state, job, here)
  }
}

function jobOf(pod: KubeObject, io: Io<JobWake>): Job | undefined {
  const owner = controllerOf(pod)
  if (owner?.kind !== 'Job') return undefined
  const job = io.read.get(JOBS, pod.metadata.namespace, owner.name)
  return job?.metadata.uid === owner.uid ? asJob(job) : undefined
}

function sameLabels(one: Pod, other: Pod): boolean {
  return JSON.stringify(one.metadata.labels) === JSON.stringify(other.metadata.labels)
}

function soon(state: JobControllerState, job: Job, { io, rules }: Here): void {
  if (isManagedElsewhere(job, rules)) return
  const key = keyOf(job)
  const at = Math.max(io.now + io.latencies.jobSync, state.readyAt)
  io.wakeAt(at, { do: 'sync', job: key }, `sync ${key}`)
}

function batched(state: JobControllerState, job: Job, here: Here): void {
  const { io } = here
  later(state, job, Math.max(io.now, state.readyAt) + io.latencies.podBatch, here)
}

function later(state: JobControllerState, job: Job, at: Instant, { io, rules }: Here): void {
  if (isFinished(job) || isManagedElsewhere(job, rules)) return
  const key = keyOf(job)
  io.wakeAt(Math.max(at, state.readyAt), { do: 'sync', job: key }, `later ${key}`)
}

function freeSoon(state: JobControllerState, pod: Pod, { io }: Here): void {
  const { namespace = '', name } = pod.metadata
  const at = Math.max(io.now + io.latencies.jobSync, state.readyAt)
  io.wakeAt(at, { do: 'free', namespace, name }, `free ${namespace}/${name}`)
}

function freeAllOf(state: JobControllerState, job: Job, { io }: Here): void {
  const { namespace = '', uid } = job.metadata
  const at = Math.max(io.now + io.latencies.jobSync, state.readyAt)
  const { selector } = job.spec
  io.wakeAt(at, { do: 'freeAll', of: { namespace, uid, selector } }, `free ${uid}`)
}

function needsFreeing(state: JobControllerState, job: Job, { io }: Here): boolean {
  if (ownPods(job, io.read).some(isTracked)) return true
  const { namespace = '' } = job.metadata
  return orphansIn(state, namespace, io).some(
    (pod) => isTracked(pod) && selects(job.spec.selector, pod.metadata.labels),
  )
}

function orphansIn(
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

function act(state: JobControllerState, wake: JobWake, here: Acting): void {
  const { io, limit } = here
  switch (wake.do) {
    case 'sync':
      if (limit === undefined || state.turns === undefined) {
        syncOne(state, wake.job, here)
      } else {
        state.turns = waitTurn(state.turns, wake.job)
        planTurn(state, limit, io)
      }
      return
    case 'turn':
      takeTurn(state, here)
      return
    case 'free': {
      const pod = io.read.get(PODS, wake.namespace, wake.name)
      if (pod !== undefined) free(asPod(pod), here)
      return
    }
    case 'freeAll':
      freeAll(state, wake.of, here)
      return
    default:
      wake satisfies never
  }
}

function planTurn(state: JobControllerState, limit: ClientLimit, io: Io<JobWake>): void {
  if (state.turns === undefined || state.turns.waiting.length === 0) return
  state.turns = pass(state.turns, limit, io.now)
  io.wakeAt(io.now + untilTurn(state.turns, limit), { do: 'turn' }, 'turn')
}

function takeTurn(state: JobControllerState, here: Acting): void {
  const { limit, io } = here
  if (limit === undefined || state.turns === undefined) return
  state.turns = pass(state.turns, limit, io.now)
  const [first, ...waiting] = state.turns.waiting
  if (first === undefined) return
  state.turns = { ...state.turns, waiting }
  const { requests, events } = syncOne(state, first, here)
  state.turns = spend(state.turns, requests, events)
  planTurn(state, limit, io)
}

function syncOne(state: JobControllerState, key: string, here: Acting): JobClient {
  const { io, rules } = here
  const client = new JobClient(io)
  const slash = key.indexOf('/')
  const namespace = key.slice(0, slash)
  const found = io.read.get(JOBS, namespace, key.slice(slash + 1))
  const job = found === undefined ? undefined : asJob(found)
  if (job === undefined || isFinished(job) || isManagedElsewhere(job, rules)) {
    state.backoffs.delete(key)
    state.refusals.delete(key)
    return client
  }
  const result = syncJob(job, {
    now: io.now,
    rules,
    client,
    read: io.read,
    orphans: orphansIn(state, namespace, io),
    backoff: state.backoffs.get(key),
    batchMs: io.latencies.podBatch,
    lookAgainIn: (ms) => later(state, job, io.now + ms, here),
  })
  if (result.backoff === undefined) state.backoffs.delete(key)
  else state.backoffs.set(key, result.backoff)
  if (result.error === undefined) {
    state.refusals.delete(key)
    return client
  }
  const refusals = state.refusals.get(key) ?? 0
  state.refusals.set(key, refusals + 1)
  const wait = Math.min(FIRST_RETRY_MS * 2 ** refusals, LONGEST_RETRY_MS)
  later(state, job, io.now + wait, here)
  return client
}

function freeAll(state: JobControllerState, former: FormerJob, here: Acting): void {
  const { namespace, uid, selector } = former
  for (const { resource, object } of here.io.read.dependents(uid)) {
    if (resource.resource === 'pods') free(asPod(object), here)
  }
  for (const pod of orphansIn(state, namespace, here.io)) {
    if (selects(selector, pod.metadata.labels)) free(pod, here)
  }
}

/** Not while an unfinished Job still counts it, and not for another controller's Job. */
function free(pod: Pod, { io, rules }: Acting): void {
  if (!isTracked(pod)) return
  const owner = controllerOf(pod)
  if (owner !== undefined) {
    if (owner.kind !== 'Job' || owner.apiVersion !== 'batch/v1') return
    const job = jobOf(pod, io)
    if (job !== undefined && (isManagedElsewhere(job, rules) || !isFinished(job))) return
  }
  const client = new JobClient(io)
  if (client.untrack(pod) === undefined) return
  const { namespace = '', name } = pod.metadata
  io.wakeAt(io.now + FIRST_RETRY_MS, { do: 'free', namespace, name }, `free ${namespace}/${name}`)
}
