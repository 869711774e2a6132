import type { Io } from '../../../cluster/actor.ts'
import { remove } from './apply.ts'
import { shortWords } from '../words.ts'
import type {
  ActionEnded,
  ActionInput,
  ActionPorts,
  ActionState,
  Note,
  Release,
  Stage,
} from './contract.ts'
import { targetsOf } from './objects.ts'
import { doerOf } from './options.ts'
import { prepare } from './prepare.ts'
import { historyOf, store } from './storage.ts'

/**
 * A stage has failed: the release says so, and the action ends; or its remedy begins, which is an
 * action of its own (`--atomic`, `--rollback-on-failure`).
 */
export function failed(
  state: ActionState,
  stage: Stage,
  error: string,
  io: Io<never>,
  ports: ActionPorts,
): ActionEnded | ActionState {
  switch (state.input.action) {
    case 'install':
      return failedInstall(state, worded(state.input, stage, error), io, ports)
    case 'upgrade':
      return failedUpgrade(state, worded(state.input, stage, error), io, ports)
    case 'rollback':
      return failedRollback(state, stage, error, io)
    case 'uninstall':
      return failedUninstall(state, stage, error)
    case 'test':
    default:
      store(io, state.release)
      return { kind: 'ended', error, release: state.release, notes: state.notes }
  }
}

function worded({ action }: ActionInput, stage: Stage, error: string): string {
  if (stage.do !== 'hooks') return error
  return action === 'install'
    ? `failed ${stage.event}: ${error}`
    : `${stage.event} hooks failed: ${error}`
}

function failedInstall(
  state: ActionState,
  error: string,
  io: Io<never>,
  ports: ActionPorts,
): ActionEnded | ActionState {
  const { input } = state
  const description = `Release "${input.release}" failed: ${error}`
  const release: Release = { ...state.release, status: 'failed', description }
  store(io, release)
  if (input.options.rollbackOnFailure !== true) {
    return { kind: 'ended', error, release, notes: state.notes }
  }
  const { timeoutMs, noHooks } = input.options
  const remedy: ActionInput = {
    action: 'uninstall',
    version: input.version,
    release: input.release,
    namespace: input.namespace,
    options: {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(noHooks === undefined ? {} : { noHooks }),
    },
  }
  return begin(remedy, state, { error, release }, io, ports)
}

function failedUpgrade(
  state: ActionState,
  error: string,
  io: Io<never>,
  ports: ActionPorts,
): ActionEnded | ActionState {
  const { input } = state
  const description = `Upgrade "${input.release}" failed: ${error}`
  const release: Release = { ...state.release, status: 'failed', description }
  store(io, release)
  const notes = noted(state, 'upgrade failed', error)
  if (input.options.cleanupOnFail === true) removeCreated(state, io, ports)
  const ended: ActionEnded = { kind: 'ended', error, release, notes }
  if (input.options.rollbackOnFailure !== true) return ended
  const good = historyOf(io, input.namespace, input.release).findLast(
    ({ status }) => status === 'deployed' || status === 'superseded',
  )
  if (good === undefined) {
    const why = 'unable to find a previously successful release when attempting to rollback'
    return { ...ended, error: `${why}. original upgrade error: ${error}` }
  }
  const { chart: _, ...rest } = input
  const { rollbackOnFailure: _on, ...options } = input.options
  const wait = input.options.wait ?? (input.version.major === 3 ? 'legacy' : 'watcher')
  const remedy: ActionInput = {
    ...rest,
    action: 'rollback',
    options: {
      ...options,
      toRevision: good.version,
      wait: wait === 'none' ? 'watcher' : wait,
    },
  }
  return begin(remedy, { ...state, notes }, { error, release }, io, ports)
}

function begin(
  remedy: ActionInput,
  { notes, input }: ActionState,
  { error, release }: { readonly error: string; readonly release: Release },
  io: Io<never>,
  ports: ActionPorts,
): ActionEnded | ActionState {
  const action = input.action === 'install' ? 'install' : 'upgrade'
  tellRemedy(remedy, action, error, io)
  const state = prepare(remedy, io, ports)
  if ('refused' in state) return { kind: 'ended', error, release, notes }
  return { ...state, notes, remedyOf: { action, error } }
}

/** Nobody typed it: what it does is done because of the failure (H-14). */
function tellRemedy(
  remedy: ActionInput,
  failedAction: 'install' | 'upgrade',
  error: string,
  io: Io<never>,
): void {
  const doer = doerOf(remedy)
  const isRollback = remedy.action === 'rollback'
  const to = isRollback ? ` to revision ${remedy.options.toRevision ?? 0}` : ''
  const effect = `began ${remedy.action} of release ${remedy.release}${to}`
  const words = `its ${failedAction} failed: ${shortWords(error)}`
  const rule = isRollback ? 'H-14' : 'H-12'
  const trigger = { kind: 'retry', words } as const
  io.cause({ at: io.now, ...doer, rule, effect, object: doer.carrier, trigger })
}

/** Failed hooks leave the release as it is, `pending-rollback`: H-15 then holds for it. */
function failedRollback(
  state: ActionState,
  stage: Stage,
  error: string,
  io: Io<never>,
): ActionEnded {
  const { input, current, remedyOf, notes } = state
  if (stage.do === 'hooks') {
    return { kind: 'ended', error: withOriginal(error, remedyOf), release: state.release, notes }
  }
  const isWait = stage.do === 'wait'
  const description = isWait
    ? `Release "${input.release}" failed: ${error}`
    : `Rollback "${input.release}" failed: ${error}`
  if (!isWait && current !== undefined) store(io, { ...current, status: 'superseded' })
  const release: Release = { ...state.release, status: 'failed', description }
  store(io, release)
  const said = isWait ? `release ${input.release} failed: ${error}` : error
  return { kind: 'ended', error: withOriginal(said, remedyOf), release, notes }
}

function withOriginal(error: string, remedyOf: ActionState['remedyOf']): string {
  if (remedyOf === undefined) return error
  const what = 'an error occurred while rolling back the release. original upgrade error'
  return `${what}: ${remedyOf.error}: ${error}`
}

/** Once the objects are deleted, it goes on to the end and tells then what it met. */
function failedUninstall(
  state: ActionState,
  stage: Stage,
  error: string,
): ActionEnded | ActionState {
  const { release, notes } = state
  const isLate = stage.do === 'wait-gone' || (stage.do === 'hooks' && stage.event === 'post-delete')
  if (!isLate) return { kind: 'ended', error, release, notes }
  return { ...state, stages: state.stages.slice(1), errors: [...state.errors, error] }
}

function removeCreated(state: ActionState, io: Io<never>, ports: ActionPorts): void {
  const targets = targetsOf(state.created, state.input.namespace, io, ports)
  if ('fault' in targets) return
  const reason = { ...doerOf(state.input), rule: 'H-7' }
  for (const target of targets) {
    const effect = `deleted ${target.kind.kind}`
    remove(target, 'Background', { ...reason, effect }, io)
  }
}

/** Helm 4 logs it besides. */
function noted({ input, notes }: ActionState, what: string, error: string): readonly Note[] {
  if (input.version.major === 3) return notes
  const text = `level=WARN msg="${what}" name=${input.release} error=${JSON.stringify(error)}`
  return [...notes, { kind: 'warning', text }]
}
