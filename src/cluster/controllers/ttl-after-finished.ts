import type { Actor, Io } from '../actor.ts'
import { succeeded, type WatchEvent } from '../api/request.ts'
import { instantOf, type Instant } from '../time.ts'
import { calledOf } from '../object.ts'
import { asJob, JOBS, keyOf, type Job, type JobCondition } from './job/job.ts'

/** The queue of Jobs is all its memory. */
export interface TtlState {
  /** Before this instant its process is not up yet. */
  readonly readyAt: Instant
}

export interface TtlWake {
  readonly namespace: string
  readonly name: string
  /** Refused deletions in a row: the next try waits 5 ms x 2^n. */
  readonly refusals: number
}

const FIRST_RETRY_MS = 5
const LONGEST_RETRY_MS = 1_000_000

/**
 * The TTL-after-finished controller. K-25: a finished Job with a TTL expires that many seconds after
 * its Complete or Failed condition, whose time has whole seconds: so up to one second early, and
 * never before its last pod has stopped (K-27). K-26: an expired Job is read again, judged again, and
 * deleted with its pods first (Foreground) if it is still the same object; a TTL that was changed or
 * removed before is honoured. K-28: a restart judges all Jobs again.
 */
export const ttlAfterFinished: Actor<TtlState, TtlWake> = {
  name: 'ttl-after-finished-controller',
  begin(io) {
    const jobs = io.read.list(JOBS).map(asJob)
    const readyAt = jobs.length === 0 ? io.now : io.now + io.latencies.controllerStart
    const state = { readyAt }
    for (const job of jobs) plan(job, state, io)
    return state
  },
  observe(state, event: WatchEvent, io) {
    if (event.resource.resource !== 'jobs' || event.resource.group !== 'batch') return
    const job = asJob(event.object)
    if (event.type === 'DELETED') io.cancel(keyOf(job))
    else plan(job, state, io)
  },
  wake(_state, wake, io) {
    const found = io.read.get(JOBS, wake.namespace, wake.name)
    if (found === undefined) return
    const expiry = expiryOf(asJob(found))
    if (expiry === undefined) return
    if (expiry > io.now) planAt(expiry, asJob(found), io)
    else remove(wake, io)
  },
  copy: (state) => state,
}

function plan(job: Job, state: TtlState, io: Io<TtlWake>): void {
  const expiry = expiryOf(job)
  if (expiry === undefined) return
  // Noticed about as fast as the garbage collector notices a deletion.
  planAt(Math.max(expiry, io.now + io.latencies.garbage, state.readyAt), job, io)
}

function planAt(at: Instant, job: Job, io: Io<TtlWake>): void {
  const { namespace = '', name } = job.metadata
  io.wakeAt(at, { namespace, name, refusals: 0 }, keyOf(job))
}

/** K-25; undefined for a Job that does not expire. */
function expiryOf(job: Job): Instant | undefined {
  const { ttlSecondsAfterFinished } = job.spec
  if (ttlSecondsAfterFinished === undefined) return undefined
  if (job.metadata.deletionTimestamp !== undefined) return undefined
  const ended = endOf(job)
  if (ended?.lastTransitionTime === undefined) return undefined
  return instantOf(ended.lastTransitionTime) + ttlSecondsAfterFinished * 1000
}

function endOf(job: Job): JobCondition | undefined {
  return job.status?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  )
}

/** K-26 */
function remove(wake: TtlWake, io: Io<TtlWake>): void {
  const { namespace, name, refusals } = wake
  const fresh = io.request({ verb: 'get', resource: JOBS, namespace, name })
  if (fresh.code === 404) return
  if (succeeded(fresh)) {
    const job = asJob(fresh.body)
    const expiry = expiryOf(job)
    if (expiry === undefined) return
    if (expiry > io.now) {
      planAt(expiry, job, io)
      return
    }
    const { uid } = job.metadata
    const preconditions = { uid }
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground' }
    const answer = io.request({
      verb: 'delete',
      resource: JOBS,
      namespace,
      name,
      body: { ...body, preconditions },
    })
    if (succeeded(answer)) {
      note(job, io)
      return
    }
  }
  const wait = Math.min(FIRST_RETRY_MS * 2 ** refusals, LONGEST_RETRY_MS)
  io.wakeAt(io.now + wait, { ...wake, refusals: refusals + 1 }, `${namespace}/${name}`)
}

function note(job: Job, io: Io<TtlWake>): void {
  const ttlSeconds = job.spec.ttlSecondsAfterFinished
  const { type, lastTransitionTime } = endOf(job) ?? { type: '', lastTransitionTime: '' }
  const did = type === 'Complete' ? 'completed' : 'failed'
  const words = `its TTL of ${ttlSeconds} s was over: it had ${did} at ${lastTransitionTime}`
  io.cause({
    at: io.now,
    actor: 'ttl-after-finished-controller',
    rule: 'K-26',
    effect: 'deleted Job',
    object: calledOf(job),
    trigger: { kind: 'expiry', words },
    data: { ttlSeconds },
  })
}
