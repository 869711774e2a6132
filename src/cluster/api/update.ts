import { isObject, type JsonObject } from '../../core/json.ts'
import { equal } from '../fields/equal.ts'
import { fields } from '../fields/index.ts'
import type { KubeObject, ManagedFieldsEntry } from '../object.ts'
import { createObject, idOf } from './create.ts'
import type { Call, Host, Result } from './host.ts'
import { badRequest, conflict, invalid, notFound, OPTIMISTIC_LOCK, Refusal } from './status.ts'
import { typeOf } from './types.ts'

export function update(host: Host, call: Call): Result | Refusal {
  const { request, kind } = call
  if (!isObject(request.body)) return badRequest('the body is no object')
  const name = request.name ?? ''
  const old = host.store.get(kind, request.namespace, name)
  if (old === undefined) {
    if (!kind.createsOnUpdate) return notFound(kind, name)
    const created = createObject(host, call, request.body)
    return created instanceof Refusal ? created : { code: 201, body: created }
  }
  return write(host, call, old, request.body)
}

export function write(
  host: Host,
  call: Call,
  old: KubeObject,
  body: JsonObject,
  managers?: readonly ManagedFieldsEntry[],
): Result | Refusal {
  const { request, kind, now } = call
  const { rules } = host.options
  const { name } = old.metadata
  const given = isObject(body['metadata']) ? body['metadata'] : {}
  const version = given['resourceVersion']
  if (version !== undefined && version !== '' && version !== old.metadata.resourceVersion) {
    return conflict(kind, name, OPTIMISTIC_LOCK)
  }
  const isStatus = request.subresource === 'status'
  const filled = kind.defaults?.(body, rules) ?? body
  const {
    namespace,
    uid,
    creationTimestamp,
    generation,
    deletionTimestamp,
    deletionGracePeriodSeconds,
  } = old.metadata
  let next: KubeObject = {
    ...filled,
    apiVersion: old.apiVersion,
    kind: old.kind,
    metadata: {
      ...given,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion: old.metadata.resourceVersion,
      creationTimestamp,
      ...(generation === undefined ? {} : { generation }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
    },
  }
  if (isStatus) {
    const status = next['status']
    const { metadata } = next
    next = kind.prepareForStatusUpdate?.(next, old, rules) ?? {
      ...old,
      metadata,
      ...(status === undefined ? {} : { status }),
    }
  } else {
    if (kind.hasStatus) next = withStatusOf(next, old)
    next = kind.prepareForUpdate?.(next, old, rules) ?? next
    if (kind.hasGeneration && !equal(withoutStatus(next), withoutStatus(old))) {
      next = { ...next, metadata: { ...next.metadata, generation: (generation ?? 0) + 1 } }
    }
  }
  const validate = isStatus ? kind.validateStatusUpdate : kind.validateUpdate
  const errors = validate?.call(kind, next, old, rules) ?? []
  if (errors.length > 0) return invalid(kind, name, errors)
  const managedFields =
    managers ??
    fields.updateManagers({
      before: old,
      after: next,
      type: typeOf(kind),
      manager: request.options?.fieldManager ?? request.user,
      ...(request.subresource === undefined ? {} : { subresource: request.subresource }),
      now,
    })
  const { managedFields: _, ...metadata } = next.metadata
  next = {
    ...next,
    metadata: (managedFields.length === 0
      ? metadata
      : { ...metadata, managedFields }) as KubeObject['metadata'],
  }
  if (equal(next, old)) return { code: 200, body: old }
  if (request.options?.dryRun === true) return { code: 200, body: next }
  if (
    deletionTimestamp !== undefined &&
    (next.metadata.finalizers ?? []).length === 0 &&
    !deletionGracePeriodSeconds
  ) {
    host.store.remove(idOf(kind), old, next)
    return { code: 200, body: next }
  }
  return { code: 200, body: host.store.put(idOf(kind), next, old) }
}

function withStatusOf(next: KubeObject, old: KubeObject): KubeObject {
  const { status: _, ...rest } = next
  const status = old['status']
  return (status === undefined ? rest : { ...rest, status }) as KubeObject
}

function withoutStatus({ status: _, metadata: __, ...rest }: KubeObject): JsonObject {
  return rest
}
