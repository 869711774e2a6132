import type { Io } from '../../../cluster/actor.ts'
import { createAll, remove } from './apply.ts'
import type {
  ActionPorts,
  ActionState,
  HookProgress,
  Release,
  ReleaseHook,
  WaitState,
} from './contract.ts'
import { hooksOf, kindOf } from './manifest.ts'
import { targetOf } from './objects.ts'
import { applyingOf, doerOf, strategyFor, timeoutOf } from './options.ts'
import { store } from './storage.ts'
import { look, startWait } from './wait.ts'

export type HooksResult =
  | { readonly kind: 'done'; readonly release: Release }
  | { readonly kind: 'failed'; readonly release: Release; readonly error: string }
  | {
      readonly kind: 'waiting'
      readonly release: Release
      readonly hooks: HookProgress
      readonly wait: WaitState
    }

type Next = HookProgress | HooksResult

const FIRST: HookProgress = { at: 0, step: 'delete' }

/**
 * The hooks of one event, one after the other (H-1, H-2): the old object is deleted if the policy
 * says so, the new one is created or applied, its end is waited for. After the last one, or after a
 * failure, the policies for the outcome delete (H-4).
 */
export function runHooks(
  state: ActionState,
  event: string,
  from: HookProgress | undefined,
  io: Io<never>,
  ports: ActionPorts,
): HooksResult {
  const run: Run = {
    state,
    event,
    io,
    ports,
    release: state.release,
    hooks: hooksOf(state.release, event),
  }
  let next: Next = from ?? FIRST
  while (!('kind' in next)) next = step(run, next)
  return next
}

interface Run {
  readonly state: ActionState
  readonly event: string
  readonly io: Io<never>
  readonly ports: ActionPorts
  readonly hooks: readonly ReleaseHook[]
  release: Release
}

function step(run: Run, progress: HookProgress): Next {
  const hook = run.hooks[progress.at]
  if (progress.step === 'clean') return clean(run, progress)
  if (hook === undefined) {
    const all = run.hooks.map((_, at) => at).toReversed()
    return { at: progress.at, step: 'clean', clean: withPolicy(run, all, 'hook-succeeded') }
  }
  switch (progress.step) {
    case 'delete':
      return deleteOld(run, hook, progress)
    case 'gone':
      return waitOn(run, progress, (error) =>
        error === undefined
          ? { at: progress.at, step: 'create' }
          : { kind: 'failed', release: run.release, error },
      )
    case 'create':
      return create(run, hook, progress)
    case 'ready':
    default:
      return waitOn(run, progress, (error) => ended(run, progress.at, error))
  }
}

function deleteOld(run: Run, hook: ReleaseHook, { at }: HookProgress): Next {
  if (!hook.deletePolicies.includes('before-hook-creation')) return { at, step: 'create' }
  const deleted = removeHook(run, hook, { rule: 'H-3', word: ' to replace it' })
  if (typeof deleted === 'string') return { kind: 'failed', release: run.release, error: deleted }
  if (deleted === undefined) return { at, step: 'create' }
  return { at, step: 'gone', wait: deleted }
}

/** The wait for its absence, an error, or undefined when nobody waits for that (H-5). */
function removeHook(
  run: Run,
  { object }: ReleaseHook,
  { rule, word }: { readonly rule: string; readonly word: string },
): WaitState | string | undefined {
  if (kindOf(object) === 'CustomResourceDefinition') return undefined
  const { state, io, ports } = run
  const target = targetOf(object, state.input.namespace, io, ports)
  if ('fault' in target)
    return `unable to build kubernetes object for deleting hook: ${target.fault}`
  const effect = `deleted ${target.kind.kind}${word}`
  const reason = { ...doerOf(state.input), rule, effect, data: { hook: run.event } }
  const error = remove(target, 'Background', reason, io)
  if (error !== undefined) return error
  const strategy = strategyFor('gone', state.input)
  if (strategy === 'none') return undefined
  const until = io.now + timeoutOf(state.input)
  return startWait([target], { goal: 'gone', strategy, withJobs: false, until })
}

function create(run: Run, hook: ReleaseHook, { at }: HookProgress): Next {
  const { state, event, io, ports } = run
  const target = targetOf(hook.object, state.input.namespace, io, ports)
  if ('fault' in target) {
    const error = `unable to build kubernetes object for ${event} hook ${hook.path}: ${target.fault}`
    return { kind: 'failed', release: run.release, error }
  }
  note(run, hook, 'Running')
  // Conflicts are not forced here, whatever the command was given.
  const how = { ...applyingOf(state), forceConflicts: false }
  const { error } = createAll([target], how, io, { rule: 'H-2', data: { hook: event } })
  if (error !== undefined) {
    note(run, hook, 'Failed')
    const said = `warning: Hook ${event} ${hook.path} failed: ${error}`
    return { kind: 'failed', release: run.release, error: said }
  }
  const strategy = strategyFor('hook', state.input)
  const until = io.now + timeoutOf(state.input)
  const wait = startWait([target], { goal: 'hook', strategy, withJobs: true, until })
  return { at, step: 'ready', wait }
}

function ended(run: Run, at: number, error: string | undefined): Next {
  const hook = run.hooks[at]
  if (hook === undefined) return { at: at + 1, step: 'delete' }
  note(run, hook, error === undefined ? 'Succeeded' : 'Failed')
  if (error === undefined) return { at: at + 1, step: 'delete' }
  const earlier = run.hooks.slice(0, at).map((_, position) => position)
  const clean = [
    ...withPolicy(run, [at], 'hook-failed'),
    // H-4: Helm before 3.21 leaves the earlier ones (trace helm/005).
    ...(cleansEarlier(run.state) ? withPolicy(run, earlier, 'hook-succeeded') : []),
  ]
  return { at, step: 'clean', clean, error }
}

/** 3.17 does not, 3.21 and 4.1 do; in between is not recorded. */
function cleansEarlier({ input }: ActionState): boolean {
  const { major, minor } = input.version
  return major === 4 || minor >= 18
}

function withPolicy(run: Run, positions: readonly number[], policy: string): readonly number[] {
  return positions.filter((at) => run.hooks[at]?.deletePolicies.includes(policy))
}

function clean(run: Run, progress: HookProgress): Next {
  const [first, ...rest] = progress.clean ?? []
  if (progress.wait !== undefined) {
    const { wait: _, ...done } = progress
    return waitOn(run, progress, () => done)
  }
  if (first === undefined) {
    const { error } = progress
    return error === undefined
      ? { kind: 'done', release: run.release }
      : { kind: 'failed', release: run.release, error }
  }
  const hook = run.hooks[first]
  const hasFailed = progress.error !== undefined && first === progress.at
  const word = ` because it had ${hasFailed ? 'failed' : 'succeeded'}`
  const deleted = hook === undefined ? undefined : removeHook(run, hook, { rule: 'H-4', word })
  const next = { ...progress, clean: rest }
  return deleted === undefined || typeof deleted === 'string' ? next : { ...next, wait: deleted }
}

function waitOn(run: Run, progress: HookProgress, then: (error?: string) => Next): Next {
  if (progress.wait === undefined) return then()
  const wait = look(progress.wait, run.state.input.version, run.io)
  if (wait.outcome !== undefined) return then(wait.outcome.error)
  return { kind: 'waiting', release: run.release, hooks: { ...progress, wait }, wait }
}

function note(run: Run, hook: ReleaseHook, phase: 'Running' | 'Succeeded' | 'Failed'): void {
  const hooks = run.release.hooks.map((one) =>
    one.path === hook.path && one.object === hook.object ? { ...one, phase } : one,
  )
  // The objects keep their identity, so that later steps find the same hook again.
  run.release = { ...run.release, hooks }
  store(run.io, run.release)
}
