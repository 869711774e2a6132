import { sha256Hex } from '../../core/hash.ts'
import { isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import type { Instant } from '../../cluster/time.ts'
import type { ObjectRef, WorldEvent } from '../world/world.ts'
import { driftsOf } from './drift.ts'
import type { ScenarioEvent } from './format.ts'
import { spanSeconds } from './span.ts'

export interface MakingContext {
  readonly at: Instant
  readonly start: Instant
  /** Objects that a sentence may name. */
  readonly known: readonly ObjectRef[]
}

type Maker = (
  value: Json,
  event: ScenarioEvent,
  making: MakingContext,
) => readonly WorldEvent[] | undefined

/** What happens in the world by a key of an event; undefined: it is not understood. */
export const MAKERS: Readonly<Record<string, Maker>> = {
  drift(value, event, { at, known }) {
    const object: JsonObject = event['object'] === undefined ? {} : { object: event['object'] }
    const drifts = driftsOf(value, known, object)
    return drifts?.map((drift) => ({ kind: 'drift', at, ...drift }))
  },
  outage(value, event, { at }) {
    const of = typeof value === 'string' ? value : stringAt(value, ['of'])
    const text = isObject(value) ? stringAt(value, ['for']) : stringAt(event, ['for'])
    const seconds = spanSeconds(text ?? '')
    if (of === undefined || seconds === undefined) return undefined
    const until = at + seconds * 1000
    return [{ kind: 'outage', at, of, until, words: `${of} is down for ${text ?? ''}` }]
  },
  restart(value, _event, { at }) {
    if (typeof value !== 'string' && value !== true) return undefined
    const of = value === true ? 'engine' : value
    return [{ kind: 'restart', at, of, words: `${of} is restarted` }]
  },
  rebuild(value, _event, { at }) {
    return value === true
      ? [{ kind: 'rebuild', at, words: 'the cluster is built anew' }]
      : undefined
  },
  restore(value, _event, { at, start }) {
    const back = typeof value === 'string' ? value : stringAt(value, ['back'])
    const to = stringAt(value, ['to'])
    const seconds = spanSeconds(to ?? back ?? '')
    if (seconds === undefined) return undefined
    const instant = to === undefined ? at - seconds * 1000 : start + seconds * 1000
    if (instant < start || instant > at) return undefined
    const words = `etcd is restored to ${(instant - start) / 3_600_000} h`
    return [{ kind: 'restore', at, to: instant, words }]
  },
  push(value, event, { at }) {
    if (typeof value !== 'string') return undefined
    const given = stringAt(event, ['digest'])
    const digest = given ?? `sha256:${sha256Hex(`${value} ${at}`)}`
    const words = given === undefined ? `${value} was pushed` : `${value} was pushed as ${given}`
    return [{ kind: 'tag', at, image: value, digest, words }]
  },
  tag(value, _event, { at }) {
    const image = stringAt(value, ['image'])
    const digest = stringAt(value, ['digest']) ?? stringAt(value, ['content'])
    if (image === undefined || digest === undefined) return undefined
    return [{ kind: 'tag', at, image, digest, words: `${image} points to ${digest}` }]
  },
  engine(value, _event, { at }) {
    const version = stringAt(value, ['version'])
    if (version === undefined) return undefined
    return [{ kind: 'upgrade', at, engine: 0, version, words: `the engine is now ${version}` }]
  },
}
