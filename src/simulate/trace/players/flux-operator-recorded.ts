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

/** O-11: whether the wait that begins then was reported to have found nothing until its timeout. */
export function recordedMisses(
  trace: Trace,
): (objects: readonly Identity[], at: Instant) => number {
  const zero = zeroOf(trace)
  const misses = (trace.observed.engine ?? []).flatMap((state) =>
    listAt(state, ['conditions']).flatMap((one) => {
      const message = stringAt(one, ['message']) ?? ''
      return message.includes("status: 'NotFound'") ? [{ t: Number(state['t']), message }] : []
    }),
  )
  return (objects, at) => {
    const t = (at - zero) / 1000
    const isMissed = objects.some((object) => {
      const text = `${shown(object)} status: 'NotFound'`
      const miss = misses.find((one) => one.t > t + 1 && one.message.includes(text))
      if (miss === undefined) return false
      const { name } = object
      const between = trace.observed.jobs.filter(
        (job) => job.name === name && job.created > t + 1 && job.created < miss.t,
      )
      return between.length === 0
    })
    return isMissed ? LATE_LOOK_MS : REALISTIC_TIMING.look
  }
}
