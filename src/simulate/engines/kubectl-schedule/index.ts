import type { JsonObject } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { Discovery } from '../../../cluster/clients/discovery.ts'
import {
  resumeKubectl,
  startKubectl,
  type Ended,
  type KubectlRun,
  type RunState,
  type Watched,
} from '../../../cluster/clients/kubectl/run.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import type { Instant } from '../../../cluster/time.ts'

export interface KubectlScheduleOptions {
  /** `kubectl apply -f -`, `kubectl replace --force -f -`, `kubectl create -f -`. */
  readonly command: string
  readonly namespace: string
  /** The folder as it is at that instant. */
  readonly objectsAt: (at: Instant) => readonly JsonObject[]
  /** When the command starts. Each start is by itself; one that comes while it runs is left out. */
  readonly starts: Starts
  /** How the cluster spells its kinds; asked at each start. */
  readonly discovery: () => Discovery
  /** Of several in one cluster; default `kubectl-schedule`. */
  readonly name?: string
  /** What each run ended with. */
  readonly ended?: (run: Ended, at: Instant) => void
}

export type Starts =
  | { readonly at: readonly Instant[] }
  | { readonly from: Instant; readonly everyMs: number; readonly until?: Instant }

export type Wake = { readonly kind: 'start' } | { readonly kind: 'resume' }

export interface State {
  readonly running?: { readonly run: RunState; readonly watches: readonly Watched[] }
}

/**
 * A pipeline or a crontab that runs one kubectl command over a folder at given times: nothing
 * happens in between (table 1.7). apply creates what is absent and cannot change a finished Job's
 * template; `replace --force` deletes and creates; create is refused while the name is taken and runs
 * anew with generateName (K-10 to K-12, traces kubernetes/080 to 094).
 */
export function kubectlSchedule(options: KubectlScheduleOptions): Actor<Box, Wake> {
  const { name = 'kubectl-schedule' } = options
  return {
    name,
    begin(io) {
      planNext(options.starts, io.now, io)
      return { state: {} }
    },
    observe({ state }, event, io) {
      if (state.running?.watches.some((watched) => isAt(watched, event)) === true) {
        io.wakeAt(io.now, { kind: 'resume' }, 'resume')
      }
    },
    wake(box, wake, io) {
      if (wake.kind === 'start') {
        planNext(options.starts, io.now + 1, io)
        if (box.state.running === undefined) start(options, box, name, io)
        return
      }
      const { running } = box.state
      if (running === undefined) return
      follow(options, box, resumeKubectl(running.run, io, options.discovery()), io)
    },
    copy: ({ state }) => ({ state }),
  }
}

/** The state is replaced as a whole, so that a copy costs nothing. */
export interface Box {
  state: State
}

/** The first start at or after an instant; of those before it, nobody makes up for. */
function planNext(starts: Starts, from: Instant, io: Io<Wake>): void {
  const at = nextStart(starts, from)
  if (at !== undefined) io.wakeAt(at, { kind: 'start' }, 'start')
}

export function nextStart(starts: Starts, from: Instant): Instant | undefined {
  if ('at' in starts) {
    const later = starts.at.filter((at) => at >= from)
    return later.length === 0 ? undefined : Math.min(...later)
  }
  const { from: first, everyMs, until = Infinity } = starts
  if (!(everyMs > 0)) return first >= from && first <= until ? first : undefined
  const passed = Math.max(0, Math.ceil((from - first) / everyMs))
  const at = first + passed * everyMs
  return at <= until ? at : undefined
}

function start(options: KubectlScheduleOptions, box: Box, name: string, io: Io<Wake>): void {
  const { command, namespace } = options
  io.cause({ at: io.now, actor: name, rule: 'K 1.7', effect: `ran ${command}` })
  const input = { command, namespace, objects: options.objectsAt(io.now) }
  follow(options, box, startKubectl(input, io, options.discovery()), io)
}

function follow(options: KubectlScheduleOptions, box: Box, run: KubectlRun, io: Io<Wake>): void {
  if (run.kind === 'ended') {
    box.state = {}
    io.cancel('resume')
    options.ended?.(run, io.now)
    return
  }
  const watches = run.watches === undefined ? [] : [run.watches]
  box.state = { running: { run: run.run, watches } }
  io.wakeAt(run.at, { kind: 'resume' }, 'resume')
}

function isAt(watched: Watched, { resource, object }: WatchEvent): boolean {
  return (
    watched.resource === resource.resource &&
    watched.group === resource.group &&
    watched.name === object.metadata.name &&
    watched.namespace === object.metadata.namespace
  )
}
