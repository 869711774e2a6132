import { isList, isObject, stringAt, type Json } from '../../core/json.ts'
import type { ObjectRef, WorldEvent } from '../world/world.ts'
import type { Scenario, ScenarioEvent } from './format.ts'
import { changedInGit } from './git-changes.ts'
import { Repository } from './git.ts'
import { MAKERS, type MakingContext } from './makers.ts'
import { nearest } from './names.ts'
import { commitOfNote, objectsIn } from './notes.ts'
import { REMARKS } from './remarks.ts'
import { spanSeconds, startOf } from './span.ts'
import type { Files } from './stage.ts'
import { notSupported } from './supported.ts'
import type { Variant } from './variants.ts'
import { parseRef, refIn } from './words.ts'

export interface PlannedEvents {
  readonly events: readonly WorldEvent[]
  /** Files that some event names. */
  readonly applied: ReadonlySet<string>
}

/** The events of a scenario in one variant, as what happens in the world. `names`: of all variants. */
export function eventsOf(
  scenario: Scenario,
  variant: Variant,
  files: Files,
  { isManifest, names }: EventContext,
): PlannedEvents | { readonly unplayable: string } {
  const planned = timeline(scenario, { variant, files, isManifest, names })
  if ('unplayable' in planned) return planned
  const start = startOf(scenario)
  const repository = new Repository(files)
  const events: WorldEvent[] = []
  const making = {
    start,
    repository,
    variant,
    kind: stringAt(variant.settings, ['kind']) ?? scenario.engine.kind,
    known: knownObjects(scenario, files),
  }
  for (const one of planned) {
    const made = worldEventsOf(one, { ...making, at: start + one.at * 1000 })
    if ('unplayable' in made) return { unplayable: `${placeOf(one)}: ${made.unplayable}` }
    events.push(...made.events)
  }
  return { events, applied: new Set(planned.flatMap(({ event }) => pathsOf(event))) }
}

export interface EventContext {
  readonly isManifest: (path: string, text: string) => boolean
  readonly names: readonly string[]
}

function pathsOf({ apply }: ScenarioEvent): readonly string[] {
  return typeof apply === 'string' ? [apply] : (apply ?? [])
}

/** Objects that sentences may name: manifests of the folder, and Jobs that workloads name. */
function knownObjects({ workloads = [] }: Scenario, files: Files): readonly ObjectRef[] {
  const named = workloads.flatMap(({ job, cronjob, deployment }) => {
    const place = job ?? cronjob ?? deployment ?? '*'
    const kind = job === undefined ? (cronjob === undefined ? 'Deployment' : 'CronJob') : 'Job'
    const ref = place.includes('*') ? undefined : parseRef(`${kind}/${place}`)
    return ref === undefined ? [] : [ref]
  })
  const written = objectsIn(files).map(
    (one) =>
      named.find(
        ({ kind, name }) => one.namespace === undefined && kind === one.kind && name === one.name,
      ) ?? one,
  )
  return [
    ...written,
    ...named.filter(
      (one) => !written.some(({ kind, name }) => kind === one.kind && name === one.name),
    ),
  ]
}

interface Planned {
  readonly at: number
  readonly event: ScenarioEvent
  /** Which repetition of an event with `every`, from 0. */
  readonly nth: number
  /** Its place among the events of the file; undefined for what no event says. */
  readonly index?: number
}

function placeOf({ event, index }: Planned): string {
  const at = event.at ?? `${event.from ?? '0h'}, every ${event.every ?? ''}`
  return index === undefined ? `at ${at}` : `events[${index}] at ${at}`
}

/** Without an event that applies something, all manifests are there from the start. */
function timeline(
  { events = [], horizon }: Scenario,
  { variant, files, isManifest, names }: EventContext & { variant: Variant; files: Files },
): readonly Planned[] | { readonly unplayable: string } {
  const planned: Planned[] = []
  if (!events.some(({ apply, install }) => apply !== undefined || install !== undefined)) {
    planned.push({ at: 0, event: { at: '0h', apply: manifestsOf(files, isManifest) }, nth: 0 })
  }
  const end = spanSeconds(horizon) ?? 0
  for (const [index, event] of events.entries()) {
    const only = event.only ?? event['variant']
    for (const one of isList(only) ? only : only === undefined ? [] : [only]) {
      if (typeof one === 'string' && indexOf(one, names) !== undefined) continue
      const known = names.filter((name) => name !== '')
      const why =
        known.length === 0 ? 'the scenario has no variants' : `they are ${known.join('; ')}`
      return { unplayable: `events[${index}]: there is no variant ${JSON.stringify(one)}: ${why}` }
    }
    if (only !== undefined && !isFor(only, variant.name, names)) continue
    if (event.every === undefined) {
      planned.push({ at: spanSeconds(event.at ?? '0h') ?? 0, event, nth: 0, index })
      continue
    }
    const every = spanSeconds(event.every) ?? 0
    const from = spanSeconds(event.from ?? event.at ?? '0h') ?? 0
    const fitting = Math.max(0, Math.ceil((end - from) / every))
    const count = Math.min(event.count ?? fitting, fitting)
    for (let nth = 0; nth < count; nth += 1) {
      planned.push({ at: from + nth * every, event, nth, index })
    }
  }
  return planned.filter(({ at }) => at < end).sort((one, other) => one.at - other.at)
}

function manifestsOf(files: Files, isManifest: EventContext['isManifest']): readonly string[] {
  return Object.entries(files)
    .filter(([path, text]) => isManifest(path, text))
    .map(([path]) => path)
}

function isFor(only: Json, name: string, names: readonly string[]): boolean {
  const wanted = isList(only) ? only : [only]
  return wanted.some((one) => typeof one === 'string' && names[indexOf(one, names) ?? -1] === name)
}

/** A list of settings beside variants gives names with both: `force, prune on`. */
function indexOf(name: string, names: readonly string[]): number | undefined {
  const at = names.indexOf(name)
  return at >= 0 ? at : nearest(name, names)
}

interface Making extends MakingContext {
  readonly repository: Repository
  readonly variant: Variant
  readonly kind: string
}

type Made = { readonly events: readonly WorldEvent[] } | { readonly unplayable: string }

function worldEventsOf(planned: Planned, making: Making): Made {
  const event = withResources(planned.event, making.known)
  const strange = strangeResource(event)
  if (strange !== undefined) {
    return { unplayable: `sync: there is no object ${strange} that a sync could be of` }
  }
  const { at, kind } = making
  const unsupported = notSupported(kind, event)
  if (unsupported !== undefined) return { unplayable: unsupported }
  if (
    Object.keys(event).every((key) => SILENT.has(key)) &&
    event.note === undefined &&
    event.commit === undefined
  ) {
    return { unplayable: 'it says nothing that happens' }
  }
  const events: WorldEvent[] = []
  const commit = commitOf(event, planned.nth, making)
  if (commit !== undefined && 'unplayable' in commit) return commit
  if (commit !== undefined) events.push(...commit.events)
  if (event['sync'] !== undefined && event['sync'] !== false) {
    events.push({ kind: 'sync', at, engine: 0, event, words: 'a person asked for a sync' })
  }
  const isInGit = commit !== undefined && commit.isChange
  if (CHANGES.some((key) => event[key] !== undefined && !(key === 'change' && isInGit))) {
    events.push({ kind: 'change', at, engine: 0, event, words: changeWords(event) })
  }
  for (const [key, make] of Object.entries(MAKERS)) {
    const value = event[key]
    if (value === undefined) continue
    const made = make(value, event, making)
    if (made === undefined) {
      return { unplayable: `${key}: ${JSON.stringify(value)} is not understood` }
    }
    events.push(...made)
  }
  return { events }
}

/** Keys of an event that make nothing happen. */
const SILENT: ReadonlySet<string> = new Set([
  'at',
  'every',
  'from',
  'count',
  'only',
  'variant',
  'for',
  'digest',
  'object',
  ...REMARKS,
])

type Commit =
  | { readonly events: readonly WorldEvent[]; readonly isChange: boolean }
  | { readonly unplayable: string }

/** What Git holds after the event, if it is a commit. */
function commitOf(event: ScenarioEvent, nth: number, making: Making): Commit | undefined {
  const { at, repository, variant, kind } = making
  const files = event.apply === undefined ? changedInGit(kind, event, repository.files) : undefined
  const made =
    event.apply !== undefined
      ? repository.apply(event, variant.files)
      : files === undefined
        ? commitOfNote(event, repository, nth)
        : repository.commit(event, files)
  if (made === undefined) return undefined
  if (typeof made !== 'string') {
    const why = 'missing' in made ? `apply: ${made.missing}` : `note: ${made.fault}`
    return { unplayable: why }
  }
  const words = commitWords(event, made)
  return {
    isChange: files !== undefined,
    events: [
      { kind: 'commit', at, engine: 0, revision: made, files: { ...repository.files }, words },
    ],
  }
}

/** Left out, it would turn a sync of some objects into one of all. */
function strangeResource({ sync }: ScenarioEvent): string | undefined {
  const resources = isObject(sync) ? sync['resources'] : undefined
  if (!isList(resources)) return undefined
  const found = resources.find((one) => typeof one === 'string' && !/[:/]/.test(one))
  return found === undefined ? undefined : JSON.stringify(found)
}

/** Resources of a sync as people name them (`web`, `deployment/web`), in full. */
function withResources(event: ScenarioEvent, known: readonly ObjectRef[]): ScenarioEvent {
  const { sync } = event
  if (!isObject(sync) || !isList(sync['resources'])) return event
  const resources = sync['resources'].map((one) => {
    if (typeof one !== 'string' || one.includes(':')) return one
    const ref = refIn(one.replace(/^[a-z0-9.]+\/(?=[A-Z])/, ''), known)
    return ref === undefined
      ? one
      : [ref.kind, ref.namespace, ref.name].filter((part) => part !== undefined).join('/')
  })
  return { ...event, sync: { ...sync, resources } }
}

/** Keys that the engine's stage understands. */
const CHANGES = ['install', 'values', 'change', 'rollback', 'uninstall', 'upgrade', 'test'] as const

function commitWords({ note }: ScenarioEvent, revision: string): string {
  return note === undefined ? `commit ${revision}` : `commit ${revision}: ${note}`
}

function changeWords(event: ScenarioEvent): string {
  const key = CHANGES.find((one) => event[one] !== undefined) ?? 'change'
  const value = event[key]
  return value === true ? key : `${key} ${JSON.stringify(value)}`
}
