import { integerAt } from '../../core/json.ts'
import type { FieldError, Kind } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import { Complaints } from './complaints.ts'

export const lease: Kind = {
  group: 'coordination.k8s.io',
  version: 'v1',
  resource: 'leases',
  kind: 'Lease',
  singular: 'lease',
  namespaced: true,
  type: 'io.k8s.api.coordination.v1.Lease',
  hasStatus: false,
  hasGeneration: false,
  defaultPropagation: 'Background',
  createsOnUpdate: true,
  nameRule: 'subdomain',
  unconditionalUpdate: false,
  anyFinalizer: true,
  validateCreate: specErrors,
  validateUpdate: specErrors,
}

function specErrors(object: KubeObject): readonly FieldError[] {
  const complaints = new Complaints()
  const seconds = integerAt(object, ['spec', 'leaseDurationSeconds'])
  if (seconds !== undefined && seconds <= 0) {
    complaints.invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0')
  }
  complaints.nonNegative('spec.leaseTransitions', integerAt(object, ['spec', 'leaseTransitions']))
  return complaints.list
}
