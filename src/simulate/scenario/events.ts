import { sha256Hex } from '../../core/hash.ts'
import { isObject, stringAt, type Json } from '../../core/json.ts'
import type { Instant } from '../../cluster/time.ts'
import type { WorldEvent } from '../world/world.ts'
import { driftOf } from './drift.ts'
import type { Scenario, ScenarioEvent } from './format.ts'
import { Repository } from './git.ts'
import { commitOfNote } from './notes.ts'
import { spanSeconds } from './span.ts'
import type { Files } from './stage.ts'
import type { Variant } from './variants.ts'

export interface PlannedEvents {
  readonly events: readonly WorldEvent[]
  /** Files that some event names. */
  readonly applied: ReadonlySet<string>
}

/** The events of a scenario in one variant, as what happens in the world. */
export function eventsOf(
  scenario: Scenario,
  variant: Variant,
  files: Files,
  isManifest: (path: string, text: string) => boolean,
): PlannedEvents | { readonly unplayable: string } {
  const planned = timeline(scenario, variant, files, isManifest)
  const start = Date.parse(scenario.start ?? '2026-01-05T00:00:00Z')
  const repository = new Repository(files)
  const events: WorldEvent[] = []
  for (const one of planned) {
    const at = start + one.at * 1000
    const made = worldEventsOf(one, { at, start, repository, variant })
    if ('unplayable' in made) return made
    events.push(...made.events)
  }
  return { events, applied: new Set(planned.flatMap(({ event }) => event.apply ?? [])) }
}

interface Planned {
  readonly at: number
  readonly event: ScenarioEvent
  /** Which repetition of an event with `every`, from 0. */
  readonly nth: number
}

/** Without an event that applies something, all manifests are there from the start. */
function timeline(
  { events = [], horizon }: Scenario,
  variant: Variant,
  files: Files,
  isManifest: (path: string, text: string) => boolean,
): readonly Planned[] {
  const planned: Planned[] = []
  if (!events.some(({ apply, install }) => apply !== undefined || install !== undefined)) {
    const apply = Object.entries(files)
      .filter(([path, text]) => isManifest(path, text))
      .map(([path]) => path)
    planned.push({ at: 0, event: { at: '0h', apply }, nth: 0 })
  }
  const end = spanSeconds(horizon) ?? 0
  for (const event of events) {
    if (event.only !== undefined && event.only !== variant.name) continue
    if (event.every === undefined) {
      planned.push({ at: spanSeconds(event.at ?? '0h') ?? 0, event, nth: 0 })
      continue
    }
    const every = spanSeconds(event.every) ?? 0
    const from = spanSeconds(event.from ?? event.at ?? '0h') ?? 0
    const count = event.count ?? Math.ceil((end - from) / every)
    for (let nth = 0; nth < count; nth += 1) planned.push({ at: from + nth * every, event, nth })
  }
  return planned.filter(({ at }) => at < end).sort((one, other) => one.at - other.at)
}

interface Making {
  readonly at: Instant
  readonly start: Instant
  readonly repository: Repository
  readonly variant: Variant
}

type Made = { readonly events: readonly WorldEvent[] } | { readonly unplayable: string }

function worldEventsOf({ event, nth }: Planned, making: Making): Made {
  const { at, repository, variant } = making
  const events: WorldEvent[] = []
  const revision =
    event.apply === undefined
      ? commitOfNote(event, repository, nth)
      : repository.apply(event, variant.files)
  if (event.apply !== undefined && revision === undefined) {
    const names = event.apply.join(', ')
    return {
      unplayable: `apply: [${names}] at ${event.at ?? '0h'}: not all of it is in the folder`,
    }
  }
  if (revision !== undefined) {
    const words = commitWords(event, revision)
    events.push({ kind: 'commit', at, engine: 0, revision, files: { ...repository.files }, words })
  }
  if (event['sync'] !== undefined) {
    events.push({ kind: 'sync', at, engine: 0, event, words: 'a person asked for a sync' })
  }
  if (CHANGES.some((key) => event[key] !== undefined)) {
    events.push({ kind: 'change', at, engine: 0, event, words: changeWords(event) })
  }
  for (const [key, make] of Object.entries(MAKERS)) {
    const value = event[key]
    if (value === undefined) continue
    const made = make(value, event, making)
    if (made === undefined) {
      const text = JSON.stringify(value)
      return { unplayable: `the event ${key}: ${text} at ${event.at ?? '0h'} is not understood` }
    }
    events.push(made)
  }
  return { events }
}

/** Keys that the engine's stage understands. */
const CHANGES = ['install', 'values', 'change', 'rollback', 'uninstall', 'upgrade', 'test'] as const

type Maker = (value: Json, event: ScenarioEvent, making: Making) => WorldEvent | undefined

const MAKERS: Readonly<Record<string, Maker>> = {
  drift(value, _event, { at }) {
    const drift = driftOf(value)
    return drift === undefined ? undefined : { kind: 'drift', at, ...drift }
  },
  outage(value, event, { at }) {
    const of = typeof value === 'string' ? value : stringAt(value, ['of'])
    const text = isObject(value) ? stringAt(value, ['for']) : stringAt(event, ['for'])
    const seconds = spanSeconds(text ?? '')
    if (of === undefined || seconds === undefined) return undefined
    const until = at + seconds * 1000
    return { kind: 'outage', at, of, until, words: `${of} is down for ${text ?? ''}` }
  },
  restart(value, _event, { at }) {
    if (typeof value !== 'string' && value !== true) return undefined
    const of = value === true ? 'engine' : value
    return { kind: 'restart', at, of, words: `${of} is restarted` }
  },
  rebuild(value, _event, { at }) {
    return value === true ? { kind: 'rebuild', at, words: 'the cluster is built anew' } : undefined
  },
  restore(value, _event, { at, start }) {
    const back = typeof value === 'string' ? value : stringAt(value, ['back'])
    const to = stringAt(value, ['to'])
    const seconds = spanSeconds(to ?? back ?? '')
    if (seconds === undefined) return undefined
    const instant = to === undefined ? at - seconds * 1000 : start + seconds * 1000
    if (instant < start || instant > at) return undefined
    const words = `etcd is restored to ${(instant - start) / 3_600_000} h`
    return { kind: 'restore', at, to: instant, words }
  },
  push(value, event, { at }) {
    if (typeof value !== 'string') return undefined
    const given = stringAt(event, ['digest'])
    const digest = given ?? `sha256:${sha256Hex(`${value} ${at}`)}`
    const words = given === undefined ? `${value} was pushed` : `${value} was pushed as ${given}`
    return { kind: 'tag', at, image: value, digest, words }
  },
  tag(value, _event, { at }) {
    const image = stringAt(value, ['image'])
    const digest = stringAt(value, ['digest']) ?? stringAt(value, ['content'])
    if (image === undefined || digest === undefined) return undefined
    return { kind: 'tag', at, image, digest, words: `${image} points to ${digest}` }
  },
  engine(value, _event, { at }) {
    const version = stringAt(value, ['version'])
    if (version === undefined) return undefined
    return { kind: 'upgrade', at, engine: 0, version, words: `the engine is now ${version}` }
  },
}

function commitWords({ note }: ScenarioEvent, revision: string): string {
  return note === undefined ? `commit ${revision}` : `commit ${revision}: ${note}`
}

function changeWords(event: ScenarioEvent): string {
  const key = CHANGES.find((one) => event[one] !== undefined) ?? 'change'
  const value = event[key]
  return value === true ? key : `${key} ${JSON.stringify(value)}`
}
