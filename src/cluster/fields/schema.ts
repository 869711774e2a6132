import type { Json, JsonObject } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'
import { TABLE } from './schema-table.ts'

const PREFIXES = /^io\.k8s\.(?:api|apimachinery\.pkg\.apis|apiextensions-apiserver\.pkg\.apis)\./

/** Anything: lists as one value, maps by their members (what a schema without a type means). */
export const ANY: TypeRef = { kind: 'any', mapType: 'granular' }
/** Anything as one value. */
export const ANY_ATOMIC: TypeRef = { kind: 'any', mapType: 'atomic' }

const FORMS: Readonly<Record<string, TypeRef>> = {
  s: { kind: 'string', goType: 'string' },
  i: { kind: 'integer', goType: 'int32', int32: true },
  l: { kind: 'integer', goType: 'int64' },
  f: { kind: 'number', goType: 'float64' },
  b: { kind: 'boolean', goType: 'bool' },
  q: { kind: 'quantity', goType: 'resource.Quantity' },
  t: { kind: 'time', goType: 'v1.Time' },
  u: { kind: 'time', goType: 'v1.MicroTime', micro: true },
  x: { kind: 'int-or-string', goType: 'intstr.IntOrString' },
  y: { kind: 'bytes', goType: '[]uint8' },
  a: ANY_ATOMIC,
  j: ANY,
}

/**
 * The type of an OpenAPI name, `io.k8s.api.batch.v1.Job`; undefined for what the table leaves out.
 * Types are built when first asked for and then shared, so a type may be compared by identity.
 *
 * The table, a type a line: `id field field ...`, `~` behind an id: an atomic map. A field is
 * `name`, behind the names of the structs that it is inlined from (`VolumeSource>`), then `?` omitempty, `0` omitzero, `*` pointer, `:` and its form:
 * s string, i int32, l int64, f float64, b boolean, q quantity, t time, u time with microseconds,
 * x int-or-string, y bytes, a anything as one value, j anything, `@id`, `[form` a list, `{form` a
 * map, `<...>` the name in Go where it is not the obvious one; then `#` a set or `#(key,key)` a
 * keyed list, `~` an atomic and `+` a granular map, `&strategy(key)` for strategic merge, `=value`
 * a default.
 */
export const typeOf: (name: string) => TypeRef | undefined = reader(TABLE)

type Writable = { -readonly [key in keyof TypeRef]?: TypeRef[key] }

function reader(table: string): Lookup {
  const lines = new Map<string, string>()
  const structs = new Map<string, TypeRef>()
  const struct: Lookup = (id) => {
    const known = structs.get(id)
    if (known !== undefined) return known
    const line = linesOf(table, lines).get(id) ?? linesOf(table, lines).get(`${id}~`)
    if (line === undefined) return undefined
    const made = new Struct(id, line, struct)
    structs.set(id, made)
    return made
  }
  return (name) => struct(name.replace(PREFIXES, ''))
}

function linesOf(table: string, lines: Map<string, string>): Map<string, string> {
  if (lines.size > 0) return lines
  for (const line of table.trim().split('\n')) lines.set(line.slice(0, line.indexOf(' ')), line)
  return lines
}

/** Fields are read when first needed: types refer to each other in circles. */
class Struct implements TypeRef {
  readonly kind = 'object'
  readonly goType: string
  readonly mapType?: 'atomic'
  readonly #line: string
  readonly #struct: Lookup
  #fields: ReadonlyMap<string, TypeRef> | undefined
  #zero: JsonObject | undefined

  constructor(id: string, line: string, struct: Lookup) {
    this.goType = `v1.${id.slice(id.lastIndexOf('.') + 1)}`
    this.#line = line
    this.#struct = struct
    if (line.startsWith(`${id}~`)) this.mapType = 'atomic'
  }

  get fields(): ReadonlyMap<string, TypeRef> {
    this.#fields ??= fieldsOf(this.#line, this.#struct)
    return this.#fields
  }

  get zero(): JsonObject {
    this.#zero ??= zeroOf(this.fields)
    return this.#zero
  }
}

/** What Go writes for a struct without any value: the fields that are never left out. */
function zeroOf(fields: ReadonlyMap<string, TypeRef>): JsonObject {
  const zero: { [name: string]: Json } = {}
  for (const [name, type] of fields) {
    if (type.omitZero === true || (type.omitEmpty === true && !isStructInGo(type))) continue
    zero[name] = zeroValue(type)
  }
  return zero
}

/** A struct in Go, which omitempty never leaves out: times and quantities are such. */
export function isStructInGo({ kind, pointer }: TypeRef): boolean {
  return pointer !== true && STRUCTS.has(kind)
}

const STRUCTS: ReadonlySet<TypeRef['kind']> = new Set([
  'object',
  'time',
  'quantity',
  'int-or-string',
  'any',
])

/** What Go writes for a field that was never set. */
export function zeroValue(type: TypeRef): Json {
  if (type.pointer === true) return null
  switch (type.kind) {
    case 'object':
      return type.zero ?? {}
    case 'string':
      return ''
    case 'integer':
    case 'number':
    case 'int-or-string':
      return 0
    case 'boolean':
      return false
    case 'quantity':
      return '0'
    case 'map':
    case 'list':
    case 'time':
    case 'bytes':
    case 'any':
      break
  }
  return null
}

/** A struct in the place of a field: the struct's own fields, the field's own marks. */
class StructField implements TypeRef {
  readonly kind = 'object'
  readonly goType: string
  readonly mapType?: 'atomic' | 'granular'
  readonly patchStrategy?: string
  readonly omitEmpty?: boolean
  readonly omitZero?: boolean
  readonly pointer?: boolean
  readonly inlined?: string
  readonly #of: TypeRef

  constructor(of: TypeRef, marks: Writable) {
    this.#of = of
    this.goType = of.goType ?? ''
    if (of.mapType !== undefined) this.mapType = of.mapType
    Object.assign(this, marks)
  }

  get fields(): ReadonlyMap<string, TypeRef> {
    return this.#of.fields ?? new Map()
  }

  get zero(): JsonObject {
    return this.#of.zero ?? {}
  }
}

type Lookup = (id: string) => TypeRef | undefined

function fieldsOf(line: string, struct: Lookup): ReadonlyMap<string, TypeRef> {
  const fields = new Map<string, TypeRef>()
  for (const word of line.split(' ').slice(1)) {
    const match = /^((?:\w+>)*)([\w$-]+)(\??)(0?)(\*?):(.+)$/.exec(word)
    if (match === null) continue
    const [, inlined = '', name = '', empty, zero, pointer, form = ''] = match
    const marks: Writable = {}
    if (inlined !== '') marks.inlined = inlined.replaceAll('>', '.')
    if (empty !== '') marks.omitEmpty = true
    if (zero !== '') marks.omitZero = true
    if (pointer !== '') marks.pointer = true
    fields.set(name, fieldOf(form, marks, struct))
  }
  return fields
}

function fieldOf(text: string, marks: Writable, struct: Lookup): TypeRef {
  const { type, rest } = formOf(text, struct)
  annotate(marks, rest)
  if (Object.keys(marks).length === 0) return type
  return type.kind === 'object' ? new StructField(type, marks) : { ...type, ...marks }
}

function formOf(text: string, struct: Lookup): { readonly type: TypeRef; readonly rest: string } {
  const letter = text[0] ?? ''
  if (letter === '@') {
    const id = /^[\w.]+/.exec(text.slice(1))?.[0] ?? ''
    const type = struct(id)
    if (type === undefined) throw new Error(`the schema table lacks ${id}`)
    return { type, rest: text.slice(1 + id.length) }
  }
  const name = /^.<([^>]*)>/.exec(text)?.[1]
  const behind = text.slice(name === undefined ? 1 : name.length + 3)
  if (letter === '[' || letter === '{') {
    const { type: items, rest } = formOf(behind, struct)
    const inner = items.goType ?? ''
    const type: TypeRef =
      letter === '['
        ? { kind: 'list', goType: name ?? `[]${inner}`, items, listType: 'atomic' }
        : { kind: 'map', goType: name ?? `map[string]${inner}`, items }
    return { type, rest }
  }
  const form = FORMS[letter]
  if (form === undefined) throw new Error(`the schema table has no form ${text}`)
  return { type: name === undefined ? form : { ...form, goType: name }, rest: behind }
}

function annotate(marks: Writable, text: string): void {
  const match = /^(#?)(?:\(([\w,]+)\))?([~+]?)(?:&([\w,]+)(?:\((\w+)\))?)?(?:=(.*))?$/.exec(text)
  if (match === null) throw new Error(`the schema table has no marks ${text}`)
  const [, list, keys, map, strategy, mergeKey, value] = match
  if (list !== '') marks.listType = keys === undefined ? 'set' : 'map'
  if (keys !== undefined) marks.mapKeys = keys.split(',')
  if (map !== '') marks.mapType = map === '~' ? 'atomic' : 'granular'
  if (strategy !== undefined) marks.patchStrategy = strategy
  if (mergeKey !== undefined) marks.patchMergeKey = mergeKey
  if (value !== undefined)
    marks.default = /^(?:true|false|-?\d+)$/.test(value) ? JSON.parse(value) : value
}
