import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { compareText } from '../../core/text.ts'
import type { DecodeFault, Decoded, TypeRef } from './contract.ts'
import { jsonKind } from './decode-scalar.ts'
import { Reader } from './reader.ts'

/**
 * Reads a body into the form in which the server holds and returns it: what Go's JSON decoder would
 * make of it and write back. Nulls become absence, empty values of optional fields go, what is
 * never left out comes in, quantities and times get their own spelling. A wrong type is the fault
 * of the whole body, the first one in the order of the text.
 * Custom resources keep what they hold; only their metadata is read like that, and fields that
 * their schema does not know are dropped.
 */
export function decode(
  body: Json | undefined,
  type: TypeRef,
  live?: JsonObject,
): Decoded | DecodeFault {
  if (!isObject(body)) {
    if (body === null) return { object: type.zero ?? {}, unknown: [] }
    return { message: unrecognised(body), unrecognised: true }
  }
  for (const key of ['kind', 'apiVersion']) {
    const value = body[key]
    if (value !== undefined && value !== null && typeof value !== 'string') {
      const why = `json: cannot unmarshal ${jsonKind(value)} into Go struct field .${key} of type string`
      return { message: unrecognised(body, why), unrecognised: true }
    }
  }
  const reader = new Reader(type.goType === undefined)
  const object = reader.read(body, type, live)
  const fault = reader.fault
  if (fault !== undefined) return { message: fault }
  return { object: object as JsonObject, unknown: unknownOf(reader, type) }
}

/** Of custom resources the metadata is read first, and the rest is told in order. */
function unknownOf({ unknown }: Reader, { goType }: TypeRef): readonly string[] {
  if (goType !== undefined || unknown.length < 2) return unknown
  const isMeta = (text: string): boolean => text.startsWith('unknown field "metadata.')
  const rest = unknown.filter((text) => !isMeta(text))
  return [...unknown.filter(isMeta), ...rest.sort(compareText)]
}

/**
 * The result of an apply or of a strategic merge patch. The server reads it without JSON in
 * between, so its faults have other words.
 */
export function decodeMerged(
  merged: JsonObject,
  type: TypeRef,
  live?: JsonObject,
): Decoded | DecodeFault {
  const reader = new Reader(type.goType === undefined, true)
  const object = reader.read(merged, type, live)
  if (reader.fault !== undefined) return { message: reader.fault }
  return { object: object as JsonObject, unknown: [] }
}

const NOTHING =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

function unrecognised(body: Json | undefined, why?: string): string {
  const reason =
    why ??
    (body === undefined
      ? 'unexpected end of JSON input'
      : `json: cannot unmarshal ${jsonKind(body)} into Go value of type ${NOTHING}`)
  return `couldn't get version/kind; json parse error: ${reason} (${summary(body)})`
}

/** The head of a body in messages: as text where it is an object, else in hex. */
function summary(body: Json | undefined): string {
  if (body === undefined) return '<empty>'
  const text = JSON.stringify(body)
  const head = text.slice(0, 30)
  const more = text.length > 30 ? ' ...' : ''
  if (text.startsWith('{')) return `${head}${more}`
  return `${[...new TextEncoder().encode(head)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}${more}`
}
