import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, givenText, objectOf, objectsOf, textOf } from '../complaints.ts'
import type { PodContext } from './context.ts'

const POLICIES = ['Always', 'Never', 'OnFailure']
const OPERATORS = ['In', 'NotIn']

/** A container's own restart policy and its rules by exit code (since 1.35). */
export function checkRestartPolicy(
  out: Complaints,
  container: JsonObject,
  path: string,
  pod: PodContext,
): void {
  const policy = givenText(container, 'restartPolicy')
  const rules = objectsOf(container, 'restartPolicyRules')
  if (policy === undefined) {
    if (rules.length === 0) return
    const detail = 'must specify restartPolicy when restart rules are used'
    out.required(`${path}.restartPolicy`, detail)
  } else if (!POLICIES.includes(policy)) {
    out.notSupported(`${path}.restartPolicy`, policy, POLICIES)
  }
  if (rules.length > 20) out.tooMany(`${path}.restartPolicyRules`, rules.length, 20)
  const actions = pod.rules.minor >= 36 ? ['Restart', 'RestartAllContainers'] : ['Restart']
  rules.forEach((rule, at) => {
    checkRule(out, rule, `${path}.restartPolicyRules[${at}]`, actions)
  })
}

function checkRule(
  out: Complaints,
  rule: JsonObject,
  path: string,
  actions: readonly string[],
): void {
  const action = textOf(rule, 'action')
  if (!actions.includes(action)) out.notSupported(`${path}.action`, action, actions)
  const codes = objectOf(rule, 'exitCodes')
  if (codes === undefined) return out.required(`${path}.exitCodes`, 'must be specified')
  const operator = textOf(codes, 'operator')
  if (!OPERATORS.includes(operator)) {
    out.notSupported(`${path}.exitCodes.operator`, operator, OPERATORS)
  }
  const count = objectsOf(codes, 'values').length
  if (count > 255) out.tooMany(`${path}.exitCodes.values`, count, 255)
}
