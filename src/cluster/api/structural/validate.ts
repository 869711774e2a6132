import { isList, isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { equal } from '../../fields/index.ts'
import { goJson, goQuote } from '../go-text.ts'
import type { FieldError } from '../kind.ts'
import { formatFault } from './formats.ts'
import { schemaOfMember } from './schema.ts'

/**
 * What a value does not fulfil of its schema, in the words of the API server. What an update leaves
 * as it was (`old`) is not judged again.
 */
export function schemaErrors(
  value: Json,
  schema: JsonObject,
  path: string,
  old?: Json,
): readonly FieldError[] {
  const errors: FieldError[] = []
  judge(value, schema, { path, old, errors })
  return errors
}

/** Where a value stands, what stood there before, and the list that is being filled. */
interface Place {
  readonly path: string
  readonly old: Json | undefined
  readonly errors: FieldError[]
}

function judge(value: Json, schema: JsonObject, { path, old, errors }: Place): void {
  if (value === null && schema['nullable'] === true) return
  if (old !== undefined && equal(old, value)) return
  const mistyped = typeError(value, schema, path)
  if (mistyped !== undefined) errors.push(...mistyped)
  composed(value, schema, path, errors)
  if (isList(value)) inList(value, schema, { path, old, errors })
  else if (isObject(value)) inObject(value, schema, { path, old, errors })
  else if (mistyped === undefined || isTooBig(value)) scalar(value, schema, path, errors)
  enumError(value, schema, path, errors)
}

function typeError(value: Json, schema: JsonObject, path: string): FieldError[] | undefined {
  const wanted = schema['x-kubernetes-int-or-string'] === true ? 'integer,string' : schema['type']
  if (typeof wanted !== 'string') return undefined
  const is = typeOfValue(value)
  if (wanted.split(',').includes(is)) return integerError(value, schema, path)
  if (wanted === 'number' && is === 'integer') return undefined
  if (wanted === 'integer' && is === 'number') return integerError(value, schema, path)
  return [mismatch(path, wanted, is)]
}

function integerError(value: Json, schema: JsonObject, path: string): FieldError[] | undefined {
  const { type, format } = schema
  if (type !== 'integer' || typeof value !== 'number') return undefined
  const limit = format === 'int32' ? 2 ** 31 : format === 'int64' ? 2 ** 63 : undefined
  const isWhole = Number.isInteger(value)
  if (isWhole && (limit === undefined || Math.abs(value) < limit)) return undefined
  const wanted = typeof format === 'string' ? format : 'integer'
  const shown = typeof format === 'string' ? `with format ${format}` : '(default format)'
  const unchecked: FieldError = {
    type: 'Invalid',
    field: '<nil>',
    value: '',
    detail: `Checked value must be of type integer ${shown} in ${path}`,
  }
  if (isWhole) return [unchecked]
  return [mismatch(path, wanted, limit === undefined ? 'number' : 'float64'), unchecked]
}

/** A whole number that its format does not hold is still compared with its bounds. */
function isTooBig(value: Json): boolean {
  return typeof value === 'number' && Number.isInteger(value)
}

function mismatch(path: string, wanted: string, is: string): FieldError {
  const detail = `${path} in body must be of type ${wanted}: "${is}"`
  return { type: 'TypeInvalid', field: path, value: is, detail }
}

function typeOfValue(value: Json): string {
  if (value === null) return 'null'
  if (isList(value)) return 'array'
  if (typeof value === 'object') return 'object'
  if (typeof value === 'bigint') return 'integer'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function composed(value: Json, schema: JsonObject, path: string, errors: FieldError[]): void {
  const say = (rule: string): void => {
    errors.push({ type: 'Invalid', field: '<nil>', value: '', detail: `"${path}" ${rule}` })
  }
  const results = (name: string): FieldError[][] | undefined => {
    const list = schema[name]
    if (!isList(list) || list.length === 0) return undefined
    return list.filter(isObject).map((part) => [...schemaErrors(value, part, path)])
  }
  const anyOf = results('anyOf')
  if (anyOf !== undefined && anyOf.every((found) => found.length > 0)) {
    say('must validate at least one schema (anyOf)')
    errors.push(...(anyOf[0] ?? []))
  }
  const oneOf = results('oneOf')
  const valid = oneOf?.filter((found) => found.length === 0).length
  if (valid === 0) {
    say('must validate one and only one schema (oneOf). Found none valid')
    errors.push(...(oneOf?.[0] ?? []))
  } else if (valid !== undefined && valid > 1) {
    say(`must validate one and only one schema (oneOf). Found ${valid} valid alternatives`)
  }
  const allOf = results('allOf')
  if (allOf?.some((found) => found.length > 0) === true) {
    say('must validate all the schemas (allOf)')
    errors.push(...allOf.flat())
  }
  const { not } = schema
  if (isObject(not) && schemaErrors(value, not, path).length === 0) {
    say('must not validate the schema (not)')
  }
}

function inList(list: readonly Json[], schema: JsonObject, { path, old, errors }: Place): void {
  const { items, minItems, maxItems, uniqueItems } = schema
  if (isObject(items)) {
    for (const [index, item] of list.entries()) {
      const before = itemBefore(item, schema, old)
      judge(item, items, { path: `${path}[${index}]`, old: before, errors })
    }
  }
  const { length } = list
  if (typeof minItems === 'number' && length < minItems) {
    const detail = `${path} in body should have at least ${minItems} items`
    errors.push({ type: 'Invalid', field: path, value: length, detail })
  }
  if (typeof maxItems === 'number' && length > maxItems)
    errors.push(tooMany(path, length, maxItems))
  if (uniqueItems === true && hasTwins(list)) {
    const detail = `${path} in body shouldn't contain duplicates`
    errors.push({ type: 'Duplicate', field: path, value: length, detail })
  }
  errors.push(...keyErrors(list, schema, path))
}

/** Only lists that are maps know which item was which. */
function itemBefore(item: Json, schema: JsonObject, old: Json | undefined): Json | undefined {
  const names = schema['x-kubernetes-list-map-keys']
  if (!isList(old) || schema['x-kubernetes-list-type'] !== 'map' || !isList(names)) return undefined
  const key = keyOf(item, names.map(String))
  return old.find((other) => equal(keyOf(other, names.map(String)), key))
}

function hasTwins(list: readonly Json[]): boolean {
  return list.some((item, index) => list.findIndex((other) => equal(other, item)) < index)
}

/** Lists that are sets or maps hold each key once. */
function keyErrors(list: readonly Json[], schema: JsonObject, path: string): readonly FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  const names = schema['x-kubernetes-list-map-keys']
  if (listType !== 'set' && (listType !== 'map' || !isList(names))) return []
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, item] of list.entries()) {
    const key = listType === 'set' || !isList(names) ? item : keyOf(item, names.map(String))
    const text = goJson(key)
    if (seen.has(text)) {
      errors.push({ type: 'Duplicate', field: `${path}[${index}]`, value: key, detail: '' })
    }
    seen.add(text)
  }
  return errors
}

function keyOf(item: Json, names: readonly string[]): JsonObject {
  const key: { [name: string]: Json } = {}
  for (const name of names) {
    const value = isObject(item) ? item[name] : undefined
    if (value !== undefined) key[name] = value
  }
  return key
}

function tooMany(path: string, is: number, most: number): FieldError {
  const detail = `must have at most ${most} ${most === 1 ? 'item' : 'items'}`
  return { type: 'TooMany', field: path, value: is, detail }
}

function inObject(object: JsonObject, schema: JsonObject, { path, old, errors }: Place): void {
  const at = (key: string): string => (path === '' ? key : `${path}.${key}`)
  const { required, minProperties, maxProperties } = schema
  for (const key of Object.keys(object).sort()) {
    const value = object[key]
    const member = schemaOfMember(schema, key)
    if (member === undefined || value === undefined) continue
    const before = isObject(old) ? old[key] : undefined
    judge(value, member, { path: at(key), old: before, errors })
  }
  for (const key of isList(required) ? required.map(String) : []) {
    if (object[key] === undefined) errors.push({ type: 'Required', field: at(key), detail: '' })
  }
  if (schema['x-kubernetes-embedded-resource'] === true) {
    for (const key of ['apiVersion', 'kind']) {
      if ((object[key] ?? '') === '') errors.push({ type: 'Required', field: at(key), detail: '' })
    }
  }
  const { length } = Object.keys(object)
  if (typeof minProperties === 'number' && length < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`
    errors.push({ type: 'Invalid', field: path, value: length, detail })
  }
  if (typeof maxProperties === 'number' && length > maxProperties) {
    errors.push(tooMany(path, length, maxProperties))
  }
}

/** The first thing that is wrong with a text or number; the server says one of each. */
function scalar(value: Json, schema: JsonObject, path: string, errors: FieldError[]): void {
  const found =
    typeof value === 'string'
      ? textError(value, schema, path)
      : typeof value === 'number'
        ? numberError(value, schema, path)
        : undefined
  if (found !== undefined) errors.push(found)
}

function textError(value: string, schema: JsonObject, path: string): FieldError | undefined {
  const { minLength, maxLength, pattern, format } = schema
  const { length } = Array.from(value)
  const invalid = (rule: string): FieldError => ({
    type: 'Invalid',
    field: path,
    value,
    detail: `${path} in body should ${rule}`,
  })
  if (typeof maxLength === 'number' && length > maxLength) {
    const bytes = maxLength === 1 ? 'byte' : 'bytes'
    const detail = `may not be more than ${maxLength} ${bytes}`
    return { type: 'TooLong', field: path, detail }
  }
  if (typeof minLength === 'number' && length < minLength) {
    return invalid(`be at least ${minLength} chars long`)
  }
  if (typeof pattern === 'string' && !matches(value, pattern)) return invalid(`match '${pattern}'`)
  if (typeof format !== 'string' || !formatFault(value, format)) return undefined
  const detail = `${path} in body must be of type ${format}: ${goQuote(value)}`
  return { type: 'TypeInvalid', field: path, value, detail }
}

/** Go's syntax is nearly JavaScript's; a pattern that cannot be read here is not judged. */
function matches(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}

function numberError(value: number, schema: JsonObject, path: string): FieldError | undefined {
  const { minimum, maximum, multipleOf } = schema
  const invalid = (rule: string): FieldError => ({
    type: 'Invalid',
    field: path,
    value,
    detail: `${path} in body should be ${rule}`,
  })
  if (typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf)) {
    return invalid(`a multiple of ${multipleOf}`)
  }
  if (typeof maximum === 'number') {
    const isOpen = schema['exclusiveMaximum'] === true
    if (isOpen && value >= maximum) return invalid(`less than ${maximum}`)
    if (value > maximum) return invalid(`less than or equal to ${maximum}`)
  }
  if (typeof minimum !== 'number') return undefined
  const isOpen = schema['exclusiveMinimum'] === true
  if (isOpen && value <= minimum) return invalid(`greater than ${minimum}`)
  return value < minimum ? invalid(`greater than or equal to ${minimum}`) : undefined
}

function enumError(value: Json, schema: JsonObject, path: string, errors: FieldError[]): void {
  const allowed = schema['enum']
  if (!isList(allowed) || allowed.some((one) => equal(one, value))) return
  const list = allowed.map((one) => (typeof one === 'string' ? goQuote(one) : `"${goJson(one)}"`))
  const detail = `supported values: ${list.join(', ')}`
  errors.push({ type: 'NotSupported', field: path, value, detail })
}
