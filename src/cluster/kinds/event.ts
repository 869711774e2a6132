import { at, stringAt } from '../../core/json.ts'
import { byteLength } from '../../core/text.ts'
import type { FieldError, Kind } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import { Complaints } from './complaints.ts'
import { labelKeyFaults } from './names.ts'

/** Longest texts of an Event with eventTime, in bytes. */
const LIMITS = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const

export const event: Kind = {
  group: '',
  version: 'v1',
  resource: 'events',
  kind: 'Event',
  singular: 'event',
  shortNames: ['ev'],
  namespaced: true,
  type: 'io.k8s.api.core.v1.Event',
  hasStatus: false,
  hasGeneration: false,
  defaultPropagation: 'Unsupported',
  createsOnUpdate: true,
  nameRule: 'path-segment',
  anyFinalizer: true,
  fieldSelectors: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  selectableFields: fieldsOf,
  validateCreate: eventErrors,
  validateUpdate: eventErrors,
}

function fieldsOf(object: KubeObject): { readonly [field: string]: string } {
  const text = (...path: string[]): string => stringAt(object, path) ?? ''
  const reporter = text('reportingComponent')
  const fields: { [field: string]: string } = {
    reason: text('reason'),
    type: text('type'),
    reportingComponent: reporter,
    source: text('source', 'component') || reporter,
  }
  for (const name of [
    'kind',
    'namespace',
    'name',
    'uid',
    'apiVersion',
    'resourceVersion',
    'fieldPath',
  ]) {
    fields[`involvedObject.${name}`] = text('involvedObject', name)
  }
  return fields
}

/** The old rules of core/v1; Events with eventTime have to name their reporter. */
function eventErrors(object: KubeObject): readonly FieldError[] {
  const complaints = new Complaints()
  const { namespace = '' } = object.metadata
  const about = stringAt(object, ['involvedObject', 'namespace']) ?? ''
  const isOld = (at(object, ['eventTime']) ?? null) === null
  const mismatch = 'does not match event.namespace'
  const places = isOld ? ['', 'default'] : ['default', 'kube-system']
  const isElsewhere = about === '' ? !places.includes(namespace) : isOld && about !== namespace
  if (isElsewhere) complaints.invalid('involvedObject.namespace', about, mismatch)
  if (!isOld) reporterErrors(complaints, object)
  return complaints.list
}

function reporterErrors(complaints: Complaints, object: KubeObject): void {
  const reporter = stringAt(object, ['reportingComponent']) ?? ''
  if (reporter === '') complaints.required('reportingComponent')
  complaints.invalidEach('reportingComponent', reporter, labelKeyFaults(reporter))
  for (const [field, limit] of Object.entries(LIMITS)) {
    const text = stringAt(object, [field]) ?? ''
    if (text === '' && field !== 'message') complaints.required(field)
    if (byteLength(text) > limit) {
      complaints.invalid(field, '', `can have at most ${limit} characters`)
    }
  }
}
