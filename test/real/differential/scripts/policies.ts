import type { JsonObject } from '../../../../src/core/json.ts'
import * as k from '../script.ts'
import {
  apply,
  create,
  get,
  merge,
  remove,
  update,
  changed,
  type Script,
  type Step,
} from '../script.ts'
import { configMap, job } from './objects.ts'

const { CONFIGMAPS, JOBS } = k
const GROUP = 'admissionregistration.k8s.io'
const VALIDATING = { group: GROUP, version: 'v1', resource: 'validatingadmissionpolicies' }
const VALIDATING_BINDINGS = {
  group: GROUP,
  version: 'v1',
  resource: 'validatingadmissionpolicybindings',
}
const MUTATING = { group: GROUP, version: 'v1', resource: 'mutatingadmissionpolicies' }
const MUTATING_BINDINGS = {
  group: GROUP,
  version: 'v1',
  resource: 'mutatingadmissionpolicybindings',
}

const OWN_NAMESPACE = { matchLabels: { 'kubernetes.io/metadata.name': '$(namespace)' } }

function rule(apiGroup: string, resource: string, operations: readonly string[]): JsonObject {
  return { apiGroups: [apiGroup], apiVersions: ['v1'], operations, resources: [resource] }
}

const ON_CONFIGMAPS = rule('', 'configmaps', ['CREATE', 'UPDATE', 'DELETE'])
const ON_JOBS = rule('batch', 'jobs', ['CREATE', 'UPDATE'])

/** A policy with its binding, and a dry run that is answered as the policy says, once it works. */
function validating(spec: JsonObject, binding: JsonObject = {}, code = 422): readonly Step[] {
  return [
    create(VALIDATING, {
      apiVersion: `${GROUP}/v1`,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: '$(namespace)' },
      spec: {
        matchConstraints: { resourceRules: [ON_CONFIGMAPS], namespaceSelector: OWN_NAMESPACE },
        ...spec,
      },
    }),
    create(VALIDATING_BINDINGS, {
      apiVersion: `${GROUP}/v1`,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: '$(namespace)' },
      spec: { policyName: '$(namespace)', validationActions: ['Deny'], ...binding },
    }),
    create(CONFIGMAPS, configMap('probe', { bad: 'x' }), {
      options: { dryRun: true },
      eventually: true,
      code,
    }),
  ]
}

function mutating(mutations: readonly JsonObject[], more: JsonObject = {}): readonly Step[] {
  return [
    create(MUTATING, {
      apiVersion: `${GROUP}/v1`,
      kind: 'MutatingAdmissionPolicy',
      metadata: { name: '$(namespace)' },
      spec: {
        failurePolicy: 'Fail',
        reinvocationPolicy: 'Never',
        matchConstraints: { resourceRules: [ON_JOBS], namespaceSelector: OWN_NAMESPACE },
        mutations,
        ...more,
      },
    }),
    create(MUTATING_BINDINGS, {
      apiVersion: `${GROUP}/v1`,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name: '$(namespace)' },
      spec: { policyName: '$(namespace)' },
    }),
    create(JOBS, job('probe'), { options: { dryRun: true }, eventually: true }),
  ]
}

function configuration(expression: string): JsonObject {
  return { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
}

function jsonPatch(expression: string): JsonObject {
  return { patchType: 'JSONPatch', jsonPatch: { expression } }
}

const NOT_BAD = { expression: "!('bad' in object.data)", message: 'bad is bad' }

/** Admission by policies in CEL. */
export const policyScripts: readonly Script[] = [
  {
    title: 'a validation that does not hold refuses, with its message',
    since: 30,
    steps: [
      ...validating({ validations: [NOT_BAD] }),
      create(CONFIGMAPS, configMap('a', { bad: '1' }), { code: 422 }),
      create(CONFIGMAPS, configMap('a', { good: '1' })),
      merge(CONFIGMAPS, 'a', { data: { bad: '1' } }, { code: 422 }),
      apply(CONFIGMAPS, configMap('b', { bad: '1' }), 'one', { code: 422 }),
    ],
  },
  {
    title: 'without a message the expression is told, and a reason gives the code',
    since: 30,
    steps: [
      ...validating(
        { validations: [{ expression: "!('bad' in object.data)", reason: 'Forbidden' }] },
        {},
        403,
      ),
      create(CONFIGMAPS, configMap('a', { bad: '1' }), { code: 403 }),
    ],
  },
  {
    title: 'a message may be an expression, and variables are shared',
    since: 30,
    steps: [
      ...validating({
        variables: [{ name: 'count', expression: 'size(object.data)' }],
        validations: [
          {
            expression: "variables.count < 3 && !('bad' in object.data)",
            messageExpression: "'has ' + string(variables.count)",
          },
        ],
      }),
      create(CONFIGMAPS, configMap('a', { a: '1', b: '2', c: '3' }), { code: 422 }),
      create(CONFIGMAPS, configMap('a', { a: '1', b: '2' })),
    ],
  },
  {
    title: 'Warn lets pass with a warning',
    since: 30,
    steps: [
      ...validating({ validations: [NOT_BAD] }, { validationActions: ['Warn'] }, 201),
      create(CONFIGMAPS, configMap('a', { bad: '1' })),
    ],
  },
  {
    title: 'match conditions leave out what they do not hold for',
    since: 30,
    steps: [
      ...validating({
        matchConditions: [{ name: 'not-free', expression: "object.metadata.name != 'free'" }],
        validations: [NOT_BAD],
      }),
      create(CONFIGMAPS, configMap('free', { bad: '1' })),
      create(CONFIGMAPS, configMap('other', { bad: '1' }), { code: 422 }),
    ],
  },
  {
    title: 'the old object is there in updates and deletes',
    since: 30,
    steps: [
      ...validating({
        validations: [
          {
            expression:
              "request.operation == 'DELETE' ? !('keep' in oldObject.data) : (oldObject == null ? !('bad' in object.data) : size(object.data) >= size(oldObject.data))",
            message: 'may only grow, and stays while it has keep',
          },
        ],
      }),
      create(CONFIGMAPS, configMap('a', { keep: '1', more: '2' })),
      merge(CONFIGMAPS, 'a', { data: { more: null } }, { code: 422 }),
      remove(CONFIGMAPS, 'a', { code: 422 }),
      get(CONFIGMAPS, 'a'),
    ],
  },
  {
    title: 'an expression that fails refuses, or is passed over with Ignore',
    since: 30,
    steps: [
      ...validating({
        validations: [{ expression: "object.data['bad'] == 'good'", message: 'no' }],
      }),
      create(CONFIGMAPS, configMap('a', { other: '1' }), { code: 422 }),
      create(CONFIGMAPS, configMap('b', { bad: 'good' })),
    ],
  },
  {
    title: 'parameters come from an object, and their absence is told',
    since: 30,
    steps: [
      create(CONFIGMAPS, configMap('limits', { most: '2' })),
      ...validating(
        {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          validations: [
            { expression: "!('bad' in object.data) && size(object.data) <= int(params.data.most)" },
          ],
        },
        { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
      ),
      create(CONFIGMAPS, configMap('a', { a: '1', b: '2', c: '3' }), { code: 422 }),
      create(CONFIGMAPS, configMap('b', { a: '1' })),
    ],
  },
  {
    title: 'a mutation sets a field that nobody owns then',
    since: 36,
    steps: [
      ...mutating([configuration("Object{spec: Object.spec{managedBy: 'semel.dev/replay'}}")]),
      apply(JOBS, job('a'), 'one', { code: 201 }),
      apply(JOBS, job('a'), 'two'),
      apply(JOBS, job('a'), 'two'),
      create(JOBS, job('b')),
      get(JOBS, 'b'),
    ],
  },
  {
    title: 'a mutation adds a label and an annotation beside what was there',
    since: 36,
    steps: [
      ...mutating([
        configuration(
          "Object{metadata: Object.metadata{labels: {'by': 'policy'}, annotations: {'seen': object.metadata.name}}}",
        ),
      ]),
      create(JOBS, job('a', {}, { labels: { own: 'x' }, annotations: { own: 'y' } })),
      merge(JOBS, 'a', { metadata: { labels: { by: 'me' } } }),
    ],
  },
  {
    title: 'a mutation by JSON patch',
    since: 36,
    steps: [
      ...mutating([
        jsonPatch(
          "[JSONPatch{op: 'add', path: '/spec/ttlSecondsAfterFinished', value: 60}, JSONPatch{op: 'add', path: '/metadata/finalizers', value: ['semel.dev/ledger']}]",
        ),
      ]),
      create(JOBS, job('a')),
    ],
  },
  {
    title: 'mutations follow one another',
    since: 36,
    steps: [
      ...mutating([
        configuration('Object{spec: Object.spec{backoffLimit: 1}}'),
        configuration('Object{spec: Object.spec{parallelism: object.spec.backoffLimit + 1}}'),
      ]),
      create(JOBS, job('a')),
      create(JOBS, job('b', { backoffLimit: 4 })),
    ],
  },
  {
    title: 'a mutation that makes the object invalid is told as the object’s fault',
    since: 36,
    steps: [
      ...mutating([configuration("Object{spec: Object.spec{managedBy: 'x'}}")]).map((step) => ({
        ...step,
        ...(step.eventually === true ? { code: 422 } : {}),
      })),
      create(JOBS, job('a'), { code: 422 }),
    ],
  },
  {
    title: 'policies are objects with generation, updated and deleted like others',
    since: 30,
    steps: [
      ...validating({ validations: [NOT_BAD] }),
      update(
        VALIDATING,
        '$(namespace)',
        changed('validatingadmissionpolicies/$(namespace)', { metadata: { labels: { a: 'b' } } }),
      ),
      remove(VALIDATING_BINDINGS, '$(namespace)'),
      create(CONFIGMAPS, configMap('probe', { bad: 'x' }), {
        options: { dryRun: true },
        eventually: true,
      }),
      remove(VALIDATING, '$(namespace)'),
      get(VALIDATING, '$(namespace)', { code: 404 }),
    ],
  },
]
