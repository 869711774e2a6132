import { isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { fields } from '../fields/index.ts'
import type { PatchFault } from '../fields/contract.ts'
import type { KubeObject } from '../object.ts'
import { applyConflict } from './apply-conflict.ts'
import { admitAndStore } from './create.ts'
import type { Call, Host, Result } from './host.ts'
import { inNamespace, metadataOf, nameFault } from './identity.ts'
import {
  conversionFault,
  goValue,
  patchedText,
  touchedByJson,
  touchedByMerge,
} from './patched-text.ts'
import { apiVersionOf, inVersion } from './registry.ts'
import type { PatchType } from './request.ts'
import { writeOptionsFault } from './options.ts'
import { badRequest, conflict, failure, invalid, notFound, Refusal } from './status.ts'
import { typeOf } from './types.ts'
import { managersOfUpdate, unreadableVersion, writeOver, type Wanted } from './update.ts'

/** PATCH of an object or of its status, in any of the four forms. */
export function patch(host: Host, call: Call): Result | Refusal {
  const { request, kind } = call
  const type = request.patch?.type
  if (type === undefined || !patchTypesOf(call).includes(type)) return unsupported(call)
  const isApply = type === 'apply'
  const fault = writeOptionsFault('PatchOptions', request.options, isApply)
  if (fault !== undefined) return fault
  const name = request.name ?? ''
  const found = host.store.get(kind, request.namespace, name)
  const old = found === undefined ? undefined : inVersion(kind, found)
  if (old === undefined && (!isApply || request.subresource !== undefined)) {
    return notFound(kind, name)
  }
  const wanted = isApply || old === undefined ? applied(host, call, old) : patched(host, call, old)
  if (wanted instanceof Refusal) return wanted
  const placed = placedObject(call, wanted.object, old)
  if (placed instanceof Refusal) return placed
  const unreadable = unreadableVersion(placed)
  if (unreadable !== undefined) return unreadable
  const { managedFields } = wanted
  if (old !== undefined) return writeOver(host, call, old, { object: placed, managedFields })
  const created = admitAndStore(host, call, placed, managedFields)
  return created instanceof Refusal ? created : { code: 201, body: created }
}

/** Custom resources know no strategic merge patch. */
function patchTypesOf({ kind }: Call): readonly PatchType[] {
  return kind.schema === undefined
    ? ['json', 'merge', 'strategic', 'apply']
    : ['json', 'merge', 'apply']
}

const MEDIA_TYPES: { readonly [type in PatchType]: string } = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

function unsupported(call: Call): Refusal {
  const list = patchTypesOf(call).map((type) => MEDIA_TYPES[type])
  const message = `the body of the request was in an unknown format - accepted media types include: ${list.join(', ')}`
  return failure(415, 'UnsupportedMediaType', message)
}

function placedObject(
  call: Call,
  object: JsonObject,
  old: KubeObject | undefined,
): JsonObject | Refusal {
  const { kind, request } = call
  const name = request.name ?? ''
  const uid = stringAt(metadataOf(object), ['uid']) ?? ''
  if (old === undefined && uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
    return conflict(kind, name, why)
  }
  const placed = inNamespace(call, object)
  if (placed instanceof Refusal) return placed
  return nameFault(placed, name) ?? placed
}

function applied(host: Host, call: Call, live: KubeObject | undefined): Wanted | Refusal {
  const { request, kind, now } = call
  const body = request.patch?.body
  if (!isObject(body)) return badRequest(`error decoding YAML: ${NO_MAP}${jsonType(body)}${OF_MAP}`)
  const wrong = wrongType(call, body)
  if (wrong !== undefined) return badRequest(wrong)
  const result = fields.apply({
    live,
    config: body,
    type: typeOf(kind),
    manager: request.options?.fieldManager ?? '',
    force: request.options?.force ?? false,
    hasStatus: kind.hasStatus,
    ...(request.subresource === undefined ? {} : { subresource: request.subresource }),
    now,
  })
  if ('fault' in result) return patchRefusal(result.fault)
  if ('conflicts' in result) return applyConflict(result.conflicts)
  const isSame = result.object === live
  const object = isSame
    ? result.object
    : (kind.defaults?.(result.object, host.options.rules) ?? result.object)
  return { object, managedFields: result.managedFields }
}

const NO_MAP = 'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal '
const OF_MAP = ' into Go value of type map[string]interface {}'

function jsonType(value: Json | undefined): string {
  if (typeof value === 'number' || typeof value === 'bigint') return 'number'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'array'
}

/** An applied configuration says what it is, and it is what the path says. */
function wrongType({ kind }: Call, config: JsonObject): string | undefined {
  const apiVersion = stringAt(config, ['apiVersion']) ?? ''
  const named = stringAt(config, ['kind']) ?? ''
  if (apiVersion === apiVersionOf(kind) && named === kind.kind) return undefined
  const shown = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
  return `invalid object type: ${shown}, Kind=${named}`
}

function patched(host: Host, call: Call, old: KubeObject): Wanted | Refusal {
  const { request, kind } = call
  const type = typeOf(kind)
  const body = request.patch?.body ?? null
  const result =
    request.patch?.type === 'json'
      ? fields.jsonPatch(old, body)
      : request.patch?.type === 'strategic'
        ? fields.strategicMergePatch(old, body, type)
        : fields.mergePatch(old, body)
  if (isFault(result)) return patchRefusal(result)
  const read = decodePatched(call, result, old)
  if (read instanceof Refusal) return read
  const object = kind.defaults?.(read, host.options.rules) ?? read
  return { object, managedFields: managersOfUpdate(call, object, old) }
}

/** A patched object has always a kind; a fault never. */
function isFault(result: JsonObject | PatchFault): result is PatchFault {
  return (
    typeof result['code'] === 'number' &&
    typeof result['message'] === 'string' &&
    !('kind' in result)
  )
}

/** What a patch made is read like a body; what cannot be read is the patch's fault. */
function decodePatched(call: Call, result: JsonObject, old: KubeObject): JsonObject | Refusal {
  const decoded = fields.decode(result, typeOf(call.kind), old)
  if ('message' in decoded) return unreadable(call, result, decoded.message)
  const strictness = call.request.options?.fieldValidation ?? 'Warn'
  if (decoded.unknown.length > 0 && strictness === 'Strict') {
    return unreadable(call, result, `strict decoding error: ${decoded.unknown.join(', ')}`)
  }
  if (strictness === 'Warn') call.warnings.push(...decoded.unknown)
  return decoded.object
}

function unreadable(call: Call, result: JsonObject, why: string): Refusal {
  const { patch } = call.request
  const body = patch?.body ?? null
  const isStrategic = patch?.type === 'strategic'
  const touched = patch?.type === 'json' ? touchedByJson(body) : touchedByMerge(body)
  const value = isStrategic ? goValue(body) : patchedText(result, typeOf(call.kind), touched)
  const detail = isStrategic ? conversionFault(why) : why
  return invalid({ group: '', kind: '' }, '', [{ type: 'Invalid', field: 'patch', value, detail }])
}

function patchRefusal(fault: PatchFault): Refusal {
  if (fault.errors !== undefined) {
    // The server has lost what it was reading by then.
    return invalid({ group: '', kind: '' }, '', fault.errors)
  }
  const reason = fault.reason ?? REASONS[fault.code]
  const details = fault.code === 422 ? {} : undefined
  return failure(fault.code, reason, fault.message, details)
}

const REASONS: { readonly [code in PatchFault['code']]: string | undefined } = {
  400: 'BadRequest',
  404: 'NotFound',
  409: 'Conflict',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  500: undefined,
}
