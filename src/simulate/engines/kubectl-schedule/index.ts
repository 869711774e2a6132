import { stringAt, type JsonObject } from '../../../core/json.ts'
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
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import { toldIo } from '../told-io.ts'
import { shortWords } from '../words.ts'
import {
  lingers,
  mayLiftRefusal,
  planNext,
  triggerOf,
  type Starts,
  type StartWake,
} from './starts.ts'

export { nextStart, type Starts } from './starts.ts'

export interface KubectlScheduleOptions {
  /** `kubectl apply -f -`, `kubectl replace --force -f -`, `kubectl create -f -`. */
  readonly command: string
  readonly namespace: string
  /** The folder as it is at that instant; the same list as long as it is unchanged. */
  readonly objectsAt: (at: Instant) => readonly JsonObject[]
  /** When the command starts. Each start is by itself; one that comes while it runs is left out. */
  readonly starts: Starts
  /** How the cluster spells its kinds; asked at each start. */
  readonly discovery: () => Discovery
  /** Of several in one cluster; default `kubectl-schedule`. */
  readonly name?: string
  /** What each run ended with. */
  readonly ended?: (run: Ended, at: Instant) => void
  /**
   * Starts after one that changed nothing are left out until something of it changes in the
   * cluster. Whoever gives other objects starts the actor anew.
   */
  readonly skipsIdle?: boolean
  /** Starts come behind what else happens at their instant. */
  readonly lingers?: boolean
}

export type Wake = StartWake | { readonly kind: 'resume' }

interface Running extends Known {
  readonly run: RunState
  readonly watches: readonly Watched[]
}

/** What is known of a run, whatever it waits for. */
interface Known {
  readonly objects: readonly JsonObject[]
  readonly hasWritten: boolean
  /** Its trigger was told. */
  readonly isTold: boolean
}

export interface State {
  readonly running?: Running
  /** Kind and name of what the last run went over without changing anything. */
  readonly idle?: ReadonlySet<string>
}

/** The state is replaced as a whole, so that a copy costs nothing. */
export interface Box {
  state: State
}

/**
 * A pipeline or a crontab that runs one kubectl command over a folder at given times: nothing
 * happens in between (table 1.7). apply creates what is absent and cannot change a finished Job's
 * template; `replace --force` deletes and creates; create is refused while the name is taken and runs
 * anew with generateName (K-10, K-11, K-33, K-35, traces kubernetes/080 to 094).
 */
export function kubectlSchedule(options: KubectlScheduleOptions): Actor<Box, Wake> {
  return {
    name: nameOf(options),
    begin(io) {
      planNext(options.starts, io.now, io)
      return { state: {} }
    },
    observe(box, event, io) {
      const { running, idle } = box.state
      if (running?.watches.some((watched) => isAt(watched, event)) === true) {
        io.wakeAt(io.now, { kind: 'resume' }, 'resume')
      }
      if (idle === undefined || !(idle.has(keyOf(event.object)) || mayLiftRefusal(event))) return
      box.state = {}
      planNext(options.starts, io.now, io)
    },
    wake(box, wake, io) {
      const { running } = box.state
      if (wake.kind === 'start') {
        if (options.lingers === true && lingers(wake, io)) return
        planNext(options.starts, io.now + 1, io)
        if (running === undefined) start(options, box, io)
        return
      }
      if (running === undefined) return
      const told = telling(options, running, io)
      const run = resumeKubectl(running.run, told.io, options.discovery())
      follow(options, box, { run, known: told.known() }, io)
    },
    copy: ({ state }) => ({ state }),
  }
}

function nameOf({ name = 'kubectl-schedule' }: KubectlScheduleOptions): string {
  return name
}

/** `kubectl replace --force` of `kubectl replace --force -f -`. */
export function carrierOf({ command }: Pick<KubectlScheduleOptions, 'command'>): string {
  return command.replace(/\s+-f\s+\S+/g, '').trim()
}

/** The rules of docs/engines/kubectl.md. */
function ruleOf(command: string): string {
  const isForced = /\s--force\b/.test(command)
  if (/\breplace\b/.test(command)) return isForced ? 'KC-4' : 'KC-3'
  if (/\bcreate\b/.test(command)) return 'KC-5'
  return isForced ? 'KC-2' : 'KC-1'
}

function start(options: KubectlScheduleOptions, box: Box, io: Io<Wake>): void {
  const { command, namespace } = options
  const objects = options.objectsAt(io.now)
  const told = telling(options, { objects, hasWritten: false, isTold: false }, io)
  const run = startKubectl({ command, namespace, objects }, told.io, options.discovery())
  follow(options, box, { run, known: told.known() }, io)
}

interface Telling {
  readonly io: Io<Wake>
  readonly known: () => Known
}

/** Every write tells its cause, and the first of a run what began it. */
function telling(
  options: KubectlScheduleOptions,
  { objects, hasWritten, isTold }: Known,
  io: Io<Wake>,
): Telling {
  const { command } = options
  const teller = {
    actor: nameOf(options),
    carrier: carrierOf(options),
    rule: () => ruleOf(command),
    ...(/\s--force\b/.test(command) ? { deletion: ' to replace it' } : {}),
  }
  const known = { objects, hasWritten, isTold }
  return {
    io: toldIo(io, teller, {
      before: () => {
        if (!known.isTold) tellStart(options, io)
        known.isTold = true
      },
      wrote: () => {
        known.hasWritten = true
      },
    }),
    known: () => known,
  }
}

function tellStart(options: KubectlScheduleOptions, io: Io<Wake>): void {
  const carrier = carrierOf(options)
  const by = { at: io.now, actor: nameOf(options), rule: ruleOf(options.command), carrier }
  io.cause({ ...by, effect: 'ran', object: carrier, trigger: triggerOf(options.starts) })
}

interface Step {
  readonly run: KubectlRun
  readonly known: Known
}

function follow(
  options: KubectlScheduleOptions,
  box: Box,
  { run, known }: Step,
  io: Io<Wake>,
): void {
  if (run.kind === 'waiting') {
    const watches = run.watches === undefined ? [] : [run.watches]
    box.state = { running: { ...known, run: run.run, watches } }
    io.wakeAt(run.at, { kind: 'resume' }, 'resume')
    return
  }
  io.cancel('resume')
  if (run.exit !== 0) tellFailure(options, run, known, io)
  options.ended?.(run, io.now)
  const isSame = !known.hasWritten && known.objects === options.objectsAt(io.now)
  box.state = options.skipsIdle === true && isSame ? { idle: keysOf(known.objects) } : {}
  if (box.state.idle !== undefined) io.cancel('start')
}

function tellFailure(
  options: KubectlScheduleOptions,
  { stderr }: Ended,
  { isTold }: Known,
  io: Io<Wake>,
): void {
  if (!isTold) tellStart(options, io)
  const carrier = carrierOf(options)
  const by = { at: io.now, actor: nameOf(options), rule: ruleOf(options.command), carrier }
  io.cause({ ...by, effect: `failed: ${shortWords(stderr)}`, object: carrier })
}

function keysOf(objects: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(
    objects.map(
      (object) =>
        `${stringAt(object, ['kind']) ?? ''} ${stringAt(object, ['metadata', 'name']) ?? ''}`,
    ),
  )
}

function keyOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`
}

function isAt(watched: Watched, { resource, object }: WatchEvent): boolean {
  return (
    watched.resource === resource.resource &&
    watched.group === resource.group &&
    watched.name === object.metadata.name &&
    watched.namespace === object.metadata.namespace
  )
}
