import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, givenText, objectOf, objectsOf, textOf } from '../complaints.ts'
import { labelKeyFaults } from '../names.ts'

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const OPERATORS = ['In', 'NotIn']
const STATUSES = ['False', 'True', 'Unknown']
const MOST_RULES = 20
const MOST_CODES = 255
const MOST_PATTERNS = 20

export function checkPodFailurePolicy(out: Complaints, spec: JsonObject, path: string): void {
  const rules = objectsOf(objectOf(spec, 'podFailurePolicy'), 'rules')
  const here = `${path}.rules`
  if (rules.length > MOST_RULES) out.tooMany(here, rules.length, MOST_RULES)
  const pod = objectOf(objectOf(spec, 'template'), 'spec')
  const containers = [...objectsOf(pod, 'containers'), ...objectsOf(pod, 'initContainers')]
  const names = new Set(containers.map((container) => textOf(container, 'name')))
  rules.forEach((rule, at) => checkRule(out, spec, rule, `${here}[${at}]`, names))
}

function checkRule(
  out: Complaints,
  spec: JsonObject,
  rule: JsonObject,
  path: string,
  names: ReadonlySet<string>,
): void {
  const action = textOf(rule, 'action')
  if (action === '') out.required(`${path}.action`, `valid values: ${quoted(ACTIONS)}`)
  else if (action === 'FailIndex') {
    if (spec['backoffLimitPerIndex'] === undefined) {
      const detail = 'requires the backoffLimitPerIndex to be set'
      out.invalidNamed(`${path}.action`, action, detail)
    }
  } else if (!ACTIONS.includes(action)) out.notSupported(`${path}.action`, action, ACTIONS)
  const codes = objectOf(rule, 'onExitCodes')
  const patterns = objectsOf(rule, 'onPodConditions')
  if (codes !== undefined) checkCodes(out, codes, `${path}.onExitCodes`, names)
  if (patterns.length > 0) checkPatterns(out, patterns, `${path}.onPodConditions`)
  if (codes !== undefined && patterns.length > 0) {
    const detail = 'specifying both OnExitCodes and OnPodConditions is not supported'
    out.invalidHere(path, detail)
  }
  if (codes === undefined && patterns.length === 0) {
    out.invalidHere(path, 'specifying one of OnExitCodes and OnPodConditions is required')
  }
}

/** Go prints a list of text without commas. */
function quoted(values: readonly string[]): string {
  return `[${values.map((value) => `"${value}"`).join(' ')}]`
}

function checkCodes(
  out: Complaints,
  codes: JsonObject,
  path: string,
  names: ReadonlySet<string>,
): void {
  const operator = textOf(codes, 'operator')
  if (operator === '') out.required(`${path}.operator`, `valid values: ${quoted(OPERATORS)}`)
  else if (!OPERATORS.includes(operator)) {
    out.notSupported(`${path}.operator`, operator, OPERATORS)
  }
  const container = givenText(codes, 'containerName')
  if (container !== undefined && !names.has(container)) {
    const detail = 'must be one of the container or initContainer names in the pod template'
    out.invalid(`${path}.containerName`, container, detail)
  }
  checkValues(out, codes, operator, `${path}.values`)
}

function checkValues(out: Complaints, codes: JsonObject, operator: string, path: string): void {
  const list = codes['values']
  const values = Array.isArray(list) ? (list as readonly number[]) : []
  if (values.length === 0) {
    const shown = Array.isArray(list) ? '[]' : 'null'
    out.invalidRendered(path, shown, 'at least one value is required')
  } else if (values.length > MOST_CODES) out.tooMany(path, values.length, MOST_CODES)
  const seen = new Set<number>()
  let ordered = true
  values.forEach((value, at) => {
    if (operator === 'In' && value === 0) {
      out.invalid(`${path}[${at}]`, value, 'must not be 0 for the In operator')
    }
    if (seen.has(value)) out.duplicate(`${path}[${at}]`, value)
    seen.add(value)
    if (at > 0 && (values[at - 1] ?? 0) > value) ordered = false
  })
  if (!ordered) out.invalid(path, values, 'must be ordered')
}

function checkPatterns(out: Complaints, patterns: readonly JsonObject[], path: string): void {
  if (patterns.length > MOST_PATTERNS) out.tooMany(path, patterns.length, MOST_PATTERNS)
  patterns.forEach((pattern, at) => {
    const type = textOf(pattern, 'type')
    const status = textOf(pattern, 'status')
    out.invalidEach(`${path}[${at}].type`, type, labelKeyFaults(type))
    const here = `${path}[${at}].status`
    if (status === '') out.required(here, `valid values: ${quoted(STATUSES)}`)
    else if (!STATUSES.includes(status)) out.notSupported(here, status, STATUSES)
  })
}
