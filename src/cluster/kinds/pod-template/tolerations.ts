import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, textOf } from '../complaints.ts'
import { labelKeyFaults, labelValueFaults } from '../names.ts'

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

export function checkTolerations(
  out: Complaints,
  tolerations: readonly JsonObject[],
  path: string,
): void {
  tolerations.forEach((toleration, at) => checkToleration(out, toleration, `${path}[${at}]`))
}

function checkToleration(out: Complaints, toleration: JsonObject, path: string): void {
  const key = textOf(toleration, 'key')
  const operator = textOf(toleration, 'operator')
  const effect = textOf(toleration, 'effect')
  if (key !== '') out.invalidEach(`${path}.key`, key, labelKeyFaults(key))
  else if (operator !== 'Exists') {
    const detail =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"'
    out.invalidNamed(`${path}.operator`, operator, detail)
  }
  if (toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute') {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set"
    out.invalidNamed(`${path}.effect`, effect, detail)
  }
  checkOperator(out, operator, textOf(toleration, 'value'), `${path}.operator`)
  if (effect !== '' && !EFFECTS.includes(effect)) {
    out.notSupported(`${path}.effect`, effect, EFFECTS)
  }
}

/** Lt and Gt are alpha and off by default. */
function checkOperator(out: Complaints, operator: string, value: string, path: string): void {
  if (operator === 'Equal' || operator === '') {
    const faults = labelValueFaults(value)
    if (faults.length > 0) out.invalid(path, value, faults.join(';'))
  } else if (operator === 'Exists') {
    if (value !== '') out.invalid(path, value, "value must be empty when `operator` is 'Exists'")
  } else {
    const numeric = operator === 'Lt' || operator === 'Gt'
    const supported = numeric ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists']
    out.notSupported(path, operator, supported)
  }
}
