import { isObject, stringAt, type Json, type JsonObject } from '../../../core/json.ts'

/** What is wrong with a definition; its text becomes the message of the condition. */
export class DefinitionFault extends Error {}

/**
 * kro's SimpleSchema (`string | default="a" required=true`, `[]string`, `map[string]integer`,
 * nested fields, own types) as the OpenAPI schema that the API server is given.
 */
export function openApiOf(fields: JsonObject, types: JsonObject): JsonObject {
  const properties: { [name: string]: JsonObject } = {}
  const required: string[] = []
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const { schema, isRequired } = fieldOf(name, value, types)
    properties[name] = schema
    if (isRequired) required.push(name)
  }
  const hasDefault = Object.values(properties).some((schema) => schema['default'] !== undefined)
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    // An instance that leaves the whole part out gets the defaults inside of it all the same.
    ...(hasDefault && required.length === 0 ? { default: {} } : {}),
  }
}

interface Field {
  readonly schema: JsonObject
  readonly isRequired: boolean
}

function fieldOf(name: string, value: Json, types: JsonObject): Field {
  if (isObject(value)) return { schema: openApiOf(value, types), isRequired: false }
  if (typeof value !== 'string') {
    throw new DefinitionFault(
      `unknown type in schema: key: ${name}, value: ${JSON.stringify(value)}`,
    )
  }
  const [typeText = '', ...rest] = value.split('|')
  const type = typeText.trim()
  const markers = markersOf(rest.join('|'))
  const schema: { [key: string]: Json } = { ...typeOf(type, types) }
  for (const [marker, text] of markers) applyMarker(schema, marker, text)
  return { schema, isRequired: markers.get('required') === 'true' }
}

const ATOMS: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['string', { type: 'string' }],
  ['integer', { type: 'integer' }],
  ['int', { type: 'integer' }],
  ['boolean', { type: 'boolean' }],
  ['bool', { type: 'boolean' }],
  ['number', { type: 'number' }],
  ['float', { type: 'number' }],
  ['object', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
])

function typeOf(type: string, types: JsonObject): { [key: string]: Json } {
  const atom = ATOMS.get(type)
  if (atom !== undefined) return { ...atom } as { [key: string]: Json }
  if (type.startsWith('[]')) return { type: 'array', items: typeOf(type.slice(2), types) }
  const [, keyType, valueType] = /^map\[(\w+)\](.+)$/.exec(type) ?? []
  if (keyType === 'string' && valueType !== undefined) {
    return { type: 'object', additionalProperties: typeOf(valueType, types) }
  }
  const own = types[type]
  if (isObject(own)) return openApiOf(own, types) as { [key: string]: Json }
  if (typeof own === 'string') return { ...fieldOf(type, own, types).schema } as typeof ANY
  throw new DefinitionFault(`unknown type: ${type}`)
}

const ANY: { [key: string]: Json } = {}

/** `default="a b" enum="x,y" minimum=1`: a value ends at white space outside of quotes and brackets. */
function markersOf(text: string): ReadonlyMap<string, string> {
  const markers = new Map<string, string>()
  const form = /(\w+)=("(?:[^"\\]|\\.)*"|\{[^}]*\}|\[[^\]]*\]|\S+)/g
  for (const [, marker = '', value = ''] of text.matchAll(form)) {
    const isQuoted = value.startsWith('"') && value.endsWith('"') && value.length > 1
    const plain = isQuoted ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
    markers.set(marker, plain)
  }
  return markers
}

function applyMarker(schema: { [key: string]: Json }, marker: string, text: string): void {
  const type = stringAt(schema, ['type'])
  switch (marker) {
    case 'default':
      schema['default'] = type === 'string' ? text : parsed(text)
      return
    case 'enum':
      schema['enum'] = text.split(',').map((one) => (type === 'string' ? one.trim() : parsed(one)))
      return
    case 'description':
    case 'pattern':
      schema[marker] = text
      return
    case 'minimum':
    case 'maximum':
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
      schema[marker] = Number(text)
      return
    case 'immutable':
      if (text === 'true') {
        schema['x-kubernetes-validations'] = [
          { rule: 'self == oldSelf', message: 'field is immutable' },
        ]
      }
      return
    default:
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new DefinitionFault(`marker value is no JSON: ${text}`)
  }
}
