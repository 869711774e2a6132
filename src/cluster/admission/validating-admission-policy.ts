import { listAt, stringAt, type Json } from '../../core/json.ts'
import type { Admission, Admitted, Review } from '../api/admission.ts'
import type { Cel } from '../api/contract.ts'
import { isIgnoring, policiesOf, type Matched } from './policy.ts'

const GROUP = { group: 'admissionregistration.k8s.io', version: 'v1' }
const POLICIES = {
  policies: { ...GROUP, resource: 'validatingadmissionpolicies' },
  bindings: { ...GROUP, resource: 'validatingadmissionpolicybindings' },
}

const CODES: { readonly [reason: string]: number } = {
  Unauthorized: 401,
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
}

/**
 * ValidatingAdmissionPolicy v1 (1.30 and newer): the first validation that does not hold refuses
 * the request, or warns, as the binding says. Texts as the real server 1.36 writes them.
 */
export function validatingAdmissionPolicy(cel: Cel): Admission {
  return { name: 'ValidatingAdmissionPolicy', validate: (review) => validate(review, cel) }
}

function validate(review: Review, cel: Cel): Admitted {
  if (review.rules.minor < 30) return { allowed: true }
  const warnings: string[] = []
  for (const matched of policiesOf(review, POLICIES, cel)) {
    const { policy, binding } = matched
    const complaint =
      'message' in matched
        ? isIgnoring(policy)
          ? undefined
          : { message: matched.message, reason: 'Invalid' }
        : firstComplaint(matched, cel)
    if (complaint === undefined) continue
    const said = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}' denied request: ${complaint.message}`
    const actions = listAt(binding, ['spec', 'validationActions'])
    if (actions.includes('Deny')) return refused(review, said, complaint.reason)
    if (actions.includes('Warn')) {
      warnings.push(
        `Validation failed for ValidatingAdmissionPolicy '${policy.metadata.name}' with binding ` +
          `'${binding.metadata.name}': ${complaint.message}`,
      )
    }
  }
  return warnings.length === 0 ? { allowed: true } : { allowed: true, warnings }
}

interface Complaint {
  readonly message: string
  readonly reason: string
}

function firstComplaint({ policy, variables }: Matched, cel: Cel): Complaint | undefined {
  for (const validation of listAt(policy, ['spec', 'validations'])) {
    const expression = stringAt(validation, ['expression']) ?? ''
    const result = cel.evaluate(expression, variables)
    const reason = stringAt(validation, ['reason']) ?? 'Invalid'
    if ('fault' in result) {
      if (isIgnoring(policy)) continue
      const message = `expression '${expression}' resulted in error: ${result.fault}`
      return { message, reason: 'Invalid' }
    }
    if (result.value === true) continue
    return { message: messageOf(validation, expression, variables, cel), reason }
  }
  return undefined
}

function messageOf(
  validation: Json,
  expression: string,
  variables: { readonly [name: string]: Json | undefined },
  cel: Cel,
): string {
  const written = stringAt(validation, ['messageExpression'])
  if (written !== undefined) {
    const result = cel.evaluate(written, variables)
    if ('value' in result && typeof result.value === 'string' && result.value.trim() !== '') {
      return result.value
    }
  }
  return stringAt(validation, ['message']) ?? `failed expression: ${expression}`
}

function refused(review: Review, said: string, reason: string): Admitted {
  const { resource, name } = review
  const group = resource.group === '' ? '' : `.${resource.group}`
  return {
    allowed: false,
    code: CODES[reason] ?? 422,
    reason,
    message: `${resource.resource}${group} "${name}" is forbidden: ${said}`,
    causes: [said],
  }
}
