import type { JsonObject } from '../../core/json.ts'
import type { FieldError, Kind, Rules } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import {
  APPS,
  checkCounts,
  checkReplicaTemplate,
  checkSelector,
  checkSelectorKept,
  prepared,
  specOf,
} from './apps/workload.ts'
import { Complaints, numberOf, objectOf } from './complaints.ts'
import { withStruct } from './job/defaults.ts'
import { nameWarnings } from './job/warnings.ts'
import { changeIn, fill } from './pod-template/defaults.ts'
import { templateWarnings } from './pod-template/warnings.ts'

export const replicaset: Kind = {
  ...APPS,
  resource: 'replicasets',
  kind: 'ReplicaSet',
  singular: 'replicaset',
  shortNames: ['rs'],
  type: 'io.k8s.api.apps.v1.ReplicaSet',
  subresources: ['scale'],
  defaults: (object) => {
    const decoded = withStruct(withReplicas(object), 'status', 'ReplicaSetStatus')
    return changeIn(decoded, 'spec', (spec) => fill(spec, { replicas: 1 }))
  },
  prepareForCreate: (object, rules) => prepared(object, { replicas: 0 }, rules),
  prepareForUpdate: (next, old, rules) => prepared(next, old['status'] ?? {}, rules),
  validateCreate,
  validateUpdate,
  validateStatusUpdate,
  warnings,
  fieldSelectors: ['status.replicas'],
  selectableFields: (object) => ({
    'status.replicas': `${numberOf(objectOf(object, 'status'), 'replicas')}`,
  }),
}

function withReplicas(object: JsonObject): JsonObject {
  return withStruct(object, 'spec', 'ReplicaSetSpec')
}

function checkSpec(out: Complaints, spec: JsonObject, rules: Rules): void {
  out.nonNegative('spec.replicas', spec['replicas'])
  out.nonNegative('spec.minReadySeconds', spec['minReadySeconds'])
  // The server says deployment here, too.
  checkSelector(out, spec, 'deployment', true)
  checkReplicaTemplate(out, spec, rules)
}

function validateCreate(object: KubeObject, rules: Rules): readonly FieldError[] {
  const out = new Complaints()
  checkSpec(out, specOf(object), rules)
  return out.list
}

function validateUpdate(next: KubeObject, old: KubeObject, rules: Rules): readonly FieldError[] {
  const out = new Complaints()
  if (next['spec'] === old['spec']) return out.list
  checkSpec(out, specOf(next), rules)
  checkSelectorKept(out, specOf(next), specOf(old))
  return out.list
}

const COUNTS = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
  'terminatingReplicas',
]

function validateStatusUpdate(next: KubeObject): readonly FieldError[] {
  const out = new Complaints()
  const bounded = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']
  checkCounts(out, objectOf(next, 'status') ?? {}, COUNTS, bounded)
  return out.list
}

function warnings(
  object: KubeObject,
  old: KubeObject | undefined,
  rules: Rules,
): readonly string[] {
  const template = objectOf(specOf(object), 'template') ?? {}
  const found = templateWarnings(template, 'spec.template', rules)
  if (old === undefined) return [...nameWarnings(object.metadata.name), ...found]
  return object.metadata.generation === old.metadata.generation ? [] : found
}
