import type { Io } from '../../../cluster/actor.ts'
import type { ActionEnded, ActionState, Release } from './contract.ts'
import { forget, historyOf, store } from './storage.ts'

/** All stages went well; after a remedy, the action that it was for has failed all the same. */
export function finished(state: ActionState, io: Io<never>): ActionEnded {
  const release = stored(state, io)
  const { notes, remedyOf, input } = state
  if (remedyOf === undefined) {
    const { errors } = state
    if (errors.length === 0) return { kind: 'ended', release, notes }
    const count = `uninstallation completed with ${errors.length} error(s)`
    return { kind: 'ended', error: `${count}: ${errors.join('; ')}`, release, notes }
  }
  const done = input.action === 'uninstall' ? 'uninstalled' : 'rolled back'
  const flag = input.version.major === 3 ? 'atomic' : 'rollback-on-failure'
  const error =
    `release ${input.release} failed, and has been ${done} due to ${flag} being set: ` +
    remedyOf.error
  return { kind: 'ended', error, release, notes }
}

function stored(state: ActionState, io: Io<never>): Release {
  switch (state.input.action) {
    case 'install':
      return deployed(state, 'Install complete', io)
    case 'upgrade':
      return deployed(state, 'Upgrade complete', io)
    case 'rollback':
      return deployed(state, state.release.description, io)
    case 'uninstall':
      return uninstalled(state, io)
    case 'test':
    default:
      store(io, state.release)
      return state.release
  }
}

function deployed(
  { input, release, current }: ActionState,
  description: string,
  io: Io<never>,
): Release {
  if (input.action === 'rollback') {
    for (const one of historyOf(io, input.namespace, input.release)) {
      if (one.status === 'deployed') store(io, { ...one, status: 'superseded' })
    }
  } else if (current !== undefined) store(io, { ...current, status: 'superseded' })
  const done: Release = { ...release, status: 'deployed', description }
  store(io, done)
  return done
}

function uninstalled({ input, release }: ActionState, io: Io<never>): Release {
  const done: Release = {
    ...release,
    status: 'uninstalled',
    description: 'Uninstallation complete',
  }
  const history = historyOf(io, input.namespace, input.release)
  if (input.options.keepHistory === true) {
    for (const one of history) {
      if (one.status === 'deployed') store(io, { ...one, status: 'superseded' })
    }
    store(io, done)
  } else for (const one of history) forget(io, one)
  return done
}
