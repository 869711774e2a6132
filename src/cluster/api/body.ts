import { isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import type { DecodeFault } from '../fields/contract.ts'
import { fields } from '../fields/index.ts'
import type { Call, Host } from './host.ts'
import type { Kind } from './kind.ts'
import { apiVersionOf, kindNamed } from './registry.ts'
import type { Refusal } from './status.ts'
import { badRequest, invalid } from './status.ts'
import { typeOf } from './types.ts'

/**
 * Reads the object of a create or update: decodes it by its type, fills in what the server fills
 * in, and refuses what is of another kind. Unknown fields are warnings, or with Strict the error.
 */
export function readBody(host: Host, call: Call): JsonObject | Refusal {
  const { kind, request } = call
  const wrong = wrongKind(host, kind, request.body)
  if (wrong !== undefined) return badRequest(wrong)
  const other = otherKind(kind, request.body)
  if (other !== undefined) return other
  const decoded = fields.decode(request.body, typeOf(kind))
  if ('message' in decoded) return badRequest(faultText(kind, request.body, decoded))
  const strictness = request.options?.fieldValidation ?? 'Warn'
  if (decoded.unknown.length > 0 && strictness === 'Strict') {
    const list = decoded.unknown.join(', ')
    return badRequest(decodeFault(kind, request.body, `strict decoding error: ${list}`))
  }
  if (strictness === 'Warn') call.warnings.push(...decoded.unknown)
  const object = { ...decoded.object, apiVersion: apiVersionOf(kind), kind: kind.kind }
  return kind.defaults?.(object, host.options.rules) ?? object
}

function faultText(kind: Kind, body: Json | undefined, fault: DecodeFault): string {
  if (fault.unrecognised !== true) return decodeFault(kind, body, fault.message)
  return `the object provided is unrecognized (must be of type ${kind.kind}): ${fault.message}`
}

/** `Job in version "v1" cannot be handled as a Job: …` */
function decodeFault(kind: Kind, body: Json | undefined, message: string): string {
  const named = stringAt(body, ['kind']) ?? kind.kind
  const apiVersion = stringAt(body, ['apiVersion']) ?? apiVersionOf(kind)
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  return `${named} in version "${version}" cannot be handled as a ${kind.kind}: ${message}`
}

/** A body of another kind or version than the path's; a body without either is of the path's. */
function wrongKind(host: Host, kind: Kind, body: Json | undefined): string | undefined {
  if (!isObject(body)) return undefined
  const named = stringAt(body, ['kind']) ?? ''
  const apiVersion = stringAt(body, ['apiVersion']) ?? ''
  const wanted = apiVersionOf(kind)
  if (kind.schema !== undefined) return wrongCustomKind(kind, body, apiVersion)
  if (kind.type === undefined) return undefined
  const isNamed = named === '' || named === kind.kind
  if (isNamed && (apiVersion === '' || apiVersion === wanted)) return undefined
  const is = named === '' ? kind.kind : named
  const at = apiVersion === '' ? wanted : apiVersion
  if (kindNamed(host.registry, at, is) !== undefined || (at === 'v1' && EVERYWHERE.has(is))) {
    const what = `${at.slice(at.indexOf('/') + 1)}.${is}) to (${packageOf(kind)}.${kind.kind}`
    return decodeFault(kind, body, `converting (${what}): unknown conversion`)
  }
  const why = `no kind "${is}" is registered for version "${at}" in scheme "pkg/runtime/scheme.go:111"`
  return decodeFault(kind, body, why)
}

/** A custom resource that calls itself something else is read, but not valid. */
function otherKind(kind: Kind, body: Json | undefined): Refusal | undefined {
  const named = stringAt(body, ['kind']) ?? ''
  if (kind.schema === undefined || named === '' || named === kind.kind) return undefined
  const detail = `must be ${kind.kind}`
  const error = { type: 'Invalid', field: 'kind', value: named, detail } as const
  const name = stringAt(body, ['metadata', 'name']) ?? ''
  return invalid({ group: kind.group, kind: named }, name, [error])
}

/** Kinds of v1 that every group knows. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  'Status',
  'APIVersions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
])

/** The Go package of the server's own form: `core`, `batch`. */
function packageOf({ group }: Kind): string {
  return group === '' ? 'core' : (group.split('.')[0] ?? '')
}

function wrongCustomKind(kind: Kind, body: JsonObject, apiVersion: string): string | undefined {
  const named = stringAt(body, ['kind']) ?? ''
  const wanted = apiVersionOf(kind)
  if (named === '') {
    const text = JSON.stringify(body)
    const why = `Object 'Kind' is missing in '${text}' (${text.length > 30 ? `${text.slice(0, 30)} ...` : text})`
    return `the object provided is unrecognized (must be of type ${kind.kind}): ${why}`
  }
  if (apiVersion === wanted) return undefined
  return `the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`
}
