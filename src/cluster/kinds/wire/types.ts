import { POD_TYPES } from './types-pod.ts'
import { STATUS_TYPES } from './types-status.ts'
import { VOLUME_TYPES } from './types-volume.ts'
import { WORKLOAD_TYPES } from './types-workload.ts'

/**
 * The Go types behind the workload kinds (Kubernetes 1.36), as far as their JSON shows: which zero
 * values an answer leaves out, which it always has, and how the server's internal types, whose
 * names and order differ, look in a complaint. A type is one paragraph of `json=Go:type` items:
 *
 *   s b i q t o a x   text, boolean, integer, quantity, time, IntOrString, any JSON, bytes
 *   Name [] {}        a struct, a list, a map
 *   * before          a pointer: zero is a value, only null is none
 *   ? after           left out when empty; without it always written
 *   ~ ^ after         no pointer, or a pointer, in the internal type only
 *   - before          in the internal type only; as the Go name: in the API only
 *   ...Name           the fields of another type, in this place
 */
export interface GoField {
  readonly json: string
  /** Undefined: not in the internal type. */
  readonly go: string | undefined
  readonly inApi: boolean
  readonly wrap: 'none' | 'list' | 'map'
  /** A letter of the list above, or the name of a struct. */
  readonly of: string
  /** That struct; no type holds itself. */
  readonly struct: GoType | undefined
  readonly pointer: boolean
  readonly internalPointer: boolean
  readonly omitEmpty: boolean
}

export interface GoType {
  readonly name: string
  readonly fields: readonly GoField[]
  readonly byJson: ReadonlyMap<string, GoField>
  /** Those that an answer always has. */
  readonly always: readonly GoField[]
}

export function goType(name: string): GoType {
  const type = TYPES.get(name)
  if (type === undefined) throw new Error(`the table of Go types lacks ${name}`)
  return type
}

/** Both are made when this file is read, the pattern first. */
const FIELD = /^(\w+)(?:=(\w+|-))?:(-?)(\*?)(\[\]|\{\})?(\w+)(\??)([~^]?)$/
const TYPES: ReadonlyMap<string, GoType> = readTypes(
  POD_TYPES + VOLUME_TYPES + WORKLOAD_TYPES + STATUS_TYPES,
)

function readTypes(text: string): ReadonlyMap<string, GoType> {
  const texts = new Map<string, readonly string[]>()
  for (const paragraph of text.split(/\n(?! )/)) {
    const [name, ...items] = paragraph.trim().split(/\s+/)
    if (name !== undefined && name !== '') texts.set(name, items)
  }
  const types = new Map<string, GoType>()
  const make = (name: string): GoType => {
    const known = types.get(name)
    if (known !== undefined) return known
    const type = typeOf(name, fieldsOf(name))
    types.set(name, type)
    return type
  }
  const fieldsOf = (name: string): readonly GoField[] =>
    (texts.get(name) ?? []).flatMap((item) => {
      if (item.startsWith('...')) return fieldsOf(item.slice(3))
      const field = readField(item)
      return [field.of.length > 1 ? { ...field, struct: make(field.of) } : field]
    })
  for (const name of texts.keys()) make(name)
  return types
}

function typeOf(name: string, fields: readonly GoField[]): GoType {
  const inApi = fields.filter((field) => field.inApi)
  return {
    name,
    fields,
    byJson: new Map(inApi.map((field) => [field.json, field])),
    always: inApi.filter((field) => !field.omitEmpty),
  }
}

function readField(item: string): GoField {
  const match = FIELD.exec(item)
  if (match === null) throw new Error(`the table of Go types holds ${item}`)
  const [, json = '', goName, internalOnly, star, wrap, of = '', question, change] = match
  const go = goName ?? `${json.charAt(0).toUpperCase()}${json.slice(1)}`
  return {
    json,
    go: go === '-' ? undefined : go,
    inApi: internalOnly === '',
    wrap: wrap === '[]' ? 'list' : wrap === '{}' ? 'map' : 'none',
    of,
    struct: undefined,
    pointer: star === '*',
    internalPointer: change === '' ? star === '*' : change === '^',
    omitEmpty: question === '?',
  }
}
