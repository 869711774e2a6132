import type { Actor, Io } from '../../actor.ts'
import { CowMap } from '../../api/cow-map.ts'
import type { Rules } from '../../api/kind.ts'
import { controllerOf } from '../../object.ts'
import { asPod, PODS, type Pod } from '../../pod.ts'
import { JobClient } from './client.ts'
import { asJob, isFinished, JOBS } from './job.ts'
import { fullTurns, pass, spend, untilTurn, waitTurn, type ClientLimit } from './limits.ts'
import {
  jobOf,
  later,
  orphansIn,
  soon,
  type FormerJob,
  type Here,
  type JobControllerState,
  type JobWake,
} from './memory.ts'
import { isTracked } from './pods.ts'
import { isManagedElsewhere, jobRules, type JobRules } from './rules.ts'
import { selects } from './selector.ts'
import { syncJob } from './sync.ts'
import { observe, podAppeared } from './watch.ts'

export { DEFAULT_LIMIT, type ClientLimit } from './limits.ts'
export type { JobControllerState, JobWake } from './memory.ts'

export interface JobControllerOptions {
  readonly rules: Rules
  /** Left out: as many requests as it likes. */
  readonly limit?: ClientLimit
  /** Default `job-controller`; a second one beside it needs another name. */
  readonly name?: string
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
export function jobController(options: JobControllerOptions): Actor<JobControllerState, JobWake> {
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
    isFirstTry: !state.refusals.has(key),
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
