import type { Io } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { createAll, isKept, remove, updateAll, type Applied } from './apply.ts'
import type {
  ActionInput,
  ActionPorts,
  ActionState,
  ActionWaiting,
  Progress,
  Stage,
  WaitState,
} from './contract.ts'
import { failed } from './fail.ts'
import { finished } from './finish.ts'
import { runHooks } from './hooks.ts'
import { kindOf, nameOf } from './manifest.ts'
import { targetsOf, withOwner, type Target } from './objects.ts'
import { applyingOf, doerOf, plainStrategy, strategyFor, timeoutOf } from './options.ts'
import { inUninstallOrder } from './order.ts'
import { prepare } from './prepare.ts'
import { store } from './storage.ts'
import { look, nextLook, noticed, startWait, watchesOf } from './wait.ts'

export type * from './contract.ts'

export function startAction(input: ActionInput, io: Io<never>, ports: ActionPorts): Progress {
  const state = prepare(input, io, ports)
  if ('refused' in state) return { kind: 'ended', error: state.refused, notes: [] }
  return goOn(state, io, ports)
}

export function resumeAction(state: ActionState, io: Io<never>, ports: ActionPorts): Progress {
  return goOn(state, io, ports)
}

/**
 * What a watch of the action sees; call it from `observe` for each event, at once. `isSettled`: the
 * wait is over, the action can go on.
 */
export function noticeAction(
  state: ActionState,
  event: WatchEvent,
  now: number,
): { readonly state: ActionState; readonly isSettled: boolean } {
  const [stage, ...rest] = state.stages
  const wait = waitOf(stage)
  if (stage === undefined || wait === undefined) return { state, isSettled: false }
  const next = noticed(wait, event, state.input.version, now)
  if (next === wait) return { state, isSettled: false }
  const stages = [withWait(stage, next), ...rest]
  return { state: { ...state, stages }, isSettled: next.outcome !== undefined }
}

function goOn(from: ActionState, io: Io<never>, ports: ActionPorts): Progress {
  let state = from
  for (;;) {
    const [stage] = state.stages
    if (stage === undefined) return finished(state, io)
    const result = step(state, stage, io, ports)
    if (result.kind === 'waiting') return result
    if (result.kind === 'next') {
      state = result.state
      continue
    }
    const after = failed(result.state, stage, result.error, io, ports)
    if ('kind' in after) return after
    state = after
  }
}

type StepResult =
  | { readonly kind: 'next'; readonly state: ActionState }
  | { readonly kind: 'failed'; readonly state: ActionState; readonly error: string }
  | ActionWaiting

function step(state: ActionState, stage: Stage, io: Io<never>, ports: ActionPorts): StepResult {
  switch (stage.do) {
    case 'hooks':
      return hooks(state, stage, io, ports)
    case 'apply':
      return apply(state, io, ports)
    case 'wait':
      return waitReady(state, stage, io, ports)
    case 'remove':
      return removeAll(state, io, ports)
    case 'wait-gone':
      return waitGone(state, stage, io, ports)
    case 'finish':
    default:
      return next(state)
  }
}

function next(state: ActionState): StepResult {
  return { kind: 'next', state: { ...state, stages: state.stages.slice(1) } }
}

function hooks(
  state: ActionState,
  stage: Extract<Stage, { do: 'hooks' }>,
  io: Io<never>,
  ports: ActionPorts,
): StepResult {
  const result = runHooks(state, stage.event, stage.hooks, io, ports)
  const { release } = result
  if (result.kind === 'waiting') {
    const stages = [{ ...stage, hooks: result.hooks }, ...state.stages.slice(1)]
    return waiting({ ...state, release, stages }, result.wait, io)
  }
  if (result.kind === 'failed') {
    return { kind: 'failed', state: { ...state, release }, error: result.error }
  }
  return next({ ...state, release })
}

function waiting(state: ActionState, wait: WaitState, io: Io<never>): ActionWaiting {
  return { kind: 'waiting', at: nextLook(wait, io.now), watches: watchesOf(wait), state }
}

function apply(state: ActionState, io: Io<never>, ports: ActionPorts): StepResult {
  const { input, release, current, adopted } = state
  const owned = release.manifest.map((object) => withOwner(object, input.release, input.namespace))
  const targets = targetsOf(owned, input.namespace, io, ports)
  const base = [...(current?.manifest ?? []), ...adopted]
  const before = targetsOf(base, input.namespace, io, ports)
  if ('fault' in targets) return { kind: 'failed', state, error: targets.fault }
  if ('fault' in before) return { kind: 'failed', state, error: before.fault }
  const applied = putInPlace(state, before, targets, io)
  const created = applied.created.map(({ object }) => object)
  const after = { ...state, created }
  return applied.error === undefined
    ? next(after)
    : { kind: 'failed', state: after, error: applied.error }
}

/** An installation that takes nothing over creates; everything else updates (H-7, H-11). */
function putInPlace(
  state: ActionState,
  before: readonly Target[],
  targets: readonly Target[],
  io: Io<never>,
): Applied {
  const how = applyingOf(state)
  if (state.input.action === 'install' && before.length === 0) return createAll(targets, how, io)
  if (how.serverSide && how.forceReplace) {
    const error = 'invalid operation: cannot use server-side apply and force replace together'
    return { created: [], error }
  }
  return updateAll(before, targets, how, io)
}

function waitReady(
  state: ActionState,
  stage: Extract<Stage, { do: 'wait' }>,
  io: Io<never>,
  ports: ActionPorts,
): StepResult {
  const strategy = plainStrategy(state.input)
  if (strategy === 'none') return next(state)
  let { wait } = stage
  if (wait === undefined) {
    const targets = targetsOf(state.release.manifest, state.input.namespace, io, ports)
    if ('fault' in targets) return next(state)
    const withJobs = state.input.options.waitForJobs === true
    const until = io.now + timeoutOf(state.input)
    wait = startWait(targets, { goal: 'ready', strategy, withJobs, until })
  }
  return waitOn(state, stage, wait, io)
}

function waitOn(state: ActionState, stage: Stage, given: WaitState, io: Io<never>): StepResult {
  const wait = look(given, state.input.version, io)
  if (wait.outcome === undefined) {
    const stages = [withWait(stage, wait), ...state.stages.slice(1)]
    return waiting({ ...state, stages }, wait, io)
  }
  const { error } = wait.outcome
  return error === undefined ? next(state) : { kind: 'failed', state, error }
}

/** H-12: what is marked to be kept stays, hooks stay too. */
function removeAll(state: ActionState, io: Io<never>, ports: ActionPorts): StepResult {
  const { input, release } = state
  store(io, release)
  const kept = release.manifest.filter(isKept)
  const gone = inUninstallOrder(release.manifest.filter((object) => !isKept(object)))
  const targets = targetsOf(gone, input.namespace, io, ports)
  if ('fault' in targets) return { kind: 'failed', state, error: targets.fault }
  const policy = input.options.cascade ?? 'Background'
  const errors = targets.flatMap((target) => {
    const effect = `deleted ${target.kind.kind}`
    return remove(target, policy, { ...doerOf(input), rule: 'H-12', effect }, io) ?? []
  })
  const list = kept.map((object) => `[${kindOf(object)}] ${nameOf(object)}\n`).join('')
  const text = `These resources were kept due to the resource policy:\n${list}`
  const notes = kept.length === 0 ? state.notes : [...state.notes, { kind: 'kept' as const, text }]
  const after = { ...state, notes }
  if (errors.length === 0) return next(after)
  return { kind: 'failed', state: after, error: `failed to delete release: ${input.release}` }
}

function waitGone(
  state: ActionState,
  stage: Extract<Stage, { do: 'wait-gone' }>,
  io: Io<never>,
  ports: ActionPorts,
): StepResult {
  const { input, release } = state
  if (plainStrategy(input) === 'none') return next(state)
  let { wait } = stage
  if (wait === undefined) {
    const gone = release.manifest.filter((object) => !isKept(object))
    const targets = targetsOf(gone, input.namespace, io, ports)
    if ('fault' in targets) return next(state)
    const strategy = strategyFor('gone', input)
    const until = io.now + timeoutOf(input)
    wait = startWait(targets, { goal: 'gone', strategy, withJobs: false, until })
  }
  return waitOn(state, stage, wait, io)
}

function waitOf(stage: Stage | undefined): WaitState | undefined {
  if (stage?.do === 'hooks') return stage.hooks?.wait
  return stage?.do === 'wait' || stage?.do === 'wait-gone' ? stage.wait : undefined
}

function withWait(stage: Stage, wait: WaitState): Stage {
  if (stage.do === 'hooks' && stage.hooks !== undefined) {
    return { ...stage, hooks: { ...stage.hooks, wait } }
  }
  return stage.do === 'wait' || stage.do === 'wait-gone' ? { ...stage, wait } : stage
}
