import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, numberOf, objectOf, objectsOf, textOf, textsOf } from '../complaints.ts'
import { checkLabelSelector, checkSetOperator } from '../labels.ts'
import { dnsLabelFaults, labelKeyFaults, labelValueFaults, subdomainFaults } from '../names.ts'

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution'

export function checkAffinity(
  out: Complaints,
  affinity: JsonObject | undefined,
  path: string,
): void {
  if (affinity === undefined) return
  const node = objectOf(affinity, 'nodeAffinity')
  if (node !== undefined) checkNodeAffinity(out, node, `${path}.nodeAffinity`)
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const terms = objectOf(affinity, kind)
    objectsOf(terms, REQUIRED).forEach((term, at) => {
      checkPodTerm(out, term, `${path}.${kind}.${REQUIRED}[${at}]`)
    })
    objectsOf(terms, PREFERRED).forEach((weighted, at) => {
      const here = `${path}.${kind}.${PREFERRED}[${at}]`
      checkWeight(out, weighted, here)
      checkPodTerm(out, objectOf(weighted, 'podAffinityTerm') ?? {}, `${here}.podAffinityTerm`)
    })
  }
}

function checkNodeAffinity(out: Complaints, affinity: JsonObject, path: string): void {
  const required = objectOf(affinity, REQUIRED)
  if (required !== undefined) {
    const terms = objectsOf(required, 'nodeSelectorTerms')
    const here = `${path}.${REQUIRED}.nodeSelectorTerms`
    if (terms.length === 0) out.required(here, 'must have at least one node selector term')
    terms.forEach((term, at) => checkNodeTerm(out, term, `${here}[${at}]`, true))
  }
  objectsOf(affinity, PREFERRED).forEach((term, at) => {
    const here = `${path}.${PREFERRED}[${at}]`
    checkWeight(out, term, here)
    checkNodeTerm(out, objectOf(term, 'preference') ?? {}, `${here}.preference`, false)
  })
}

function checkWeight(out: Complaints, term: JsonObject, path: string): void {
  const weight = numberOf(term, 'weight')
  if (weight > 0 && weight <= 100) return
  out.invalid(`${path}.weight`, weight, 'must be in the range 1-100')
}

function checkNodeTerm(
  out: Complaints,
  term: JsonObject,
  path: string,
  checksValues: boolean,
): void {
  objectsOf(term, 'matchExpressions').forEach((requirement, at) => {
    checkNodeExpression(out, requirement, `${path}.matchExpressions[${at}]`, checksValues)
  })
  objectsOf(term, 'matchFields').forEach((requirement, at) => {
    checkNodeField(out, requirement, `${path}.matchFields[${at}]`)
  })
}

function checkNodeExpression(
  out: Complaints,
  requirement: JsonObject,
  path: string,
  checksValues: boolean,
): void {
  const operator = textOf(requirement, 'operator')
  const values = textsOf(requirement, 'values')
  if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) {
      const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'"
      out.required(`${path}.values`, detail)
    }
  } else if (!checkSetOperator(out, { operator, values }, path))
    out.invalidNamed(`${path}.operator`, operator, 'not a valid selector operator')
  const key = textOf(requirement, 'key')
  out.invalidEach(`${path}.key`, key, labelKeyFaults(key))
  if (!checksValues) return
  values.forEach((value, at) => {
    out.invalidEach(`${path}.values[${at}]`, value, labelValueFaults(value))
  })
}

function checkNodeField(out: Complaints, requirement: JsonObject, path: string): void {
  const operator = textOf(requirement, 'operator')
  const values = textsOf(requirement, 'values')
  if (operator !== 'In' && operator !== 'NotIn') {
    out.invalidNamed(`${path}.operator`, operator, 'not a valid selector operator')
  } else if (values.length !== 1) {
    const detail =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
    out.required(`${path}.values`, detail)
  }
  const key = textOf(requirement, 'key')
  if (key !== 'metadata.name') {
    return out.invalid(`${path}.key`, key, 'not a valid field selector key')
  }
  values.forEach((value, at) => {
    out.invalidEach(`${path}.values[${at}]`, value, subdomainFaults(value))
  })
}

function checkPodTerm(out: Complaints, term: JsonObject, path: string): void {
  const selector = objectOf(term, 'labelSelector')
  checkLabelSelector(out, selector, `${path}.labelSelector`)
  checkLabelSelector(out, objectOf(term, 'namespaceSelector'), `${path}.namespaceSelector`)
  for (const name of textsOf(term, 'namespaces')) {
    out.invalidEach(`${path}.namespace`, name, dnsLabelFaults(name))
  }
  checkMatchLabelKeys(out, term, path)
  const key = textOf(term, 'topologyKey')
  if (key === '') out.required(`${path}.topologyKey`, 'can not be empty')
  out.invalidEach(`${path}.topologyKey`, key, labelKeyFaults(key))
}

/** Keys whose values the server copies from the pod into the selector. */
export function checkMatchLabelKeys(out: Complaints, term: JsonObject, path: string): void {
  const selector = objectOf(term, 'labelSelector')
  const match = textsOf(term, 'matchLabelKeys')
  const mismatch = textsOf(term, 'mismatchLabelKeys')
  for (const [field, keys] of [
    ['matchLabelKeys', match],
    ['mismatchLabelKeys', mismatch],
  ] as const) {
    if (keys.length === 0) continue
    if (selector === undefined) {
      out.forbidden(`${path}.${field}`, 'must not be specified when labelSelector is not set')
    } else {
      keys.forEach((key, at) => {
        out.invalidEach(`${path}.${field}[${at}]`, key, labelKeyFaults(key))
      })
    }
  }
  if (selector !== undefined) {
    const seen = new Set(Object.keys(objectOf(selector, 'matchLabels') ?? {}))
    for (const expression of objectsOf(selector, 'matchExpressions')) {
      const key = textOf(expression, 'key')
      const at = match.lastIndexOf(key)
      if (at >= 0 && seen.has(key)) {
        out.invalid(`${path}[${at}]`, key, 'exists in both matchLabelKeys and labelSelector')
      }
      seen.add(key)
    }
  }
  match.forEach((key, at) => {
    if (!mismatch.includes(key)) return
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys'
    out.invalid(`${path}.matchLabelKeys[${at}]`, key, detail)
  })
}
