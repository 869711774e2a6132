import { at, isList, isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { finalizerErrors, metadataErrors } from '../api/metadata.ts'
import type { FieldError, Kind } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import { Complaints } from './complaints.ts'
import { labelKeyFaults } from './names.ts'

const NAME_LABEL = 'kubernetes.io/metadata.name'
/** Holds a deleted namespace until the namespace controller has emptied it. */
const FINALIZER = 'kubernetes'

export const namespace: Kind = {
  group: '',
  version: 'v1',
  resource: 'namespaces',
  deletesCollection: false,
  kind: 'Namespace',
  singular: 'namespace',
  shortNames: ['ns'],
  namespaced: false,
  type: 'io.k8s.api.core.v1.Namespace',
  hasStatus: true,
  hasGeneration: false,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'label',
  returnsDeleted: true,
  subresources: ['finalize'],
  fieldSelectors: ['status.phase', 'name'],
  selectableFields: (object) => ({ 'status.phase': phaseOf(object), name: object.metadata.name }),
  defaults: (object) => {
    const name = stringAt(object, ['metadata', 'name']) ?? ''
    return name === '' ? object : withNameLabel(object, name)
  },
  prepareForCreate(object) {
    const finalizers = finalizersOf(object)
    const spec = {
      ...asObject(object['spec']),
      finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER],
    }
    const named = withNameLabel(object, object.metadata.name)
    return { ...named, spec, status: { phase: 'Active' } }
  },
  prepareForUpdate(next, old) {
    return { ...withNameLabel(next, next.metadata.name), spec: asObject(old['spec']) }
  },
  validateCreate: specErrors,
  validateUpdate: (next) => [
    ...metadataErrors(next, namespace, 'label'),
    ...finalizerErrors(next, namespace),
    ...specErrors(next),
  ],
  validateStatusUpdate(next) {
    const phase = phaseOf(next)
    const isTerminating = next.metadata.deletionTimestamp !== undefined
    if (phase === (isTerminating ? 'Terminating' : 'Active')) return []
    const complaints = new Complaints()
    const detail = isTerminating
      ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
      : "may only be 'Active' if `deletionTimestamp` is empty"
    complaints.invalidNamed('status.Phase', phase, detail)
    return complaints.list
  },
  markDeleting: (object) => ({
    ...object,
    status: { ...asObject(object['status']), phase: 'Terminating' },
  }),
  holdsDeletion: (object) => finalizersOf(object).length > 0,
}

function withNameLabel<Of extends JsonObject>(object: Of, name: string): Of {
  const metadata = asObject(object['metadata'])
  const labels = asObject(metadata['labels'])
  if (labels[NAME_LABEL] === name) return object
  return { ...object, metadata: { ...metadata, labels: { ...labels, [NAME_LABEL]: name } } }
}

function specErrors(object: KubeObject): readonly FieldError[] {
  const complaints = new Complaints()
  for (const finalizer of finalizersOf(object)) {
    complaints.invalidEach('spec.finalizers', finalizer, labelKeyFaults(finalizer))
  }
  return complaints.list
}

function finalizersOf(object: KubeObject): readonly string[] {
  const finalizers = at(object, ['spec', 'finalizers'])
  return isList(finalizers) ? finalizers.map(String) : []
}

function phaseOf(object: KubeObject): string {
  return stringAt(object, ['status', 'phase']) ?? ''
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
