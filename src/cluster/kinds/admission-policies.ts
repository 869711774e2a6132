import { isList, isObject, type JsonObject } from '../../core/json.ts'
import type { Kind } from '../api/kind.ts'
import { changeIn, fill } from './pod-template/defaults.ts'
import { plainKind } from './plain.ts'

const SHARED = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  namespaced: false,
  hasGeneration: true,
  createsOnUpdate: true,
} as const

/** What the server fills in where a policy or a binding says which requests it is for. */
function withMatchDefaults(name: string, defaults: JsonObject = {}): Required<Kind>['defaults'] {
  return (object) =>
    changeIn(object, 'spec', (spec) => changeIn(fill(spec, defaults), name, matchDefaults))
}

function matchDefaults(resources: JsonObject): JsonObject {
  const filled = fill(resources, {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
  })
  return withScopes(withScopes(filled, 'resourceRules'), 'excludeResourceRules')
}

function withScopes(resources: JsonObject, list: string): JsonObject {
  const rules = resources[list]
  if (!isList(rules)) return resources
  const scoped = rules.map((rule) => (isObject(rule) ? fill(rule, { scope: '*' }) : rule))
  return { ...resources, [list]: scoped }
}

const POLICY = withMatchDefaults('matchConstraints', { failurePolicy: 'Fail' })
const BINDING = withMatchDefaults('matchResources')

const TYPES = 'io.k8s.api.admissionregistration.v1'

/** Policies in CEL; what they do stands in src/cluster/admission. */
export const admissionPolicyKinds: readonly Kind[] = [
  plainKind({
    ...SHARED,
    resource: 'mutatingadmissionpolicies',
    kind: 'MutatingAdmissionPolicy',
    type: `${TYPES}.MutatingAdmissionPolicy`,
    defaults: POLICY,
  }),
  plainKind({
    ...SHARED,
    resource: 'mutatingadmissionpolicybindings',
    kind: 'MutatingAdmissionPolicyBinding',
    type: `${TYPES}.MutatingAdmissionPolicyBinding`,
    defaults: BINDING,
  }),
  plainKind({
    ...SHARED,
    resource: 'validatingadmissionpolicies',
    kind: 'ValidatingAdmissionPolicy',
    type: `${TYPES}.ValidatingAdmissionPolicy`,
    defaults: POLICY,
    hasStatus: true,
  }),
  plainKind({
    ...SHARED,
    resource: 'validatingadmissionpolicybindings',
    kind: 'ValidatingAdmissionPolicyBinding',
    type: `${TYPES}.ValidatingAdmissionPolicyBinding`,
    defaults: BINDING,
  }),
]
