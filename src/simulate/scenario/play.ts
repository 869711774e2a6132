import { stringAt, type Json, type JsonObject } from '../../core/json.ts'
import type { KubeObject } from '../../cluster/object.ts'
import type { Declared, Rules } from '../history/history-of.ts'
import { historyOf } from '../history/history-of.ts'
import type { SeenError } from '../history/errors.ts'
import { runsOf, type History, type Timing } from '../history/history.ts'
import { objectsOf } from '../trace/manifests.ts'
import type { PlayTools } from '../trace/player.ts'
import { Play } from '../world/play.ts'
import { unknownProcess } from '../world/events/outage.ts'
import { findObject } from '../world/find-object.ts'
import type { Budget, ObjectRef, World } from '../world/world.ts'
import { declaredIn } from './declared.ts'
import { carriersOf, withCarriers } from './carriers.ts'
import { eventsOf } from './events.ts'
import type { Run, Scenario } from './format.ts'
import { namespacesOf } from './namespaces.ts'
import { carrierProblem } from './settings.ts'
import { spanSeconds, startOf } from './span.ts'
import type { Files, ScenarioEngine } from './stage.ts'
import { variantFiles, variantProblem } from './variant-files.ts'
import { variantsOf, type Variant } from './variants.ts'
import { workloadsOf } from './workloads.ts'

/** One variant of a scenario, played. */
export interface ScenarioRun {
  readonly variant: string
  readonly runs: readonly Run[]
  readonly history?: History
  /** What was played; left out where nothing was. */
  readonly world?: World
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
  /** `kustomize-controller` is called `Flux`. */
  readonly titleOf?: (actor: string) => string | undefined
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

function playPlanned(
  { variant, world, unplayable, declared }: PlannedVariant,
  { timing = { mode: 'idealised' }, budget, tools = {}, rules, titleOf }: ScenarioOptions,
): ScenarioRun {
  if (world === undefined) {
    return { variant, runs: [], errors: [], ...(unplayable === undefined ? {} : { unplayable }) }
  }
  const play = new Play(world, { timing, ...(budget === undefined ? {} : { budget }) }, tools)
  const unknown = unknownProcess(play)
  if (unknown !== undefined) return { variant, runs: [], errors: [], unplayable: unknown }
  play.finish()
  const history = historyOf(play, {
    timing,
    ...(rules === undefined ? {} : { rules }),
    ...(titleOf === undefined ? {} : { titleOf }),
    ...(declared === undefined ? {} : { declared }),
  })
  return {
    variant,
    runs: plainRuns(history),
    history,
    world,
    errors: play.chronicle.errors(),
    objectAtEnd: (ref) => findObject(play, ref),
  }
}

/** In the order of their starts. */
function plainRuns(history: History): readonly Run[] {
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
  const variants = variantsOf(scenario, files)
  const names = variants.map(({ name }) => name)
  return variants.map((variant) => {
    const kind = stringAt(variant.settings, ['kind']) ?? scenario.engine.kind
    const engine = engines.find(({ kinds }) => kinds.includes(kind))
    if (engine === undefined) {
      return { variant: variant.name, unplayable: `no engine ${kind} is modelled for scenarios` }
    }
    const own = variantFiles(files, variant)
    const events = eventsOf(scenario, variant, own, { isManifest, names })
    if ('unplayable' in events) return { variant: variant.name, unplayable: events.unplayable }
    const world = worldOf(scenario, { files: own, engine, kind, variant, events })
    const problem = world.engines.flatMap(({ input }) => input.carriers).map(carrierProblem)
    const unplayable = variantProblem(files, variant) ?? problem.find((one) => one !== undefined)
    if (unplayable !== undefined) return { variant: variant.name, unplayable }
    return { variant: variant.name, world, declared: declaredIn(world.events) }
  })
}

interface Planning {
  readonly files: Files
  readonly engine: ScenarioEngine
  readonly kind: string
  readonly variant: Variant
  readonly events: Exclude<ReturnType<typeof eventsOf>, { unplayable: string }>
}

function worldOf(scenario: Scenario, { files, engine, kind, variant, events }: Planning): World {
  const carriers = carriersOf(kind, files, events)
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
          carriers,
          changes: variant.changes,
          files,
        },
      },
    ],
    workloads: workloadsOf(scenario, variant),
    ...(scenario.actors === undefined ? {} : { actors: scenario.actors }),
    namespaces: [...namespacesOf(files)],
    accounts: accountsOf(files),
    events: withCarriers(kind, carriers, events.events),
    ...(minor === undefined ? {} : { minor }),
  }
}

/** `kubernetes: "1.32"` of the engine's settings. */
function minorOf(settings: JsonObject): number | undefined {
  const found = /^v?1\.(\d+)/.exec(settingText(settings['kubernetes']))?.[1]
  return found === undefined ? undefined : Number(found)
}

/** YAML reads `1.32` without quotes as a number. */
function settingText(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function isManifest(path: string, text: string): boolean {
  return (
    /\.ya?ml$/.test(path) &&
    objectsOf(path, text).some((object) => /^(Cron)?Job$/.test(stringAt(object, ['kind']) ?? ''))
  )
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
