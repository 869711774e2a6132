import type { Actor, Io } from '../../../cluster/actor.ts'
import { kindFinder } from '../kinds.ts'
import { decide } from './act.ts'
import type { Context } from './context.ts'
import { beginAction, cancelForNew, notice, resume, terminate } from './helm-run.ts'
import { HELM_RELEASES, helmControllerKinds } from './kinds.ts'
import { enqueue, nextOf, queueUp, release } from './queue.ts'
import { start } from './reconcile.ts'
import {
  copyState,
  emptyState,
  REALISTIC_TIMING,
  type ControllerOptions,
  type State,
  type Wake,
} from './state.ts'
import { see } from './watch.ts'

export { HELM_RELEASES, helmControllerKinds, SOURCE_RESOURCES } from './kinds.ts'
export { IDEALISED_TIMING, REALISTIC_TIMING } from './state.ts'
export type { ControllerOptions, Embedded, Timing } from './state.ts'

export const HELM_CONTROLLER = 'helm-controller'

const STARTED = { kind: 'start', words: `${HELM_CONTROLLER} started` } as const

/**
 * Flux helm-controller 1.6: installs, upgrades, tests and remedies releases of Helm as
 * HelmReleases ask for it. It keeps no memory but its queue: what it knows stands in the status of
 * the HelmRelease and in Helm's storage.
 */
export function helmController(options: ControllerOptions): Actor<State, Wake> {
  const kindOf = kindFinder([...helmControllerKinds, ...(options.kinds ?? [])])
  const timing = options.timing ?? REALISTIC_TIMING
  const contextOf = (state: State, io: Io<Wake>): Context => ({
    options,
    timing,
    kindOf,
    state,
    io,
  })
  return {
    name: HELM_CONTROLLER,
    begin(io) {
      const state = emptyState()
      const context = contextOf(state, io)
      for (const { metadata } of io.read.list(HELM_RELEASES)) {
        enqueue(context, metadata.namespace ?? '', metadata.name, STARTED)
      }
      for (const at of options.terminations ?? []) {
        if (at >= io.now) io.wakeAt(at, { kind: 'terminate' })
      }
      return state
    },
    observe(state, event, io) {
      const context = contextOf(state, io)
      see(context, event)
      notice(context, event)
    },
    wake(state, wake, io) {
      const context = contextOf(state, io)
      if (wake.kind === 'terminate') terminate(context)
      else if (wake.kind === 'dispatch') dispatch(context)
      else step(context, wake)
    },
    copy: copyState,
  }
}

function dispatch(context: Context): void {
  for (;;) {
    const next = nextOf(context)
    if (next === undefined) return
    start(context, next)
  }
}

function step(context: Context, wake: Extract<Wake, { readonly key: string }>): void {
  const { key } = wake
  const record = context.state.records.get(key)
  if (record === undefined) return
  switch (wake.kind) {
    case 'start':
      queueUp(context, record, wake.because)
      return cancelForNew(context, context.state.records.get(key) ?? record)
    case 'decide':
      return decide(context, record)
    case 'begin':
      return beginAction(context, record)
    case 'action':
      return resume(context, record)
    case 'release':
      if (record.run !== undefined) release(context, record, record.run)
  }
}
