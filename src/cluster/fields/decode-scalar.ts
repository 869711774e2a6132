import { isList, type Json } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'
import { goKindOf } from './go-value.ts'
import { quantityForm } from './quantity-form.ts'
import { timeForm } from './time-form.ts'

/** A value, a fault in the type's own words, or a JSON value of the wrong type. */
export type Read =
  | { readonly value: Json }
  | { readonly fault: string }
  | {
      /** `number 1.5`, `string` */
      readonly what: string
      readonly type: string
      /** The type reads itself, so the reading ends here. */
      readonly isOwn: boolean
    }

const INT32_MAX = 2 ** 31 - 1
const INT64_MAX = 2n ** 63n - 1n

export function scalarOf(value: Json, type: TypeRef, milli: boolean): Read {
  const goType = type.goType ?? ''
  switch (type.kind) {
    case 'string':
      return typeof value === 'string' ? { value } : wrong(value, goType)
    case 'boolean':
      return typeof value === 'boolean' ? { value } : wrong(value, goType)
    case 'integer':
      return integerOf(value, { goType, int32: type.int32 === true, isOwn: false })
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
        ? { value }
        : wrong(value, goType)
    case 'int-or-string':
      if (typeof value === 'string') return { value }
      return integerOf(value, { goType: 'int32', int32: true, isOwn: true })
    case 'quantity':
      return quantityOf(value, milli)
    case 'time':
      return timeOf(value, type.micro === true)
    case 'object':
    case 'map':
    case 'list':
    case 'bytes':
    case 'any':
      break
  }
  return { value }
}

function wrong(value: Json, type: string, isOwn = false): Read {
  return { what: jsonKind(value), type, isOwn }
}

interface Whole {
  readonly goType: string
  readonly int32: boolean
  readonly isOwn: boolean
}

function integerOf(value: Json, { goType, int32, isOwn }: Whole): Read {
  if (typeof value === 'bigint') {
    const fits = !int32 && value <= INT64_MAX && value >= -INT64_MAX - 1n
    return fits ? { value } : { what: `number ${value}`, type: goType, isOwn }
  }
  if (typeof value !== 'number') return wrong(value, goType, isOwn)
  const limit = int32 ? INT32_MAX : 2 ** 63
  const fits = Number.isInteger(value) && value <= limit && value >= -limit - (int32 ? 1 : 0)
  return fits && value !== 2 ** 63 ? { value } : { what: `number ${value}`, type: goType, isOwn }
}

function quantityOf(value: Json, milli: boolean): Read {
  const text =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
      ? value
      : JSON.stringify(value)
  const form = quantityForm(text, milli)
  return 'fault' in form ? form : { value: form.text }
}

function timeOf(value: Json, micro: boolean): Read {
  if (typeof value !== 'string') return wrong(value, 'string', true)
  const form = timeForm(value, micro)
  return 'fault' in form ? form : { value: form.text }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Base64 text, or a list of bytes; line ends do not count. */
export function bytesOf(value: Json): Read {
  if (typeof value === 'string') {
    if (BASE64.test(value)) return { value }
    const text = value.replaceAll(/[\r\n]/g, '')
    if (BASE64.test(text)) return { value: text }
    return { fault: `illegal base64 data at input byte ${corruptAt(value)}` }
  }
  if (isList(value) && value.every((item) => typeof item === 'number')) {
    return { value: btoa(String.fromCodePoint(...value)) }
  }
  const first = isList(value) ? value.find((item) => typeof item !== 'number') : undefined
  if (first !== undefined && first !== null) {
    return { what: jsonKind(first), type: 'uint8', isOwn: false }
  }
  return { what: jsonKind(value), type: '[]uint8', isOwn: false }
}

/**
 * Where Go's decoder stops: at the first foreign character, behind padding that is too early or too
 * late, or at the start of the last quantum that is cut short.
 */
function corruptAt(text: string): number {
  let inQuantum = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (sign === '\r' || sign === '\n') continue
    if (sign === '=') return paddingFault(text, at, inQuantum)
    if (!/[A-Za-z0-9+/]/.test(sign)) return at
    inQuantum = (inQuantum + 1) % 4
  }
  return text.length - inQuantum
}

function paddingFault(text: string, at: number, inQuantum: number): number {
  if (inQuantum < 2) return at
  const skip = (from: number): number => {
    let next = from
    while (text[next] === '\r' || text[next] === '\n') next += 1
    return next
  }
  let behind = skip(at + 1)
  if (inQuantum === 2) {
    if (behind >= text.length) return text.length
    if (text[behind] !== '=') return behind
    behind = skip(behind + 1)
  }
  return behind
}

/** The word of JSON errors for the kind of a value. */
export function jsonKind(value: Json): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number' || typeof value === 'bigint') return 'number'
  return isList(value) ? 'array' : 'object'
}

/** Of a value that is no JSON text any more, but Go's own form of it. */
export function unstructuredFault(value: Json, type: TypeRef): string {
  const kind = goKindOf(value)
  const goType = type.goType ?? ''
  switch (type.kind) {
    case 'object':
      return `cannot restore struct from: ${kind}`
    case 'map':
      return `cannot restore map from ${kind}`
    case 'list':
    case 'bytes':
      return `cannot restore slice from ${kind}`
    case 'string':
      return kind === 'int64' ? `cannot convert int64 to ${goType}` : 'unrecognized type: string'
    case 'integer':
      return kind === 'float64' || kind === 'int64'
        ? `cannot convert ${kind} to ${goType}`
        : `unrecognized type: ${goType}`
    case 'boolean':
      return 'unrecognized type: bool'
    case 'number':
      return 'unrecognized type: float64'
    case 'time':
      return `json: cannot unmarshal ${jsonKind(value)} into Go value of type string`
    case 'int-or-string':
      return `json: cannot unmarshal ${jsonKind(value)} into Go value of type int32`
    case 'quantity':
    case 'any':
      break
  }
  return `unrecognized type: ${goType}`
}
