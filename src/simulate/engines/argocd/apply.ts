import { at, isObject, listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { succeeded, type Answer, type Status } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import {
  lastAppliedOf,
  withLastApplied,
  withoutNulls,
} from '../../../cluster/clients/kubectl/last-applied.ts'
import { threeWayPatch } from '../../../cluster/clients/kubectl/three-way.ts'
import { printedKind } from '../../../cluster/clients/discovery.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import { typeOf } from '../../../cluster/fields/index.ts'
import type { App } from './application.ts'
import { tellerOf, type Teller } from './causes.ts'
import type { Engine } from './engine.ts'
import { withIgnoredOf } from './ignore.ts'
import type { Task } from './tasks.ts'
import { HOOK_FINALIZER, optionsOf, type Place } from './tracking.ts'

export type Outcome =
  | { readonly kind: 'done'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }
  /** The old object has to go first. */
  | { readonly kind: 'waits' }

const MANAGER = 'argocd-controller'

export interface ApplyOptions {
  readonly options: readonly string[]
  /** The sync strategy's force. */
  readonly force: boolean
  /** The object was deleted by this pass before, and has to be created. */
  readonly isReplacing: boolean
}

/** What a sync does with one object. */
export function applyTask(engine: Engine, app: App, task: Task, how: ApplyOptions): Outcome {
  const { target, place } = task
  const kind = target === undefined ? undefined : engine.kindOf(target)
  if (target === undefined || kind === undefined) return { kind: 'failed', message: 'no such kind' }
  const live = engine.live(place)
  const words = [...optionsOf(target), ...optionsOf(live)]
  const has = (word: string): boolean => words.includes(word) || how.options.includes(word)
  const replace = has('Replace=true') && !words.includes('Replace=false')
  const force = how.force || words.includes('Force=true')
  const respects = how.options.includes('RespectIgnoreDifferences=true')
  const wanted = withIgnoredOf(target, live, app, respects)
  const data = task.isHook ? { hook: task.phase, ...waveOf(task) } : waveOf(task)
  const isTold = Object.keys(data).length > 0
  const tell = tellerOf(engine.io, app.name, place, isTold ? data : undefined)
  const { isHook } = task
  const input = { engine, place, kind, target: wanted, live, isHook, tell }
  if (how.isReplacing) return createAgain(input)
  if (replace) {
    // The cache decides, and it may have seen only the deletion (traces 038, 132).
    if (task.live === undefined) return create(input, false)
    return force ? replaceForced(input) : put(input)
  }
  const own = optionsOf(target)
  const isServerSide = own.includes('ServerSideApply=false')
    ? false
    : how.options.includes('ServerSideApply=true') || own.includes('ServerSideApply=true')
  return isServerSide ? applyServerSide(input) : applyClientSide(input, force)
}

interface Input {
  readonly engine: Engine
  readonly place: Place
  readonly kind: Kind
  readonly target: JsonObject
  readonly live: KubeObject | undefined
  readonly isHook: boolean
  readonly tell: Teller
}

function waveOf({ wave }: Task): { readonly wave?: number } {
  return wave === 0 ? {} : { wave }
}

function done({ kind, place }: Input, verb: string): Outcome {
  return { kind: 'done', message: `${printedKind(kind)}/${place.name} ${verb}` }
}

/** Written over something, unless it was the same. */
function tellChange({ tell, place, live }: Input, rule: string, after: KubeObject): void {
  if (live?.metadata.resourceVersion === after.metadata.resourceVersion) return
  tell.did(rule, `configured ${place.kind}`)
}

function refused({ tell }: Input, rule: string, answer: Answer, what?: string): Outcome {
  tell.refused(rule, (answer.body as Status).message ?? '')
  return failed(answer, what)
}

function failed(answer: Answer, what?: string): Outcome {
  const words = (answer.body as Status).message ?? ''
  const source = what === undefined ? '' : `error when ${what} "(manifest file)": `
  return { kind: 'failed', message: `${source}${words}` }
}

function folder({ resource, namespace }: Place): Pick<Place, 'resource'> & { namespace?: string } {
  return namespace === undefined ? { resource } : { resource, namespace }
}

function create(input: Input, isApply: boolean): Outcome {
  const { engine, place, target } = input
  const body = isApply ? withoutNulls(withLastApplied(target)) : target
  const options = { fieldManager: MANAGER }
  const answer = engine.io.request({ verb: 'create', ...folder(place), body, options })
  const rule = input.isHook ? 'A-31' : 'A-26'
  if (!succeeded(answer)) return refused(input, rule, answer)
  input.tell.did(rule, `created ${place.kind}`)
  return done(input, 'created')
}

function put(input: Input): Outcome {
  const { engine, place, target } = input
  const answer = engine.io.request({
    verb: 'update',
    ...folder(place),
    name: place.name,
    body: target,
    options: { fieldManager: MANAGER },
  })
  if (!succeeded(answer)) return refused(input, 'A-27', answer, 'replacing')
  tellChange(input, 'A-27', answer.body)
  return done(input, 'replaced')
}

/** Delete in the background, wait at most 5 min, create (K-35, trace 121). */
function replaceForced(input: Input): Outcome {
  const { engine, place } = input
  const answer = remove(engine, place, 'Background')
  if (!succeeded(answer) && answer.code !== 404) return refused(input, 'A-27', answer)
  if (succeeded(answer)) input.tell.did('A-27', `deleted ${place.kind} to replace it`)
  if (engine.live(place) !== undefined) return { kind: 'waits' }
  return createAgain(input)
}

function createAgain(input: Input): Outcome {
  const made = create(input, false)
  if (made.kind !== 'done') return made
  const { kind, place } = input
  const gone = `${printedKind(kind)} "${place.name}" deleted from ${place.namespace ?? ''} namespace`
  return { kind: 'done', message: `${gone}\n${printedKind(kind)}/${place.name} replaced` }
}

function applyClientSide(input: Input, force: boolean): Outcome {
  const { engine, place, kind, target, live } = input
  if (live === undefined) return create(input, true)
  const type = kind.type === undefined ? undefined : typeOf(kind.type)
  const modified = withLastApplied(target)
  const patch = threeWayPatch(lastAppliedOf(live), modified, live, type)
  if (Object.keys(patch).length === 0) return done(input, 'unchanged')
  const answer = engine.io.request({
    verb: 'patch',
    ...folder(place),
    name: place.name,
    patch: { type: type === undefined ? 'merge' : 'strategic', body: patch },
    options: { fieldManager: MANAGER },
  })
  const rule = input.isHook ? 'A-35' : 'A-26'
  if (succeeded(answer)) {
    tellChange(input, rule, answer.body)
    return done(input, 'configured')
  }
  if (!force || (answer.code !== 409 && answer.code !== 422)) {
    return refused(input, rule, answer, 'patching')
  }
  const deleted = remove(engine, place, 'Background')
  if (!succeeded(deleted) && deleted.code !== 404) return refused(input, 'A-27', deleted)
  if (succeeded(deleted)) input.tell.did('A-27', `deleted ${place.kind} to replace it`)
  // Force alone does not wait: what is still there loses the work (K-33, trace 118).
  if (engine.live(place) !== undefined)
    return { kind: 'failed', message: 'context deadline exceeded' }
  const made = create({ ...input, live: undefined }, true)
  return made.kind === 'done' ? done(input, 'configured') : made
}

/** Force has no effect here (K-34, traces 044, 093). */
function applyServerSide(input: Input): Outcome {
  const { engine, place, target } = input
  const answer = engine.io.request({
    verb: 'patch',
    ...folder(place),
    name: place.name,
    patch: { type: 'apply', body: target },
    options: { fieldManager: MANAGER, force: true },
  })
  const rule = input.isHook ? 'A-35' : 'A-26'
  if (!succeeded(answer)) return refused(input, rule, answer)
  if (input.live !== undefined) tellChange(input, rule, answer.body)
  else input.tell.did(input.isHook ? 'A-31' : rule, `created ${place.kind}`)
  return done(input, 'serverside-applied')
}

export function remove(
  engine: Engine,
  place: Place,
  propagationPolicy: 'Foreground' | 'Background' | 'Orphan',
): Answer {
  return engine.io.request({
    verb: 'delete',
    ...folder(place),
    name: place.name,
    options: { propagationPolicy },
  })
}

/** Takes the hook finalizer from an object that has it. */
export function releaseHook(engine: Engine, place: Place): void {
  const live = engine.live(place)
  if (live === undefined) return
  const kept = (live.metadata.finalizers ?? []).filter((one) => one !== HOOK_FINALIZER)
  if (kept.length === (live.metadata.finalizers ?? []).length) return
  engine.io.request({
    verb: 'patch',
    ...folder(place),
    name: place.name,
    patch: { type: 'merge', body: { metadata: { finalizers: kept.length === 0 ? null : kept } } },
    options: { fieldManager: MANAGER },
  })
}

/** Names that the client-side dry run refuses: apply needs a name (A-20, trace 036). */
export function isNameless(task: Task): boolean {
  return task.target !== undefined && stringAt(task.target, ['metadata', 'name']) === undefined
}

/** Prune and deletions of hooks are foreground unless the sync says otherwise. */
export function propagationOf(options: readonly string[]): 'Foreground' | 'Background' | 'Orphan' {
  const found = options.find((word) => word.startsWith('PrunePropagationPolicy='))
  const word = found?.slice('PrunePropagationPolicy='.length).toLowerCase()
  if (word === 'background') return 'Background'
  return word === 'orphan' ? 'Orphan' : 'Foreground'
}

export function isForceStrategy(operation: JsonObject): boolean {
  const strategy = at(operation, ['sync', 'syncStrategy'])
  if (!isObject(strategy)) return false
  return ['apply', 'hook'].some((key) => at(strategy, [key, 'force']) === true)
}

export function hasNames(object: JsonObject): boolean {
  return listAt(object, ['sync', 'resources']).length > 0
}
