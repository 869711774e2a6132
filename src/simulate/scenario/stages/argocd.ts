import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import { APPLICATIONS, PROJECTS, REFRESH } from '../../engines/argocd/application.ts'
import {
  applicationKinds,
  argocd,
  ARGOCD,
  IDEALISED_DELAYS,
  type ArgoOptions,
  type Rendered,
  type Sources,
} from '../../engines/argocd/index.ts'
import { renderSource } from '../../engines/argocd/repo-server.ts'
import { chosenBy, withFields } from '../applier.ts'
import { spanSeconds } from '../span.ts'
import type { Files, ScenarioEngine, Stage, StageInput } from '../stage.ts'
import { operationOf } from './argocd-sync.ts'
import { versionOf, withSettings } from './argocd-settings.ts'

const NAMESPACE = 'argocd'
const USER = 'scenario'

/** Argo CD: the Applications of the folder, with one repository behind all of them. */
export const argocdStage: ScenarioEngine = {
  kinds: ['argocd'],
  stage: (input) => new Applications(input),
}

class Applications implements Stage {
  readonly actors: Stage['actors']
  readonly kinds: Stage['kinds'] = applicationKinds
  readonly #input: StageInput
  readonly #commits = new Map<string, Files>()
  #head: string | undefined
  #isReachable = true
  #version: number | undefined
  #declared: readonly JsonObject[]

  constructor(input: StageInput) {
    this.#input = input
    this.#version = versionOf(input.settings['version'])
    this.#declared = this.#own(input.carriers)
    this.actors = [argocd(this.#options())]
  }

  prepare(cluster: Cluster): void {
    const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }
    cluster.request({ verb: 'create', resource: namespaces, body, user: USER })
    apply(cluster, PROJECTS, DEFAULT_PROJECT)
    for (const object of this.#declared) if (!isApp(object)) apply(cluster, PROJECTS, object)
  }

  /** A webhook tells Argo CD at once, unless the scenario has none. */
  commit(cluster: Cluster, revision: string, files: Files, carriers?: readonly JsonObject[]): void {
    this.#commits.set(revision, files)
    const isFirst = this.#head === undefined
    this.#head = revision
    const before = this.#apps()
    if (carriers !== undefined) this.#declared = this.#own(carriers)
    for (const object of this.#declared) {
      if (isApp(object)) {
        const isNew = isFirst || !before.some((one) => nameOf(one) === nameOf(object))
        if (isNew || carriers !== undefined) apply(cluster, APPLICATIONS, object)
        if (!isNew && this.#input.settings['webhook'] !== false) refreshNow(cluster, object)
      } else if (carriers !== undefined) apply(cluster, PROJECTS, object)
    }
    for (const object of before) {
      const isKept = this.#apps().some((one) => nameOf(one) === nameOf(object))
      if (!isKept) remove(cluster, object)
    }
    if (!isFirst) cluster.wake(ARGOCD, { kind: 'sources' })
  }

  sources(cluster: Cluster, available: boolean): void {
    this.#isReachable = available
    cluster.wake(ARGOCD, { kind: 'sources' })
  }

  upgrade(_cluster: Cluster, version: string): void {
    this.#version = versionOf(version)
  }

  bootstrap(cluster: Cluster): void {
    this.prepare(cluster)
    if (this.#head === undefined) return
    for (const object of this.#apps()) apply(cluster, APPLICATIONS, object)
  }

  sync(cluster: Cluster, event: JsonObject): void {
    const chosen = chosenBy(event, this.#apps())
    for (const object of chosen) {
      patch(cluster, object, { operation: operationOf(event, object, this.#head) })
    }
  }

  /** `change: {spec.syncPolicy.automated.selfHeal: false}` edits the live Applications, `values` their charts' values. */
  change(cluster: Cluster, event: JsonObject): void {
    const values = objectAt(event, ['values'])
    const given = objectAt(event, ['change'])
    const fields =
      values === undefined ? given : { ...given, 'spec.source.helm.valuesObject': values }
    if (fields === undefined) return
    for (const object of chosenBy(event, this.#apps())) {
      patch(cluster, object, withFields({}, fields))
    }
  }

  #own(carriers: readonly JsonObject[]): readonly JsonObject[] {
    return carriers
      .filter((object) => isApp(object) || stringAt(object, ['kind']) === 'AppProject')
      .map((object) => (isApp(object) ? withSettings(object, this.#input) : object))
      .map((object) => ({
        ...object,
        metadata: { ...objectAt(object, ['metadata']), namespace: NAMESPACE },
      }))
  }

  #apps(): readonly JsonObject[] {
    return this.#declared.filter(isApp)
  }

  #options(): ArgoOptions {
    const { settings, timing } = this.#input
    const span = (key: string, otherwise: number): number =>
      spanSeconds(stringAt(settings, [key]) ?? '') ?? otherwise
    const common = {
      sources: this.#sources(),
      kinds: applicationKinds,
      manifestCacheSeconds: span('manifestCache', 86_400),
      version: () => this.#version ?? NEWEST,
    }
    if (timing === 'realistic') {
      const jitterSeconds = span('jitter', 60)
      return { ...common, resyncSeconds: span('refresh', 120), jitterSeconds }
    }
    return {
      ...common,
      resyncSeconds: span('refresh', 180),
      jitterSeconds: 0,
      headCacheSeconds: 0,
      delays: IDEALISED_DELAYS,
    }
  }

  #sources(): Sources {
    const known = new WeakMap<Files, Map<string, Rendered>>()
    return {
      resolve: (_repo, revision) => {
        if (!this.#isReachable) return undefined
        return this.#commits.has(revision) ? revision : this.#head
      },
      fault: () => (this.#isReachable ? undefined : UNREACHABLE),
      render: (source, revision, now) => {
        const files = this.#commits.get(revision) ?? {}
        const key = JSON.stringify(source)
        const before = known.get(files)?.get(key)
        if (before !== undefined) return before
        const rendered = renderSource(files, source, now)
        if ('objects' in rendered && rendered.isTimeless === true) {
          known.set(files, new Map([...(known.get(files) ?? []), [key, rendered]]))
        }
        return rendered
      },
      nextChange: () => undefined,
    }
  }
}

const NEWEST = 306
const UNREACHABLE =
  'failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = failed to list ' +
  'refs: dial tcp: connect: connection refused'

const DEFAULT_PROJECT: JsonObject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace: NAMESPACE },
  spec: {},
}

function isApp(object: JsonObject): boolean {
  return stringAt(object, ['kind']) === 'Application'
}

function nameOf(object: JsonObject): string {
  return stringAt(object, ['metadata', 'name']) ?? ''
}

/** Creates it, or gives it the spec that it has now. */
function apply(cluster: Cluster, resource: ResourceId, object: JsonObject): void {
  const place = { resource, namespace: NAMESPACE, user: USER }
  const name = nameOf(object)
  const live = cluster.api.read.get(resource, NAMESPACE, name)
  if (live === undefined) {
    cluster.request({ verb: 'create', ...place, body: object })
    return
  }
  const { annotations, labels } = objectAt(object, ['metadata']) ?? {}
  const metadata = {
    ...live.metadata,
    ...(annotations === undefined ? {} : { annotations }),
    ...(labels === undefined ? {} : { labels }),
  }
  const body = { ...live, metadata, spec: object['spec'] ?? {} }
  cluster.request({ verb: 'update', ...place, name, body })
}

/** With its finalizer, where it has one, Argo CD deletes what belongs to it. */
function remove(cluster: Cluster, object: JsonObject): void {
  const place = { resource: APPLICATIONS, namespace: NAMESPACE, name: nameOf(object) }
  cluster.request({ verb: 'delete', ...place, user: USER })
}

function refreshNow(cluster: Cluster, object: JsonObject): void {
  patch(cluster, object, { metadata: { annotations: { [REFRESH]: 'normal' } } })
}

function patch(cluster: Cluster, object: JsonObject, body: JsonObject): void {
  cluster.request({
    verb: 'patch',
    resource: APPLICATIONS,
    namespace: NAMESPACE,
    name: nameOf(object),
    patch: { type: 'merge', body },
    user: USER,
  })
}
