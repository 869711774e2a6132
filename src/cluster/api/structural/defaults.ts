import { isList, isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { schemaOfMember } from './schema.ts'

/**
 * Fills in what the schema defaults, and drops nulls of fields that may not be null. What is equal
 * afterwards is the same value: nothing is copied for nothing.
 */
export function withSchemaDefaults(value: Json, schema: JsonObject): Json {
  if (isList(value)) return inList(value, schema)
  return isObject(value) ? inObject(value, schema) : value
}

function inList(list: readonly Json[], schema: JsonObject): Json {
  const { items } = schema
  if (!isObject(items)) return list
  let next: Json[] | undefined
  for (const [index, item] of list.entries()) {
    const filled = withSchemaDefaults(item, items)
    if (filled === item) continue
    next ??= [...list]
    next[index] = filled
  }
  return next ?? list
}

function inObject(object: JsonObject, schema: JsonObject): Json {
  let next: { [key: string]: Json | undefined } | undefined
  const change = (key: string, value: Json | undefined): void => {
    next ??= { ...object }
    if (value === undefined) delete next[key]
    else next[key] = value
  }
  for (const key in object) {
    const value = object[key]
    if (value !== null) continue
    const member = schemaOfMember(schema, key)
    if (member !== undefined && member['nullable'] !== true) change(key, undefined)
  }
  const properties = schema['properties']
  if (isObject(properties)) {
    for (const key in properties) {
      const property = properties[key]
      const given = (next ?? object)[key]
      if (!isObject(property) || given !== undefined) continue
      if (property['default'] !== undefined) change(key, property['default'])
    }
  }
  const filledIn = next ?? object
  for (const key in filledIn) {
    const value = filledIn[key]
    const member = schemaOfMember(schema, key)
    if (member === undefined || value === undefined || value === null) continue
    const filled = withSchemaDefaults(value, member)
    if (filled !== value) change(key, filled)
  }
  return next ?? object
}
