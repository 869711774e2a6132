import type { JsonObject } from '../../core/json.ts'
import type { Kind, Rules } from '../api/kind.ts'
import {
  APPS,
  checkReplicaTemplate,
  checkSelector,
  checkSelectorKept,
  decoded,
  judgesChange,
  judgesCounts,
  judgesSpec,
  namedWarnings,
  prepared,
} from './apps/workload.ts'
import { numberOf, objectOf, type Complaints } from './complaints.ts'
import { changeIn, fill } from './pod-template/defaults.ts'

export const replicaset: Kind = {
  ...APPS,
  resource: 'replicasets',
  kind: 'ReplicaSet',
  singular: 'replicaset',
  shortNames: ['rs'],
  type: 'io.k8s.api.apps.v1.ReplicaSet',
  subresources: ['scale'],
  defaults: (object) =>
    changeIn(decoded(object, 'ReplicaSet'), 'spec', (spec) => fill(spec, { replicas: 1 })),
  prepareForCreate: (object, rules) => prepared(object, { replicas: 0 }, rules),
  prepareForUpdate: (next, old, rules) => prepared(next, old['status'] ?? {}, rules),
  validateCreate: judgesSpec(checkSpec),
  validateUpdate: judgesChange((out, spec, old, rules) => {
    checkSpec(out, spec, rules)
    checkSelectorKept(out, spec, old)
  }),
  validateStatusUpdate: judgesCounts(
    [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ],
    ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  ),
  warnings: namedWarnings,
  fieldSelectors: ['status.replicas'],
  selectableFields: (object) => ({
    'status.replicas': `${numberOf(objectOf(object, 'status'), 'replicas')}`,
  }),
}

function checkSpec(out: Complaints, spec: JsonObject, rules: Rules): void {
  out.nonNegative('spec.replicas', spec['replicas'])
  out.nonNegative('spec.minReadySeconds', spec['minReadySeconds'])
  // The server says deployment here, too.
  checkSelector(out, spec, 'deployment', true)
  checkReplicaTemplate(out, spec, rules)
}
