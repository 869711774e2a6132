import type { Cause } from '../../cluster/actor.ts'
import type { Answer, Request, WatchEvent } from '../../cluster/api/request.ts'
import { calledOf } from '../../cluster/object.ts'
import type { Instant } from '../../cluster/time.ts'
import {
  isList,
  isObject,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../core/json.ts'

/** A text that somebody in front of the cluster could have read. */
export interface SeenError {
  readonly at: Instant
  /** `Kustomization flux-system/shop`, `Pod shop/migrate-x`, `PATCH Job shop/migrate`. */
  readonly where: string
  readonly text: string
  /** True for a write that the API server refused for good. */
  readonly isRefusal: boolean
}

/** Every different text once, with the first time that it was seen. */
export class ErrorBook {
  readonly #seen = new Map<string, SeenError>()

  refused(request: Request, { code, body }: Answer, at: Instant): void {
    const { verb, resource, namespace, name = '' } = request
    if (verb === 'get' || verb === 'list') return
    const text = stringAt(body, ['message']) ?? ''
    // A conflict or an absent object is everyday life of a controller.
    if (text === '' || (code === 409 && resource.resource === 'namespaces')) return
    if (code === 404 && verb !== 'create') return
    const place = namespace === undefined ? name : `${namespace}/${name}`
    this.#add({
      at,
      where: `${verb} ${resource.resource} ${place}`,
      text,
      // Who asks with a dry run may go another way: it says so itself when it gives up.
      isRefusal: request.options?.dryRun !== true && (code === 422 || code === 403),
    })
  }

  written({ type, resource, object, before }: WatchEvent, at: Instant): void {
    if (type === 'DELETED' || CALM.has(resource.resource)) return
    const status = objectAt(object, ['status'])
    if (status === undefined || status === before?.['status']) return
    const isPod = resource.resource === 'pods'
    const where = calledOf(object)
    for (const text of textsOf(status, isPod)) this.#add({ at, where, text, isRefusal: false })
  }

  /** `failed: <text>`: what a program outside the cluster prints; `refused Job: ...`. */
  told({ at, effect, carrier, actor, object }: Cause): void {
    if (!effect.startsWith('failed: ') && !effect.startsWith('refused ')) return
    const isRefusal = effect.startsWith('refused ')
    const text = effect.replace(/^failed: /, '')
    this.#add({ at, where: (isRefusal ? object : undefined) ?? carrier ?? actor, text, isRefusal })
  }

  list(): readonly SeenError[] {
    return [...this.#seen.values()]
  }

  #add(error: SeenError): void {
    const key = `${error.where}\n${error.text}`
    if (this.#seen.size < MAX_TEXTS && !this.#seen.has(key)) this.#seen.set(key, error)
  }
}

const MAX_TEXTS = 10_000

/** Their conditions are False on the way to True. */
const CALM: ReadonlySet<string> = new Set(['deployments', 'replicasets', 'statefulsets', 'nodes'])

/** Words of conditions that are not as they should be, of operations, containers and nodes. */
function textsOf(status: JsonObject, isPod: boolean): readonly string[] {
  const texts: string[] = []
  const add = (text: string | undefined): void => {
    if (text !== undefined && text !== '') texts.push(text)
  }
  for (const condition of listOf(status['conditions'])) {
    const type = stringAt(condition, ['type'])
    const value = stringAt(condition, ['status'])
    // The others are False on the way of every pod.
    if (isPod && type !== 'PodScheduled') continue
    const isBad = BAD_WHEN_TRUE.test(type ?? '') ? value === 'True' : value === 'False'
    // Argo CD's conditions have no status: all of them are complaints.
    if (!isBad && value !== undefined) continue
    add(stringAt(condition, ['message']))
    add(stringAt(condition, ['reason']))
  }
  const operation = objectAt(status, ['operationState'])
  if (operation !== undefined && stringAt(operation, ['phase']) !== 'Succeeded') {
    add(stringAt(operation, ['message']))
    for (const one of listOf(objectAt(operation, ['syncResult'])?.['resources'])) {
      add(stringAt(one, ['message']))
    }
  }
  for (const key of ['containerStatuses', 'initContainerStatuses']) {
    for (const container of listOf(status[key])) {
      const waiting = objectAt(container, ['state', 'waiting'])
      add(stringAt(waiting, ['message']))
      add(stringAt(waiting, ['reason']))
    }
  }
  return texts
}

const BAD_WHEN_TRUE = /^(?:Failed|FailureTarget|Stalled|Error|.*Error)$/

function listOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : []
}
