import { isObject, objectAt, stringAt, type JsonObject } from '../../core/json.ts'
import type { Actor } from '../../cluster/actor.ts'
import type { Kind } from '../../cluster/api/kind.ts'
import type { Answer, Request } from '../../cluster/api/request.ts'
import type { AnyActor, Cluster } from '../../cluster/cluster.ts'
import { kindFinder, type KindFinder } from '../engines/kinds.ts'
import { keysOf, withField } from './fields.ts'

/**
 * The person who applies an engine's own objects from files, with server-side apply by force. What
 * the cluster cannot take yet, because its kind is not served or the API server is down, is tried again.
 */
export interface Applier {
  readonly actor: AnyActor
  /** Those of `first` by themselves: when one of them changes kinds, the others come behind it. */
  apply(
    cluster: Cluster,
    objects: readonly JsonObject[],
    first?: (object: JsonObject) => boolean,
  ): void
  remove(cluster: Cluster, objects: readonly JsonObject[]): void
}

interface State {
  readonly waiting: readonly JsonObject[]
}

interface Box {
  state: State
}

const USER = 'person'
/** The API server is down: a person tries again so often. */
const UNREACHED = 503
const AGAIN_MS = 10_000

/** `name`: of the actor, unique in its cluster; `kinds`: those of the engine. */
export function applier(name: string, kinds: readonly Kind[]): Applier {
  const find = kindFinder(kinds)
  return {
    actor: retrier(name, find),
    apply(cluster, objects, first = () => false) {
      const box = cluster.stateOf(name) as Box | undefined
      const early = objects.filter((object) => first(object))
      if (box === undefined) return
      if (cluster.isDown) {
        box.state = { waiting: objects }
        cluster.wake(name, 'again')
        return
      }
      box.state = { waiting: objects.filter((object) => !first(object)) }
      const changed = early.filter((object) => changes(cluster, object, find))
      // A changed one woke the actor, which goes on behind the engine.
      if (changed.length > 0) return
      const { waiting } = box.state
      box.state = { waiting: waiting.filter((object) => send(cluster, object, find) === undefined) }
    },
    remove(cluster, objects) {
      for (const object of objects) {
        const place = placeOf(object, find, cluster.api.read)
        if (place === undefined) continue
        const options = { propagationPolicy: 'Background' } as const
        cluster.request({ verb: 'delete', ...place, options, user: USER })
      }
    },
  }
}

function retrier(name: string, find: KindFinder): Actor<Box, 'again'> {
  return {
    name,
    begin: () => ({ state: { waiting: [] } }),
    observe({ state }, { resource }, io) {
      if (state.waiting.length === 0) return
      const isNews = resource.resource.endsWith('definitions')
      if (isNews) io.wakeAt(io.now, 'again', 'again')
    },
    wake(box, _wake, io) {
      const requests = { api: { read: io.read }, request: (one: Request) => io.request(one) }
      let isDown = false
      const left = box.state.waiting.filter((one) => {
        const answer = send(requests, one, find)
        if (answer?.code === UNREACHED) isDown = true
        return answer === undefined || answer.code === UNREACHED
      })
      box.state = { waiting: left }
      if (isDown) io.wakeAt(io.now + AGAIN_MS, 'again', 'again')
    },
    copy: ({ state }) => ({ state }),
  }
}

/** A cluster from outside, or an actor on it. */
interface Asked {
  readonly api: { readonly read: Cluster['api']['read'] }
  request(request: Request): Answer
}

function changes(cluster: Asked, object: JsonObject, find: KindFinder): boolean {
  const place = placeOf(object, find, cluster.api.read)
  if (place === undefined) return false
  const { resource, namespace, name } = place
  const before = cluster.api.read.get(resource, namespace, name)?.metadata.resourceVersion
  const answer = send(cluster, object, find)
  if (answer === undefined || answer.code >= 300) return false
  return objectAt(answer.body, ['metadata'])?.['resourceVersion'] !== before
}

/** Undefined while nobody serves its kind. */
function send(cluster: Asked, object: JsonObject, find: KindFinder): Answer | undefined {
  const place = placeOf(object, find, cluster.api.read)
  if (place === undefined) return undefined
  return cluster.request({
    verb: 'patch',
    ...place,
    patch: { type: 'apply', body: object },
    options: { fieldManager: 'kubectl', force: true },
    user: USER,
  })
}

function placeOf(object: JsonObject, find: KindFinder, read: Cluster['api']['read']) {
  const kind = find(stringAt(object, ['apiVersion']) ?? '', stringAt(object, ['kind']) ?? '', read)
  const name = stringAt(object, ['metadata', 'name'])
  if (kind === undefined || name === undefined) return undefined
  const { group, version, resource, namespaced } = kind
  const namespace = stringAt(object, ['metadata', 'namespace']) ?? 'default'
  return { resource: { group, version, resource }, ...(namespaced ? { namespace } : {}), name }
}

/** `LabRun lab/run-a`; of one without a namespace, as where its kind has none or takes the default. */
export function refOf(object: JsonObject): string {
  const namespace = stringAt(object, ['metadata', 'namespace'])
  const name = stringAt(object, ['metadata', 'name']) ?? ''
  const kind = stringAt(object, ['kind']) ?? ''
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`
}

/** The objects that an event means: those of `object: CronJob/vault/backup`, or all. */
export function chosenBy(event: JsonObject, objects: readonly JsonObject[]): readonly JsonObject[] {
  const wanted = stringAt(event, ['object'])
  if (wanted === undefined) return objects
  const [kind = '', ...place] = wanted.split('/')
  const name = place.at(-1)
  const namespace = place.length > 1 ? place[0] : undefined
  return objects.filter(
    (object) =>
      stringAt(object, ['kind']) === kind &&
      stringAt(object, ['metadata', 'name']) === name &&
      (namespace === undefined ||
        (stringAt(object, ['metadata', 'namespace']) ?? 'default') === namespace),
  )
}

/** `change: {spec.suspend: true}` of an event, as the object with these fields set. */
export function changedBy(event: JsonObject, object: JsonObject): JsonObject {
  const change = event['change']
  return isObject(change) ? withFields(object, change) : object
}

export function withFields(object: JsonObject, fields: JsonObject): JsonObject {
  return Object.entries(fields).reduce<JsonObject>(
    (made, [path, value]) => withField(made, keysOf(path), value),
    object,
  )
}
