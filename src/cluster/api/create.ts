import { isList, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { randomSuffix } from '../chance.ts'
import { fields } from '../fields/index.ts'
import type { KubeObject, ManagedFieldsEntry, OwnerReference } from '../object.ts'
import { timestamp } from '../time.ts'
import { mutate, validate } from './admission-chain.ts'
import { readBody } from './body.ts'
import type { Call, Host, Result } from './host.ts'
import { inNamespace, metadataOf, withMetadata } from './identity.ts'
import { finalizerErrors, metadataErrors } from './metadata.ts'
import { writeOptionsFault } from './options.ts'
import { withoutDuplicates } from './owner-references.ts'
import {
  alreadyExists,
  failure,
  forbidden,
  generateNameConflict,
  invalid,
  Refusal,
} from './status.ts'
import { DEFINITIONS } from './well-known.ts'
import { typeOf } from './types.ts'
import { newUid } from './uid.ts'

/** How often a taken generated name is drawn again. */
const NAME_ATTEMPTS = 8
const SUFFIX_LENGTH = 5
/** A generated name is cut so that prefix and suffix have 63 characters. */
const PREFIX_LIMIT = 63 - SUFFIX_LENGTH

/** POST of an object. */
export function create(host: Host, call: Call): Result | Refusal {
  const fault = writeOptionsFault('CreateOptions', call.request.options, false)
  if (fault !== undefined) return fault
  const body = readBody(host, call)
  if (body instanceof Refusal) return body
  const placed = inNamespace(call, withoutSystemFields(body))
  if (placed instanceof Refusal) return placed
  const owned = deduplicated(call, placed, false)
  const managedFields = fields.updateManagers({
    before: undefined,
    after: owned,
    type: typeOf(call.kind),
    manager: managerOf(call),
    hasStatus: call.kind.hasStatus,
    now: call.now,
  })
  const created = admitAndStore(host, call, owned, managedFields)
  return created instanceof Refusal ? created : { code: 201, body: created }
}

/** The manager of a write that names none: who asks, as the real server takes the user agent. */
export function managerOf({ request }: Call): string {
  const { fieldManager } = request.options ?? {}
  if (fieldManager !== undefined && fieldManager !== '') return fieldManager
  return request.user.split('/')[0] ?? ''
}

/** What only the server writes is dropped from what a client sends. */
function withoutSystemFields(object: JsonObject): JsonObject {
  const metadata = metadataOf(object)
  if (SYSTEM_FIELDS.every((name) => metadata[name] === undefined)) return object
  const kept: { [name: string]: Json | undefined } = {}
  for (const name in metadata) if (!SYSTEM_FIELDS.includes(name)) kept[name] = metadata[name]
  return withMetadata(object, kept)
}

const SYSTEM_FIELDS = [
  'creationTimestamp',
  'uid',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
]

export function deduplicated(
  call: Call,
  object: JsonObject,
  isAfterAdmission: boolean,
): JsonObject {
  const metadata = metadataOf(object)
  const owners = metadata['ownerReferences']
  if (!isList(owners) || owners.length < 2) return object
  const kept = withoutDuplicates(owners as readonly OwnerReference[], isAfterAdmission)
  if (kept.warning === undefined) return object
  call.warnings.push(kept.warning)
  return withMetadata(object, { ...metadata, ownerReferences: kept.owners })
}

/** The way of a new object from mutating admission into the store; also of creates by apply. */
export function admitAndStore(
  host: Host,
  call: Call,
  object: JsonObject,
  managedFields: readonly ManagedFieldsEntry[],
): KubeObject | Refusal {
  const { request } = call
  const dryRun = request.options?.dryRun === true
  const name = request.name ?? stringAt(object, ['metadata', 'name']) ?? ''
  const managed = withManagers(object, managedFields) as KubeObject
  const closed = terminatingFault(host, call, name)
  if (closed !== undefined) return closed
  const admitted = mutate(host, call, { operation: 'CREATE', name, object: managed, dryRun })
  if (admitted instanceof Refusal) return admitted
  const owned = deduplicated(call, admitted ?? managed, true)
  const attempts = needsName(owned) ? NAME_ATTEMPTS : 1
  const { length } = call.warnings
  let stored: KubeObject | Refusal = prepareAndStore(host, call, owned)
  for (let attempt = 1; attempt < attempts && isTaken(stored); attempt += 1) {
    call.warnings.length = length
    stored = prepareAndStore(host, call, owned)
  }
  return stored
}

/** Nothing new of a kind whose definition is being deleted. */
function terminatingFault(host: Host, { kind }: Call, name: string): Refusal | undefined {
  if (kind.schema === undefined) return undefined
  const definition = host.store.get(DEFINITIONS, undefined, `${kind.resource}.${kind.group}`)
  if (definition?.metadata.deletionTimestamp === undefined) return undefined
  const why = 'create not allowed while custom resource definition is terminating'
  return forbidden(kind, name, why)
}

function isTaken(stored: KubeObject | Refusal): boolean {
  return stored instanceof Refusal && stored.status.reason === 'AlreadyExists'
}

function needsName(object: JsonObject): boolean {
  const { name, generateName } = metadataOf(object)
  return isEmpty(name) && !isEmpty(generateName)
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === ''
}

function prepareAndStore(host: Host, call: Call, draft: JsonObject): KubeObject | Refusal {
  const { kind, request } = call
  const { rules } = host.options
  const isGenerated = !isEmpty(metadataOf(draft)['generateName'])
  const named = withSystemFields(host, call, draft)
  const object = kind.prepareForCreate?.(named, rules) ?? named
  const { name, namespace, resourceVersion } = object.metadata
  const errors = createErrors(host, call, object)
  if (errors.length > 0) return invalid(kind, name, errors)
  call.warnings.push(...(kind.warnings?.(object, undefined, rules) ?? []))
  const dryRun = request.options?.dryRun === true
  const refused = validate(host, call, { operation: 'CREATE', name, object, dryRun })
  if (refused !== undefined) return refused
  // A dry run asks the store only whether the name is taken.
  if (!dryRun && /^[1-9]\d*$/.test(resourceVersion) && request.verb === 'create') {
    return failure(500, undefined, 'resourceVersion should not be set on objects to be created')
  }
  const there = host.store.get(kind, namespace, name)
  if (there !== undefined) {
    const prefix = there.metadata.deletionTimestamp === undefined ? '' : 'object is being deleted: '
    // Also for a name that was given: a generateName beside it is enough.
    if (isGenerated) return generateNameConflict(kind, name, prefix)
    return alreadyExists(kind, name, prefix)
  }
  if (dryRun) return withoutVersion(object)
  return host.store.put(kind, object, undefined)
}

function createErrors(
  host: Host,
  { kind }: Call,
  object: KubeObject,
): ReturnType<typeof metadataErrors> {
  const own = kind.validateCreate?.(object, host.options.rules) ?? []
  const errors = [
    ...metadataErrors(object, kind, kind.nameRule),
    ...finalizerErrors(object, kind),
    ...own,
  ]
  return errors.length > 0 ? errors : metadataErrors(object, kind, 'path-segment')
}

function withSystemFields(host: Host, { kind, request, now }: Call, draft: JsonObject): KubeObject {
  const given = metadataOf(draft)
  const { namespace } = request
  const generated = (stringAt(given, ['generateName']) ?? '').slice(0, PREFIX_LIMIT)
  const name = needsName(draft)
    ? `${generated}${randomSuffix(host.chance, SUFFIX_LENGTH)}`
    : (stringAt(given, ['name']) ?? '')
  return {
    ...draft,
    metadata: {
      ...given,
      name,
      ...(kind.namespaced && namespace !== undefined ? { namespace } : {}),
      uid: newUid(host.chance),
      resourceVersion: stringAt(given, ['resourceVersion']) ?? '',
      ...(kind.hasGeneration ? { generation: 1 } : {}),
      creationTimestamp: timestamp(now),
    },
  } as unknown as KubeObject
}

export function withManagers(
  object: JsonObject,
  managedFields: readonly ManagedFieldsEntry[],
): JsonObject {
  const metadata = metadataOf(object)
  if (metadata['managedFields'] === managedFields) return object
  if (managedFields.length === 0) {
    if (metadata['managedFields'] === undefined) return object
    const { managedFields: _, ...rest } = metadata
    return withMetadata(object, rest)
  }
  return withMetadata(object, { ...metadata, managedFields })
}

/** A dry run gives no version; one that was sent is shown. */
function withoutVersion(object: KubeObject): KubeObject {
  if (object.metadata.resourceVersion !== '') return object
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata } as KubeObject
}
