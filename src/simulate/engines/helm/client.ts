import type { JsonObject } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { Instant } from '../../../cluster/time.ts'
import { noticeAction, type ActionPorts, type HelmVersion } from './action.ts'
import { resumeHelm, startHelm, type HelmRun, type HelmRunState } from './cli.ts'

/** A command that somebody types. */
export interface HelmCall {
  readonly command: string
  /** What stands in the folder of the chart then. */
  readonly chart: { readonly [path: string]: string }
  /** What value files give, below what the command sets. */
  readonly values?: JsonObject
  /** What `--values FILE` may name. */
  readonly files?: HelmCall['chart']
  readonly version: HelmVersion
  readonly at: Instant
  /** From the command to its first request. */
  readonly startMs?: number
  /** The client is killed then (H-15). */
  readonly killAt?: Instant
}

export interface HelmClientOptions {
  /** Of the actor; default `helm`. */
  readonly name?: string
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
  /** The next of the calls that were known from the start. */
  next: number
  /** Typed later, and not yet run. */
  line: readonly HelmCall[]
  running?: { readonly call: HelmCall; readonly run: HelmRunState }
}

/** `type`: from outside, by `Cluster.wake`; runs as soon as nothing else does. */
export type Wake =
  | { readonly kind: 'type' | 'start'; readonly call: HelmCall }
  | { readonly kind: 'go-on' }
  | { readonly kind: 'kill'; readonly call: HelmCall }

/**
 * Somebody at a terminal, or a pipeline: one command after the other, each at its time, later only
 * while the one before it is still running. Nothing happens in between (H, section 4).
 */
export function helmClient(options: HelmClientOptions): Actor<State, Wake> {
  const { calls, reactionMs = 0, name = 'helm' } = options
  return {
    name,
    begin(io) {
      const [first] = calls
      if (first !== undefined) startAt(first, first.at, io)
      return { next: 1, line: [] }
    },
    observe(state, event, io) {
      const { running } = state
      if (running === undefined) return
      const noticed = noticeAction(running.run.action, event, io.now)
      state.running = { ...running, run: { ...running.run, action: noticed.state } }
      if (!noticed.isSettled) return
      io.wakeAt(io.now + reactionMs, { kind: 'go-on' }, 'go-on')
    },
    wake(state, wake, io) {
      switch (wake.kind) {
        case 'type':
          return typed(options, state, wake.call, io)
        case 'start':
          return begin(options, state, wake.call, io)
        case 'go-on': {
          const { running } = state
          if (running === undefined) return undefined
          const run = resumeHelm(running.run, io, options.ports)
          return follow(options, state, running.call, run, io)
        }
        case 'kill':
        default:
          return kill(options, state, wake.call, io)
      }
    },
    copy: (state) => ({ ...state }),
  }
}

function typed(options: HelmClientOptions, state: State, call: HelmCall, io: Io<Wake>): void {
  if (state.running === undefined && call.startMs === undefined) begin(options, state, call, io)
  else if (state.running === undefined) startAt(call, io.now, io)
  else state.line = [...state.line, call]
}

function begin(options: HelmClientOptions, state: State, call: HelmCall, io: Io<Wake>): void {
  if (call.killAt !== undefined) io.wakeAt(call.killAt, { kind: 'kill', call })
  const input = { ...call, namespace: options.namespace }
  follow(options, state, call, startHelm(input, io, options.ports), io)
}

function follow(
  options: HelmClientOptions,
  state: State,
  call: HelmCall,
  run: HelmRun,
  io: Io<Wake>,
): void {
  if (run.kind === 'waiting') {
    state.running = { call, run: run.run }
    io.wakeAt(run.at, { kind: 'go-on' }, 'go-on')
    return
  }
  ended(options, state, call, run, io)
}

function kill(options: HelmClientOptions, state: State, call: HelmCall, io: Io<Wake>): void {
  if (state.running?.call !== call) return
  io.cancel('go-on')
  ended(options, state, call, { exit: null, output: '' }, io)
}

function ended(
  { calls, ...options }: HelmClientOptions,
  state: State,
  call: HelmCall,
  run: { readonly exit: number | null; readonly output: string },
  io: Io<Wake>,
): void {
  delete state.running
  options.ended?.(call, run)
  const [first, ...line] = state.line
  if (first !== undefined) {
    state.line = line
    startAt(first, io.now, io)
    return
  }
  const next = calls[state.next]
  if (next === undefined) return
  state.next += 1
  startAt(next, Math.max(next.at, io.now), io)
}

function startAt(call: HelmCall, at: Instant, io: Io<Wake>): void {
  io.wakeAt(at + (call.startMs ?? 0), { kind: 'start', call })
}
