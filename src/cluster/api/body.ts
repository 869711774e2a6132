import { isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { fields } from '../fields/index.ts'
import type { Call } from './host.ts'
import type { Kind } from './kind.ts'
import { apiVersionOf } from './registry.ts'
import { badRequest, Refusal } from './status.ts'
import { typeOf } from './types.ts'

/**
 * Reads the object of a create or update: decodes it by its type, fills in what the server fills
 * in, and refuses what is of another kind. Unknown fields are warnings, or with Strict the error.
 */
export function readBody(call: Call, rules: { readonly minor: number }): JsonObject | Refusal {
  const { kind, request } = call
  const wrong = wrongKind(kind, request.body)
  if (wrong !== undefined) return badRequest(wrong)
  const decoded = fields.decode(request.body, typeOf(kind))
  if ('message' in decoded) return badRequest(decodeFault(kind, request.body, decoded.message))
  const strictness = request.options?.fieldValidation ?? 'Warn'
  if (decoded.unknown.length > 0 && strictness === 'Strict') {
    const list = decoded.unknown.join(', ')
    return badRequest(decodeFault(kind, request.body, `strict decoding error: ${list}`))
  }
  if (strictness === 'Warn') call.warnings.push(...decoded.unknown)
  const object = { ...decoded.object, apiVersion: apiVersionOf(kind), kind: kind.kind }
  return kind.defaults?.(object, rules) ?? object
}

/** `Job in version "v1" cannot be handled as a Job: …` */
function decodeFault(kind: Kind, body: Json | undefined, message: string): string {
  if (!isObject(body)) {
    return `the object provided is unrecognized (must be of type ${kind.kind}): ${message}`
  }
  const named = stringAt(body, ['kind']) ?? kind.kind
  const apiVersion = stringAt(body, ['apiVersion']) ?? apiVersionOf(kind)
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  return `${named} in version "${version}" cannot be handled as a ${kind.kind}: ${message}`
}

/** A body of another kind or version than the path's; a body without either is of the path's. */
function wrongKind(kind: Kind, body: Json | undefined): string | undefined {
  if (!isObject(body)) return undefined
  const named = stringAt(body, ['kind']) ?? ''
  const apiVersion = stringAt(body, ['apiVersion']) ?? ''
  const wanted = apiVersionOf(kind)
  if (kind.type === undefined) return wrongCustomKind(kind, named, apiVersion)
  const isNamed = named === '' || named === kind.kind
  if (isNamed && (apiVersion === '' || apiVersion === wanted)) return undefined
  const is = named === '' ? kind.kind : named
  const at = apiVersion === '' ? wanted : apiVersion
  const why = `no kind "${is}" is registered for version "${at}" in scheme "pkg/runtime/scheme.go:111"`
  return decodeFault(kind, body, why)
}

function wrongCustomKind(kind: Kind, named: string, apiVersion: string): string | undefined {
  const wanted = apiVersionOf(kind)
  if (named !== '' && named !== kind.kind) {
    return decodeFault(kind, { kind: named, apiVersion }, 'unexpected kind')
  }
  if (apiVersion === '' || apiVersion === wanted) return undefined
  return `the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`
}
