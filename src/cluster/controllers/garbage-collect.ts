import type { JsonObject } from '../../core/json.ts'
import type { Cause, Io } from '../actor.ts'
import { succeeded, type Answer, type PatchType } from '../api/request.ts'
import { calledOf, type OwnerReference } from '../object.ts'
import {
  FOREGROUND,
  hasFinalizer,
  isBeingDeleted,
  isDeletingDependents,
  leadsTo,
  ORPHAN,
  type KnownKinds,
  type Row,
} from './garbage-owners.ts'

export const GARBAGE_COLLECTOR = 'generic-garbage-collector'

type GarbageIo = Pick<Io<never>, 'now' | 'read' | 'request' | 'cause'>

export interface Collecting {
  readonly io: GarbageIo
  readonly known: KnownKinds
  /** Judges another object after this one. */
  readonly again: (uid: string) => void
}

/**
 * Judges one object; false when something was refused and is to be tried again.
 * - One that waits for its dependents: the blocking ones are judged, and without any it is let go.
 * - One with an owner that stays: references to owners that are gone or going are taken off.
 * - One whose owners are all gone or going is deleted: with its own dependents first when an owner
 *   waits for it and it has some, else as its finalizers say, else in the background.
 */
export function collect(collecting: Collecting, row: Row): boolean {
  const { io, known } = collecting
  const { object } = row
  if (isDeletingDependents(object)) return release(collecting, row)
  if (isBeingDeleted(object)) return true
  const owners = object.metadata.ownerReferences ?? []
  if (owners.length === 0) return true
  const gone: OwnerReference[] = []
  let isAwaited = false
  let hasOwner = false
  for (const reference of owners) {
    const leads = leadsTo(io, known, { reference, dependent: object })
    if (leads === 'unclear') return true
    if (leads === 'there') hasOwner = true
    else gone.push(reference)
    if (leads === 'waits') isAwaited = true
  }
  if (hasOwner) return gone.length === 0 || disown(io, row, gone)
  const dependents = isAwaited ? io.read.dependents(object.metadata.uid) : []
  const owner = gone[0]
  if (dependents.length === 0)
    return deleteRow(io, row, { policy: policyOf(row), owner, isAwaited })
  const isCycle = dependents.some((dependent) => isDeletingDependents(dependent.object))
  if (isCycle && !unblock(io, row)) return false
  return deleteRow(io, row, { policy: 'Foreground', owner, isAwaited })
}

/** K-52: only dependents that block are waited for. */
function release({ io, again }: Collecting, row: Row): boolean {
  const { uid } = row.object.metadata
  const blocking = io.read.dependents(uid).filter(({ object }) => blocks(object.metadata, uid))
  if (blocking.length === 0) return removeFinalizer(io, row, FOREGROUND)
  for (const { object } of blocking) {
    if (!isDeletingDependents(object) && !isBeingDeleted(object)) again(object.metadata.uid)
  }
  return true
}

function blocks({ ownerReferences }: Row['object']['metadata'], uid: string): boolean {
  const reference = ownerReferences?.find((owner) => owner.uid === uid)
  return reference?.blockOwnerDeletion === true
}

function policyOf({ object }: Row): Policy {
  if (hasFinalizer(object, ORPHAN)) return 'Orphan'
  return hasFinalizer(object, FOREGROUND) ? 'Foreground' : 'Background'
}

type Policy = 'Background' | 'Foreground' | 'Orphan'

/** Only the object that was judged, in the state in which it was judged. */
function deleteRow(
  io: GarbageIo,
  row: Row,
  how: {
    readonly policy: Policy
    readonly owner: OwnerReference | undefined
    /** The owner is still there, and waits for this object to go. */
    readonly isAwaited: boolean
  },
): boolean {
  const { policy: propagationPolicy, owner, isAwaited } = how
  const { uid, namespace, resourceVersion } = row.object.metadata
  const preconditions = { uid, resourceVersion }
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions, propagationPolicy }
  const answer = io.request({ verb: 'delete', ...addressOf(row), body })
  if (!succeeded(answer)) return answer.code === 404
  const whose = owner === undefined ? 'its owner' : ownerText(owner, namespace)
  const words = `${whose} ${isAwaited ? 'is being deleted with all that it owns' : 'is gone'}`
  note(io, row, {
    rule: 'K-51',
    effect: `deleted ${row.object.kind}`,
    trigger: { kind: 'watch', words },
  })
  return true
}

/** A cluster-wide owner cannot be told from one in the same namespace by its reference. */
function ownerText({ kind, name }: OwnerReference, namespace: string | undefined): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`
}

function disown(io: GarbageIo, row: Row, gone: readonly OwnerReference[]): boolean {
  const uids = new Set(gone.map(({ uid }) => uid))
  const list = [...uids].map((uid) => ({ $patch: 'delete', uid }))
  const kept = (row.object.metadata.ownerReferences ?? []).filter(({ uid }) => !uids.has(uid))
  if (!changeOwners(io, row, { list, kept })) return false
  note(io, row, { rule: 'K-53', effect: 'took off owner references' })
  return true
}

/** A circle of owners would wait for itself. */
function unblock(io: GarbageIo, row: Row): boolean {
  const owners = row.object.metadata.ownerReferences ?? []
  const kept = owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }))
  const list = kept.filter((_, at) => owners[at]?.blockOwnerDeletion === true)
  return changeOwners(io, row, { list, kept })
}

interface OwnersPatch {
  /** As a strategic patch says it; and as a list, for kinds that have no strategic patch. */
  readonly list: readonly JsonObject[]
  readonly kept: readonly OwnerReference[]
}

function changeOwners(io: GarbageIo, row: Row, { list, kept }: OwnersPatch): boolean {
  const { uid, resourceVersion } = row.object.metadata
  const first = patch(io, row, 'strategic', { ownerReferences: list, uid })
  if (first.code !== 415) return succeeded(first) || first.code === 404
  const ownerReferences = kept.length === 0 ? null : kept
  return succeeded(patch(io, row, 'merge', { resourceVersion, ownerReferences }))
}

/** K-54: all dependents lose the reference, then the owner is let go. */
export function orphanDependents(io: GarbageIo, row: Row): boolean {
  if (!isBeingDeleted(row.object) || !hasFinalizer(row.object, ORPHAN)) return true
  const { uid } = row.object.metadata
  for (const dependent of io.read.dependents(uid)) {
    const own = dependent.object.metadata.ownerReferences?.filter((owner) => owner.uid === uid)
    if (!disown(io, dependent, own ?? [])) return false
  }
  const fresh = io.read.byUid(uid)
  return fresh === undefined || removeFinalizer(io, fresh, ORPHAN)
}

function removeFinalizer(io: GarbageIo, row: Row, finalizer: string): boolean {
  const { finalizers = [], resourceVersion } = row.object.metadata
  const kept = finalizers.filter((other) => other !== finalizer)
  const list = kept.length === 0 ? null : kept
  const answer = patch(io, row, 'merge', { resourceVersion, finalizers: list })
  if (!succeeded(answer)) return answer.code === 404
  const rule = finalizer === ORPHAN ? 'K-54' : 'K-52'
  note(io, row, { rule, effect: `let ${row.object.kind} go` })
  return true
}

function patch(io: GarbageIo, row: Row, type: PatchType, metadata: JsonObject): Answer {
  return io.request({
    verb: 'patch',
    ...addressOf(row),
    patch: { type, body: { metadata } },
    options: { fieldManager: 'kube-controller-manager' },
  })
}

function addressOf({ resource, object }: Row): {
  readonly resource: Row['resource']
  readonly name: string
  readonly namespace?: string
} {
  const { name, namespace } = object.metadata
  return namespace === undefined ? { resource, name } : { resource, name, namespace }
}

function note(
  io: GarbageIo,
  { object }: Row,
  what: Pick<Cause, 'rule' | 'effect' | 'trigger'>,
): void {
  io.cause({ at: io.now, actor: GARBAGE_COLLECTOR, ...what, object: calledOf(object) })
}
