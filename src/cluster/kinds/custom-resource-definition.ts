import { at, isList, isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import type { FieldError, Kind } from '../api/kind.ts'
import { schemaFaults } from '../api/structural/schema-faults.ts'
import { equal } from '../fields/index.ts'
import type { KubeObject } from '../object.ts'
import { Complaints } from './complaints.ts'
import { subdomainFaults } from './names.ts'

/** Holds a deleted definition until its objects are gone. */
const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io'
const STATUS_NEEDS_OBJECT =
  'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
const SCOPES: readonly string[] = ['Cluster', 'Namespaced']
const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const LABEL_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"

export const customresourcedefinition: Kind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  singular: 'customresourcedefinition',
  shortNames: ['crd', 'crds'],
  namespaced: false,
  type: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
  hasStatus: true,
  hasGeneration: true,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'path-segment',
  unconditionalUpdate: false,
  anyFinalizer: true,
  defaults: (object) => ({ ...object, spec: withDefaults(asObject(object['spec'])) }),
  prepareForCreate: (object) => ({ ...object, status: newStatus(object) }),
  prepareForUpdate: withStoredVersion,
  validateCreate: definitionErrors,
  validateUpdate: (next, old) => [...immutableErrors(next, old), ...definitionErrors(next)],
  markDeleting(object) {
    const { finalizers = [] } = object.metadata
    if (finalizers.includes(CLEANUP)) return object
    const metadata = { ...object.metadata, finalizers: [...finalizers, CLEANUP] }
    return { ...object, metadata, status: withTerminating(object) }
  },
}

/** Said in the same write that closes the definition. */
function withTerminating(object: KubeObject): JsonObject {
  const status = asObject(object['status'])
  const conditions = isList(status['conditions']) ? status['conditions'] : []
  const terminating = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: object.metadata.deletionTimestamp ?? null,
    reason: 'InstanceDeletionPending',
    message:
      'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  }
  return { ...status, conditions: [...conditions, terminating] }
}

function withDefaults(spec: JsonObject): JsonObject {
  const names = asObject(spec['names'])
  const kind = stringAt(names, ['kind']) ?? ''
  const singular = (stringAt(names, ['singular']) ?? '') || kind.toLowerCase()
  const listKind = (stringAt(names, ['listKind']) ?? '') || (kind === '' ? '' : `${kind}List`)
  return {
    conversion: { strategy: 'None' },
    ...spec,
    names: {
      ...names,
      ...(singular === '' ? {} : { singular }),
      ...(listKind === '' ? {} : { listKind }),
    },
  }
}

function newStatus(object: KubeObject): JsonObject {
  const version = storageVersion(object)
  return {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: version === undefined ? null : [version],
  }
}

function withStoredVersion(next: KubeObject): KubeObject {
  const version = storageVersion(next)
  const stored = at(next, ['status', 'storedVersions'])
  const list = isList(stored) ? stored : []
  if (version === undefined || list.includes(version)) return next
  return { ...next, status: { ...asObject(next['status']), storedVersions: [...list, version] } }
}

function versionsOf(object: KubeObject): readonly Json[] {
  const versions = at(object, ['spec', 'versions'])
  return isList(versions) ? versions : []
}

function storageVersion(object: KubeObject): string | undefined {
  const version = versionsOf(object).find((entry) => at(entry, ['storage']) === true)
  return version === undefined ? undefined : stringAt(version, ['name'])
}

function definitionErrors(object: KubeObject): readonly FieldError[] {
  const complaints = new Complaints()
  const text = (...path: string[]): string => stringAt(object, ['spec', ...path]) ?? ''
  const { name } = object.metadata
  const [group, plural] = [text('group'), text('names', 'plural')]
  if (name !== `${plural}.${group}`) {
    complaints.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')
  }
  if (group === '') complaints.required('spec.group')
  else {
    complaints.invalidEach('spec.group', group, subdomainFaults(group))
    if (!group.includes('.')) {
      complaints.invalid('spec.group', group, 'should be a domain with at least one dot')
    }
  }
  const scope = text('scope')
  if (scope === '') complaints.required('spec.scope')
  else if (!SCOPES.includes(scope)) complaints.notSupported('spec.scope', scope, SCOPES)
  versionErrors(complaints, object)
  nameErrors(complaints, object)
  return complaints.list
}

function versionErrors(complaints: Complaints, object: KubeObject): void {
  const versions = versionsOf(object)
  const storing = versions.filter((entry) => at(entry, ['storage']) === true)
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`
    const schema = at(version, ['schema', 'openAPIV3Schema'])
    if (!isObject(schema)) {
      complaints.required(`${path}.schema.openAPIV3Schema`)
      continue
    }
    // With one version the server keeps what is said of it at the top, and says so.
    const top = versions.length === 1 ? 'spec.validation' : `${path}.schema`
    const { type } = schema
    const hasStatus = isObject(at(version, ['subresources', 'status']))
    if (hasStatus && typeof type === 'string' && type !== '' && type !== 'object') {
      complaints.invalid(`${top}.openAPIV3Schema.type`, type, STATUS_NEEDS_OBJECT)
    }
    complaints.list.push(...schemaFaults(schema, `${top}.openAPIV3Schema`))
  }
  if (storing.length === 1) return
  const detail = 'must have exactly one version marked as storage version'
  complaints.invalid('spec.versions', versions, detail)
  const stored = at(object, ['status', 'storedVersions'])
  if (isList(stored) && stored.length > 0) return
  complaints.invalid('status.storedVersions', null, 'must have at least one stored version')
}

function nameErrors(complaints: Complaints, object: KubeObject): void {
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    const value = stringAt(object, ['spec', 'names', name]) ?? ''
    const path = `spec.names.${name}`
    if (value === '') complaints.required(path)
    else if (name === 'plural' || name === 'singular') {
      if (!LABEL_1035.test(value)) complaints.invalid(path, value, LABEL_RULE)
    } else if (!LABEL_1035.test(value.toLowerCase())) {
      const rule = 'may have mixed case, but should otherwise match: '
      complaints.invalid(path, value, `${rule}${LABEL_RULE}`)
    }
  }
}

/** An established definition keeps what its objects are called. */
function immutableErrors(next: KubeObject, old: KubeObject): readonly FieldError[] {
  const complaints = new Complaints()
  for (const path of [['group'], ['scope'], ['names', 'kind'], ['names', 'plural']]) {
    const is = at(next, ['spec', ...path]) ?? null
    if (equal(is, at(old, ['spec', ...path]) ?? null)) continue
    complaints.invalid(`spec.${path.join('.')}`, is, 'field is immutable')
  }
  return complaints.list
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
