import { booleanAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { timestamp } from '../../../cluster/time.ts'
import {
  HELM_RELEASES,
  helmController,
  helmControllerKinds,
  IDEALISED_TIMING,
  REALISTIC_TIMING,
  type ControllerOptions,
  type Embedded,
  type Timing,
} from '../../engines/helm-controller/index.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { mergeValues } from '../../go-template/chart.ts'
import { applier, changedBy, chosenBy, refOf } from '../applier.ts'
import { spanSeconds } from '../span.ts'
import type { ScenarioEngine, Stage, StageInput } from '../stage.ts'
import { chartSource, SOURCE_CONTROLLER, type ChartStore } from './chart-source.ts'
import { Charts } from './charts.ts'
import { withSettings } from './helm-release-fields.ts'
import { HELM, helmPerson, saidOf, type HelmPerson } from './helm-person.ts'

const KINDS = [...helmControllerKinds, ...bystanderKinds]
const REQUESTED = 'reconcile.fluxcd.io/requestedAt'
const FORCED = 'reconcile.fluxcd.io/forceAt'
const RESET = 'reconcile.fluxcd.io/resetAt'

/**
 * Flux helm-controller: the HelmReleases of the folder, its charts behind them, and a person who
 * applies what stands in Git, asks for reconciles, and may use Helm beside the controller.
 */
export const fluxHelmRelease: ScenarioEngine = {
  kinds: ['flux-helmrelease', 'helm-controller'],
  stage: (input) => new HelmReleases(input),
}

const LATEST: Embedded = { version: HELM, hasHelm3Defaults: false }

class HelmReleases implements Stage {
  readonly actors: Stage['actors']
  readonly kinds: Stage['kinds'] = KINDS
  readonly #store: ChartStore
  readonly #input: StageInput
  readonly #person = applier('person at helm-controller', KINDS)
  readonly #helm: HelmPerson
  /** What stands in files that commits name, and what stands beside them. */
  #declared: readonly JsonObject[] = []
  #carriers: readonly JsonObject[]
  #asked = 0
  #version: string | undefined

  constructor(input: StageInput) {
    this.#input = input
    this.#store = {
      charts: new Charts(input.files),
      revision: '',
      isAvailable: true,
      releases: [],
      archives: new Map(),
      skipped: new Set(),
    }
    this.#carriers = input.carriers.map((object) => this.#set(object))
    this.#helm = helmPerson({
      name: 'person with helm beside it',
      namespace: 'default',
      kinds: KINDS,
      version: HELM,
    })
    this.#version = stringAt(input.settings, ['version'])
    const options = optionsOf(input, this.#store)
    const engine = helmController({ ...options, helm: () => this.#embedded() })
    this.actors = [chartSource(this.#store), engine, this.#person.actor, this.#helm.actor]
  }

  prepare(): void {}

  commit(
    cluster: Cluster,
    revision: string,
    files: StageInput['files'],
    carriers?: readonly JsonObject[],
  ): void {
    const before = this.#all()
    this.#store.charts.commit(files)
    this.#store.revision = revision
    this.#declared = this.#store.charts.besides(files).map((object) => this.#set(object))
    if (carriers !== undefined) this.#carriers = carriers.map((object) => this.#set(object))
    this.#apply(cluster)
    const kept = new Set(this.#all().map(refOf))
    this.#person.remove(
      cluster,
      before.filter((object) => !kept.has(refOf(object))),
    )
  }

  sources(cluster: Cluster, available: boolean): void {
    this.#store.isAvailable = available
    if (available) cluster.wake(SOURCE_CONTROLLER, 'look')
  }

  upgrade(_cluster: Cluster, version: string): void {
    this.#version = version
  }

  bootstrap(cluster: Cluster): void {
    this.#apply(cluster)
  }

  /** `sync: true` asks for a reconcile, `force` for an upgrade, `reset` to count failures anew. */
  sync(cluster: Cluster, event: JsonObject): void {
    const how = event['sync']
    const marks = [REQUESTED]
    if (how === 'force' || booleanAt(how, ['force']) === true) marks.push(FORCED)
    if (how === 'reset' || booleanAt(how, ['reset']) === true) marks.push(RESET)
    for (const release of chosenBy(event, this.#releases())) this.#ask(cluster, release, marks)
  }

  change(cluster: Cluster, event: JsonObject): void {
    const chosen = chosenBy(event, this.#releases())
    if (event['install'] === true) this.#apply(cluster)
    if (event['uninstall'] === true) this.#person.remove(cluster, chosen)
    const values = objectAt(event, ['values']) ?? objectAt(event, ['upgrade', 'values'])
    if (values !== undefined || event['change'] !== undefined) {
      const after = (object: JsonObject): JsonObject =>
        chosen.includes(object) ? changedBy(event, withValues(object, values)) : object
      this.#carriers = this.#carriers.map(after)
      this.#declared = this.#declared.map(after)
      this.#apply(cluster)
    }
    if (event['upgrade'] === true) {
      for (const release of chosen) this.#ask(cluster, release, [REQUESTED, FORCED])
    }
    for (const release of chosen) this.#useHelm(cluster, event, release)
  }

  /** What a person does with Helm beside the controller. */
  #useHelm(cluster: Cluster, event: JsonObject, release: JsonObject): void {
    for (const verb of ['rollback', 'test'] as const) {
      const said = saidOf(event[verb])
      if (said === undefined) continue
      const { name, namespace } = releaseOf(release)
      const { command, revision, flags } = said
      const words = [
        'helm',
        verb,
        name,
        ...(revision === undefined ? [] : [revision]),
        '-n',
        namespace,
      ]
      this.#helm.type(cluster, command ?? [...words, flags].join(' ').trim())
    }
  }

  /** helm-controller before 1.5 has Helm 3 in it. */
  #embedded(): Embedded {
    const [, major = '1', minor = '6'] = /^v?(\d+)\.(\d+)/.exec(this.#version ?? '') ?? []
    if (Number(major) < 1 || (major === '1' && Number(minor) < 5)) {
      return { version: { major: 3, minor: 19 }, hasHelm3Defaults: true }
    }
    const hasHelm3Defaults =
      booleanAt(this.#input.settings, ['featureGates', 'UseHelm3Defaults']) === true
    return { ...LATEST, hasHelm3Defaults }
  }

  #set(object: JsonObject): JsonObject {
    return isRelease(object) ? withNamespace(withSettings(object, this.#input)) : object
  }

  #all(): readonly JsonObject[] {
    const declared = new Set(this.#declared.map(refOf))
    return [...this.#carriers.filter((object) => !declared.has(refOf(object))), ...this.#declared]
  }

  #releases(): readonly JsonObject[] {
    return this.#all().filter(isRelease)
  }

  /** Charts are there before the HelmReleases that want them. */
  #apply(cluster: Cluster): void {
    this.#store.releases = this.#releases()
    for (const release of this.#store.releases) createNamespaces(cluster, release)
    cluster.wake(SOURCE_CONTROLLER, 'look')
    this.#person.apply(cluster, this.#all())
  }

  #ask(cluster: Cluster, release: JsonObject, marks: readonly string[]): void {
    this.#asked += 1
    const asked = `${timestamp(cluster.now)}#${this.#asked}`
    const annotations = Object.fromEntries(marks.map((mark) => [mark, asked]))
    cluster.request({
      verb: 'patch',
      resource: HELM_RELEASES,
      namespace: stringAt(release, ['metadata', 'namespace']) ?? 'default',
      name: stringAt(release, ['metadata', 'name']) ?? '',
      patch: { type: 'merge', body: { metadata: { annotations } } },
      options: { fieldManager: 'flux' },
      user: 'person',
    })
  }
}

function optionsOf({ settings, timing }: StageInput, store: ChartStore): ControllerOptions {
  const gates = objectAt(settings, ['featureGates'])
  const { concurrent } = settings
  return {
    artifact: (_source, { digest }) => store.archives.get(digest),
    timing: withDelays(timing === 'realistic' ? REALISTIC_TIMING : IDEALISED_TIMING, settings),
    retriesByDefault: booleanAt(gates, ['DefaultToRetryOnFailure']) === true,
    cancelsHealthChecks: booleanAt(gates, ['CancelHealthCheckOnNewRevision']) === true,
    ...(typeof concurrent === 'number' ? { concurrency: concurrent } : {}),
  }
}

/** `--min-retry-delay`, `--max-retry-delay` and `--interval-jitter-percentage`. */
function withDelays(timing: Timing, settings: JsonObject): Timing {
  const msOf = (name: string): number | undefined => {
    const seconds = spanSeconds(stringAt(settings, [name]) ?? '')
    return seconds === undefined ? undefined : seconds * 1000
  }
  return {
    ...timing,
    firstRetry: msOf('minRetryDelay') ?? timing.firstRetry,
    longestRetry: msOf('maxRetryDelay') ?? timing.longestRetry,
  }
}

function isRelease(object: JsonObject): boolean {
  return (
    stringAt(object, ['kind']) === 'HelmRelease' &&
    stringAt(object, ['apiVersion'])?.startsWith('helm.toolkit.fluxcd.io/') === true
  )
}

/** The model serves v2 alone, as the versions before it are read today. */
function withNamespace(object: JsonObject): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const namespace = stringAt(metadata, ['namespace']) ?? 'default'
  return {
    ...object,
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    metadata: { ...metadata, namespace },
  }
}

function withValues(object: JsonObject, values: JsonObject | undefined): JsonObject {
  if (values === undefined) return object
  const spec = objectAt(object, ['spec']) ?? {}
  return {
    ...object,
    spec: { ...spec, values: mergeValues(objectAt(spec, ['values']) ?? {}, values) },
  }
}

function releaseOf(object: JsonObject): { readonly name: string; readonly namespace: string } {
  const own = stringAt(object, ['metadata', 'namespace']) ?? 'default'
  const name = stringAt(object, ['metadata', 'name']) ?? ''
  const target = stringAt(object, ['spec', 'targetNamespace'])
  return {
    name:
      stringAt(object, ['spec', 'releaseName']) ??
      (target === undefined ? name : `${target}-${name}`),
    namespace: target ?? own,
  }
}

function createNamespaces(cluster: Cluster, release: JsonObject): void {
  const source = stringAt(release, ['spec', 'chart', 'spec', 'sourceRef', 'namespace'])
  const { namespace } = releaseOf(release)
  const own = stringAt(release, ['metadata', 'namespace'])
  const resource = { group: '', version: 'v1', resource: 'namespaces' }
  for (const name of new Set([own, namespace, source])) {
    if (name === undefined) continue
    if (cluster.api.read.get(resource, undefined, name) !== undefined) continue
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    cluster.request({ verb: 'create', resource, body, user: 'person' })
  }
}
