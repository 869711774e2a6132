import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'
import { bytesOf, jsonKind, scalarOf, unstructuredFault } from './decode-scalar.ts'
import { sortedKeys } from './nature.ts'
import { Remembered } from './remembered.ts'
import { isStructInGo, zeroValue } from './schema.ts'

const CLEAN = new Remembered<JsonObject>()

/**
 * One reading of one body by its type. Where a value is of the wrong kind, reading goes on, as Go's
 * decoder does, so that the first fault in the text is the one that is told.
 */
export class Reader {
  readonly unknown: string[] = []
  readonly #isCustom: boolean
  readonly #isUnstructured: boolean
  /** Names of struct fields down to here, for faults. */
  readonly #fields: string[] = []
  readonly #structs: string[] = []
  /** Down to here with list positions and map keys, for unknown fields. */
  readonly #path: (string | number)[] = []
  #saved: string | undefined
  #final: string | undefined

  constructor(isCustom: boolean, isUnstructured = false) {
    this.#isCustom = isCustom
    this.#isUnstructured = isUnstructured
  }

  /** A literal that reads itself ends the reading; any other fault waits for the end. */
  get fault(): string | undefined {
    return this.#final ?? this.#saved
  }

  read(value: Json, type: TypeRef, live: Json | undefined): Json {
    if (value === live || this.#final !== undefined) return value
    switch (type.kind) {
      case 'object':
        return isObject(value) ? this.#known(value, type, live) : this.#mismatch(value, type)
      case 'map':
        return isObject(value) ? this.#map(value, type, live) : this.#mismatch(value, type)
      case 'list':
        return isList(value) ? this.#list(value, type, live) : this.#mismatch(value, type)
      case 'any':
        return value
      case 'bytes':
        return this.#bytes(value, type)
      case 'string':
      case 'integer':
      case 'number':
      case 'boolean':
      case 'int-or-string':
      case 'quantity':
      case 'time':
        break
    }
    return this.#scalar(value, type)
  }

  /** What read without a fault and without unknown fields reads so again, wherever it stands. */
  #known(value: JsonObject, type: TypeRef, live: Json | undefined): Json {
    const known = this.#isCustom || this.#isUnstructured ? undefined : CLEAN.of(type)
    const before = known?.get(value)
    if (before !== undefined) return before
    const { length } = this.unknown
    const read = this.#struct(value, type, live)
    if (this.fault === undefined && this.unknown.length === length && isObject(read)) {
      known?.set(value, read)
      if (read !== value) known?.set(read, read)
    }
    return read
  }

  #struct(value: JsonObject, type: TypeRef, live: Json | undefined): Json {
    const fields = type.fields
    if (fields === undefined) return value
    const old = isObject(live) ? live : undefined
    const isGo = type.goType !== undefined
    let next: { [key: string]: Json | undefined } | undefined
    if (isGo) this.#structs.push(shortName(type))
    for (const key of this.#isCustom && isGo ? sortedKeys(value) : Object.keys(value)) {
      const member = value[key]
      if (member === undefined) continue
      const field = fields.get(key) ?? type.items
      if (field === undefined) {
        this.unknown.push(`unknown field "${this.#at(key)}"`)
        next ??= { ...value }
        delete next[key]
        continue
      }
      const read = this.#member(member, { key, field, isGo, live: old?.[key] })
      if (read === member) continue
      next ??= { ...value }
      if (read === undefined) delete next[key]
      else next[key] = read
    }
    if (isGo) this.#structs.pop()
    return this.#completed(next ?? value, type)
  }

  #completed(value: JsonObject, { zero }: TypeRef): JsonObject {
    let next: { [key: string]: Json | undefined } | undefined
    for (const key in zero) {
      if (value[key] !== undefined) continue
      next ??= { ...value }
      next[key] = zero[key]
    }
    return next ?? value
  }

  /** Undefined for what is left out. */
  #member(
    value: Json,
    {
      key,
      field,
      isGo,
      live,
    }: { key: string; field: TypeRef; isGo: boolean; live: Json | undefined },
  ): Json | undefined {
    if (value === live) return value
    if (value === null) {
      if (!isGo) return field.goType === undefined ? null : undefined
      return isLeftOut(null, field) ? undefined : zeroValue(field)
    }
    this.#path.push(key)
    if (isGo) this.#fields.push(`${field.inlined ?? ''}${key}`)
    const read = this.read(value, field, live)
    if (isGo) this.#fields.pop()
    this.#path.pop()
    if (!isGo) return read
    if (key === 'managedFields') return read
    return isLeftOut(read, field) ? undefined : emptied(read, field)
  }

  #map(value: JsonObject, type: TypeRef, live: Json | undefined): Json {
    const items = type.items
    if (items === undefined) return value
    const old = isObject(live) ? live : undefined
    const rounded = type.goType === 'v1.ResourceList'
    let next: { [key: string]: Json | undefined } | undefined
    for (const key in value) {
      const member = value[key]
      if (member === undefined) continue
      this.#path.push(key)
      const read =
        member === null && items.goType !== undefined
          ? items.kind === 'bytes'
            ? ''
            : zeroValue(items)
          : rounded
            ? this.#scalar(member, items, true)
            : this.read(member, items, old?.[key])
      this.#path.pop()
      if (read === member) continue
      next ??= { ...value }
      next[key] = read
    }
    return next ?? value
  }

  #list(value: readonly Json[], type: TypeRef, live: Json | undefined): Json {
    const items = type.items
    if (items === undefined) return value
    const old = isList(live) ? live : []
    let next: Json[] | undefined
    for (const [at, item] of value.entries()) {
      this.#path.push(at)
      const read =
        item === null && items.goType !== undefined
          ? zeroValue(items)
          : this.read(item, items, old[at])
      this.#path.pop()
      if (read === item) continue
      next ??= [...value]
      next[at] = read
    }
    return next ?? value
  }

  #scalar(value: Json, type: TypeRef, milli = false): Json {
    if (type.goType === undefined) return value
    const wrapped = this.#isUnstructured ? wrappedInteger(value, type) : undefined
    if (wrapped !== undefined) return wrapped
    const read = scalarOf(value, type, milli)
    if (this.#isUnstructured && !('value' in read)) {
      this.#end('fault' in read ? read.fault : unstructuredFault(value, type))
      return value
    }
    if ('value' in read) return read.value
    if ('fault' in read) this.#end(read.fault)
    else if (read.isOwn) this.#end(this.#located(read.what, read.type))
    else this.#saved ??= this.#located(read.what, read.type)
    return zeroValue({ ...type, pointer: false })
  }

  #bytes(value: Json, type: TypeRef): Json {
    const read = bytesOf(value)
    if ('value' in read) return read.value
    if (this.#isUnstructured) {
      const fault = 'fault' in read ? `error decoding from json: ${read.fault}` : undefined
      this.#end(fault ?? unstructuredFault(value, type))
    }
    this.#saved ??= 'fault' in read ? read.fault : this.#located(read.what, read.type)
    return ''
  }

  #end(fault: string): void {
    this.#final ??= fault
  }

  #mismatch(value: Json, type: TypeRef): Json {
    if (type.goType === undefined) return value
    if (this.#isUnstructured) this.#end(unstructuredFault(value, type))
    this.#saved ??= this.#located(jsonKind(value), type.goType ?? '')
    return zeroValue({ ...type, pointer: false })
  }

  #located(what: string, goType: string): string {
    const struct = this.#structs.at(-1)
    if (struct === undefined)
      return `json: cannot unmarshal ${what} into Go value of type ${goType}`
    const field = `${struct}.${this.#fields.join('.')}`
    return `json: cannot unmarshal ${what} into Go struct field ${field} of type ${goType}`
  }

  #at(key: string): string {
    let text = ''
    for (const step of this.#path) {
      text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`
    }
    return text === '' ? key : `${text}.${key}`
  }
}

/** Whole numbers that their type cannot hold lose their upper bits, where no JSON is in between. */
function wrappedInteger(value: Json, { kind, int32 }: TypeRef): Json | undefined {
  if (kind !== 'integer') return undefined
  const isWhole = typeof value === 'bigint' || Number.isInteger(value)
  if (!isWhole) return undefined
  const whole = BigInt(value as number | bigint)
  const asInt64 = BigInt.asIntN(64, whole) === whole ? whole : -(2n ** 63n)
  const held = int32 === true ? BigInt.asIntN(32, asInt64) : asInt64
  if (held === whole) return undefined
  return int32 === true ? Number(held) : held
}

/** What Go leaves out of JSON: omitempty for empty values that are no structs, omitzero for those. */
function isLeftOut(value: Json, type: TypeRef): boolean {
  if (value === null) {
    return (type.omitEmpty === true && !isStructInGo(type)) || type.omitZero === true
  }
  if (type.pointer === true || type.omitEmpty !== true) return false
  switch (type.kind) {
    case 'map':
    case 'list':
    case 'bytes':
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return isEmptyValue(value)
    case 'object':
    case 'quantity':
    case 'time':
    case 'int-or-string':
    case 'any':
      break
  }
  return false
}

function isEmptyValue(value: Json): boolean {
  if (isList(value)) return value.length === 0
  if (isObject(value)) return Object.keys(value).length === 0
  return value === '' || value === 0 || value === false || value === 0n
}

/** Stored objects know no empty list that differs from none. */
function emptied(value: Json, type: TypeRef): Json {
  return type.kind === 'list' && type.pointer !== true && isList(value) && value.length === 0
    ? null
    : value
}

function shortName({ goType = '' }: TypeRef): string {
  return goType.slice(goType.lastIndexOf('.') + 1)
}
