import type { Io } from '../../../cluster/actor.ts'
import type { ActionInput, ActionState, Release, ReleaseHook } from './contract.ts'
import { hookStage, save, serverSideOf, stateOf, withMethod, type Refused } from './start.ts'
import { lastOf } from './storage.ts'

/** H-14: the manifest and the hooks of an older revision as a new one. */
export function prepareRollback(
  input: ActionInput,
  history: readonly Release[],
  io: Io<never>,
): ActionState | Refused {
  const last = lastOf(history)
  if (last === undefined) return { refused: 'release: not found' }
  const wanted = input.options.toRevision ?? 0
  const number = wanted === 0 ? last.version - 1 : wanted
  const previous = history.find(({ version }) => version === number)
  if (previous === undefined) return { refused: `release has no ${number} version` }
  const isServerSide = serverSideOf(input, previous)
  const release: Release = {
    ...withMethod(previous, isServerSide, input),
    version: last.version + 1,
    status: 'pending-rollback',
    description: `Rollback to ${number}`,
    hooks: previous.hooks.map(neverRun),
  }
  save(input, history, release, io)
  return {
    ...stateOf(input, release, [
      ...hookStage(input, 'pre-rollback'),
      { do: 'apply' },
      { do: 'wait' },
      ...hookStage(input, 'post-rollback'),
      { do: 'finish' },
    ]),
    current: last,
    serverSide: isServerSide,
    migratesManagers: isServerSide && last.applyMethod !== 'ssa',
  }
}

function neverRun({ phase: _phase, ...hook }: ReleaseHook): ReleaseHook {
  return hook
}

export function prepareUninstall(
  input: ActionInput,
  history: readonly Release[],
): ActionState | Refused {
  const last = lastOf(history)
  if (last === undefined) {
    return { refused: `uninstall: Release not loaded: ${input.release}: release: not found` }
  }
  if (last.status === 'uninstalled' && input.options.keepHistory === true) {
    return { refused: `the release named "${input.release}" is already deleted` }
  }
  return stateOf(input, { ...last, status: 'uninstalling' }, [
    ...hookStage(input, 'pre-delete'),
    { do: 'remove' },
    { do: 'wait-gone' },
    ...hookStage(input, 'post-delete'),
    { do: 'finish' },
  ])
}

export function prepareTest(
  input: ActionInput,
  history: readonly Release[],
): ActionState | Refused {
  const last = lastOf(history)
  if (last === undefined) return { refused: 'release: not found' }
  const state = stateOf(input, last, [{ do: 'hooks', event: 'test' }, { do: 'finish' }])
  return { ...state, serverSide: last.applyMethod === 'ssa' }
}
