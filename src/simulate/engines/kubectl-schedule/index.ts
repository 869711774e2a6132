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
  /** The folder as it is at that instant; the same value as long as it is unchanged. */
  readonly objectsAt: (at: Instant) => Folder
  /** When the command starts. Each start is by itself; one that comes while it runs is left out. */
  readonly starts: Starts
  /** How the cluster spells its kinds; asked at each start. */
  readonly discovery: () => Discovery
  /** Of several in one cluster; default `kubectl`. */
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

/** The objects of a folder, or why there are none: a build that fails. */
export type Folder = readonly JsonObject[] | { readonly fault: string }

export type Wake = StartWake | { readonly kind: 'resume' }

interface Running extends Known {
  readonly run: RunState
  readonly watches: readonly Watched[]
}

/** What is known of a run, whatever it waits for. */
interface Known {
  readonly folder: Folder
  readonly startedAt: Instant
  readonly hasWritten: boolean
  /** Its trigger was told. */
  readonly isTold: boolean
}

export interface State {
  readonly running?: Running
  /** Kind and name of what the last run went over without changing anything, and when it began. */
  readonly idle?: { readonly keys: ReadonlySet<string>; readonly startedAt: Instant }
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
      if (idle === undefined) return
      if (!idle.keys.has(keyOf(event.object)) && !mayLiftRefusal(event)) return
      box.state = {}
      planNext(options.starts, Math.max(io.now, idle.startedAt + 1), io)
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

function nameOf({ name = 'kubectl' }: KubectlScheduleOptions): string {
  return name
}

/** `replace --force` of `kubectl replace --force -f -`: it stands behind the name of the actor. */
function carrierOf({ command }: Pick<KubectlScheduleOptions, 'command'>): string {
  return command
    .replace(/\s+-f\s+\S+/g, '')
    .replace(/^kubectl\s+/, '')
    .trim()
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
  const folder = options.objectsAt(io.now)
  const known = { folder, startedAt: io.now, hasWritten: false, isTold: false }
  const told = telling(options, known, io)
  if ('fault' in folder) {
    const failed = { kind: 'ended', exit: 1, stdout: '', stderr: folder.fault } as const
    return follow(options, box, { run: failed, known }, io)
  }
  const objects = folder
  const run = startKubectl({ command, namespace, objects }, told.io, options.discovery())
  follow(options, box, { run, known: told.known() }, io)
}

interface Telling {
  readonly io: Io<Wake>
  readonly known: () => Known
}

/** Every write tells its cause, and the first of a run what began it. */
function telling(options: KubectlScheduleOptions, from: Known, io: Io<Wake>): Telling {
  const { command } = options
  const teller = {
    actor: nameOf(options),
    carrier: carrierOf(options),
    rule: () => ruleOf(command),
    ...(/\s--force\b/.test(command) ? { deletion: ' to replace it' } : {}),
  }
  const known = { ...from }
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
  io.cause({ ...by, effect: 'ran', object: carrier, trigger: triggerOf(options.starts, io.now) })
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
  const { folder, startedAt, hasWritten } = known
  if (options.skipsIdle === true && !hasWritten && folder === options.objectsAt(io.now)) {
    box.state = { idle: { keys: keysOf(folder), startedAt } }
    return io.cancel('start')
  }
  box.state = {}
  return planNext(options.starts, startedAt + 1, io)
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

function keysOf(folder: Folder): ReadonlySet<string> {
  if ('fault' in folder) return new Set()
  return new Set(
    folder.map(
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
