import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import type { Watched } from '../../../cluster/clients/kubectl/run.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { HelmVersion, WaitState, WaitStrategy, WaitTarget } from './contract.ts'
import { fluxStatus, kstatus } from '../../health/index.ts'
import { joined } from './apply.ts'
import { placeOf, type Target } from './objects.ts'
import { hookEnd, isReadyToHelm3, statusOf, type Status } from './readiness.ts'

const LEGACY_POLL_MS = 2000
const POLLER_POLL_MS = 5000
const DEADLINE = 'context deadline exceeded'

export interface WaitOptions {
  readonly goal: WaitState['goal']
  readonly strategy: WaitStrategy
  readonly withJobs: boolean
  readonly until: Instant
}

export function startWait(
  targets: readonly Target[],
  { goal, strategy, withJobs, until }: WaitOptions,
): WaitState {
  return { goal, strategy, withJobs, until, targets: targets.map(waitTarget) }
}

function waitTarget(target: Target): WaitTarget {
  const { resource, namespace, name } = placeOf(target)
  const watched: Watched = {
    ...resource,
    name: name ?? '',
    ...(namespace === undefined ? {} : { namespace }),
  }
  return { object: target.object, watched }
}

/**
 * Looks at all that is waited for. With `outcome` the wait is over. A watch has seen more than what
 * is there now, so states that `noticed` wrote down stand.
 */
export function look(wait: WaitState, version: HelmVersion, io: Io<never>): WaitState {
  if (wait.outcome !== undefined) return wait
  if (wait.targets.length === 0) return { ...wait, outcome: {} }
  if (isPolled(wait)) return polled(wait, version, io)
  const targets = wait.targets.map((target) => {
    if (target.since !== undefined) return target
    const live = liveOf(target, io)
    const since = Number(live?.metadata.resourceVersion ?? 0)
    return seen({ ...target, since }, live, wait, io.now)
  })
  return settled({ ...wait, targets }, version, io.now)
}

/** When to look again without having seen anything. */
export function nextLook(wait: WaitState, now: Instant): Instant {
  if (!isPolled(wait)) return wait.until
  // Flux looks for what is to go away as often as Helm 3.
  const isSlow = wait.strategy === 'poller' && wait.goal !== 'gone'
  const every = isSlow ? POLLER_POLL_MS : LEGACY_POLL_MS
  return Math.min(now + every, wait.until)
}

export function watchesOf(wait: WaitState): readonly Watched[] {
  return isPolled(wait) ? [] : wait.targets.map(({ watched }) => watched)
}

/** What a watch tells, at the moment it happens: a state counts even if the object then goes. */
export function noticed(
  wait: WaitState,
  { type, resource, object }: WatchEvent,
  version: HelmVersion,
  now: Instant,
): WaitState {
  if (wait.outcome !== undefined || isPolled(wait)) return wait
  const at = wait.targets.findIndex(
    ({ watched }) =>
      watched.group === resource.group &&
      watched.resource === resource.resource &&
      watched.name === object.metadata.name &&
      watched.namespace === object.metadata.namespace,
  )
  const target = wait.targets[at]
  if (target === undefined) return wait
  if (Number(object.metadata.resourceVersion) <= (target.since ?? 0)) return wait
  const next = seen(target, type === 'DELETED' ? undefined : object, wait, now, type === 'DELETED')
  return settled({ ...wait, targets: wait.targets.with(at, next) }, version, now)
}

/** Helm 3 watches for hooks and polls for everything else; Helm 4 watches. */
function isPolled({ strategy, goal }: WaitState): boolean {
  if (strategy === 'poller') return true
  return strategy === 'legacy' && goal !== 'hook'
}

function liveOf({ watched }: WaitTarget, io: Io<never>): KubeObject | undefined {
  return io.read.get(watched, watched.namespace, watched.name)
}

function seen(
  target: WaitTarget,
  live: KubeObject | undefined,
  wait: WaitState,
  now: Instant,
  isDeleted = false,
): WaitTarget {
  if (wait.strategy === 'legacy') return seenByHelm3(target, live, isDeleted)
  const isJobAware = wait.goal === 'hook' || wait.withJobs
  const { status, message } = statusOf(live, isJobAware, now, wait.goal === 'hook')
  return { ...target, status, message }
}

/** H-5: a Deleted event is the end of the hook, and a good one; absence from the start says nothing. */
function seenByHelm3(
  target: WaitTarget,
  live: KubeObject | undefined,
  isDeleted: boolean,
): WaitTarget {
  if (live === undefined) return isDeleted ? { ...target, status: 'Current' } : target
  const end = hookEnd(live)
  if (end === undefined) return target
  return end.error === undefined
    ? { ...target, status: 'Current' }
    : { ...target, status: 'Failed', message: end.error }
}

/** What has failed is not waited for any longer, but reported only once the others have ended. */
function settled(wait: WaitState, version: HelmVersion, now: Instant): WaitState {
  const goal = wait.goal === 'gone' ? 'NotFound' : 'Current'
  const isOpen = ({ status }: WaitTarget): boolean =>
    status !== goal && !(status === 'Failed' && goal === 'Current')
  const isLate = now >= wait.until
  if (!isLate && wait.targets.some(isOpen)) return wait
  const wrong = wait.targets.filter(({ status }) => status !== goal)
  if (wrong.length === 0) return { ...wait, outcome: {} }
  return { ...wait, outcome: { error: errorOf(wait, wrong, version, isLate) } }
}

function errorOf(
  { strategy, goal }: WaitState,
  wrong: readonly WaitTarget[],
  version: HelmVersion,
  isLate: boolean,
): string {
  if (strategy === 'legacy') return legacyError(wrong, version)
  if (strategy === 'poller') return pollerError(wrong, goal, isLate)
  return statusError(wrong, goal === 'gone' ? 'NotFound' : 'Current', isLate)
}

/** The words of Flux's poller (R-3; traces helm-controller/016, 053, 068). */
function pollerError(
  wrong: readonly WaitTarget[],
  goal: WaitState['goal'],
  isLate: boolean,
): string {
  const places = wrong.map(({ object, watched, status = 'Unknown' }) => {
    const parts = [stringAt(object, ['kind']), watched.namespace, watched.name]
    return { place: parts.filter((part) => part !== undefined).join('/'), status }
  })
  if (goal === 'gone') {
    return places.map(({ place }) => `${place} termination timeout: ${DEADLINE}`).join('\n')
  }
  const list = places.map(({ place, status }) => `${place} status: '${status}'`).join(', ')
  return isLate
    ? `timeout waiting for: [${list}]`
    : `failed early due to stalled resources: [${list}]`
}

function legacyError(wrong: readonly WaitTarget[], version: HelmVersion): string {
  const errors = wrong.map(({ status, message }) =>
    status === 'Failed' ? (message ?? '') : 'timed out waiting for the condition',
  )
  return joined(errors, version)
}

function statusError(wrong: readonly WaitTarget[], goal: string, isLate: boolean): string {
  const lines = wrong.map(({ object, watched, status = 'Unknown', message = '' }) => {
    const what = goal === 'NotFound' ? 'still exists' : 'not ready'
    const place = [watched.namespace, watched.name].filter((part) => part !== undefined).join('/')
    const kind = stringAt(object, ['kind']) ?? ''
    return `resource ${kind}/${place} ${what}. status: ${status}, message: ${message}`
  })
  return [...lines, ...(isLate ? [DEADLINE] : [])].join('\n')
}

function polled(wait: WaitState, version: HelmVersion, io: Io<never>): WaitState {
  if (wait.strategy === 'poller') return polledByController(wait, version, io)
  if (wait.goal === 'gone') {
    if (wait.targets.every((target) => liveOf(target, io) === undefined)) {
      return { ...wait, outcome: {} }
    }
  } else {
    const states = wait.targets.map((target) => helm3State(target, wait.withJobs, io))
    const error = states.find((state) => typeof state === 'string')
    if (error !== undefined) return { ...wait, outcome: { error } }
    if (states.every((state) => state === true)) return { ...wait, outcome: {} }
  }
  return io.now >= wait.until ? { ...wait, outcome: { error: lateness(version) } } : wait
}

/** Recorded with 3.17; the words before 3.13 are those of older sources. */
function lateness({ major, minor }: HelmVersion): string {
  return major === 3 && minor < 13 ? 'timed out waiting for the condition' : DEADLINE
}

/** A text when the wait fails at once: what is asked for and is not there. */
function helm3State(target: WaitTarget, withJobs: boolean, io: Io<never>): boolean | string {
  const isJob = target.object['kind'] === 'Job' && target.watched.group === 'batch'
  if (isJob && !withJobs) return true
  const live = liveOf(target, io)
  if (live !== undefined) return isReadyToHelm3(live, io.now)
  const { group, resource, name } = target.watched
  const words = group === '' ? resource : `${resource}.${group}`
  return `${words} "${name}" not found`
}

/** a failed resource ends the wait at once, a Job that its TTL removed has succeeded. */
function polledByController(wait: WaitState, version: HelmVersion, io: Io<never>): WaitState {
  const targets = wait.targets.map((target) => {
    const live = liveOf(target, io)
    if (live === undefined && wait.goal !== 'gone' && hasTtl(target.object)) {
      return { ...target, status: 'Current', message: '' }
    }
    return { ...target, ...stateForFlux(live, wait, io.now) }
  })
  const next = { ...wait, targets }
  const isFailed = wait.goal === 'ready' && targets.some(({ status }) => status === 'Failed')
  if (!isFailed) return settled(next, version, io.now)
  const wrong = targets.filter(({ status }) => status === 'Failed')
  return { ...next, outcome: { error: pollerError(wrong, wait.goal, false) } }
}

/** F-15: a suspended Job counts as done, a hook too (trace helm-controller/054). */
function stateForFlux(
  live: KubeObject | undefined,
  { goal, withJobs }: WaitState,
  now: Instant,
): Status {
  const isJob = live?.kind === 'Job'
  if (live === undefined || goal === 'gone' || (goal === 'hook' && !isJob)) {
    return statusOf(live, true, now, goal === 'hook')
  }
  return isJob && goal !== 'hook' && !withJobs ? kstatus(live, now) : fluxStatus(live, now)
}

function hasTtl(object: JsonObject): boolean {
  const spec = object['spec']
  return (
    typeof spec === 'object' &&
    spec !== null &&
    'ttlSecondsAfterFinished' in spec &&
    object['kind'] === 'Job'
  )
}
