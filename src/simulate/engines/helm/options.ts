import type { Applying } from './apply.ts'
import type { Doer } from './causes.ts'
import type { ActionInput, ActionState, WaitState, WaitStrategy } from './contract.ts'

const FIVE_MINUTES = 300_000

export function timeoutOf({ options }: ActionInput): number {
  return options.timeoutMs ?? FIVE_MINUTES
}

/** H-13: with a rollback on failure there is something to wait for. */
export function plainStrategy({ version, options }: ActionInput): WaitStrategy {
  const given = options.wait ?? 'none'
  if (given !== 'none' || options.rollbackOnFailure !== true) return given
  return version.major === 3 ? 'legacy' : 'watcher'
}

/** How a wait of one kind is done: hooks are waited for even if nothing else is (H-2, H-5). */
export function strategyFor(goal: WaitState['goal'], input: ActionInput): WaitStrategy {
  const plain = plainStrategy(input)
  if (input.version.major === 3) return 'legacy'
  if (goal === 'hook') return input.options.hookWait ?? (plain === 'none' ? 'watcher' : plain)
  return plain
}

export function applyingOf({ input, serverSide, migratesManagers }: ActionState): Applying {
  const { options, version } = input
  return {
    version,
    serverSide,
    migratesManagers,
    forceConflicts: options.forceConflicts === true,
    forceReplace: options.forceReplace === true,
    fieldManager: options.fieldManager ?? 'helm',
    doer: doerOf(input),
  }
}

/** A controller acts for its own object, a person for the release. */
export function doerOf({ options, carrier, namespace, release }: ActionInput): Doer {
  return {
    actor: options.fieldManager ?? 'helm',
    carrier: carrier ?? `Release ${namespace}/${release}`,
  }
}
