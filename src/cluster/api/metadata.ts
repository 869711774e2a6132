import type { Json } from '../../core/json.ts'
import { byteLength } from '../../core/text.ts'
import { equal } from '../fields/index.ts'
import { Complaints } from '../kinds/complaints.ts'
import { checkAnnotations, checkLabels } from '../kinds/labels.ts'
import { dnsLabelFaults, labelKeyFaults, subdomainFaults } from '../kinds/names.ts'
import type { KubeObject, ManagedFieldsEntry, Metadata, OwnerReference } from '../object.ts'
import type { FieldError, Kind } from './kind.ts'

const MANAGER_LIMIT = 128
const IMMUTABLE = 'field is immutable'

/**
 * What every object's metadata must fulfil, with the name judged by `rule`. Parts that an update
 * shares with `old` were judged when they were stored.
 */
export function metadataErrors(
  object: KubeObject,
  kind: Pick<Kind, 'namespaced'>,
  rule: Kind['nameRule'],
  old?: KubeObject,
): readonly FieldError[] {
  const { metadata } = object
  const was: Partial<Metadata> = old?.metadata ?? {}
  const complaints = new Complaints()
  const { generateName, name, namespace } = metadata
  if (generateName !== undefined && generateName !== '' && generateName !== was.generateName) {
    const faults = nameFaults(generateName, rule, true)
    complaints.invalidEach('metadata.generateName', generateName, faults)
  }
  if (name === '') complaints.required('metadata.name', 'name or generateName is required')
  else if (name !== was.name) {
    complaints.invalidEach('metadata.name', name, nameFaults(name, rule, false))
  }
  if (kind.namespaced) {
    if (namespace === undefined || namespace === '') complaints.required('metadata.namespace')
    else if (namespace !== was.namespace) {
      complaints.invalidEach('metadata.namespace', namespace, dnsLabelFaults(namespace))
    }
  } else if (namespace !== undefined && namespace !== '') {
    complaints.forbidden('metadata.namespace', 'not allowed on this type')
  }
  complaints.nonNegative('metadata.generation', metadata.generation)
  checkMaps(complaints, metadata, was)
  if (metadata.finalizers !== was.finalizers) finalizers(complaints, metadata.finalizers)
  if (metadata.managedFields !== was.managedFields) {
    managedFields(complaints, metadata.managedFields)
  }
  return complaints.list
}

function checkMaps(complaints: Complaints, is: Metadata, was: Partial<Metadata>): void {
  if (is.labels !== was.labels) checkLabels(complaints, is.labels, 'metadata.labels')
  if (is.annotations !== was.annotations) {
    checkAnnotations(complaints, is.annotations, 'metadata.annotations')
  }
  if (is.ownerReferences !== was.ownerReferences) owners(complaints, is.ownerReferences)
}

/** Built-in kinds take plain finalizers only from the server itself. */
export function finalizerErrors({ metadata }: KubeObject, kind: Kind): readonly FieldError[] {
  const { finalizers: all } = metadata
  if (all === undefined || kind.type === undefined || kind.anyFinalizer === true) return []
  const complaints = new Complaints()
  for (const [index, finalizer] of all.entries()) {
    if (finalizer.includes('/') || OWN_FINALIZERS.has(finalizer)) continue
    const detail = 'name is neither a standard finalizer name nor is it fully qualified'
    complaints.invalid(`metadata.finalizers[${index}]`, finalizer, detail)
  }
  return complaints.list
}

const OWN_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

/** What no update may do to metadata. */
export function metadataUpdateErrors(next: KubeObject, old: KubeObject): readonly FieldError[] {
  const complaints = new Complaints()
  const is = next.metadata
  const was = old.metadata
  if (was.deletionTimestamp !== undefined) newFinalizers(complaints, is, was)
  immutable(complaints, 'name', is.name, was.name)
  immutable(complaints, 'namespace', is.namespace ?? '', was.namespace ?? '')
  immutable(complaints, 'uid', is.uid, was.uid)
  immutable(complaints, 'deletionTimestamp', is.deletionTimestamp, was.deletionTimestamp)
  immutable(
    complaints,
    'deletionGracePeriodSeconds',
    is.deletionGracePeriodSeconds,
    was.deletionGracePeriodSeconds,
  )
  checkMaps(complaints, is, was)
  if (is.managedFields !== was.managedFields) managedFields(complaints, is.managedFields)
  return complaints.list
}

export function nameFaults(
  name: string,
  rule: Kind['nameRule'],
  isPrefix: boolean,
): readonly string[] {
  const shown = isPrefix && rule !== 'path-segment' ? maskTrailingDash(name) : name
  switch (rule) {
    case 'subdomain':
      return subdomainFaults(shown)
    case 'label':
      return dnsLabelFaults(shown)
    case 'label-1035':
      return label1035Faults(shown)
    case 'path-segment':
      return pathSegmentFaults(name, isPrefix)
    default:
      return rule satisfies never
  }
}

/** A prefix may end in a dash: something is appended to it. The server cuts two characters. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name
}

function label1035Faults(name: string): readonly string[] {
  const regex = '[a-z]([-a-z0-9]*[a-z0-9])?'
  const faults = byteLength(name) > 63 ? ['must be no more than 63 characters'] : []
  if (new RegExp(`^${regex}$`).test(name)) return faults
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character"
  const hint = `(e.g. 'my-name',  or 'abc-123', regex used for validation is '${regex}')`
  return [...faults, `${rule} ${hint}`]
}

function pathSegmentFaults(name: string, isPrefix: boolean): readonly string[] {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`]
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`)
}

function owners(complaints: Complaints, all: readonly OwnerReference[] | undefined): void {
  const field = 'metadata.ownerReferences'
  let controller: string | undefined
  for (const owner of all ?? []) {
    const [group, version] = groupVersion(owner.apiVersion ?? '')
    const apiVersion = owner.apiVersion ?? ''
    if (version === '') {
      complaints.invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty')
    }
    for (const key of ['kind', 'name', 'uid'] as const) {
      if ((owner[key] ?? '') === '') complaints.invalid(`${field}.${key}`, '', 'must not be empty')
    }
    if (group === '' && version === 'v1' && owner.kind === 'Event') {
      const detail = '/v1, Kind=Event is disallowed from being an owner'
      complaints.invalidRendered(field, ownerJson(owner), detail)
    }
    if (owner.controller !== true) continue
    const named = `${owner.kind}/${owner.name}`
    if (controller === undefined) controller = named
    else {
      const rendered = `[${(all ?? []).map(ownerJson).join(',')}]`
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${named}`
      complaints.invalidRendered(field, rendered, detail)
    }
  }
}

/** In the order of Go's type. */
function ownerJson(owner: OwnerReference): string {
  const { controller, blockOwnerDeletion } = owner
  const texts = { apiVersion: '', kind: '', name: '', uid: '' }
  for (const key of ['apiVersion', 'kind', 'name', 'uid'] as const) texts[key] = owner[key] ?? ''
  return JSON.stringify({ ...texts, controller, blockOwnerDeletion })
}

function groupVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/')
  if (slash < 0) return ['', apiVersion]
  if (apiVersion.includes('/', slash + 1)) return ['', '']
  return [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)]
}

function finalizers(complaints: Complaints, all: readonly string[] | undefined): void {
  if (all === undefined) return
  for (const finalizer of all) {
    complaints.invalidEach('metadata.finalizers', finalizer, labelKeyFaults(finalizer))
  }
  if (all.includes('orphan') && all.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set'
    complaints.invalid('metadata.finalizers', all, detail)
  }
}

function newFinalizers(complaints: Complaints, is: Metadata, was: Metadata): void {
  const extra = (is.finalizers ?? []).filter((finalizer) => !was.finalizers?.includes(finalizer))
  if (extra.length === 0) return
  const list = [...new Set(extra)].sort().map((finalizer) => JSON.stringify(finalizer))
  const rule = 'no new finalizers can be added if the object is being deleted'
  const detail = `${rule}, found new finalizers []string{${list.join(', ')}}`
  complaints.forbidden('metadata.finalizers', detail)
}

function managedFields(
  complaints: Complaints,
  all: readonly ManagedFieldsEntry[] | undefined,
): void {
  for (const [index, entry] of (all ?? []).entries()) {
    const field = `metadata.managedFields[${index}]`
    if (entry.operation !== 'Apply' && entry.operation !== 'Update') {
      complaints.invalid(`${field}.operation`, entry.operation ?? '', 'must be `Apply` or `Update`')
    }
    if (entry.fieldsType !== undefined && (entry.fieldsType as string) !== 'FieldsV1') {
      if ((entry.fieldsType as string) !== '') {
        complaints.invalid(`${field}.fieldsType`, entry.fieldsType, 'must be `FieldsV1`')
      }
    }
    if (byteLength(entry.manager ?? '') > MANAGER_LIMIT) {
      complaints.tooLong(`${field}.manager`, MANAGER_LIMIT)
    }
  }
}

function immutable(
  complaints: Complaints,
  field: string,
  is: Json | undefined,
  was: Json | undefined,
): void {
  if (equal(is, was)) return
  complaints.invalid(`metadata.${field}`, is ?? null, IMMUTABLE)
}
