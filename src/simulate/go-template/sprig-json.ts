import { isObject, type Json } from '../../core/json.ts'
import type { Functions } from './exec.ts'
import { goYaml } from './go-yaml.ts'
import { text } from './sprig-texts.ts'
import { isGoObject, isMap, isNil, isSequence, put, type Value } from './value.ts'

/** JSON numbers are float64 in templates. */
export function valueOf(json: unknown): Value {
  if (Array.isArray(json)) return json.map(valueOf)
  if (typeof json !== 'object' || json === null) {
    return typeof json === 'bigint' ? Number(json) : (json as Value)
  }
  const map: { [key: string]: Value } = {}
  for (const [key, item] of Object.entries(json)) {
    if (item !== undefined) put(map, key, valueOf(item))
  }
  return map
}

/** Signs that end a script in HTML are escaped, keys stand in order. */
function goJson(value: Value, space?: string): string {
  return rawJson(value, space).replaceAll(/[<>&\u2028\u2029]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Objects are built in the order of their keys, so numbers as keys need their place by hand. */
function rawJson(value: Value, space?: string, margin = ''): string {
  if (isGoObject(value)) return rawJson(value.json, space, margin)
  const isList = isSequence(value)
  if (!isList && !isMap(value)) return scalarJson(value)
  const inner = space === undefined ? '' : `${margin}${space}`
  const items = isList
    ? value.map((item) => rawJson(item, space, inner))
    : Object.keys(value)
        .sort()
        .map((key) => {
          const colon = space === undefined ? ':' : ': '
          return `${scalarJson(key)}${colon}${rawJson(value[key], space, inner)}`
        })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (items.length === 0 || space === undefined) return `${open}${items.join(',')}${close}`
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${margin}${close}`
}

function scalarJson(value: Value): string {
  if (isNil(value)) return 'null'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error(`json: unsupported value: ${value}`)
  }
  if (typeof value === 'number') {
    return String(value).replace(/e([-+])(\d)$/, (_, sign: string, digit: string) => {
      return `e${sign}${sign === '-' ? '0' : ''}${digit}`
    })
  }
  return JSON.stringify(value)
}

function parsed(value: Value): Value {
  try {
    return valueOf(JSON.parse(text(value)) as unknown)
  } catch (error) {
    throw new Error(jsonComplaint(text(value), error), { cause: error })
  }
}

function jsonComplaint(value: string, error: unknown): string {
  if (value.trim() === '') return 'unexpected end of JSON input'
  const words = error instanceof Error ? error.message : String(error)
  return /Unexpected end|Unterminated/i.test(words)
    ? 'unexpected end of JSON input'
    : `invalid JSON: ${words}`
}

/** Helm's own: what is wrong becomes a value, so that a chart can ask for it. */
function asMapOrError(value: Value): Value {
  try {
    const read = parsed(value)
    if (isNil(read) || isMap(read)) return read ?? {}
    return { Error: unmarshalFault(read, 'map[string]interface {}') }
  } catch (error) {
    return { Error: error instanceof Error ? error.message : String(error) }
  }
}

function asListOrError(value: Value): Value {
  try {
    const read = parsed(value)
    if (isNil(read) || isSequence(read)) return read ?? []
    return [unmarshalFault(read, '[]interface {}')]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function unmarshalFault(read: Value, type: string): string {
  const kind = isSequence(read) ? 'array' : isMap(read) ? 'object' : kindWord(read)
  return `json: cannot unmarshal ${kind} into Go value of type ${type}`
}

function kindWord(value: Value): string {
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'number'
}

export const jsonFunctions: Functions = {
  toJson: (value) => goJson(value),
  mustToJson: (value) => goJson(value),
  toPrettyJson: (value) => goJson(value, '  '),
  mustToPrettyJson: (value) => goJson(value, '  '),
  toRawJson: (value) => rawJson(value),
  mustToRawJson: (value) => rawJson(value),
  fromJson: asMapOrError,
  mustFromJson: parsed,
  fromJsonArray: asListOrError,
}

/** Functions of YAML; `read` gives the first document of a text, or throws what is wrong. */
export function yamlFunctions(read: (text: string) => Json | undefined): Functions {
  return {
    toYaml: (value) => goYaml(plainOf(value)),
    mustToYaml: (value) => goYaml(plainOf(value)),
    toYamlPretty: (value) => goYaml(plainOf(value), true),
    fromYaml: (value) => {
      try {
        const found = read(text(value)) ?? {}
        if (isObject(found)) return valueOf(found)
        const fault = unmarshalFault(valueOf(found), 'map[string]interface {}')
        return { Error: `error unmarshaling JSON: while decoding JSON: ${fault}` }
      } catch (error) {
        return { Error: error instanceof Error ? error.message : String(error) }
      }
    },
    fromYamlArray: (value) => {
      try {
        const found = valueOf(read(text(value)) ?? [])
        if (isSequence(found)) return found
        const fault = unmarshalFault(found, '[]interface {}')
        return [`error unmarshaling JSON: while decoding JSON: ${fault}`]
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)]
      }
    },
  }
}

function plainOf(value: Value): Value {
  if (isGoObject(value)) return plainOf(value.json)
  if (isSequence(value)) return value.map(plainOf)
  if (!isMap(value)) return value
  const made: { [key: string]: Value } = {}
  for (const [key, item] of Object.entries(value)) put(made, key, plainOf(item))
  return made
}
