import type { Actor, Io } from '../../../cluster/actor.ts'
import type { Instant } from '../../../cluster/time.ts'
import { noticeAction, type ActionPorts, type HelmVersion } from './action.ts'
import { resumeHelm, startHelm, type HelmRun, type HelmRunState } from './cli.ts'

/** A command that somebody types. */
export interface HelmCall {
  readonly command: string
  /** What stands in the folder of the chart then. */
  readonly chart: { readonly [path: string]: string }
  readonly version: HelmVersion
  readonly at: Instant
  /** From the command to its first request. */
  readonly startMs?: number
  /** The client is killed then (H-15). */
  readonly killAt?: Instant
}

export interface HelmClientOptions {
  /** In the order in which they are typed. */
  readonly calls: readonly HelmCall[]
  readonly namespace: string
  readonly ports: ActionPorts
  /** From what a watch tells to the next write; default 0; measured: 50 ms. */
  readonly reactionMs?: number
  readonly ended?: (
    call: HelmCall,
    run: { readonly exit: number | null; readonly output: string },
  ) => void
}

export interface State {
  /** The next command. */
  next: number
  running?: { readonly call: number; readonly run: HelmRunState }
}

export interface Wake {
  readonly kind: 'start' | 'go-on' | 'kill'
  readonly call: number
}

/**
 * Somebody at a terminal, or a pipeline: one command after the other, each at its time, later only
 * while the one before it is still running. Nothing happens in between (H, section 4).
 */
export function helmClient(options: HelmClientOptions): Actor<State, Wake> {
  const { calls, reactionMs = 0 } = options
  return {
    name: 'helm',
    begin(io) {
      plan(options, 0, io)
      return { next: 0 }
    },
    observe(state, event, io) {
      const { running } = state
      if (running === undefined) return
      const noticed = noticeAction(running.run.action, event, io.now)
      state.running = { ...running, run: { ...running.run, action: noticed.state } }
      if (!noticed.isSettled) return
      io.wakeAt(io.now + reactionMs, { kind: 'go-on', call: running.call }, 'go-on')
    },
    wake(state, wake, io) {
      const call = calls[wake.call]
      if (call === undefined) return
      if (wake.kind === 'start') {
        state.next = wake.call + 1
        if (call.killAt !== undefined) {
          io.wakeAt(call.killAt, { kind: 'kill', call: wake.call })
        }
        const { command, version, chart } = call
        const input = { command, version, namespace: options.namespace, chart }
        follow(options, state, wake.call, startHelm(input, io, options.ports), io)
        return
      }
      const { running } = state
      if (running?.call !== wake.call) return
      delete state.running
      if (wake.kind === 'go-on') {
        follow(options, state, wake.call, resumeHelm(running.run, io, options.ports), io)
        return
      }
      io.cancel('go-on')
      options.ended?.(call, { exit: null, output: '' })
      plan(options, state.next, io)
    },
    copy: (state) => ({ ...state }),
  }
}

function follow(
  options: HelmClientOptions,
  state: State,
  call: number,
  run: HelmRun,
  io: Io<Wake>,
): void {
  if (run.kind === 'waiting') {
    state.running = { call, run: run.run }
    io.wakeAt(run.at, { kind: 'go-on', call }, 'go-on')
    return
  }
  const given = options.calls[call]
  if (given !== undefined) options.ended?.(given, run)
  plan(options, state.next, io)
}

function plan({ calls }: HelmClientOptions, call: number, io: Io<Wake>): void {
  const given = calls[call]
  if (given === undefined) return
  const startMs = given.startMs ?? 0
  const at = call === 0 ? given.at : Math.max(given.at, io.now)
  io.wakeAt(at + startMs, { kind: 'start', call })
}
