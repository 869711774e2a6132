import { stringAt, type Json, type JsonObject } from '../../core/json.ts'
import type { KubeObject } from '../../cluster/object.ts'
import type { Declared, Rules } from '../history/history-of.ts'
import { historyOf } from '../history/history-of.ts'
import type { SeenError } from '../history/errors.ts'
import { runsOf, type History, type Timing } from '../history/history.ts'
import { objectsOf } from '../trace/manifests.ts'
import type { PlayTools } from '../trace/player.ts'
import { Play } from '../world/play.ts'
import { findObject } from '../world/find-object.ts'
import type { Budget, ObjectRef, World } from '../world/world.ts'
import { declaredIn } from './declared.ts'
import { eventsOf } from './events.ts'
import { withField } from './fields.ts'
import type { Run, Scenario } from './format.ts'
import { namespacesOf } from './namespaces.ts'
import { carrierProblem } from './settings.ts'
import { spanSeconds } from './span.ts'
import type { Files, ScenarioEngine } from './stage.ts'
import { variantsOf, type Variant } from './variants.ts'
import { workloadsOf } from './workloads.ts'

export { withField } from './fields.ts'

/** One variant of a scenario, played. */
export interface ScenarioRun {
  readonly variant: string
  readonly runs: readonly Run[]
  readonly history?: History
  /** What somebody in front of the cluster could have read. */
  readonly errors: readonly SeenError[]
  /** An object at the end. */
  readonly objectAtEnd?: (ref: ObjectRef) => KubeObject | undefined
  /** Why it could not be played. */
  readonly unplayable?: string
}

export interface ScenarioOptions {
  readonly timing?: Timing
  readonly budget?: Budget
  readonly tools?: PlayTools
  readonly rules?: Rules
}

/** Plays a scenario, once for each variant. `files`: all of its folder. */
export function playScenario(
  scenario: Scenario,
  files: Files,
  engines: readonly ScenarioEngine[],
  options: ScenarioOptions = {},
): readonly ScenarioRun[] {
  return scenarioWorlds(scenario, files, engines).map((planned) => playPlanned(planned, options))
}

/** A variant as a world, or why it is none. */
export interface PlannedVariant {
  readonly variant: string
  readonly world?: World
  readonly declared?: readonly Declared[]
  readonly unplayable?: string
}

export function playPlanned(
  { variant, world, unplayable, declared }: PlannedVariant,
  { timing = { mode: 'idealised' }, budget, tools = {}, rules }: ScenarioOptions,
): ScenarioRun {
  if (world === undefined) {
    return { variant, runs: [], errors: [], ...(unplayable === undefined ? {} : { unplayable }) }
  }
  const play = new Play(world, { timing, ...(budget === undefined ? {} : { budget }) }, tools)
  play.finish()
  const history = historyOf(play, {
    timing,
    ...(rules === undefined ? {} : { rules }),
    ...(declared === undefined ? {} : { declared }),
  })
  return {
    variant,
    runs: plainRuns(history),
    history,
    errors: play.chronicle.errors(),
    objectAtEnd: (ref) => findObject(play, ref),
  }
}

/** In the order of their starts. */
export function plainRuns(history: History): readonly Run[] {
  const { start, end } = history
  return history.lanes
    .flatMap((lane) => runsOf(lane, history))
    .map((life): Run => {
      const { endedAt, outcome, startedAt } = life
      const isOver = endedAt !== undefined && endedAt < end
      return {
        job: life.name,
        namespace: life.namespace,
        ...(life.cronJob === undefined ? {} : { cronjob: life.cronJob }),
        startedAtSeconds: (startedAt - start) / 1000,
        ...(endedAt === undefined ? {} : { endedAtSeconds: (endedAt - start) / 1000 }),
        outcome: isOver && outcome !== 'waiting' ? outcome : 'running',
        image: life.image,
        pods: life.pods,
        executions: life.executions ?? life.pods,
        cause: life.cause,
      }
    })
    .sort((one, other) => one.startedAtSeconds - other.startedAtSeconds)
}

export function scenarioWorlds(
  scenario: Scenario,
  files: Files,
  engines: readonly ScenarioEngine[],
): readonly PlannedVariant[] {
  const engine = engines.find(({ kinds }) => kinds.includes(scenario.engine.kind))
  return variantsOf(scenario, files).map((variant) => {
    if (engine === undefined) {
      const unplayable = `no engine ${scenario.engine.kind} is modelled for scenarios`
      return { variant: variant.name, unplayable }
    }
    const events = eventsOf(scenario, variant, variantFiles(files, variant), isManifest)
    if ('unplayable' in events) return { variant: variant.name, unplayable: events.unplayable }
    const world = worldOf(scenario, { files, engine, variant, events })
    const problem = world.engines.flatMap(({ input }) => input.carriers).map(carrierProblem)
    const unplayable = problem.find((one) => one !== undefined)
    if (unplayable !== undefined) return { variant: variant.name, unplayable }
    return { variant: variant.name, world, declared: declaredIn(world.events) }
  })
}

interface Planning {
  readonly files: Files
  readonly engine: ScenarioEngine
  readonly variant: Variant
  readonly events: Exclude<ReturnType<typeof eventsOf>, { unplayable: string }>
}

function worldOf(scenario: Scenario, { files, engine, variant, events }: Planning): World {
  const start = startOf(scenario)
  const minor = minorOf(variant.settings)
  return {
    start,
    end: start + (spanSeconds(scenario.horizon) ?? 0) * 1000,
    engines: [
      {
        engine,
        input: {
          settings: variant.settings,
          carriers: carriersOf(variantFiles(files, variant), events.applied),
          changes: variant.changes,
          files: variantFiles(files, variant),
        },
      },
    ],
    workloads: workloadsOf(scenario, variant),
    ...(scenario.actors === undefined ? {} : { actors: scenario.actors }),
    namespaces: [...namespacesOf(files)],
    accounts: accountsOf(files),
    events: events.events,
    ...(minor === undefined ? {} : { minor }),
  }
}

export function startOf({ start }: Scenario): number {
  return Date.parse(start ?? '2026-01-05T00:00:00Z')
}

/** `kubernetes: "1.32"` of the engine's settings. */
function minorOf(settings: JsonObject): number | undefined {
  const found = /^v?1\.(\d+)/.exec(String(settings['kubernetes'] ?? ''))?.[1]
  return found === undefined ? undefined : Number(found)
}

function variantFiles(files: Files, variant: Variant): Files {
  return changedFiles(files, variant)
}

function isManifest(path: string, text: string): boolean {
  return (
    /\.ya?ml$/.test(path) &&
    objectsOf(path, text).some((object) => /^(Cron)?Job$/.test(stringAt(object, ['kind']) ?? ''))
  )
}

/** The engine's own objects: YAML at the top of the folder that no event applies. */
function carriersOf(files: Files, applied: ReadonlySet<string>): readonly JsonObject[] {
  return Object.entries(files)
    .filter(([path]) => /\.ya?ml$/.test(path) && !path.includes('/') && !applied.has(path))
    .filter(([path]) => path !== 'scenario.yaml')
    .flatMap(([path, text]) => objectsOf(path, text))
}

function accountsOf(files: Files): readonly string[] {
  return Object.entries(files)
    .filter(([path, text]) => /\.ya?ml$/.test(path) && text.includes('ServiceAccount'))
    .flatMap(([path, text]) => objectsOf(path, text))
    .filter((object) => object['kind'] === 'ServiceAccount')
    .map((object) => {
      const namespace = stringAt(object, ['metadata', 'namespace']) ?? 'default'
      return `${namespace}/${stringAt(object, ['metadata', 'name']) ?? ''}`
    })
}

/**
 * `job.spec.ttlSecondsAfterFinished: 3600` of a variant, in every Job manifest; and a comment
 * `# variant NAME: line` is that line in the variant of that name.
 */
function changedFiles(files: Files, { name, changes }: Variant): Files {
  const fields = Object.entries(changes).filter(([key]) => /^(?:cron)?job\./.test(key))
  const mark = `# variant ${name}: `
  const changed: { [path: string]: string } = {}
  for (const [path, text] of Object.entries(files)) {
    const written = name === '' || !text.includes(mark) ? text : text.replaceAll(mark, '')
    const objects = fields.length > 0 && /\.ya?ml$/.test(path) ? objectsOf(path, written) : []
    const isWork = objects.some((object) => /^(?:Cron)?Job$/.test(String(object['kind'])))
    changed[path] = isWork
      ? objects.map((object) => JSON.stringify(withFields(object, fields))).join('\n---\n')
      : written
  }
  return changed
}

function withFields(
  object: JsonObject,
  fields: readonly (readonly [string, Json | undefined])[],
): JsonObject {
  const kind = stringAt(object, ['kind'])?.toLowerCase() ?? ''
  if (kind !== 'job' && kind !== 'cronjob') return object
  return fields
    .filter(([key]) => key.startsWith(`${kind}.`))
    .reduce<JsonObject>(
      (made, [key, value]) => withField(made, key.split('.').slice(1), value),
      object,
    )
}
