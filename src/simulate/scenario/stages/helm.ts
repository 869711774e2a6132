import { objectAt, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { mergeValues } from '../../go-template/chart.ts'
import type { ScenarioEngine, Stage, StageInput } from '../stage.ts'
import { Charts, metadataOf } from './charts.ts'
import {
  HELM,
  helmPerson,
  helmVersionOf,
  saidOf,
  type HelmPerson,
  type Said,
} from './helm-person.ts'

/** As recorded: from what a watch tells to the next write, and from a command to its first. */
const REACTION_MS = 50
const START_MS = 300
/** Commands of events, in the order in which one event runs them. */
const VERBS = ['install', 'upgrade', 'rollback', 'uninstall', 'test'] as const
const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' }

/**
 * Helm as somebody types it, or as a pipeline runs it: nothing happens but by a command. Events give
 * the commands; with `pipeline` every commit is followed by one.
 */
export const helmCli: ScenarioEngine = {
  kinds: ['helm', 'helm-cli'],
  stage: (input) => new HelmStage(input),
}

class HelmStage implements Stage {
  readonly actors: Stage['actors']
  readonly kinds: Stage['kinds'] = bystanderKinds
  readonly #input: StageInput
  readonly #charts: Charts
  readonly #person: HelmPerson
  readonly #release: { readonly name: string; readonly namespace: string }
  /** What value files of a pipeline give, changed by `values` of events. */
  #values: JsonObject

  constructor(input: StageInput) {
    const { settings, timing } = input
    this.#input = input
    this.#charts = new Charts(input.files)
    this.#release = releaseOf(input, this.#charts)
    this.#values = mergeValues(
      objectAt(settings, ['values']) ?? {},
      objectAt(input.changes, ['values']) ?? {},
    )
    this.#person = helmPerson({
      name: 'person with helm',
      namespace: this.#release.namespace,
      kinds: bystanderKinds,
      version: helmVersionOf(this.#setting('version')) ?? HELM,
      ...(timing === 'realistic' ? { reactionMs: REACTION_MS, startMs: START_MS } : {}),
    })
    this.actors = [this.#person.actor]
  }

  prepare(cluster: Cluster): void {
    const { namespace: name } = this.#release
    if (cluster.api.read.get(NAMESPACES, undefined, name) !== undefined) return
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    cluster.request({ verb: 'create', resource: NAMESPACES, body, user: 'person' })
  }

  /** A commit changes the chart at its place, and runs nothing unless there is a pipeline. */
  commit(cluster: Cluster, _revision: string, files: StageInput['files']): void {
    this.#charts.commit(files)
    this.#run(cluster)
  }

  upgrade(_cluster: Cluster, version: string): void {
    this.#person.version = helmVersionOf(version) ?? this.#person.version
  }

  /** A new cluster has no releases, and nobody notices it before the next command. */
  bootstrap(cluster: Cluster): void {
    this.#run(cluster)
  }

  /** The pipeline is run once more. */
  sync(cluster: Cluster): void {
    this.#type(cluster, 'upgrade', { flags: '--install' })
  }

  change(cluster: Cluster, event: JsonObject): void {
    const values = objectAt(event, ['values'])
    if (values !== undefined) this.#values = mergeValues(this.#values, values)
    const named = VERBS.filter((verb) => event[verb] !== undefined)
    for (const verb of named) {
      const said = saidOf(event[verb])
      if (said !== undefined) this.#type(cluster, verb, said)
    }
    // Other values alone are an upgrade with them.
    if (values !== undefined && named.length === 0) this.#type(cluster, 'upgrade', { flags: '' })
  }

  #run(cluster: Cluster): void {
    const pipeline = this.#given('pipeline')
    if (pipeline === undefined || pipeline === false) return
    const { flags, ...said } = saidOf(pipeline) ?? { flags: '' }
    this.#type(cluster, 'upgrade', { ...said, flags: `--install ${flags}`.trim() })
  }

  #type(cluster: Cluster, verb: (typeof VERBS)[number], said: Said): void {
    const { name } = this.#release
    const { killedAfterMs } = said
    const place = this.#setting('chart') ?? './chart'
    const needsChart = verb === 'install' || verb === 'upgrade'
    const own = needsChart ? this.#setting('flags') : undefined
    const words = [
      'helm',
      verb,
      name,
      needsChart ? place : undefined,
      revisionOf(said),
      own,
      said.flags,
    ]
    const command =
      said.command ?? words.filter((word) => word !== undefined && word !== '').join(' ')
    const named = /^helm \S+(?: -\S+)* \S+ (\S+)/.exec(command)?.[1]
    const chart = this.#charts.at(said.command === undefined ? place : named)
    this.#person.type(cluster, command, {
      ...(chart === undefined ? {} : { chart }),
      values: mergeValues(this.#values, said.values ?? {}),
      files: this.#input.files,
      ...(killedAfterMs === undefined ? {} : { killedAfterMs }),
    })
  }

  #setting(name: string): string | undefined {
    const value = this.#given(name)
    return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : undefined
  }

  #given(name: string): Json | undefined {
    return this.#input.changes[name] ?? this.#input.settings[name]
  }
}

function revisionOf({ revision }: Said): string | undefined {
  return revision === undefined ? undefined : String(revision)
}

/** The scenario says it; else the HelmRelease beside the chart, or the chart's own name. */
function releaseOf(
  { settings, carriers }: StageInput,
  charts: Charts,
): { readonly name: string; readonly namespace: string } {
  const beside = carriers.find((object) => stringAt(object, ['kind']) === 'HelmRelease')
  const chart = stringAt(metadataOf(charts.at(stringAt(settings, ['chart'])) ?? {}), ['name'])
  const name =
    stringAt(settings, ['release']) ??
    stringAt(settings, ['releaseName']) ??
    stringAt(beside, ['spec', 'releaseName']) ??
    stringAt(beside, ['metadata', 'name']) ??
    chart ??
    'release'
  const namespace =
    stringAt(settings, ['namespace']) ??
    stringAt(beside, ['spec', 'targetNamespace']) ??
    stringAt(beside, ['metadata', 'namespace']) ??
    name
  return { name, namespace }
}
