import { at, isObject, listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import { succeeded, type Answer, type Status } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { cleanupOf, hasDrifted, type CleanupRules } from '../kustomize-controller/cleanup.ts'
import {
  groupOf,
  inventoryId,
  liveOf,
  shown,
  type Desired,
} from '../kustomize-controller/objects.ts'
import { inOrder } from '../kustomize-controller/order.ts'
import type { KindFinder } from '../kinds.ts'
import { placeIn, tell, tellRefusal, type Round } from './causes.ts'
import { MANAGER, OWNER } from './kinds.ts'
import { isMarked, recreatesOnFailure } from './settings.ts'
import type { Entry } from './state.ts'
import { kstatus } from '../../health/index.ts'

/** Fields that people and Helm own are taken over, so that the apply removes what nobody declares. */
const CLEANUP: CleanupRules = {
  manager: MANAGER,
  annotations: [
    'kubectl.kubernetes.io/last-applied-configuration',
    'meta.helm.sh/release-name',
    'meta.helm.sh/release-namespace',
  ],
  labels: ['kustomize.toolkit.fluxcd.io/name', 'kustomize.toolkit.fluxcd.io/namespace'],
  takesAll: ['kubectl', 'helm'],
  takesUpdates: ['before-first-apply', MANAGER],
}

export type Inspection =
  | { readonly kind: 'change'; readonly action: 'created' | 'configured' | 'unchanged' }
  /** O-9: deleted for a replacement, and not gone yet. */
  | { readonly kind: 'deleting'; readonly uid: string }
  | { readonly kind: 'fault'; readonly message: string }

/** The dry run of one object before anything of its stage is written (O-6). */
export function inspect(
  desired: Desired,
  forces: boolean,
  round: Round,
  io: Io<never>,
): Inspection {
  const refused = misplaced(desired)
  if (refused !== undefined) return { kind: 'fault', message: refused }
  const live = liveOf(desired, io)
  const answer = send(desired, io, true)
  if (succeeded(answer)) return compared(desired, live, answer, io)
  if (live === undefined || !isForced(desired.object, live, forces) || !isRefusal(answer)) {
    tellRefusal(round, desired, 'O-6', messageOf(answer), io)
    return { kind: 'fault', message: dryRunFault(desired, answer) }
  }
  return replace(desired, live, round, io)
}

/** Writes what the dry run showed; text when the server refused. */
export function applyOne(
  desired: Desired,
  action: 'created' | 'configured' | 'unchanged',
  round: Round,
  io: Io<never>,
): string | undefined {
  const answer = send(desired, io, false)
  if (!succeeded(answer)) {
    tellRefusal(round, desired, 'O-6', messageOf(answer), io)
    return `${shown(desired)} apply failed: ${messageOf(answer)}`
  }
  const effect = `${action === 'created' ? 'created' : 'patched'} ${desired.kind}`
  tell(round, { rule: 'O-6', effect, object: placeIn(desired) }, io)
  return undefined
}

/** O-9: the annotation counts on the live object alone, too (trace flux-operator/017). */
function isForced(object: JsonObject, live: KubeObject, forces: boolean): boolean {
  return forces || isMarked(object, 'force', 'enabled') || isMarked(live, 'force', 'enabled')
}

/** F-11: 409, any 422, or words about immutability. */
function isRefusal(answer: Answer): boolean {
  if (answer.code === 409 || answer.code === 422) return true
  return /is immutable|immutable field/.test(messageOf(answer))
}

function replace(desired: Desired, live: KubeObject, round: Round, io: Io<never>): Inspection {
  const answer = remove(desired, io)
  if (!succeeded(answer) && answer.code !== 404) {
    const what = 'immutable field detected, failed to delete object'
    tellRefusal(round, desired, 'O-9', messageOf(answer), io)
    return { kind: 'fault', message: `${shown(desired)} ${what}: ${messageOf(answer)}` }
  }
  const effect = `deleted ${desired.kind} to replace it`
  tell(round, { rule: 'O-9', effect, object: placeIn(desired) }, io)
  const left = liveOf(desired, io)
  if (left !== undefined) return { kind: 'deleting', uid: left.metadata.uid }
  const again = send(desired, io, true)
  if (!succeeded(again)) {
    tellRefusal(round, desired, 'O-9', messageOf(again), io)
    return { kind: 'fault', message: dryRunFault(desired, again) }
  }
  return compared(desired, live, again, io)
}

function remove({ served, namespace, name }: Desired, io: Io<never>): Answer {
  return io.request({
    verb: 'delete',
    resource: served ?? { group: '', version: '', resource: '' },
    ...(namespace === undefined ? {} : { namespace }),
    name,
    options: { propagationPolicy: 'Background' },
  })
}

function compared(
  desired: Desired,
  live: KubeObject | undefined,
  answer: Answer & { readonly body: KubeObject },
  io: Io<never>,
): Inspection {
  const cleaned = live === undefined ? false : cleanUp(desired, live, io)
  if (typeof cleaned === 'string') return { kind: 'fault', message: cleaned }
  if (answer.code === 201 || live === undefined) return { kind: 'change', action: 'created' }
  if (cleaned || hasDrifted(live, answer.body)) return { kind: 'change', action: 'configured' }
  return { kind: 'change', action: 'unchanged' }
}

function cleanUp(desired: Desired, live: KubeObject, io: Io<never>): boolean | string {
  const operations = cleanupOf(live, CLEANUP)
  if (operations.length === 0 || desired.served === undefined) return false
  const answer = io.request({
    verb: 'patch',
    resource: desired.served,
    ...(desired.namespace === undefined ? {} : { namespace: desired.namespace }),
    name: desired.name,
    patch: { type: 'json', body: operations },
    options: { fieldManager: MANAGER },
  })
  if (succeeded(answer)) return true
  return `${shown(desired)} metadata.managedFields cleanup failed: ${messageOf(answer)}`
}

function send(
  { served, namespace, name, object }: Desired,
  io: Io<never>,
  dryRun: boolean,
): Answer {
  return io.request({
    verb: 'patch',
    resource: served ?? { group: '', version: '', resource: '' },
    ...(namespace === undefined ? {} : { namespace }),
    name,
    patch: { type: 'apply', body: object },
    options: { fieldManager: MANAGER, force: true, ...(dryRun ? { dryRun } : {}) },
  })
}

function misplaced(desired: Desired): string | undefined {
  const { served, namespace, kind, apiVersion } = desired
  if (served === undefined) {
    const what = `no matches for kind "${kind}" in version "${apiVersion}"`
    return `${shown(desired)} dry-run failed: ${what}`
  }
  if (!served.namespaced || namespace !== undefined) return undefined
  const what = 'the server could not find the requested resource'
  return `${shown(desired)} namespace not specified: ${what}`
}

function dryRunFault(desired: Desired, answer: Answer): string {
  const message = messageOf(answer)
  if (answer.code === 404) return `${shown(desired)} not found: ${message}`
  const { reason } = answer.body as Status
  const why = reason === undefined || reason === '' ? '' : ` (${reason})`
  return `${shown(desired)} dry-run failed${why}: ${message}`
}

function messageOf(answer: Answer): string {
  return (answer.body as Status).message ?? `code ${answer.code}`
}

/**
 * O-10: deletes the failed Jobs of a step that may be run again and that carry the set's labels;
 * one that is being deleted already no longer counts as failed (trace flux-operator/032).
 */
export function deleteFailed(
  objects: readonly Desired[],
  set: KubeObject,
  round: Round,
  io: Io<never>,
): readonly KubeObject[] | string {
  const deleted: KubeObject[] = []
  for (const desired of objects) {
    const { served, namespace, name } = desired
    if (served === undefined || !recreatesOnFailure(desired.object)) continue
    const live = liveOf(desired, io)
    if (live === undefined || kstatus(live).status !== 'Failed' || !isOwned(live, set)) continue
    const answer = io.request({
      verb: 'delete',
      resource: served,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      body: { propagationPolicy: 'Foreground', preconditions: { uid: live.metadata.uid } },
    })
    if (!succeeded(answer)) {
      tellRefusal(round, desired, 'O-10', messageOf(answer), io)
      return `failed to delete failed Job ${shown(desired)}: ${messageOf(answer)}`
    }
    const effect = 'deleted failed Job to run it again'
    const data = { race: GONE_AT_ONCE }
    tell(round, { rule: 'O-10', effect, object: placeIn(desired), data }, io)
    deleted.push(live)
  }
  return deleted
}

/** O-10, 14 of 15 recordings. */
const GONE_AT_ONCE =
  'in one of 15 recordings the garbage collector was faster than the first look: then the new Job ' +
  'comes at once, and not 5 s later'

function isOwned({ metadata }: KubeObject, set: KubeObject): boolean {
  return (
    metadata.labels?.[`${OWNER}/name`] === set.metadata.name &&
    metadata.labels[`${OWNER}/namespace`] === (set.metadata.namespace ?? '')
  )
}

/** What the last reconcile applied, as the status holds it. */
export function inventoryOf(set: KubeObject): readonly Entry[] {
  return listAt(set, ['status', 'inventory', 'entries']).flatMap((entry) => {
    const id = stringAt(entry, ['id']) ?? ''
    const [, namespace, name, group, kind] = /^([^_]*)_(.*)_([^_]*)_([^_]*)$/.exec(id) ?? []
    if (name === undefined || kind === undefined) return []
    const version = stringAt(entry, ['v']) ?? 'v1'
    const apiVersion = group === '' ? version : `${group}/${version}`
    return [{ id, apiVersion, kind, namespace: namespace === '' ? undefined : namespace, name }]
  })
}

export function entryOf({ apiVersion, kind, namespace, name }: Desired): Entry {
  const identity = { apiVersion, kind, namespace, name }
  return { ...identity, id: inventoryId(identity) }
}

export interface Collecting {
  readonly set: KubeObject
  readonly find: KindFinder
  readonly round: Round
  /** O-3: the set is deleted; O-5: it has no inputs; O-8: it no longer has them. */
  readonly rule: 'O-3' | 'O-5' | 'O-8'
}

/** O-8: Background, owner labels must match, `prune: disabled` keeps; text when one was refused. */
export function collect(
  stale: readonly Entry[],
  { set, find, round, rule }: Collecting,
  io: Io<never>,
): string | undefined {
  const isFlux = (entry: Entry): boolean => /^(kustomize|helm)\./.test(groupOf(entry))
  const faults: string[] = []
  for (const entry of ordered(stale, isFlux)) {
    const served = find(entry.apiVersion, entry.kind, io.read)
    if (served === undefined) continue
    const live = io.read.get(served, entry.namespace, entry.name)
    if (live === undefined || !isOwned(live, set) || isMarked(live, 'prune', 'disabled')) continue
    const { namespace, name } = entry
    const policy = { options: { propagationPolicy: 'Background' as const } }
    const place = { resource: served, ...(namespace === undefined ? {} : { namespace }), name }
    const answer = io.request({ verb: 'delete', ...place, ...policy })
    if (!succeeded(answer) && answer.code !== 404) {
      tellRefusal(round, entry, rule, messageOf(answer), io)
      faults.push(`${shown(entry)} delete failed: ${messageOf(answer)}`)
      continue
    }
    const effect = `${rule === 'O-3' ? 'deleted' : 'pruned'} ${entry.kind}`
    tell(round, { rule, effect, object: placeIn(entry) }, io)
  }
  return faults.length === 0 ? undefined : `delete failed, errors: ${faults.join('; ')}`
}

/** Flux objects first; within a group the reverse of the order in which they are applied. */
function ordered(entries: readonly Entry[], isFirst: (entry: Entry) => boolean): readonly Entry[] {
  const inReverse = (some: readonly Entry[]): readonly Entry[] => inOrder(some).toReversed()
  return [
    ...inReverse(entries.filter(isFirst)),
    ...inReverse(entries.filter((entry) => !isFirst(entry))),
  ]
}

/** Whether an object's condition of that type is `True`. */
export function isReady(object: JsonObject): boolean {
  const observed = at(object, ['status', 'observedGeneration'])
  return (
    observed === at(object, ['metadata', 'generation']) &&
    listAt(object, ['status', 'conditions']).some(
      (one) => isObject(one) && one['type'] === 'Ready' && one['status'] === 'True',
    )
  )
}
