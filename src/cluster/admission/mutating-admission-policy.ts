import { listAt, stringAt, type JsonObject } from '../../core/json.ts'
import type { Admission, Admitted, Review } from '../api/admission.ts'
import type { Cel } from '../api/contract.ts'
import { fields, ANY, typeOf } from '../fields/index.ts'
import type { PatchFault } from '../fields/contract.ts'
import { merge } from '../fields/merge.ts'
import type { Kind } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import { withoutLiterals } from './object-literals.ts'
import { asObject, asOperations, isIgnoring, policiesOf, type Matched } from './policy.ts'

const GROUP = { group: 'admissionregistration.k8s.io', version: 'v1' }
const POLICIES = {
  policies: { ...GROUP, resource: 'mutatingadmissionpolicies' },
  bindings: { ...GROUP, resource: 'mutatingadmissionpolicybindings' },
}

/**
 * MutatingAdmissionPolicy v1 (served by default from 1.36): each mutation of each policy, in the
 * order of names, changes the object before it is defaulted. What it sets belongs to no manager.
 * Not modelled: reinvocation, matchPolicy Equivalent over versions, the authorizer.
 */
export function mutatingAdmissionPolicy(cel: Cel, kinds: readonly Kind[]): Admission {
  return {
    name: 'MutatingAdmissionPolicy',
    mutate: (review) => mutate(review, cel, kinds),
  }
}

function mutate(review: Review, cel: Cel, kinds: readonly Kind[]): Admitted {
  if (review.object === undefined || review.rules.minor < 36) return { allowed: true }
  let object = review.object
  let isChanged = false
  for (const matched of policiesOf(review, POLICIES, cel)) {
    if ('message' in matched) {
      if (isIgnoring(matched.policy)) continue
      return denied(matched.policy, matched.binding, matched.message)
    }
    for (const mutation of listAt(matched.policy, ['spec', 'mutations'])) {
      const next = mutated(object, mutation as JsonObject, matched, { review, cel, kinds })
      if (typeof next === 'string') {
        if (isIgnoring(matched.policy)) continue
        return denied(matched.policy, matched.binding, next)
      }
      isChanged = true
      object = next
    }
  }
  return isChanged ? { allowed: true, object } : { allowed: true }
}

interface With {
  readonly review: Review
  readonly cel: Cel
  readonly kinds: readonly Kind[]
}

/** The changed object, or why not. */
function mutated(
  object: KubeObject,
  mutation: JsonObject,
  { variables }: Matched,
  { review, cel, kinds }: With,
): KubeObject | string {
  const isPatch = stringAt(mutation, ['patchType']) === 'JSONPatch'
  const where = isPatch ? ['jsonPatch', 'expression'] : ['applyConfiguration', 'expression']
  const expression = withoutLiterals(stringAt(mutation, where) ?? '')
  const result = cel.evaluate(expression, { ...variables, object })
  if ('fault' in result) return result.fault
  if (isPatch) {
    const operations = asOperations(result.value)
    if (operations === undefined) return 'the expression must return a list of JSONPatch'
    const patched = fields.jsonPatch(object, operations)
    if (isFault(patched)) return `JSON Patch: ${patched.message}`
    return patched as KubeObject
  }
  const config = asObject(result.value)
  if (config === undefined) return 'the expression must return an Object'
  const kind = kinds.find(
    ({ group, resource }) =>
      group === review.resource.group && resource === review.resource.resource,
  )
  const type = (kind?.type === undefined ? undefined : typeOf(kind.type)) ?? ANY
  return merge(object, config, type) as KubeObject
}

/** An object that happens to have both keys is none: it has metadata. */
function isFault(patched: JsonObject | PatchFault): patched is PatchFault {
  return 'code' in patched && 'message' in patched && !('metadata' in patched)
}

function denied(policy: KubeObject, binding: KubeObject, why: string): Admitted {
  const message =
    `policy '${policy.metadata.name}' with binding '${binding.metadata.name}' ` +
    `denied request: ${why}`
  return { allowed: false, code: 403, reason: 'Invalid', message, causes: [message] }
}
