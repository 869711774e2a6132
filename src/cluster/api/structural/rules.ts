import { isList, isObject, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import type { Cel } from '../contract.ts'
import type { FieldError } from '../kind.ts'
import { schemaOfMember } from './schema.ts'

const RULES = 'x-kubernetes-validations'

export function hasRules(schema: JsonObject): boolean {
  const own = schema[RULES]
  if (isList(own) && own.length > 0) return true
  const { items, properties, additionalProperties } = schema
  const parts = [
    items,
    additionalProperties,
    ...(isObject(properties) ? Object.values(properties) : []),
  ]
  return parts.some((part) => isObject(part) && hasRules(part))
}

interface Place {
  readonly path: string
  readonly old: Json | undefined
}

/** What a value does not fulfil of the CEL rules of its schema. */
export function ruleErrors(
  cel: Cel,
  value: Json,
  schema: JsonObject,
  place: Place,
): readonly FieldError[] {
  const errors: FieldError[] = []
  const rules = schema[RULES]
  for (const rule of isList(rules) ? rules : []) {
    const error = ruleError(cel, value, rule, place)
    if (error !== undefined) errors.push(error)
  }
  const { path, old } = place
  if (isList(value)) {
    const { items } = schema
    if (!isObject(items)) return errors
    for (const [index, item] of value.entries()) {
      errors.push(...ruleErrors(cel, item, items, { path: `${path}[${index}]`, old: undefined }))
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const member = schemaOfMember(schema, key)
      const inner = value[key]
      if (member === undefined || inner === undefined) continue
      const before = isObject(old) ? old[key] : undefined
      const at = path === '' ? key : `${path}.${key}`
      errors.push(...ruleErrors(cel, inner, member, { path: at, old: before }))
    }
  }
  return errors
}

function ruleError(
  cel: Cel,
  value: Json,
  rule: Json,
  { path, old }: Place,
): FieldError | undefined {
  const expression = stringAt(rule, ['rule']) ?? ''
  const isTransition = /\boldSelf\b/.test(expression)
  if (isTransition && old === undefined) return undefined
  const result = cel.evaluate(expression, {
    self: value,
    ...(isTransition ? { oldSelf: old } : {}),
  })
  const shown = isList(value) ? 'array' : isObject(value) ? 'object' : value
  const field = path + (stringAt(rule, ['fieldPath']) ?? '')
  if ('fault' in result) {
    const detail = `rule evaluation error: ${result.fault}; rule: ${expression}`
    return { type: 'Invalid', field, value: shown, detail }
  }
  if (result.value === true) return undefined
  const detail = stringAt(rule, ['message']) ?? `failed rule: ${expression}`
  const type = REASONS[stringAt(rule, ['reason']) ?? ''] ?? 'Invalid'
  return { type, field, value: shown, detail }
}

const REASONS: { readonly [reason: string]: FieldError['type'] | undefined } = {
  FieldValueForbidden: 'Forbidden',
  FieldValueRequired: 'Required',
  FieldValueDuplicate: 'Duplicate',
}
