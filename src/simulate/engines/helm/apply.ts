import type { JsonObject } from '../../../core/json.ts'
import { annotationOf } from '../../../engines/metadata.ts'
import type { Io } from '../../../cluster/actor.ts'
import { succeeded } from '../../../cluster/api/request.ts'
import { threeWayPatch } from '../../../cluster/clients/kubectl/three-way.ts'
import { apiVersionOf } from '../../../cluster/api/registry.ts'
import { typeOf } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { tell, tellRefusal, type Doer, type Reason } from './causes.ts'
import type { HelmVersion } from './contract.ts'
import { migrateManagers } from './migrate-managers.ts'
import { isSame, liveOf, messageOf, NAMELESS, placeOf, USER, type Target } from './objects.ts'

export interface Applying {
  readonly version: HelmVersion
  readonly serverSide: boolean
  readonly migratesManagers: boolean
  readonly forceConflicts: boolean
  readonly forceReplace: boolean
  readonly fieldManager: string
  readonly doer: Doer
}

/** By which rule, and what else is worth knowing of it. */
export type Why = Pick<Reason, 'rule' | 'data'>

export interface Applied {
  readonly created: readonly Target[]
  readonly error?: string
}

const POLICY = 'helm.sh/resource-policy'

/** Creates all of them; errors are collected. With server-side apply what is there is patched (H-6). */
export function createAll(
  targets: readonly Target[],
  how: Applying,
  io: Io<never>,
  why: Why = { rule: 'H-7' },
): Applied {
  const errors: string[] = []
  const created: Target[] = []
  for (const target of targets) {
    const error = createOne(target, how, io, why)
    if (error === undefined) created.push(target)
    else errors.push(error)
  }
  if (errors.length === 0) return { created }
  return { created, error: joined(errors, how.version) }
}

/** Helm 3 counts and lists what Helm 4 writes line by line. */
export function joined(errors: readonly string[], { major }: HelmVersion): string {
  if (major === 4) return errors.join('\n')
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`
  return `${count} occurred:\n${errors.map((error) => `\t* ${error}\n`).join('')}\n`
}

function createOne(target: Target, how: Applying, io: Io<never>, why: Why): string | undefined {
  if (how.serverSide) return applyOne(target, how, io, why)
  const { name: _, ...folder } = placeOf(target)
  const options = { fieldManager: how.fieldManager }
  const answer = io.request({ verb: 'create', user: USER, ...folder, body: target.object, options })
  const reason = { ...how.doer, ...why }
  if (succeeded(answer)) {
    tell(`created ${target.kind.kind}`, target, reason, io)
    return undefined
  }
  const message = messageOf(answer)
  tellRefusal(message, target, reason, io)
  return message
}

/** One apply patch, whether anything differs or not. */
function applyOne(target: Target, how: Applying, io: Io<never>, why: Why): string | undefined {
  if (target.name === '') return NAMELESS
  const before = liveOf(target, io)
  const answer = io.request({
    verb: 'patch',
    user: USER,
    ...placeOf(target),
    patch: { type: 'apply', body: target.object },
    options: { fieldManager: how.fieldManager, force: how.forceConflicts },
  })
  const reason = { ...how.doer, ...why }
  if (succeeded(answer)) {
    tellApplied(before, answer.body, target, reason, io)
    return undefined
  }
  const message = messageOf(answer)
  tellRefusal(message, target, reason, io)
  const place = `${target.namespace ?? ''}/${target.name}`
  const object = `${place} ${apiVersionOf(target.kind)}, Kind=${target.kind.kind}`
  if (answer.code === 409) {
    return `conflict occurred while applying object ${object}: ${message}`
  }
  // Helm 4.1 passes the server's words on as they are.
  const isPlain = how.version.minor < 2
  return isPlain ? message : `server-side apply failed for object ${object}: ${message}`
}

/** A hook onto which Helm applies what it is already does not run: that is worth a word (H-3). */
function tellApplied(
  before: KubeObject | undefined,
  after: KubeObject,
  target: Target,
  reason: Reason,
  io: Io<never>,
): void {
  const { kind } = target.kind
  if (before === undefined) return tell(`created ${kind}`, target, reason, io)
  if (before.metadata.resourceVersion !== after.metadata.resourceVersion) {
    return tell(`patched ${kind}`, target, reason, io)
  }
  if (reason.data?.['hook'] === undefined) return undefined
  return tell(`left ${kind} as it was`, target, { ...reason, rule: 'H-3' }, io)
}

/**
 * H-7: objects in their order; absent ones are created, and a refusal there ends it; what an update
 * meets is collected while the others go on. Only without any error what was dropped is deleted.
 */
export function updateAll(
  current: readonly Target[],
  targets: readonly Target[],
  how: Applying,
  io: Io<never>,
): Applied {
  const created: Target[] = []
  const errors: string[] = []
  for (const target of targets) {
    if (target.name === '') {
      return { created, error: `could not get information about the resource: ${NAMELESS}` }
    }
    const live = liveOf(target, io)
    if (live === undefined) {
      created.push(target)
      const error = createOne(target, how, io, { rule: 'H-7' })
      if (error !== undefined) return { created, error: `failed to create resource: ${error}` }
      continue
    }
    const original = current.find((one) => isSame(one, target))
    if (original === undefined && how.version.major === 3) {
      return { created, error: `no ${target.kind.kind} with the name "${target.name}" found` }
    }
    const error = updateOne(original ?? target, target, live, how, io)
    if (error !== undefined) errors.push(error)
  }
  if (errors.length > 0) return { created, error: errors.join(' && ') }
  for (const target of current) {
    if (!targets.some((one) => isSame(one, target))) removeDropped(target, how, io)
  }
  return { created }
}

function updateOne(
  original: Target,
  target: Target,
  live: KubeObject,
  how: Applying,
  io: Io<never>,
): string | undefined {
  if (how.forceReplace) return replaceOne(target, live, how, io)
  if (how.serverSide) {
    if (how.migratesManagers) migrateManagers(target, live, how.fieldManager, io)
    return applyOne(target, how, io, { rule: 'H-10' })
  }
  return patchOne(original, target, live, how, io)
}

/** H-8: old manifest, new manifest and the live object; an empty patch is not sent. */
function patchOne(
  original: Target,
  target: Target,
  live: KubeObject,
  { fieldManager, doer }: Applying,
  io: Io<never>,
): string | undefined {
  const { type: name } = target.kind
  const type = name === undefined ? undefined : typeOf(name)
  // Custom resources: only what differs between the manifests, whatever the live object says.
  const base: JsonObject = type === undefined ? original.object : live
  const patch = threeWayPatch(original.object, target.object, base, type)
  if (Object.keys(patch).length === 0) return undefined
  const answer = io.request({
    verb: 'patch',
    user: USER,
    ...placeOf(target),
    patch: { type: type === undefined ? 'merge' : 'strategic', body: patch },
    options: { fieldManager },
  })
  const reason = { ...doer, rule: 'H-8' }
  if (succeeded(answer)) {
    tell(`patched ${target.kind.kind}`, target, reason, io)
    return undefined
  }
  const message = messageOf(answer)
  tellRefusal(message, target, reason, io)
  return `cannot patch "${target.name}" with kind ${target.kind.kind}: ${message}`
}

/** H-9: a PUT, which every existing Job refuses, changed or not (K-10). */
function replaceOne(
  target: Target,
  live: KubeObject,
  { fieldManager, doer }: Applying,
  io: Io<never>,
): string | undefined {
  const { resourceVersion } = live.metadata
  const metadata = { ...(target.object['metadata'] as JsonObject), resourceVersion }
  const answer = io.request({
    verb: 'update',
    user: USER,
    ...placeOf(target),
    body: { ...target.object, metadata },
    options: { fieldManager },
  })
  const reason = { ...doer, rule: 'H-9' }
  if (succeeded(answer)) {
    tell(`replaced ${target.kind.kind}`, target, reason, io)
    return undefined
  }
  const message = messageOf(answer)
  tellRefusal(message, target, reason, io)
  return `failed to replace object: ${message}`
}

/** H-12: in the background, unless the live object says that it is kept. */
function removeDropped(target: Target, how: Applying, io: Io<never>): void {
  const live = liveOf(target, io)
  if (live === undefined || annotationOf(live, POLICY) === 'keep') return
  const reason = { ...how.doer, rule: 'H-12' }
  remove(target, 'Background', { ...reason, effect: `pruned ${target.kind.kind}` }, io)
}

/** The error; none when it was not there. */
export function remove(
  target: Target,
  propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
  { effect, ...reason }: Reason & { readonly effect: string },
  io: Io<never>,
): string | undefined {
  if (target.name === '') return NAMELESS
  const answer = io.request({
    verb: 'delete',
    user: USER,
    ...placeOf(target),
    options: { propagationPolicy },
  })
  if (answer.code === 404) return undefined
  if (succeeded(answer)) {
    tell(effect, target, reason, io)
    return undefined
  }
  const message = messageOf(answer)
  tellRefusal(message, target, reason, io)
  return message
}

/** H-12, as an uninstallation reads it: in the stored manifest, in any case. */
export function isKept(object: JsonObject): boolean {
  return annotationOf(object, POLICY)?.trim().toLowerCase() === 'keep'
}
