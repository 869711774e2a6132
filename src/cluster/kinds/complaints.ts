import type { Json, JsonObject } from '../../core/json.ts'
import type { FieldError } from '../api/kind.ts'
import { goJson, goStringJson } from '../api/go-text.ts'

/**
 * The list that a validation fills, in the order in which the server looks. `named` values are of
 * a named Go type or a pointer, which the server prints as JSON instead of quoting.
 */
export class Complaints {
  readonly list: FieldError[] = []

  required(field: string, detail = ''): void {
    this.list.push({ type: 'Required', field, detail })
  }

  invalid(field: string, value: Json, detail: string): void {
    this.list.push({ type: 'Invalid', field, value, detail })
  }

  /** One complaint for each message of a check of text. */
  invalidEach(field: string, value: Json, details: readonly string[]): void {
    for (const detail of details) this.invalid(field, value, detail)
  }

  invalidNamed(field: string, value: Json, detail: string): void {
    this.list.push({ type: 'Invalid', field, value, rendered: namedText(value), detail })
  }

  /** `rendered`: the value as Go writes it. */
  invalidRendered(field: string, rendered: string, detail: string): void {
    this.list.push({ type: 'Invalid', field, rendered, detail })
  }

  /** Without a value in the text. */
  invalidHere(field: string, detail: string): void {
    this.list.push({ type: 'Invalid', field, detail })
  }

  forbidden(field: string, detail: string): void {
    this.list.push({ type: 'Forbidden', field, detail })
  }

  duplicate(field: string, value: Json): void {
    this.list.push({ type: 'Duplicate', field, value, detail: '' })
  }

  notFound(field: string, value: Json, detail = ''): void {
    this.list.push({ type: 'NotFound', field, value, detail })
  }

  notSupported(field: string, value: Json, supported: readonly string[]): void {
    const list = supported.map((text) => `"${text}"`).join(', ')
    const detail = `supported values: ${list}`
    this.list.push({ type: 'NotSupported', field, value, rendered: namedText(value), detail })
  }

  tooLong(field: string, most: number): void {
    this.list.push({ type: 'TooLong', field, detail: `may not be more than ${most} bytes` })
  }

  tooMany(field: string, count: number, most: number): void {
    this.list.push({
      type: 'TooMany',
      field,
      value: count,
      detail: `must have at most ${most} items`,
    })
  }

  nonNegative(field: string, value: Json | undefined): void {
    if (typeof value === 'number' && value < 0) {
      this.list.push({ type: 'Invalid', field, value, detail: NOT_NEGATIVE })
    } else if (typeof value === 'bigint' && value < 0n) {
      this.list.push({ type: 'Invalid', field, value, detail: NOT_NEGATIVE })
    }
  }
}

const NOT_NEGATIVE = 'must be greater than or equal to 0'

function namedText(value: Json): string {
  return typeof value === 'string' ? goStringJson(value) : goJson(value)
}

/** Fields of objects that the decoder has checked: the type is known, the presence is not. */
export function textOf(object: JsonObject | undefined, key: string): string {
  const value = object?.[key]
  return typeof value === 'string' ? value : ''
}

export function numberOf(object: JsonObject | undefined, key: string): number {
  const value = object?.[key]
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : 0
}

export function givenNumber(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key]
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : undefined
}

export function givenText(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key]
  return typeof value === 'string' ? value : undefined
}

export function objectOf(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key]
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined
}

export function objectsOf(object: JsonObject | undefined, key: string): readonly JsonObject[] {
  const value = object?.[key]
  return Array.isArray(value) ? (value as readonly JsonObject[]) : NONE
}

export function textsOf(object: JsonObject | undefined, key: string): readonly string[] {
  const value = object?.[key]
  return Array.isArray(value) ? (value as readonly string[]) : NO_TEXTS
}

const NONE: readonly JsonObject[] = []
const NO_TEXTS: readonly string[] = []
