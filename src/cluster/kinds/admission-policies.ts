import type { Kind } from '../api/kind.ts'
import { plainKind } from './plain.ts'

const SHARED = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  namespaced: false,
  hasGeneration: true,
  createsOnUpdate: true,
} as const

const TYPES = 'io.k8s.api.admissionregistration.v1'

/** Policies in CEL; what they do stands in src/cluster/admission. */
export const admissionPolicyKinds: readonly Kind[] = [
  plainKind({
    ...SHARED,
    resource: 'mutatingadmissionpolicies',
    kind: 'MutatingAdmissionPolicy',
    type: `${TYPES}.MutatingAdmissionPolicy`,
  }),
  plainKind({
    ...SHARED,
    resource: 'mutatingadmissionpolicybindings',
    kind: 'MutatingAdmissionPolicyBinding',
    type: `${TYPES}.MutatingAdmissionPolicyBinding`,
  }),
  plainKind({
    ...SHARED,
    resource: 'validatingadmissionpolicies',
    kind: 'ValidatingAdmissionPolicy',
    type: `${TYPES}.ValidatingAdmissionPolicy`,
    hasStatus: true,
  }),
  plainKind({
    ...SHARED,
    resource: 'validatingadmissionpolicybindings',
    kind: 'ValidatingAdmissionPolicyBinding',
    type: `${TYPES}.ValidatingAdmissionPolicyBinding`,
  }),
]
