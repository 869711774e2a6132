import type { JsonObject } from '../../core/json.ts'
import type { ResourceId } from '../object.ts'
import { errorBody, errorText, typeName } from './field-errors.ts'
import type { FieldError } from './kind.ts'
import type { Status } from './request.ts'

/** What a step of a request hands back instead of its result: the whole answer. */
export class Refusal {
  readonly status: Status & { readonly code: number }

  constructor(status: Status & { readonly code: number }) {
    this.status = status
  }
}

type Named = Pick<ResourceId, 'group' | 'resource'>

/** `jobs.batch`, `pods` */
function qualified({ group, resource }: Named): string {
  return group === '' ? resource : `${resource}.${group}`
}

export function failure(
  code: number,
  reason: string | undefined,
  message: string,
  details?: JsonObject,
): Refusal {
  return new Refusal({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  })
}

/** The details of an answer about one object, as Go leaves out what is empty. */
function detailsOf(named: Named, name: string, more: JsonObject = {}): JsonObject {
  return {
    ...(name === '' ? {} : { name }),
    ...(named.group === '' ? {} : { group: named.group }),
    kind: named.resource,
    ...more,
  }
}

export function notFound(named: Named, name: string): Refusal {
  const message = `${qualified(named)} "${name}" not found`
  return failure(404, 'NotFound', message, detailsOf(named, name))
}

/** A path that this server does not serve; the API's answer is plain text, `404 page not found`. */
export function unknownResource(): Refusal {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {})
}

export function alreadyExists(named: Named, name: string, prefix = ''): Refusal {
  const message = `${prefix}${qualified(named)} "${name}" already exists`
  return failure(409, 'AlreadyExists', message, detailsOf(named, name))
}

/** Of a name that the server generated, after all its attempts. */
export function generateNameConflict(named: Named, name: string, prefix: string): Refusal {
  const why = 'the server was not able to generate a unique name for the object'
  const message = `${prefix}${qualified(named)} "${name}" already exists, ${why}`
  return failure(409, 'AlreadyExists', message, detailsOf(named, name, { retryAfterSeconds: 1 }))
}

export function conflict(named: Named, name: string, why: string): Refusal {
  const message = `Operation cannot be fulfilled on ${qualified(named)} "${name}": ${why}`
  return failure(409, 'Conflict', message, detailsOf(named, name))
}

export function badRequest(message: string): Refusal {
  return failure(400, 'BadRequest', message)
}

export function forbidden(
  named: Named,
  name: string,
  why: string,
  causes?: readonly JsonObject[],
): Refusal {
  const about = name === '' ? qualified(named) : `${qualified(named)} "${name}"`
  const more = causes === undefined ? {} : { causes }
  return failure(403, 'Forbidden', `${about} is forbidden: ${why}`, detailsOf(named, name, more))
}

/** 410: what was asked for lies before what is remembered. */
export function expired(message: string): Refusal {
  return failure(410, 'Expired', message)
}

export function tooLargeVersion(asked: number, current: number): Refusal {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`
  return failure(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
}

export function methodNotAllowed(): Refusal {
  const message = 'the server does not allow this method on the requested resource'
  return failure(405, 'MethodNotAllowed', message, {})
}

/** `Job.batch "x" is invalid: [a, b]`, with one cause per complaint and each text once. */
export function invalid(
  named: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): Refusal {
  const kind = named.group === '' ? named.kind : `${named.kind}.${named.group}`
  const texts = [...new Set(errors.map(errorText))]
  const [only] = texts
  const list = texts.length === 1 ? only : `[${texts.join(', ')}]`
  return failure(422, 'Invalid', `${kind} "${name}" is invalid: ${list}`, {
    ...(name === '' ? {} : { name }),
    ...(named.group === '' ? {} : { group: named.group }),
    ...(named.kind === '' ? {} : { kind: named.kind }),
    causes: errors.map((error) => ({
      reason: typeName(error),
      message: errorBody(error),
      field: error.field,
    })),
  })
}

export const OPTIMISTIC_LOCK =
  'the object has been modified; please apply your changes to the latest version and try again'
