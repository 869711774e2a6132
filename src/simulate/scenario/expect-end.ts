import { isList, isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { parseRef } from './drift.ts'
import { fieldAt, keysOf } from './fields.ts'
import type { Miss } from './expect.ts'
import { label } from './label.ts'
import type { ScenarioRun } from './play.ts'

/**
 * `end_state` as a list: objects as they must be when the time is over. `{object:
 * Kustomization/flux-system/shop, conditions: {Ready: "False"}, message: "parts"}`, `{object:
 * Job/shop/migrate, exists: false}`, `{object: ..., fields: {spec.suspend: true}, variant: A}`. A text
 * or a map of texts is prose.
 */
export function missesOfEnd(
  played: readonly ScenarioRun[],
  expected: Json | undefined,
): readonly Miss[] {
  if (!isList(expected)) return []
  return expected.flatMap((row) => {
    if (!isObject(row)) return []
    const variant = stringAt(row, ['variant'])
    return played
      .filter((one) => variant === undefined || one.variant === variant)
      .flatMap((one) => missesOfObject(row, one))
  })
}

function missesOfObject(row: JsonObject, { variant, objectAtEnd }: ScenarioRun): readonly Miss[] {
  const text = stringAt(row, ['object']) ?? ''
  const ref = parseRef(text)
  const at = (what: string): string =>
    [label(variant), 'end', text, what].filter((part) => part !== '').join(', ')
  if (ref === undefined) {
    return [{ where: at(''), expected: 'Kind/namespace/name', got: 'a text that is no such thing' }]
  }
  const object = objectAtEnd?.(ref)
  const exists = object !== undefined
  if (row['exists'] !== undefined && row['exists'] !== exists) {
    return [{ where: at('exists'), expected: JSON.stringify(row['exists']), got: String(exists) }]
  }
  if (!exists) {
    return row['exists'] === false
      ? []
      : [{ where: at(''), expected: 'to exist', got: 'it is gone' }]
  }
  return [
    ...missesOfConditions(row, object, at),
    ...missesOfFields(row, object, at),
    ...missesOfMessage(row, object, at),
  ]
}

type At = (what: string) => string

function missesOfConditions(row: JsonObject, object: JsonObject, at: At): readonly Miss[] {
  const wanted = row['conditions']
  if (!isObject(wanted)) return []
  return Object.entries(wanted).flatMap(([type, status]) => {
    const got = stringAt(conditionOf(object, type), ['status']) ?? 'no such condition'
    const expected = typeof status === 'string' ? status : JSON.stringify(status)
    return got === expected ? [] : [{ where: at(`condition ${type}`), expected, got }]
  })
}

function missesOfMessage(row: JsonObject, object: JsonObject, at: At): readonly Miss[] {
  const wanted = stringAt(row, ['message'])
  if (wanted === undefined) return []
  const text = JSON.stringify(object['status'] ?? {})
  const parts = wanted.split(/\s*\.\.\.\s*/).map((part) => JSON.stringify(part).slice(1, -1))
  if (parts.every((part) => text.includes(part))) return []
  return [{ where: at('message'), expected: wanted, got: text.slice(0, 500) }]
}

function missesOfFields(row: JsonObject, object: JsonObject, at: At): readonly Miss[] {
  const wanted = row['fields']
  if (!isObject(wanted)) return []
  return Object.entries(wanted).flatMap(([path, value]) => {
    const expected = JSON.stringify(value)
    const got = JSON.stringify(fieldAt(object, keysOf(path))) ?? 'nothing'
    return got === expected ? [] : [{ where: at(path), expected, got }]
  })
}

function conditionOf(object: JsonObject, type: string): Json | undefined {
  const status = object['status']
  const conditions = isObject(status) ? status['conditions'] : undefined
  if (!isList(conditions)) return undefined
  return conditions.find((condition) => stringAt(condition, ['type']) === type)
}
