import type { JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import { succeeded, type Answer, type Status } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Teller } from './causes.ts'
import { cleanupOf, hasDrifted, isSameForApply, MANAGER } from './cleanup.ts'
import { isMarked, keyOf, liveOf, shown, type Desired } from './objects.ts'
import type { Change, Clean } from './state.ts'

/** What the dry run of one object led to. */
export type Inspection =
  | { readonly kind: 'change'; readonly change: Change; readonly clean?: Clean }
  /** F-11: deleted for a replacement, and not gone yet. */
  | { readonly kind: 'deleting'; readonly live: KubeObject }
  | { readonly kind: 'fault'; readonly message: string }

export interface Applying {
  readonly io: Io<never>
  /** `spec.force`. */
  readonly forces: boolean
  readonly epoch: number
  readonly clean: ReadonlyMap<string, Clean>
  readonly tell: Teller
}

/**
 * F-8, F-9: one object before anything of its stage is written: skipped, unchanged, to be applied,
 * or in the way of all others.
 */
export function inspect(desired: Desired, applying: Applying): Inspection {
  const { io } = applying
  const live = liveOf(desired, io)
  if (isSkipped(desired.object, live)) return change(desired, 'skipped')
  const known = applying.clean.get(keyOf(desired) ?? '')
  if (known !== undefined && live !== undefined && isKnown(known, desired, live, applying.epoch)) {
    return { ...change(desired, 'unchanged'), clean: { ...known, live } }
  }
  const nowhere = misplaced(desired)
  if (nowhere !== undefined) return { kind: 'fault', message: nowhere }
  const answer = send(desired, io, true)
  if (succeeded(answer)) return compared(desired, live, answer, applying)
  if (
    live === undefined ||
    !isForced(desired.object, live, applying.forces) ||
    !isRefusal(answer)
  ) {
    return refused(desired, answer, applying)
  }
  return replace(desired, live, applying)
}

/** The second look at an object that was deleted for its successor, once it is gone. */
export function inspectSuccessor(
  desired: Desired,
  seen: KubeObject,
  applying: Applying,
): Inspection {
  const answer = send(desired, applying.io, true)
  if (!succeeded(answer)) return refused(desired, answer, applying)
  return compared(desired, seen, answer, applying)
}

/** Writes what the dry run showed; undefined when it worked. */
export function applyOne({ of: desired, action }: Change, applying: Applying): string | undefined {
  const { io, tell } = applying
  const answer = send(desired, io, false)
  if (!succeeded(answer)) {
    tell.refused('F-8', messageOf(answer), desired)
    return `${shown(desired)} apply failed: ${messageOf(answer)}`
  }
  tell.did(action === 'created' ? 'F-8' : 'F-9', `${action} ${desired.kind}`, desired)
  return undefined
}

function isSkipped(object: JsonObject, live: KubeObject | undefined): boolean {
  for (const one of [object, live]) {
    if (isMarked(one, 'reconcile', 'disabled') || isMarked(one, 'ssa', 'Ignore')) return true
  }
  return live !== undefined && isMarked(object, 'ssa', 'IfNotPresent')
}

function isKnown(known: Clean, { object }: Desired, live: KubeObject, epoch: number): boolean {
  return known.epoch === epoch && known.object === object && isSameForApply(known.live, live)
}

function isForced(object: JsonObject, live: KubeObject, forces: boolean): boolean {
  return forces || isMarked(object, 'force', 'enabled') || isMarked(live, 'force', 'enabled')
}

/** F-11: 409, any 422, or words about immutability. */
function isRefusal(answer: Answer): boolean {
  if (answer.code === 409 || answer.code === 422) return true
  return /is immutable|immutable field/.test(messageOf(answer))
}

/** DELETE in the background; a foreground deletion that is under way ends by it (trace 033). */
function replace(desired: Desired, live: KubeObject, applying: Applying): Inspection {
  const { io, tell } = applying
  const { served, namespace, name } = desired
  if (served === undefined) return { kind: 'fault', message: noMatch(desired) }
  const answer = io.request({
    verb: 'delete',
    resource: served,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    options: { propagationPolicy: 'Background' },
  })
  if (!succeeded(answer) && answer.code !== 404) {
    tell.refused('F-11', messageOf(answer), desired)
    const what = 'immutable field detected, failed to delete object'
    return { kind: 'fault', message: `${shown(desired)} ${what}: ${messageOf(answer)}` }
  }
  tell.did('F-11', `deleted ${desired.kind} to replace it`, desired)
  const left = liveOf(desired, io)
  return left === undefined
    ? inspectSuccessor(desired, live, applying)
    : { kind: 'deleting', live: left }
}

function compared(
  desired: Desired,
  live: KubeObject | undefined,
  answer: Answer & { readonly body: KubeObject },
  applying: Applying,
): Inspection {
  const cleaned = live === undefined ? false : cleanUp(desired, live, applying)
  if (typeof cleaned === 'string') return { kind: 'fault', message: cleaned }
  if (answer.code === 201 || live === undefined) return change(desired, 'created')
  if (cleaned || hasDrifted(live, answer.body)) return change(desired, 'configured')
  const clean = { object: desired.object, live, epoch: applying.epoch }
  return { ...change(desired, 'unchanged'), clean }
}

/** True when something was taken over; text when the server refused (trace 011). */
function cleanUp(desired: Desired, live: KubeObject, { io, tell }: Applying): boolean | string {
  if (isMarked(desired.object, 'ssa', 'Merge') || isMarked(live, 'ssa', 'Merge')) return false
  const operations = cleanupOf(live)
  if (operations.length === 0 || desired.served === undefined) return false
  const answer = io.request({
    verb: 'patch',
    resource: desired.served,
    ...(desired.namespace === undefined ? {} : { namespace: desired.namespace }),
    name: desired.name,
    patch: { type: 'json', body: operations },
    options: { fieldManager: MANAGER },
  })
  if (succeeded(answer)) {
    tell.did('F-12', `took over fields of ${desired.kind}`, desired)
    return true
  }
  tell.refused('F-12', messageOf(answer), desired)
  return `${shown(desired)} metadata.managedFields cleanup failed: ${messageOf(answer)}`
}

function send(desired: Desired, io: Io<never>, dryRun: boolean): Answer {
  const { served, namespace, name, object } = desired
  if (served === undefined) throw new Error(noMatch(desired))
  return io.request({
    verb: 'patch',
    resource: served,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    patch: { type: 'apply', body: object },
    options: { fieldManager: MANAGER, force: true, ...(dryRun ? { dryRun } : {}) },
  })
}

/** What has no address gets no request (trace 053). */
function misplaced(desired: Desired): string | undefined {
  const { served, namespace } = desired
  if (served === undefined) return `${shown(desired)} dry-run failed: ${noMatch(desired)}`
  if (!served.namespaced || namespace !== undefined) return undefined
  const what = 'the server could not find the requested resource'
  return `${shown(desired)} namespace not specified: ${what}`
}

function noMatch({ kind, apiVersion }: Desired): string {
  return `no matches for kind "${kind}" in version "${apiVersion}"`
}

/** One refusal, and nothing of the stage is applied (F-8). */
function refused(desired: Desired, answer: Answer, { tell }: Applying): Inspection {
  tell.refused('F-8', messageOf(answer), desired)
  return { kind: 'fault', message: dryRunFault(desired, answer) }
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

function change(of: Desired, action: Change['action']): Inspection & { readonly kind: 'change' } {
  return { kind: 'change', change: { of, action } }
}
