import { integerAt, isList, listAt, stringAt, type JsonObject } from '../../core/json.ts'

/** Where an object stands, as kstatus calls it. */
export interface Health {
  readonly status: 'Current' | 'InProgress' | 'Failed' | 'NotFound' | 'Terminating' | 'Unknown'
  readonly message: string
}

export function current(message: string): Health {
  return { status: 'Current', message }
}

export function inProgress(message: string): Health {
  return { status: 'InProgress', message }
}

export function failed(message: string): Health {
  return { status: 'Failed', message }
}

/** The condition of that type. */
export function conditionOf(object: JsonObject, type: string): JsonObject | undefined {
  return conditionsOf(object).find((one) => one['type'] === type)
}

export function isTrue(condition: JsonObject | undefined): boolean {
  return condition?.['status'] === 'True'
}

/** A number of the object, or `otherwise`, as kstatus reads absent ones. */
export function numberAt(
  object: JsonObject,
  path: readonly [string, ...string[]],
  otherwise = 0,
): number {
  return integerAt(object, path) ?? otherwise
}

export function conditionsOf(object: JsonObject): readonly JsonObject[] {
  return listAt(object, ['status', 'conditions']).filter(
    (one): one is JsonObject => typeof one === 'object' && one !== null && !isList(one),
  )
}

export function messageOf(condition: JsonObject | undefined): string {
  return stringAt(condition, ['message']) ?? ''
}
