import { at, isObject, isList, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { equal } from '../fields/index.ts'
import type { KubeObject } from '../object.ts'
import { timestamp } from '../time.ts'
import { remove } from './delete.ts'
import type { Call, Host, Result } from './host.ts'
import { scale } from './scale.ts'
import { badRequest, conflict, methodNotAllowed, notFound, Refusal } from './status.ts'
import { update } from './update.ts'

/** What stands behind the object's name in the path, but status. */
export function subresource(host: Host, call: Call, part: string): Result | Refusal {
  const { verb } = call.request
  if (part === 'scale') return scale(host, call)
  if (part === 'finalize') return verb === 'update' ? update(host, call) : methodNotAllowed()
  if (verb !== 'create') return methodNotAllowed()
  if (part === 'eviction') return evict(host, call)
  return part === 'binding' ? bind(host, call) : methodNotAllowed()
}

const CREATED: Result = {
  code: 201,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
}

/** An eviction marks a pod as disrupted, then deletes it; there are no disruption budgets here. */
function evict(host: Host, call: Call): Result | Refusal {
  const { request, kind } = call
  const name = request.name ?? ''
  if (stringAt(request.body, ['metadata', 'name']) !== name) {
    return badRequest('name in URL does not match name in Eviction object')
  }
  const pod = host.store.get(kind, request.namespace, name)
  if (pod === undefined) return notFound(kind, name)
  const isDry = request.options?.dryRun === true
  if (!isDry) {
    const target = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    }
    const marked = withCondition(pod, target, call)
    if (!equal(marked, pod)) host.store.put(kind, marked, pod)
  }
  const body = isObject(request.body) ? request.body : {}
  const { subresource: _, ...plain } = request
  const deletion = { ...plain, verb: 'delete', body: body['deleteOptions'] ?? null } as const
  const removed = remove(host, { ...call, request: deletion })
  return removed instanceof Refusal ? removed : CREATED
}

/** What a scheduler does: the pod gets its node. */
function bind(host: Host, call: Call): Result | Refusal {
  const { request, kind } = call
  const name = request.name ?? ''
  const { body } = request
  if (stringAt(body, ['metadata', 'name']) !== name) {
    return badRequest('name in URL does not match name in Binding object')
  }
  const pod = host.store.get(kind, request.namespace, name)
  if (pod === undefined) return notFound(kind, name)
  const why = bindingFault(pod)
  if (why !== undefined) return conflict({ group: '', resource: 'pods/binding' }, name, why)
  const spec = { ...asObject(pod['spec']), nodeName: stringAt(body, ['target', 'name']) ?? '' }
  const annotations = at(body, ['metadata', 'annotations'])
  const placed: KubeObject = { ...pod, spec }
  const metadata = isObject(annotations)
    ? { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...annotations } }
    : pod.metadata
  const scheduled = { type: 'PodScheduled', status: 'True' }
  const bound = withCondition({ ...placed, metadata } as KubeObject, scheduled, call)
  if (request.options?.dryRun !== true) host.store.put(kind, bound, pod)
  return CREATED
}

function bindingFault(pod: KubeObject): string | undefined {
  const { name, deletionTimestamp } = pod.metadata
  if (deletionTimestamp !== undefined) {
    return `pod ${name} is being deleted, cannot be assigned to a host`
  }
  const node = stringAt(pod, ['spec', 'nodeName']) ?? ''
  if (node !== '') return `pod ${name} is already assigned to node "${node}"`
  const gates = at(pod, ['spec', 'schedulingGates'])
  return isList(gates) && gates.length > 0
    ? `pod ${name} has non-empty .spec.schedulingGates`
    : undefined
}

/** The pod with `condition` set; its time moves only when its status does. */
function withCondition(pod: KubeObject, condition: JsonObject, { now }: Call): KubeObject {
  const status = asObject(pod['status'])
  const conditions = isList(status['conditions']) ? status['conditions'] : []
  const old = conditions.find((entry) => at(entry, ['type']) === condition['type'])
  const isSame = old !== undefined && at(old, ['status']) === condition['status']
  const time = isSame ? at(old, ['lastTransitionTime']) : timestamp(now)
  const next: JsonObject = { ...condition, lastProbeTime: null, lastTransitionTime: time ?? null }
  const others: readonly Json[] =
    old === undefined
      ? [...conditions, next]
      : conditions.map((entry) => (entry === old ? next : entry))
  return { ...pod, status: { ...status, conditions: others } }
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
