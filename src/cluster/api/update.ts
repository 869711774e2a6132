import { isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { equal, fields } from '../fields/index.ts'
import type { KubeObject, ManagedFieldsEntry } from '../object.ts'
import { mutate, validate } from './admission-chain.ts'
import { readBody } from './body.ts'
import { admitAndStore, deduplicated, managerOf, withManagers } from './create.ts'
import type { Call, Host, Result } from './host.ts'
import type { FieldError, Kind, Rules } from './kind.ts'
import { inNamespace, metadataOf, nameFault } from './identity.ts'
import { finalizerErrors, metadataErrors, metadataUpdateErrors } from './metadata.ts'
import { writeOptionsFault } from './options.ts'
import { inVersion } from './registry.ts'
import { storageKey } from './storage-key.ts'
import { conflict, failure, invalid, notFound, OPTIMISTIC_LOCK, Refusal } from './status.ts'
import { typeOf } from './types.ts'

/** PUT of an object or of its status. */
export function update(host: Host, call: Call): Result | Refusal {
  const { request, kind } = call
  const fault = writeOptionsFault('UpdateOptions', request.options, false)
  if (fault !== undefined) return fault
  const body = readBody(host, call)
  if (body instanceof Refusal) return body
  const placed = inNamespace(call, body)
  if (placed instanceof Refusal) return placed
  const name = request.name ?? ''
  const misnamed = nameFault(placed, name)
  if (misnamed !== undefined) return misnamed
  const owned = deduplicated(call, placed, false)
  const found = host.store.get(kind, request.namespace, name)
  const old = found === undefined ? undefined : inVersion(kind, found)
  const uid = stringAt(metadataOf(owned), ['uid']) ?? ''
  const mayCreate = kind.createsOnUpdate && request.subresource === undefined
  if (old === undefined && !mayCreate) return notFound(kind, name)
  if (uid !== '' && uid !== old?.metadata.uid) return wrongUid(call, uid, old)
  const unreadable = unreadableVersion(owned)
  if (old === undefined && unreadable !== undefined) return unreadable
  const managedFields = managersOfUpdate(call, owned, old)
  if (old !== undefined) return writeOver(host, call, old, { object: owned, managedFields })
  const created = admitAndStore(host, call, withoutVersion(owned), managedFields)
  return created instanceof Refusal ? created : { code: 201, body: created }
}

/** The next state as a client wants it, with who owns what of it. */
export interface Wanted {
  readonly object: JsonObject
  readonly managedFields: readonly ManagedFieldsEntry[]
}

/** Bookkeeping for a write that is no apply. */
export function managersOfUpdate(
  call: Call,
  object: JsonObject,
  old: KubeObject | undefined,
): readonly ManagedFieldsEntry[] {
  const { kind, now, request } = call
  return fields.updateManagers({
    before: old,
    after: call.request.subresource === 'finalize' ? withStatus(object, old) : object,
    type: typeOf(kind),
    manager: managerOf(call),
    hasStatus: kind.hasStatus,
    ...(request.subresource === undefined ? {} : { subresource: request.subresource }),
    now,
  })
}

/** Writes `wanted` over `old`: admission, the kind's rules, validation, and the store. */
export function writeOver(
  host: Host,
  call: Call,
  old: KubeObject,
  wanted: Wanted,
): Result | Refusal {
  const { request, kind } = call
  const { name } = old.metadata
  const dryRun = request.options?.dryRun === true
  const managed = withManagers(wanted.object, wanted.managedFields) as KubeObject
  const question = { operation: 'UPDATE', name, old, dryRun } as const
  const admitted = mutate(host, call, { ...question, object: managed })
  if (admitted instanceof Refusal) return admitted
  const draft = deduplicated(call, admitted ?? managed, true)
  const stale = versionFault(call, draft, old)
  if (stale !== undefined) return stale
  const prepared = prepare(host, call, draft, old)
  const errors = updateErrors(host, call, prepared, old)
  if (errors.length > 0) return invalid(kind, prepared.metadata.name, errors)
  const isMain = request.subresource === undefined
  if (isMain) call.warnings.push(...(kind.warnings?.(prepared, old, host.options.rules) ?? []))
  const next = fields.settleTimes(prepared, old)
  const refused = validate(host, call, { ...question, object: next })
  if (refused !== undefined) return refused
  return { code: 200, body: settle(host, call, next, old) }
}

/** Stores, leaves as it was, or removes: an object in deletion goes with its last finalizer. */
function settle(
  host: Host,
  { kind, request }: Call,
  next: KubeObject,
  old: KubeObject,
): KubeObject {
  const dryRun = request.options?.dryRun === true
  if (isReadyToGo(next, old) && kind.holdsDeletion?.(next) !== true) {
    if (!dryRun) host.store.remove(kind, old)
    return next
  }
  if (equal(next, old)) return old
  return dryRun ? next : host.store.put(kind, next, old)
}

function isReadyToGo(next: KubeObject, old: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = old.metadata
  if ((next.metadata.finalizers ?? []).length > 0) return false
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0
}

function versionFault(call: Call, draft: JsonObject, old: KubeObject): Refusal | undefined {
  const { kind } = call
  const { name } = old.metadata
  const version: Json | undefined = metadataOf(draft)['resourceVersion']
  if (version === undefined || version === '' || version === '0') {
    if (kind.unconditionalUpdate ?? true) return undefined
    const detail = 'must be specified for an update'
    const field = 'metadata.resourceVersion'
    const named = { group: kind.group, kind: kind.resource }
    return invalid(named, name, [{ type: 'Invalid', field, value: 0, detail }])
  }
  if (version === old.metadata.resourceVersion) return undefined
  return unreadableVersion(draft) ?? conflict(kind, name, OPTIMISTIC_LOCK)
}

/** A version that is no number is the server's own error, as in Kubernetes. */
export function unreadableVersion(object: JsonObject): Refusal | undefined {
  const version = stringAt(metadataOf(object), ['resourceVersion']) ?? ''
  if (version === '' || /^\d+$/.test(version)) return undefined
  const message = `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`
  return failure(500, undefined, message)
}

/** What no update can change is put back; the rest is the kind's business. */
function prepare(host: Host, call: Call, draft: JsonObject, old: KubeObject): KubeObject {
  const { kind, request } = call
  const { rules } = host.options
  const next = withOldSystemFields(draft, old)
  if (request.subresource === 'status') {
    const { metadata } = next
    const status = next['status']
    if (kind.prepareForStatusUpdate) return kind.prepareForStatusUpdate(next, old, rules)
    const { status: _, ...kept } = old
    return { ...kept, metadata, ...(status === undefined ? {} : { status }) }
  }
  if (request.subresource !== undefined) return withStatus(next, old)
  const kept = kind.hasStatus ? withStatus(next, old) : next
  const prepared = kind.prepareForUpdate?.(kept, old, rules) ?? kept
  return kind.hasGeneration ? withNextGeneration(kind, prepared, old) : prepared
}

function withOldSystemFields(draft: JsonObject, old: KubeObject): KubeObject {
  const was = old.metadata
  const sent = without(metadataOf(draft), 'selfLink')
  const given = was.generation === undefined ? without(sent, 'generation') : sent
  const uid = stringAt(given, ['uid']) ?? ''
  const metadata: { [name: string]: Json | undefined } = {
    ...given,
    uid: uid === '' ? was.uid : uid,
    resourceVersion: was.resourceVersion,
    creationTimestamp: was.creationTimestamp,
  }
  if (was.generation !== undefined) metadata['generation'] = was.generation
  const deletion = was.deletionTimestamp
  if (deletion !== undefined) metadata['deletionTimestamp'] = deletion
  const grace = was.deletionGracePeriodSeconds
  if (grace !== undefined) metadata['deletionGracePeriodSeconds'] ??= grace
  return { ...draft, metadata } as unknown as KubeObject
}

function without(metadata: JsonObject, name: string): JsonObject {
  if (metadata[name] === undefined) return metadata
  const { [name]: _, ...rest } = metadata
  return rest
}

function withStatus<Of extends JsonObject>(next: Of, old: KubeObject | undefined): Of {
  const status = old?.['status']
  if (next['status'] === status) return next
  const { status: _, ...rest } = next
  return (status === undefined ? rest : { ...rest, status }) as Of
}

/** Anything but metadata and status that changed makes a new generation, unless the kind did. */
function withNextGeneration(kind: Kind, next: KubeObject, old: KubeObject): KubeObject {
  const { generation = 0 } = old.metadata
  if (next.metadata.generation !== old.metadata.generation) return next
  if (!isChanged(kind, next, old) && !isChanged(kind, old, next)) return next
  return { ...next, metadata: { ...next.metadata, generation: generation + 1 } }
}

/** Whether something of `one` is otherwise in `other`, metadata and status aside. */
function isChanged(kind: Kind, one: KubeObject, other: KubeObject): boolean {
  for (const key in one) {
    if (key === 'metadata' || (key === 'status' && kind.hasStatus)) continue
    if (one[key] !== other[key] && !equal(one[key], other[key])) return true
  }
  return false
}

function updateErrors(
  host: Host,
  { kind, request }: Call,
  next: KubeObject,
  old: KubeObject,
): readonly FieldError[] {
  const { rules } = host.options
  const own = ownErrors(kind, request.subresource, { next, old, rules })
  const common = [
    ...metadataErrors(next, kind, 'path-segment', old),
    ...metadataUpdateErrors(next, old),
  ]
  // The server judges metadata twice, once for all kinds and once in each kind's own rules.
  if (kind.judgesMetadata === true && request.subresource === undefined) return [...common, ...own]
  const again = common.length === 0 ? [] : metadataUpdateErrors(next, old)
  return [...common, ...again, ...finalizerErrors(next, kind), ...own]
}

interface Change {
  readonly next: KubeObject
  readonly old: KubeObject
  readonly rules: Rules
}

function ownErrors(
  kind: Kind,
  part: string | undefined,
  { next, old, rules }: Change,
): readonly FieldError[] {
  if (part === 'status') return kind.validateStatusUpdate?.(next, old, rules) ?? []
  return part === undefined ? (kind.validateUpdate?.(next, old, rules) ?? []) : []
}

function wrongUid(call: Call, uid: string, old: KubeObject | undefined): Refusal {
  const { kind, request } = call
  const name = request.name ?? ''
  const key = storageKey(kind, request)
  const is = old?.metadata.uid ?? ''
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${is}`
  return conflict(
    kind,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  )
}

function withoutVersion(object: JsonObject): JsonObject {
  const metadata = object['metadata']
  if (!isObject(metadata)) return object
  const { resourceVersion: _, ...rest } = metadata
  return { ...object, metadata: rest }
}
