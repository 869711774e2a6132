import { listAt, stringAt } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import { REALISTIC_TIMING } from '../../engines/flux-operator/index.ts'
import { shown, type Identity } from '../../engines/kustomize-controller/objects.ts'
import type { Trace } from '../format.ts'
import { zeroOf } from './stage.ts'

/** Beyond the jitter itself, by how much the beginning of a tick was off (seconds). */
const SLACK_SECONDS = 0.5
/** A first look that comes too late for what a TTL of zero left. */
const LATE_LOOK_MS = 60
/** What a look that saw a success led to follows within; the next look is 5 s later. */
const SEEN_SECONDS = 1

/** O-10: of each failed Job that was deleted to run again, whether the next was there within 2.5 s. */
export function recordedLooks(trace: Trace): (job: KubeObject, at: Instant) => boolean {
  const zero = zeroOf(trace)
  return ({ metadata }, at) => {
    const t = (at - zero) / 1000
    const jobs = trace.observed.jobs.filter(({ name }) => name === metadata.name)
    const deleted = jobs.filter(({ deletionRequested }) => deletionRequested !== null)
    const distance = (one: (typeof jobs)[number]): number =>
      Math.abs((one.deletionRequested ?? 0) - t)
    const [nearest] = deleted.sort((one, other) => distance(one) - distance(other))
    if (nearest === undefined) return false
    const since = nearest.deletionRequested ?? 0
    return jobs.some(({ created }) => created >= since && created < since + 2.5)
  }
}

/** O-1: the jitter that the real operator drew: when the set was seen to begin around that time. */
export function recordedIntervals(
  trace: Trace,
): (key: string, from: Instant, ms: number) => number {
  const zero = zeroOf(trace)
  const begins = beginsOf(trace)
  return (key, from, ms) => {
    const name = key.slice(key.lastIndexOf('/') + 1)
    const expected = (from + ms - zero) / 1000
    const spread = (ms / 1000) * REALISTIC_TIMING.jitter + SLACK_SECONDS
    const kind = key.startsWith('provider ') ? 'ResourceSetInputProvider' : 'ResourceSet'
    const near = (begins.get(`${kind}/${name}`) ?? []).filter(
      (t) => Math.abs(t - expected) <= spread,
    )
    const [t] = near.sort((one, other) => Math.abs(one - expected) - Math.abs(other - expected))
    return t === undefined ? ms : zero + t * 1000 - from
  }
}

/** When each object was seen to begin a reconcile, in seconds. */
function beginsOf(trace: Trace): ReadonlyMap<string, readonly number[]> {
  const begins = new Map<string, number[]>()
  for (const state of trace.observed.engine ?? []) {
    const isBeginning = listAt(state, ['conditions']).some(
      (one) =>
        stringAt(one, ['type']) === 'Reconciling' &&
        stringAt(one, ['reason']) === 'Progressing' &&
        stringAt(one, ['message']) === 'Reconciliation in progress',
    )
    const name = stringAt(state, ['object'])
    if (!isBeginning || name === undefined) continue
    begins.set(name, [...(begins.get(name) ?? []), Number(state['t'])])
  }
  return begins
}

/**
 * O-11: what the first look of a wait found is a race where a Job is complete, or gone, within a few
 * milliseconds: as it was reported, or as what followed tells.
 */
export function recordedFirstLooks(
  trace: Trace,
): (objects: readonly Identity[], at: Instant) => number {
  const zero = zeroOf(trace)
  const misses = missesOf(trace)
  const moves = movesOf(trace)
  return (objects, at) => {
    const t = (at - zero) / 1000
    const isMissed = objects.some((object) => isMiss(trace, misses, object, t))
    if (isMissed) return LATE_LOOK_MS
    const looks = objects.flatMap(({ name }) => lookAfterReplay(trace, moves, name, t) ?? [])
    return looks.length === 0 ? REALISTIC_TIMING.look : Math.max(...looks)
  }
}

interface Miss {
  readonly t: number
  readonly message: string
}

/** Waits that ended in their timeout with something gone. */
function missesOf(trace: Trace): readonly Miss[] {
  return (trace.observed.engine ?? []).flatMap((state) =>
    listAt(state, ['conditions']).flatMap((one) => {
      const message = stringAt(one, ['message']) ?? ''
      return message.includes("status: 'NotFound'") ? [{ t: Number(state['t']), message }] : []
    }),
  )
}

/** The Job of that time was the last one before such a report. */
function isMiss(trace: Trace, misses: readonly Miss[], object: Identity, t: number): boolean {
  const text = `${shown(object)} status: 'NotFound'`
  const miss = misses.find((one) => one.t > t + 1 && one.message.includes(text))
  if (miss === undefined) return false
  return !trace.observed.jobs.some(
    ({ name, created }) => name === object.name && created > t + 1 && created < miss.t,
  )
}

/** Times at which a set came further: a step was over, or everything. */
function movesOf(trace: Trace): readonly number[] {
  return (trace.observed.engine ?? []).flatMap((state) =>
    listAt(state, ['conditions']).some(
      (one) =>
        (stringAt(one, ['type']) === 'Ready' && stringAt(one, ['status']) === 'True') ||
        /^Applying step (?!1\/)/.test(stringAt(one, ['message']) ?? ''),
    )
      ? [Number(state['t'])]
      : [],
  )
}

/** Milliseconds to a look that sees the replayed status of a Job made then, or comes before it. */
function lookAfterReplay(
  { observed }: Trace,
  moves: readonly number[],
  name: string,
  t: number,
): number | undefined {
  const twin = observed.jobs.find(
    (job) =>
      job.name === name && typeof job.managedBy === 'string' && Math.abs(job.created - t) < 1,
  )
  const written = twin?.conditions[0]?.t
  if (twin === undefined || written === undefined) return undefined
  const wasSeen =
    moves.some((move) => move > written && move < written + SEEN_SECONDS) ||
    observed.jobs.some(({ created }) => created > written && created < written + SEEN_SECONDS)
  const delay = Math.round((written - twin.created) * 1000)
  return wasSeen ? Math.max(REALISTIC_TIMING.look, delay + 5) : Math.max(0, delay - 1)
}
