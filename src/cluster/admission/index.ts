import type { Admission } from '../api/admission.ts'
import type { Cel } from '../api/contract.ts'
import type { Kind } from '../api/kind.ts'
import { mutatingAdmissionPolicy } from './mutating-admission-policy.ts'
import { validatingAdmissionPolicy } from './validating-admission-policy.ts'

/** The policies of the API server, in its order. One line each; without CEL they judge nothing. */
export function admissionPolicies(cel: Cel, kinds: readonly Kind[]): readonly Admission[] {
  return [mutatingAdmissionPolicy(cel, kinds), validatingAdmissionPolicy(cel)]
}
