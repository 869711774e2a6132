import type { Io } from '../../../cluster/actor.ts'
import type { ActionInput, ActionState, Release, Stage } from './contract.ts'
import { prune, store } from './storage.ts'

/** Refused before anything was stored. */
export interface Refused {
  readonly refused: string
}

const HISTORY_MAX = 10

/** H-10: `auto` goes on as the release was applied before. */
export function serverSideOf({ version, options }: ActionInput, before: Release): boolean {
  if (version.major === 3) return false
  const { serverSide = 'auto' } = options
  return serverSide === 'auto' ? before.applyMethod === 'ssa' : serverSide
}

export function hookStage({ options }: ActionInput, event: string): readonly Stage[] {
  return options.noHooks === true ? [] : [{ do: 'hooks', event }]
}

export function stateOf(
  input: ActionInput,
  release: Release,
  stages: readonly Stage[],
): ActionState {
  return {
    input,
    stages,
    release,
    adopted: [],
    serverSide: release.applyMethod === 'ssa' && input.version.major === 4,
    migratesManagers: false,
    notes: [],
    created: [],
    errors: [],
  }
}

export function withMethod(
  release: Release,
  isServerSide: boolean,
  { version }: ActionInput,
): Release {
  const { applyMethod: _, ...rest } = release
  if (version.major === 3) return rest
  return { ...rest, applyMethod: isServerSide ? 'ssa' : 'csa' }
}

export function save(
  input: ActionInput,
  history: readonly Release[],
  release: Release,
  io: Io<never>,
): void {
  const max = input.options.historyMax ?? HISTORY_MAX
  if (max > 0) prune(io, history, max - 1)
  store(io, release)
}
