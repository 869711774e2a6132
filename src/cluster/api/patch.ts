import { isObject, type JsonObject } from '../../core/json.ts'
import { fields } from '../fields/index.ts'
import type { KubeObject } from '../object.ts'
import { createObject } from './create.ts'
import type { Call, Host, Result } from './host.ts'
import { badRequest, failure, notFound, Refusal } from './status.ts'
import { typeOf } from './types.ts'
import { write } from './update.ts'

export function patch(host: Host, call: Call): Result | Refusal {
  const { request, kind } = call
  const name = request.name ?? ''
  const old = host.store.get(kind, request.namespace, name)
  if (request.patch?.type === 'apply') return apply(host, call, old)
  if (old === undefined) return notFound(kind, name)
  const patched = patchedObject(call, old)
  return patched instanceof Refusal ? patched : write(host, call, old, patched)
}

function apply(host: Host, call: Call, live: KubeObject | undefined): Result | Refusal {
  const { request, kind, now } = call
  if (!isObject(request.patch?.body)) return badRequest('the body is no object')
  const applied = fields.apply({
    live,
    config: request.patch.body,
    type: typeOf(kind),
    manager: request.options?.fieldManager ?? request.user,
    force: request.options?.force ?? false,
    ...(request.subresource === undefined ? {} : { subresource: request.subresource }),
    now,
  })
  if ('fault' in applied)
    return failure(applied.fault.code, applied.fault.reason, applied.fault.message)
  if ('conflicts' in applied) return failure(409, 'Conflict', 'Apply failed with conflicts')
  if (live !== undefined) return write(host, call, live, applied.object, applied.managedFields)
  const created = createObject(host, call, applied.object)
  return created instanceof Refusal ? created : { code: 201, body: created }
}

function patchedObject({ request, kind }: Call, old: KubeObject): JsonObject | Refusal {
  const body = request.patch?.body ?? null
  const patched =
    request.patch?.type === 'json'
      ? fields.jsonPatch(old, body)
      : request.patch?.type === 'strategic'
        ? fields.strategicMergePatch(old, body, typeOf(kind))
        : fields.mergePatch(old, body)
  if ('metadata' in patched) return patched
  return failure(Number(patched['code'] ?? 422), 'Invalid', String(patched['message']))
}
