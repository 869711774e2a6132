import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { byteLength } from '../../core/text.ts'
import { type Complaints, objectOf, objectsOf, textOf, textsOf } from './complaints.ts'
import { labelKeyFaults, labelValueFaults } from './names.ts'

const ANNOTATIONS_LIMIT = 256 * 1024

export function checkLabels(out: Complaints, labels: Json | undefined, path: string): void {
  if (!isObject(labels)) return
  for (const key of keysOf(labels)) {
    const value = labels[key]
    out.invalidEach(path, key, labelKeyFaults(key))
    if (typeof value === 'string') out.invalidEach(path, value, labelValueFaults(value))
  }
}

export function checkAnnotations(
  out: Complaints,
  annotations: Json | undefined,
  path: string,
): void {
  if (!isObject(annotations)) return
  let size = 0
  for (const key of keysOf(annotations)) {
    out.invalidEach(path, key, labelKeyFaults(key.toLowerCase()))
    size += byteLength(key) + byteLength(textOf(annotations, key))
  }
  if (size > ANNOTATIONS_LIMIT) out.tooLong(path, ANNOTATIONS_LIMIT)
}

/** Go walks maps in any order; here they are walked by name, so that answers repeat. */
export function keysOf(map: JsonObject): readonly string[] {
  const keys = Object.keys(map)
  return keys.length < 2 ? keys : keys.sort()
}

export function checkLabelSelector(
  out: Complaints,
  selector: JsonObject | undefined,
  path: string,
): void {
  if (selector === undefined) return
  checkLabels(out, selector['matchLabels'], `${path}.matchLabels`)
  objectsOf(selector, 'matchExpressions').forEach((requirement, at) => {
    checkRequirement(out, requirement, `${path}.matchExpressions[${at}]`)
  })
}

function checkRequirement(out: Complaints, requirement: JsonObject, path: string): void {
  const operator = textOf(requirement, 'operator')
  const values = textsOf(requirement, 'values')
  if (!checkSetOperator(out, { operator, values }, path)) {
    out.invalidNamed(`${path}.operator`, operator, 'not a valid selector operator')
  }
  const key = textOf(requirement, 'key')
  out.invalidEach(`${path}.key`, key, labelKeyFaults(key))
  values.forEach((value, at) => {
    out.invalidEach(`${path}.values[${at}]`, value, labelValueFaults(value))
  })
}

/** How many values go with In, NotIn, Exists and DoesNotExist; false for any other operator. */
export function checkSetOperator(
  out: Complaints,
  { operator, values }: { readonly operator: string; readonly values: readonly string[] },
  path: string,
): boolean {
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      out.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")
    }
    return true
  }
  if (operator !== 'Exists' && operator !== 'DoesNotExist') return false
  if (values.length > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
    out.forbidden(`${path}.values`, detail)
  }
  return true
}

/** Undefined for a selector that no labels can be compared with. */
export function selectorMatches(
  selector: JsonObject | undefined,
  labels: JsonObject,
): boolean | undefined {
  if (selector === undefined) return false
  const wanted = objectOf(selector, 'matchLabels') ?? {}
  const requirements = objectsOf(selector, 'matchExpressions')
  if (hasFaults(wanted, requirements)) return undefined
  for (const key in wanted) if (labels[key] !== wanted[key]) return false
  return requirements.every((requirement) => requirementMatches(requirement, labels))
}

function requirementMatches(requirement: JsonObject, labels: JsonObject): boolean {
  const value = labels[textOf(requirement, 'key')]
  const label = typeof value === 'string' ? value : undefined
  return holds(label, textOf(requirement, 'operator'), textsOf(requirement, 'values'))
}

/** Whether a label, or its absence, is what one requirement of a selector asks for. */
export function holds(
  label: string | undefined,
  operator: string,
  values: readonly string[],
): boolean {
  switch (operator) {
    case 'In':
      return label !== undefined && values.includes(label)
    case 'NotIn':
      return label === undefined || !values.includes(label)
    case 'Exists':
      return label !== undefined
    case 'DoesNotExist':
      return label === undefined
    default:
      return false
  }
}

function hasFaults(wanted: JsonObject, requirements: readonly JsonObject[]): boolean {
  for (const key in wanted) {
    const value = wanted[key]
    if (labelKeyFaults(key).length > 0) return true
    if (typeof value === 'string' && labelValueFaults(value).length > 0) return true
  }
  return requirements.some((requirement) => {
    const operator = textOf(requirement, 'operator')
    const values = textsOf(requirement, 'values')
    if (labelKeyFaults(textOf(requirement, 'key')).length > 0) return true
    if (values.some((value) => labelValueFaults(value).length > 0)) return true
    if (operator === 'In' || operator === 'NotIn') return values.length === 0
    return operator === 'Exists' || operator === 'DoesNotExist' ? values.length > 0 : true
  })
}
