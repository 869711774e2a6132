import { isObject, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import {
  BUNDLES,
  fleet,
  fleetKinds,
  GIT_REPOS,
  gitRepos,
  HEAD,
  UNREACHABLE,
} from '../../engines/fleet/index.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { chosenBy, changedBy, refOf, withFields } from '../applier.ts'
import type { Files, ScenarioEngine, StageInput } from '../stage.ts'

const USER = 'person'
const NAMESPACE = 'fleet-local'

/**
 * Rancher Fleet with its agent in the same cluster: GitRepos and Bundles of the folder, or one
 * GitRepo for all of it. What belongs to a fleet.yaml and no event applies is in Git from the start.
 */
export const fleetStage: ScenarioEngine = {
  kinds: ['fleet', 'rancher-fleet'],
  stage(input) {
    const commits = new Map<string, Files>()
    const seen = new Set<string>()
    let carriers = carriersOf(input.carriers, input)
    let head: string | undefined
    const put = (cluster: Cluster): void => {
      for (const object of carriers) write(cluster, withHead(object, head))
    }
    return {
      actors: [
        fleet(),
        gitRepos({
          filesOf: (revision) => commits.get(revision),
          hasJitter: input.timing === 'realistic',
        }),
      ],
      kinds: [...fleetKinds, ...bystanderKinds],
      prepare: (cluster) => createNamespace(cluster, NAMESPACE),
      commit(cluster, revision, files, own) {
        const before = carriers
        if (own !== undefined) carriers = carriersOf(own, input)
        for (const path of Object.keys(files)) seen.add(path)
        const all = { ...besides(input.files, seen), ...files }
        commits.set(revision, withBundleSettings(all, input))
        head = revision
        put(cluster)
        const kept = new Set(carriers.map(refOf))
        for (const object of before) if (!kept.has(refOf(object))) remove(cluster, object)
      },
      sync(cluster, event) {
        const chosen = new Set(chosenBy(event, carriers))
        carriers = carriers.map((object) => (chosen.has(object) ? forced(object) : object))
        put(cluster)
      },
      change(cluster, event) {
        const chosen = new Set(chosenBy(event, carriers))
        const values = objectAt(event, ['values'])
        carriers = carriers.map((object) => {
          if (!chosen.has(object)) return object
          const changed = changedBy(event, object)
          return values === undefined
            ? changed
            : withFields(changed, { 'spec.helm.values': values })
        })
        put(cluster)
      },
      sources(cluster, available) {
        for (const object of carriers) {
          if (isRepo(object)) annotate(cluster, object, { [UNREACHABLE]: String(!available) })
        }
      },
      bootstrap: put,
    }
  },
}

function isRepo(object: JsonObject): boolean {
  return stringAt(object, ['kind']) === 'GitRepo'
}

function isFleets(object: JsonObject): boolean {
  const isOwn = stringAt(object, ['apiVersion'])?.startsWith('fleet.cattle.io/') === true
  return isOwn && (isRepo(object) || stringAt(object, ['kind']) === 'Bundle')
}

/** The engine's own objects with the settings of the scenario; one GitRepo where there is none. */
function carriersOf(objects: readonly JsonObject[], input: StageInput): readonly JsonObject[] {
  const own = objects.filter(isFleets)
  const all = own.length > 0 ? own : [{ ...EMPTY_REPO, spec: {} }]
  return all.map((object) => {
    const metadata = objectAt(object, ['metadata']) ?? {}
    const namespace = stringAt(metadata, ['namespace']) ?? NAMESPACE
    return withSettings({ ...object, metadata: { ...metadata, namespace } }, input)
  })
}

const EMPTY_REPO: JsonObject = {
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'GitRepo',
  metadata: { name: 'repo' },
}

function withSettings(object: JsonObject, input: StageInput): JsonObject {
  const fields = fieldsOf(input)
  if (!isRepo(object)) return withFields(object, fields)
  const own = Object.entries(fields).filter(([path]) => OF_REPOS.test(path))
  return withFields(object, Object.fromEntries(own))
}

/** Settings of the scenario and changes of a variant, as fields of a GitRepo or Bundle. */
function fieldsOf({ settings, changes }: StageInput): JsonObject {
  const { correctDrift: drift, pollingInterval } = settings
  const fields: { [path: string]: JsonObject[string] } = {}
  if (typeof drift === 'boolean') fields['spec.correctDrift.enabled'] = drift
  if (isObject(drift)) fields['spec.correctDrift'] = drift
  if (typeof pollingInterval === 'string') fields['spec.pollingInterval'] = pollingInterval
  for (const [path, value] of Object.entries(changes)) {
    if (path.startsWith('spec.')) fields[path] = value
  }
  return fields
}

const OF_REPOS =
  /^spec\.(?:pollingInterval|paths|paused|targetNamespace|keepResources|correctDrift)\b/

/** The same fields in each fleet.yaml, which is the spec of its bundle. */
function withBundleSettings(files: Files, input: StageInput): Files {
  const fields = Object.entries(fieldsOf(input)).filter(
    ([path]) => !/^spec\.p(?:ath|oll)/.test(path),
  )
  if (fields.length === 0) return files
  const own = Object.fromEntries(fields.map(([path, value]) => [path.slice('spec.'.length), value]))
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      if (!/(?:^|\/)fleet\.ya?ml$/.test(path)) return [path, text]
      const [spec = {}] = objectsOf(path, text)
      return [path, JSON.stringify(withFields(spec, own))]
    }),
  )
}

/** Files of bundles that no event names: the fleet.yaml, the chart. */
function besides(folder: Files, seen: ReadonlySet<string>): Files {
  const roots = Object.keys(folder).flatMap((path) => {
    const found = /^(?:(.*)\/)?fleet\.ya?ml$/.exec(path)
    return found === null ? [] : [found[1] ?? '']
  })
  const isOf = (path: string): boolean =>
    roots.some((root) => root === '' || path.startsWith(`${root}/`))
  const isOther = (path: string): boolean =>
    /^(?:commits\/|scenario\.yaml$|expected\.md$)/.test(path) || seen.has(path)
  const isFleet = (path: string): boolean =>
    /(?:^|\/)(?:fleet|Chart|values)\.ya?ml$|(?:^|\/)templates\//.test(path)
  return Object.fromEntries(
    Object.entries(folder).filter(([path]) => isOf(path) && isFleet(path) && !isOther(path)),
  )
}

function forced(object: JsonObject): JsonObject {
  const path = 'spec.forceSyncGeneration'
  const last = objectAt(object, ['spec'])?.['forceSyncGeneration']
  return withFields(object, { [path]: (typeof last === 'number' ? last : 0) + 1 })
}

function withHead(object: JsonObject, head: string | undefined): JsonObject {
  if (!isRepo(object) || head === undefined) return object
  const metadata = objectAt(object, ['metadata']) ?? {}
  const annotations = { ...objectAt(metadata, ['annotations']), [HEAD]: head }
  return { ...object, metadata: { ...metadata, annotations } }
}

function placeOf(object: JsonObject) {
  const resource = isRepo(object) ? GIT_REPOS : BUNDLES
  const namespace = stringAt(object, ['metadata', 'namespace']) ?? NAMESPACE
  const name = stringAt(object, ['metadata', 'name']) ?? ''
  return { resource, namespace, name }
}

function write(cluster: Cluster, object: JsonObject): void {
  const place = placeOf(object)
  createNamespace(cluster, place.namespace)
  const patch = { type: 'apply', body: object } as const
  const options = { fieldManager: 'kubectl', force: true }
  cluster.request({ verb: 'patch', ...place, patch, options, user: USER })
}

function annotate(cluster: Cluster, object: JsonObject, annotations: JsonObject): void {
  const patch = { type: 'merge', body: { metadata: { annotations } } } as const
  cluster.request({ verb: 'patch', ...placeOf(object), patch, user: USER })
}

/** A GitRepo takes its bundles along. */
function remove(cluster: Cluster, object: JsonObject): void {
  const { resource, namespace, name } = placeOf(object)
  cluster.request({ verb: 'delete', resource, namespace, name, user: USER })
}

function createNamespace(cluster: Cluster, name: string): void {
  const resource = { group: '', version: 'v1', resource: 'namespaces' }
  if (cluster.api.read.get(resource, undefined, name) !== undefined) return
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  cluster.request({ verb: 'create', resource, body, user: USER })
}
