import type { JsonObject } from '../../../core/json.ts'
import {
  type Complaints,
  givenNumber,
  givenText,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
} from '../complaints.ts'
import { checkLabelSelector } from '../labels.ts'
import { labelKeyFaults } from '../names.ts'
import { checkMatchLabelKeys } from './affinity.ts'
import type { PodContext } from './context.ts'

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway']
const POLICIES = ['Honor', 'Ignore']

export function checkSpread(out: Complaints, pod: PodContext, path: string): void {
  const constraints = objectsOf(pod.spec, 'topologySpreadConstraints')
  constraints.forEach((constraint, at) => {
    const here = `${path}[${at}]`
    const skew = numberOf(constraint, 'maxSkew')
    if (skew <= 0) out.invalid(`${here}.maxSkew`, skew, 'must be greater than zero')
    const key = textOf(constraint, 'topologyKey')
    if (key === '') out.required(`${here}.topologyKey`, 'can not be empty')
    const action = textOf(constraint, 'whenUnsatisfiable')
    if (!ACTIONS.includes(action)) out.notSupported(`${here}.whenUnsatisfiable`, action, ACTIONS)
    const repeats = constraints
      .slice(at + 1)
      .some((other) => other['topologyKey'] === key && other['whenUnsatisfiable'] === action)
    if (repeats) out.duplicate(`${here}.{topologyKey, whenUnsatisfiable}`, `{${key}, ${action}}`)
    checkMinDomains(out, constraint, action, `${here}.minDomains`)
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      const policy = givenText(constraint, field)
      if (policy !== undefined && !POLICIES.includes(policy)) {
        out.notSupported(`${here}.${field}`, policy, POLICIES)
      }
    }
    if (pod.rules.minor >= 34) checkMatchLabelKeys(out, withoutMismatch(constraint), here)
    else checkOldMatchLabelKeys(out, constraint, `${here}.matchLabelKeys`)
    checkLabelSelector(out, objectOf(constraint, 'labelSelector'), `${here}.labelSelector`)
  })
}

function withoutMismatch(constraint: JsonObject): JsonObject {
  const { mismatchLabelKeys: _, ...rest } = constraint
  return rest
}

function checkMinDomains(
  out: Complaints,
  constraint: JsonObject,
  action: string,
  path: string,
): void {
  const least = givenNumber(constraint, 'minDomains')
  if (least === undefined) return
  if (least <= 0) out.invalid(path, least, 'must be greater than zero')
  if (action === 'DoNotSchedule') return
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`
  out.invalid(path, least, detail)
}

function checkOldMatchLabelKeys(out: Complaints, constraint: JsonObject, path: string): void {
  const keys = textsOf(constraint, 'matchLabelKeys')
  if (keys.length === 0) return
  const selector = objectOf(constraint, 'labelSelector')
  if (selector === undefined) {
    out.forbidden(path, 'must not be specified when labelSelector is not set')
  }
  const known = new Set([
    ...Object.keys(objectOf(selector, 'matchLabels') ?? {}),
    ...objectsOf(selector, 'matchExpressions').map((expression) => textOf(expression, 'key')),
  ])
  keys.forEach((key, at) => {
    out.invalidEach(`${path}[${at}]`, key, labelKeyFaults(key))
    if (!known.has(key)) return
    out.invalid(`${path}[${at}]`, key, 'exists in both matchLabelKeys and labelSelector')
  })
}
