import { isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import {
  fluxKinds,
  kustomizeController,
  REALISTIC_TIMING,
  type ControllerOptions,
} from '../../engines/kustomize-controller/index.ts'
import { KUSTOMIZATIONS, SOURCE_RESOURCES } from '../../engines/kustomize-controller/kinds.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { chosenBy, withFields } from '../applier.ts'
import { withField } from '../fields.ts'
import type { Files, ScenarioEngine, Stage, StageInput } from '../stage.ts'

/** Settings of the scenario that are fields of the Kustomization. */
const FIELDS = new Set([
  'interval',
  'force',
  'wait',
  'prune',
  'timeout',
  'retryInterval',
  'suspend',
  'deletionPolicy',
])
const USER = 'scenario'
const REQUESTED = 'reconcile.fluxcd.io/requestedAt'

/** Flux: the Kustomizations of the folder, their sources, and what Git holds. */
export const fluxKustomization: ScenarioEngine = {
  kinds: ['flux-kustomization'],
  stage: (input) => new Kustomizations(input),
}

class Kustomizations implements Stage {
  readonly actors: Stage['actors']
  readonly kinds: Stage['kinds'] = [...fluxKinds, ...bystanderKinds]
  readonly #input: StageInput
  readonly #revisions = new Map<string, Files>()
  #declared: readonly JsonObject[]
  /** What people substitute from, where it stands beside the Kustomizations. */
  readonly #variables: readonly JsonObject[]
  #head: string | undefined
  #isReachable = true
  #minor: number | undefined
  #asked = 0

  constructor(input: StageInput) {
    this.#input = input
    this.#minor = minorOf(input.settings['version'])
    this.#declared = this.#own(input.carriers)
    const names = new Set(this.#declared.flatMap(variablesOf))
    this.#variables = input.carriers.filter((object) => names.has(placeIn(object)))
    this.actors = [kustomizeController(this.#options())]
  }

  prepare(cluster: Cluster): void {
    for (const object of this.#declared) createNamespaces(cluster, object)
    for (const object of this.#variables) createVariables(cluster, object)
    for (const object of this.#declared) this.#apply(cluster, object)
  }

  commit(cluster: Cluster, revision: string, files: Files, carriers?: readonly JsonObject[]): void {
    const full = `main@sha1:${revision}`
    this.#revisions.set(full, files)
    this.#head = full
    if (carriers !== undefined) this.#replace(cluster, this.#own(carriers))
    this.#publish(cluster)
  }

  /** source-controller keeps the last artifact; what came meanwhile is fetched afterwards. */
  sources(cluster: Cluster, available: boolean): void {
    this.#isReachable = available
    if (available) this.#publish(cluster)
  }

  upgrade(_cluster: Cluster, version: string): void {
    this.#minor = minorOf(version)
  }

  bootstrap(cluster: Cluster): void {
    this.prepare(cluster)
    this.#publish(cluster)
  }

  /** `flux reconcile kustomization`, of all or of the one that `object` names. */
  sync(cluster: Cluster, event: JsonObject): void {
    for (const object of chosenBy(event, this.#declared)) {
      this.#asked += 1
      const stamp = `${new Date(cluster.now).toISOString()}-${this.#asked}`
      patch(cluster, object, { metadata: { annotations: { [REQUESTED]: stamp } } })
    }
  }

  /** `change: {spec.suspend: true}` edits the live Kustomizations. */
  change(cluster: Cluster, event: JsonObject): void {
    const fields = event['change']
    if (!isObject(fields)) return
    for (const object of chosenBy(event, this.#declared)) {
      patch(cluster, object, withFields({}, fields))
    }
  }

  #options(): ControllerOptions {
    const { settings, timing } = this.#input
    const share = settings['jitter']
    const { concurrency } = settings
    const minor = (): number => this.#minor ?? NEWEST
    return {
      get minor() {
        return minor()
      },
      artifact: (revision) => this.#revisions.get(revision),
      ...(typeof concurrency === 'number' ? { concurrency } : {}),
      ...(timing === 'realistic'
        ? { timing: { ...REALISTIC_TIMING, ...(isShare(share) ? { jitter: share } : {}) } }
        : {}),
    }
  }

  #own(carriers: readonly JsonObject[]): readonly JsonObject[] {
    return carriers
      .filter((object) => stringAt(object, ['kind']) === 'Kustomization')
      .filter(
        (object) => stringAt(object, ['apiVersion'])?.startsWith('kustomize.toolkit') === true,
      )
      .map((object) => withSettings(object, this.#input))
      .map((object) => withField(object, ['metadata', 'namespace'], namespaceOf(object)))
  }

  #replace(cluster: Cluster, next: readonly JsonObject[]): void {
    const before = this.#declared
    this.#declared = next
    for (const object of next) {
      createNamespaces(cluster, object)
      this.#apply(cluster, object)
    }
    const kept = new Set(next.map(placeIn))
    for (const object of before) {
      if (kept.has(placeIn(object))) continue
      cluster.request({ verb: 'delete', ...placeOf(object), user: USER })
    }
  }

  /** Creates it and its source, or gives it the spec that it has now. */
  #apply(cluster: Cluster, object: JsonObject): void {
    createSource(cluster, object)
    const { resource, namespace, name } = placeOf(object)
    const live = cluster.api.read.get(resource, namespace, name)
    if (live === undefined) {
      cluster.request({ verb: 'create', resource, namespace, body: object, user: USER })
      return
    }
    const body = { ...live, spec: object['spec'] ?? {} }
    cluster.request({ verb: 'update', resource, namespace, name, body, user: USER })
  }

  #publish(cluster: Cluster): void {
    const revision = this.#head
    if (!this.#isReachable || revision === undefined) return
    for (const object of this.#declared) {
      const source = sourceOf(object)
      if (source === undefined) continue
      const { resource, namespace, name } = source
      cluster.request({
        verb: 'patch',
        resource,
        namespace,
        name,
        subresource: 'status',
        patch: { type: 'merge', body: { status: { artifact: { revision } } } },
        options: { fieldManager: 'source-controller' },
        user: USER,
      })
    }
  }
}

/** The version of the recordings. */
const NEWEST = 9

function withSettings(
  object: JsonObject,
  { settings, changes }: Pick<StageInput, 'settings' | 'changes'>,
): JsonObject {
  let made = object
  for (const [key, value] of Object.entries(settings)) {
    if (FIELDS.has(key)) made = withField(made, ['spec', key], value)
  }
  for (const [key, value] of Object.entries(changes)) {
    if (key.startsWith('spec.')) made = withField(made, key.split('.'), value)
  }
  return made
}

/** `1.8.2` of kustomize-controller, or `2.8` of Flux, which counts its minors alike. */
function minorOf(version: JsonObject[string]): number | undefined {
  const text = typeof version === 'number' ? String(version) : version
  const found = typeof text === 'string' ? /^v?[12]\.(\d+)/.exec(text)?.[1] : undefined
  return found === undefined ? undefined : Number(found)
}

/** Of the interval; a span is another engine's jitter. */
function isShare(share: JsonObject[string]): share is number {
  return typeof share === 'number' && share >= 0 && share < 1
}

function namespaceOf(object: JsonObject): string {
  return stringAt(object, ['metadata', 'namespace']) ?? 'flux-system'
}

interface Place {
  readonly resource: ResourceId
  readonly namespace: string
  readonly name: string
}

function placeOf(object: JsonObject): Place {
  const name = stringAt(object, ['metadata', 'name']) ?? ''
  return { resource: KUSTOMIZATIONS, namespace: namespaceOf(object), name }
}

function placeIn(object: JsonObject): string {
  const name = stringAt(object, ['metadata', 'name']) ?? ''
  return `${stringAt(object, ['kind']) ?? ''} ${namespaceOf(object)}/${name}`
}

/** `ConfigMap flux-system/vars`, for each that `postBuild.substituteFrom` names. */
function variablesOf(object: JsonObject): readonly string[] {
  return listAt(object, ['spec', 'postBuild', 'substituteFrom']).map(
    (one) =>
      `${stringAt(one, ['kind']) ?? ''} ${namespaceOf(object)}/${stringAt(one, ['name']) ?? ''}`,
  )
}

function createNamespaces(cluster: Cluster, object: JsonObject): void {
  const resource = { group: '', version: 'v1', resource: 'namespaces' }
  for (const name of [namespaceOf(object), stringAt(object, ['spec', 'targetNamespace'])]) {
    if (name === undefined || cluster.api.read.get(resource, undefined, name) !== undefined)
      continue
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    cluster.request({ verb: 'create', resource, body, user: USER })
  }
}

function createVariables(cluster: Cluster, object: JsonObject): void {
  const plural = stringAt(object, ['kind']) === 'Secret' ? 'secrets' : 'configmaps'
  const resource = { group: '', version: 'v1', resource: plural }
  const namespace = namespaceOf(object)
  const body = withField(object, ['metadata', 'namespace'], namespace)
  cluster.request({ verb: 'create', resource, namespace, body, user: USER })
}

function createSource(cluster: Cluster, object: JsonObject): void {
  const source = sourceOf(object)
  if (source === undefined) return
  const { resource, namespace, name, kind } = source
  if (cluster.api.read.get(resource, namespace, name) !== undefined) return
  const apiVersion = 'source.toolkit.fluxcd.io/v1'
  const body = { apiVersion, kind, metadata: { name, namespace }, spec: {} }
  cluster.request({ verb: 'create', resource, namespace, body, user: USER })
}

function sourceOf(object: JsonObject): (Place & { readonly kind: string }) | undefined {
  const ref = objectAt(object, ['spec', 'sourceRef'])
  const kind = stringAt(ref, ['kind']) ?? ''
  const resource = SOURCE_RESOURCES.get(kind)
  if (resource === undefined || ref === undefined) return undefined
  const namespace = stringAt(ref, ['namespace']) ?? namespaceOf(object)
  return { kind, resource, name: stringAt(ref, ['name']) ?? '', namespace }
}

function patch(cluster: Cluster, object: JsonObject, body: JsonObject): void {
  cluster.request({
    verb: 'patch',
    ...placeOf(object),
    patch: { type: 'merge', body },
    user: USER,
  })
}
