import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../object.ts'
import { timestamp } from '../time.ts'
import { idOf } from './create.ts'
import type { Call, Host, Result } from './host.ts'
import { conflict, notFound, type Refusal } from './status.ts'

export function remove(host: Host, call: Call): Result | Refusal {
  const { request, kind } = call
  const name = request.name ?? ''
  const old = host.store.get(kind, request.namespace, name)
  return old === undefined ? notFound(kind, name) : removeObject(host, call, old)
}

export function removeCollection(host: Host, call: Call): Result | Refusal {
  for (const object of host.store.list(call.kind, call.request.namespace))
    removeObject(host, call, object)
  return { code: 200, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' } }
}

function removeObject(host: Host, { request, kind, now }: Call, old: KubeObject): Result | Refusal {
  const body = isObject(request.body) ? request.body : {}
  const preconditions = isObject(body['preconditions']) ? body['preconditions'] : {}
  const { uid, resourceVersion } = preconditions
  if (uid !== undefined && uid !== old.metadata.uid) {
    return conflict(
      kind,
      old.metadata.name,
      `Precondition failed: UID in precondition: ${String(uid)}, UID in object meta: ${old.metadata.uid}`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
    return conflict(
      kind,
      old.metadata.name,
      `Precondition failed: ResourceVersion in precondition: ${String(resourceVersion)}, ResourceVersion in object meta: ${old.metadata.resourceVersion}`,
    )
  }
  const policy = request.options?.propagationPolicy ?? body['propagationPolicy']
  const effective = policy ?? kind.defaultPropagation
  const kept = (old.metadata.finalizers ?? []).filter(
    (finalizer) =>
      policy === undefined || (finalizer !== 'foregroundDeletion' && finalizer !== 'orphan'),
  )
  const marks =
    effective === 'Foreground' ? ['foregroundDeletion'] : effective === 'Orphan' ? ['orphan'] : []
  const finalizers = [...kept, ...marks.filter((mark) => !kept.includes(mark))]
  const asked = body['gracePeriodSeconds']
  const grace = kind.graceSeconds?.(old, typeof asked === 'number' ? asked : undefined)
  if (request.options?.dryRun === true) return { code: 200, body: old }
  const dying: KubeObject = {
    ...old,
    metadata: {
      ...old.metadata,
      finalizers,
      deletionTimestamp: old.metadata.deletionTimestamp ?? timestamp(now + 1000 * (grace ?? 0)),
      deletionGracePeriodSeconds: grace ?? 0,
      ...(kind.hasGeneration && old.metadata.deletionTimestamp === undefined
        ? { generation: (old.metadata.generation ?? 0) + 1 }
        : {}),
    },
  }
  if (finalizers.length > 0 || (grace ?? 0) > 0) {
    return { code: 200, body: host.store.put(idOf(kind), dying, old) }
  }
  host.store.remove(idOf(kind), old)
  return {
    code: 200,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: {
        name: old.metadata.name,
        ...(kind.group === '' ? {} : { group: kind.group }),
        kind: kind.resource,
        uid: old.metadata.uid,
      },
    },
  }
}
