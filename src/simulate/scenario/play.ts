import { isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { IDEALISED } from '../../cluster/actor.ts'
import { controllerManager } from '../../cluster/controllers/index.ts'
import { createCluster } from '../../cluster/index.ts'
import { kubelet } from '../../cluster/kubelet/kubelet.ts'
import { scenarioScript, type Workload } from '../../cluster/kubelet/scenario-script.ts'
import { controllerOf } from '../../cluster/object.ts'
import { objectsOf } from '../trace/manifests.ts'
import type { PlayTools } from '../trace/player.ts'
import type { Run, Scenario, ScenarioEvent, ScenarioWorkload } from './format.ts'
import { Repository } from './git.ts'
import { RunLedger } from './ledger.ts'
import { commitOfNote } from './notes.ts'
import { spanSeconds } from './span.ts'
import type { Files, ScenarioEngine } from './stage.ts'
import { variantsOf, type Variant } from './variants.ts'

export interface ScenarioRun {
  readonly variant: string
  readonly runs: readonly Run[]
  /** Why it could not be played. */
  readonly unplayable?: string
}

/** Plays a scenario in idealised time, once for each variant. `files`: all of its folder. */
export function playScenario(
  scenario: Scenario,
  files: Files,
  engines: readonly ScenarioEngine[],
  tools: PlayTools = {},
): readonly ScenarioRun[] {
  const engine = engines.find(({ kinds }) => kinds.includes(scenario.engine.kind))
  return variantsOf(scenario).map((variant) => {
    if (engine === undefined) {
      const unplayable = `no engine ${scenario.engine.kind} is modelled for scenarios`
      return { variant: variant.name, runs: [], unplayable }
    }
    return playVariant(scenario, { files, engine, variant, tools })
  })
}

interface Playing {
  readonly files: Files
  readonly engine: ScenarioEngine
  readonly variant: Variant
  readonly tools: PlayTools
}

function playVariant(scenario: Scenario, { files, engine, variant, tools }: Playing): ScenarioRun {
  const start = Date.parse(scenario.start ?? '2026-01-05T00:00:00Z')
  const end = start + (spanSeconds(scenario.horizon) ?? 0) * 1000
  const events = timeline(scenario, variant, files)
  const applied = new Set(events.flatMap(({ event }) => event.apply ?? []))
  const stage = engine.stage({
    settings: variant.settings,
    carriers: carriersOf(files, applied),
    changes: variant.changes,
    files,
    start,
    tools,
    timing: 'idealised',
  })
  const ledger = new RunLedger(start)
  const cluster = createCluster({
    now: start,
    latencies: IDEALISED,
    kinds: stage.kinds,
    ...(tools.cel === undefined ? {} : { cel: tools.cel }),
    actors: [
      ...controllerManager(),
      kubelet(scenarioScript(scriptOf(scenario, variant, () => cluster))),
      ...stage.actors,
    ],
    listener: {
      write: (event, at) => ledger.write(event, at),
      cause: (cause) => ledger.cause(cause),
    },
  })
  for (const namespace of namespacesOf(files)) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
    const resource = { group: '', version: 'v1', resource: 'namespaces' }
    cluster.request({ verb: 'create', resource, body, user: 'scenario' })
  }
  cluster.runBefore(start)
  stage.prepare(cluster)
  const repository = new Repository(changedFiles(files, variant))
  for (const { at, event, nth } of events) {
    const instant = start + at * 1000
    if (instant >= end) break
    // What the engine does at that very instant sees the event.
    cluster.runBefore(instant)
    const revision =
      event.apply === undefined
        ? commitOfNote(event, repository, nth)
        : repository.apply(event, variant.files)
    if (revision !== undefined) stage.commit(cluster, revision, repository.files)
    if (event['sync'] !== undefined) stage.sync?.(cluster, event)
    if (['install', 'values', 'change'].some((key) => event[key] !== undefined)) {
      stage.change?.(cluster, event)
    }
  }
  cluster.runUntil(end - 1)
  return { variant: variant.name, runs: ledger.runs(end) }
}

interface Planned {
  readonly at: number
  readonly event: ScenarioEvent
  /** Which repetition of an event with `every`, from 0. */
  readonly nth: number
}

/** Without an event that applies something, all manifests are there from the start. */
function timeline({ events = [] }: Scenario, variant: Variant, files: Files): readonly Planned[] {
  const planned: Planned[] = []
  if (!events.some(({ apply, install }) => apply !== undefined || install !== undefined)) {
    planned.push({ at: 0, event: { at: '0h', apply: manifestsOf(files) }, nth: 0 })
  }
  for (const event of events) {
    if (event.only !== undefined && event.only !== variant.name) continue
    if (event.every === undefined) {
      planned.push({ at: spanSeconds(event.at ?? '0h') ?? 0, event, nth: 0 })
      continue
    }
    const every = spanSeconds(event.every) ?? 0
    const from = spanSeconds(event.from ?? '0h') ?? 0
    for (let nth = 0; nth < (event.count ?? 1); nth += 1) {
      planned.push({ at: from + nth * every, event, nth })
    }
  }
  return planned.sort((one, other) => one.at - other.at)
}

/** YAML that holds Jobs or CronJobs. */
function manifestsOf(files: Files): readonly string[] {
  return Object.entries(files)
    .filter(([path]) => /\.ya?ml$/.test(path))
    .filter(([path, text]) =>
      objectsOf(path, text).some((object) => /^(Cron)?Job$/.test(stringAt(object, ['kind']) ?? '')),
    )
    .map(([path]) => path)
}

/** The engine's own objects: YAML at the top of the folder that no event applies. */
function carriersOf(files: Files, applied: ReadonlySet<string>): readonly JsonObject[] {
  return Object.entries(files)
    .filter(([path]) => /\.ya?ml$/.test(path) && !path.includes('/') && !applied.has(path))
    .filter(([path]) => path !== 'scenario.yaml')
    .flatMap(([path, text]) => objectsOf(path, text))
}

function namespacesOf(files: Files): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [path, text] of Object.entries(files)) {
    if (!/\.ya?ml$/.test(path) || path.includes('templates/')) continue
    for (const object of objectsOf(path, text)) {
      const own = stringAt(object, ['metadata', 'namespace'])
      const target =
        stringAt(object, ['spec', 'targetNamespace']) ??
        stringAt(object, ['spec', 'destination', 'namespace'])
      for (const name of [own, target]) {
        if (name !== undefined && !name.includes('{{')) names.add(name)
      }
    }
  }
  for (const known of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    names.delete(known)
  }
  return names
}

/** `job.spec.ttlSecondsAfterFinished: 3600` of a variant, in every Job manifest. */
function changedFiles(files: Files, { changes }: Variant): Files {
  const fields = Object.entries(changes).filter(([key]) => key.startsWith('job.'))
  if (fields.length === 0) return files
  const changed: { [path: string]: string } = {}
  for (const [path, text] of Object.entries(files)) {
    const objects = /\.ya?ml$/.test(path) ? objectsOf(path, text) : []
    const isWork = objects.some((object) => stringAt(object, ['kind']) === 'Job')
    changed[path] = isWork
      ? objects.map((object) => JSON.stringify(withFields(object, fields))).join('\n---\n')
      : text
  }
  return changed
}

function withFields(
  object: JsonObject,
  fields: readonly (readonly [string, Json | undefined])[],
): JsonObject {
  if (stringAt(object, ['kind']) !== 'Job') return object
  return fields.reduce<JsonObject>(
    (made, [key, value]) => withField(made, key.split('.').slice(1), value),
    object,
  )
}

/** The object with the value at a path of keys. */
export function withField(
  object: JsonObject,
  path: readonly string[],
  value: Json | undefined,
): JsonObject {
  const [key, ...rest] = path
  if (key === undefined) return object
  const there = object[key]
  const next = rest.length === 0 ? value : withField(isObject(there) ? there : {}, rest, value)
  return { ...object, [key]: next }
}

function scriptOf(
  { workloads = [] }: Scenario,
  variant: Variant,
  cluster: () => ReturnType<typeof createCluster>,
): Parameters<typeof scenarioScript>[0] {
  return {
    workloads: (workloads.length > 0 ? workloads : everyJob(variant)).map((workload) =>
      workloadOf(workload, variant),
    ),
    ownerOf: (pod) => {
      const job = controllerOf(pod)
      const found = job === undefined ? undefined : cluster().api.read.byUid(job.uid)
      const owner = found === undefined ? undefined : controllerOf(found.object)
      return owner === undefined ? undefined : cluster().api.read.byUid(owner.uid)?.object
    },
  }
}

/** A variant may say how the work behaves where no workload does. */
function everyJob({ changes }: Variant): readonly ScenarioWorkload[] {
  const isTold = changes['duration'] !== undefined || changes['completes'] !== undefined
  return isTold ? [{ job: '*', exits: 'ok' }] : []
}

function workloadOf(workload: ScenarioWorkload, { changes }: Variant): Workload {
  const { job, cronjob, deployment, exits, ready } = workload
  const changed = stringAt(changes, ['duration'])
  const duration = changes['completes'] === false ? undefined : (changed ?? workload.duration)
  const seconds = duration === undefined ? undefined : spanSeconds(duration)
  const outcomes = isObject(exits) || exits === 'ok' || exits === 'fail' ? exits : undefined
  return {
    name: job ?? cronjob ?? deployment ?? '',
    ...(seconds === undefined ? {} : { durationMs: seconds * 1000 }),
    ...(outcomes === undefined ? {} : { exits: outcomes as NonNullable<Workload['exits']> }),
    ...(ready === undefined ? {} : { readyMs: (spanSeconds(ready) ?? 0) * 1000 }),
  }
}
