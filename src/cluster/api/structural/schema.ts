import { at, isList, isObject, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import type { TypeRef } from '../../fields/contract.ts'
import { ANY, ANY_ATOMIC, typeOf } from '../../fields/index.ts'

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
const TEXT: TypeRef = { kind: 'string' }
const PRESERVES = 'x-kubernetes-preserve-unknown-fields'
const EMBEDDED = 'x-kubernetes-embedded-resource'
const INT_OR_STRING = 'x-kubernetes-int-or-string'

/** A structural schema (JSONSchemaProps of apiextensions.k8s.io/v1) as the type of whole objects. */
export function typeOfSchema(schema: JsonObject): TypeRef {
  const type = typeOfPart(schema)
  const fields = new Map(type.fields ?? [])
  const isOpen = schema[PRESERVES] === true
  for (const name of ['apiVersion', 'kind']) fields.set(name, TEXT)
  fields.set('metadata', typeOf(META) ?? ANY)
  const open = isOpen ? { items: ANY } : {}
  return { ...type, ...open, kind: 'object', fields, zero: { metadata: {} } }
}

function typeOfPart(schema: JsonObject): TypeRef {
  if (schema[INT_OR_STRING] === true) return { kind: 'int-or-string' }
  switch (stringAt(schema, ['type']) ?? '') {
    case 'object':
      return typeOfObject(schema)
    case 'array':
      return typeOfArray(schema)
    case 'integer':
      return { kind: 'integer' }
    case 'number':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'string':
      return TEXT
    default:
      return ANY
  }
}

function typeOfObject(schema: JsonObject): TypeRef {
  const mapType = schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'granular'
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const values = schema['additionalProperties']
  const names = Object.keys(properties)
  if (names.length === 0 && values !== undefined && values !== false) {
    return { kind: 'map', mapType, items: isObject(values) ? typeOfPart(values) : ANY }
  }
  const fields = new Map<string, TypeRef>()
  for (const name of names) {
    const property = properties[name]
    fields.set(name, isObject(property) ? typeOfPart(property) : ANY)
  }
  if (schema[EMBEDDED] === true) {
    for (const name of ['apiVersion', 'kind']) fields.set(name, TEXT)
    fields.set('metadata', typeOf(META) ?? ANY)
  }
  const isOpen = schema[PRESERVES] === true
  if (isOpen && fields.size === 0) return mapType === 'atomic' ? ANY_ATOMIC : ANY
  return { kind: 'object', mapType, fields, ...(isOpen ? { items: ANY } : {}) }
}

function typeOfArray(schema: JsonObject): TypeRef {
  const { items } = schema
  const listType = stringAt(schema, ['x-kubernetes-list-type'])
  const keys = at(schema, ['x-kubernetes-list-map-keys'])
  return {
    kind: 'list',
    items: isObject(items) ? typeOfPart(items) : ANY,
    listType: listType === 'map' || listType === 'set' ? listType : 'atomic',
    ...(isList(keys) ? { mapKeys: keys.map(String) } : {}),
  }
}

/** The schema of a member: of a named property, else of any further one. */
export function schemaOfMember(schema: JsonObject, name: string): JsonObject | undefined {
  const properties = schema['properties']
  const property: Json | undefined = isObject(properties) ? properties[name] : undefined
  if (isObject(property)) return property
  const values = schema['additionalProperties']
  return isObject(values) ? values : undefined
}
