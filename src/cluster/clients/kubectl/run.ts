import type { JsonObject } from '../../../core/json.ts'
import type { Io } from '../../actor.ts'
import type { ResourceId } from '../../object.ts'
import type { Instant } from '../../time.ts'
import { dryRunOf, type DryRun } from './dry-run.ts'
import type { Discovery } from '../discovery.ts'
import { applyOne } from './apply.ts'
import { applyServerSide } from './apply-server-side.ts'
import { isOn, readKubectlCommand, type KubectlCommand } from './command.ts'
import { createFrom, createOne } from './create.ts'
import { deleteOne, deleteTargets } from './delete.ts'
import { diffOne } from './diff.ts'
import type { KubectlError } from './messages.ts'
import { printError } from './messages.ts'
import { patchNamed } from './patch.ts'
import { prune } from './prune.ts'
import { replaceForced, replaceOne } from './replace.ts'
import { waitFor } from './wait.ts'

/**
 * kubectl as a client of the model: what it sends, in which order, what it prints and how it ends
 * (kubectl 1.36, src: k8s.io/kubectl pkg/cmd). A run that has to wait (`--wait`, `--force`,
 * `kubectl wait`) hands back plain data; the caller goes on with it at the instant that it names,
 * and after each change of the object that it watches.
 */
export interface KubectlInput {
  readonly command: string
  /** The objects of `-f -`, in order, as read from YAML. */
  readonly objects: readonly JsonObject[]
  readonly namespace: string
}

export type KubectlRun = Ended | Waiting

export interface Ended {
  readonly kind: 'ended'
  readonly exit: number
  /** Without a line end. */
  readonly stdout: string
  readonly stderr: string
}

export interface Waiting {
  readonly kind: 'waiting'
  /** When to look again without a change; the end of its patience at the latest. */
  readonly at: Instant
  /** A change of this object is worth a look, too. */
  readonly watches?: Watched
  readonly run: RunState
}

export interface Watched extends ResourceId {
  readonly namespace?: string
  readonly name: string
}

/** All that a run remembers. */
export interface RunState {
  readonly input: KubectlInput
  /** The object that is worked on. */
  readonly at: number
  /** What the step at work remembers; undefined at its first look. */
  readonly step?: JsonObject
  readonly out: readonly string[]
  readonly err: readonly string[]
}

/** What a step of a command does with one object. */
export type StepResult =
  | { readonly kind: 'done'; readonly out?: string; readonly warnings?: readonly string[] }
  | {
      readonly kind: 'failed'
      /** An empty message prints nothing. */
      readonly error: KubectlError
      readonly out?: string
      /** Default 1; 2 for diff, where 1 says that there is a difference. */
      readonly exit?: number
    }
  | {
      readonly kind: 'wait'
      readonly at: Instant
      readonly watches?: Watched
      readonly step: JsonObject
      readonly out?: string
      readonly warnings?: readonly string[]
    }

export interface StepInput {
  readonly command: KubectlCommand
  readonly object: JsonObject
  readonly namespace: string
  readonly io: Io<unknown>
  readonly discovery: Discovery
  readonly dryRun: DryRun
  readonly step: JsonObject | undefined
}

export function startKubectl(
  input: KubectlInput,
  io: Io<unknown>,
  discovery: Discovery,
): KubectlRun {
  return goOn({ input, at: 0, out: [], err: [] }, io, discovery)
}

export function resumeKubectl(run: RunState, io: Io<unknown>, discovery: Discovery): KubectlRun {
  return goOn(run, io, discovery)
}

function goOn(from: RunState, io: Io<unknown>, discovery: Discovery): KubectlRun {
  const { input } = from
  const command = readKubectlCommand(input.command)
  if (typeof command === 'string') return failed(from, { message: command })
  const refused = refusalOf(command)
  if (refused !== undefined) return failed(from, { message: refused })
  const targets = targetsOf(command, input)
  let run = from
  let exit = 0
  while (run.at < targets.length) {
    const object = targets[run.at]
    if (object === undefined) break
    const namespace = input.namespace
    const dryRun = dryRunOf(command)
    const step = run.step
    const result = stepOf(command)({ command, object, namespace, io, discovery, dryRun, step })
    run = noted(run, result)
    if (result.kind === 'wait') {
      const { watches } = result
      const waiting: Waiting = {
        kind: 'waiting',
        at: result.at,
        run: { ...run, step: result.step },
      }
      return watches === undefined ? waiting : { ...waiting, watches }
    }
    if (result.kind === 'failed') {
      exit = Math.max(exit, result.exit ?? (command.verb === 'diff' ? 2 : 1))
    }
    const { step: _, ...rest } = run
    run = { ...rest, at: run.at + 1 }
  }
  if (isOn(command, 'prune') && exit === 0) {
    run = noted(
      run,
      prune({ command, objects: input.objects, namespace: input.namespace, io, discovery }),
    )
  }
  return ended(run, exit)
}

function noted(run: RunState, result: StepResult): RunState {
  const out = result.out === undefined ? run.out : [...run.out, result.out]
  if (result.kind === 'failed') {
    const { error } = result
    const isSaid = error.message !== ''
    return { ...run, out, err: isSaid ? [...run.err, printError(error)] : run.err }
  }
  return { ...run, out, err: [...run.err, ...(result.warnings ?? [])] }
}

function stepOf(command: KubectlCommand): (input: StepInput) => StepResult {
  switch (command.verb) {
    case 'apply':
      return isOn(command, 'server-side') ? applyServerSide : applyOne
    case 'create':
      return command.args.length > 0 ? createFrom : createOne
    case 'replace':
      return isOn(command, 'force') ? replaceForced : replaceOne
    case 'delete':
      return deleteOne
    case 'patch':
      return patchNamed
    case 'wait':
      return waitFor
    case 'diff':
      return diffOne
    case 'get':
    default:
      return () => ({ kind: 'done' })
  }
}

/** What the command works on: objects of a file, or one that the arguments name. */
function targetsOf(command: KubectlCommand, input: KubectlInput): readonly JsonObject[] {
  if (command.flags['filename'] !== undefined) return input.objects
  if (command.verb === 'delete' || command.verb === 'wait') return deleteTargets(command)
  return [{}]
}

/** Flags that exclude each other, in kubectl's words. */
function refusalOf(command: KubectlCommand): string | undefined {
  const dryRun = command.flags['dry-run']
  const isForced = isOn(command, 'force')
  if (command.verb === 'apply' && isForced && isOn(command, 'server-side')) {
    return '--force cannot be used with --server-side'
  }
  if (command.verb === 'apply' && isForced && dryRun === 'server') {
    return '--dry-run=server cannot be used with --force'
  }
  if (command.verb === 'apply' && isOn(command, 'server-side') && dryRun === 'client') {
    return "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)"
  }
  if (command.verb === 'replace' && isForced && (dryRun ?? 'none') !== 'none') {
    return '--dry-run can not be used when --force is set'
  }
  return undefined
}

function failed(run: RunState, error: KubectlError): Ended {
  return ended({ ...run, err: [...run.err, printError(error)] }, 1)
}

function ended(run: RunState, exit: number): Ended {
  return { kind: 'ended', exit, stdout: run.out.join('\n'), stderr: run.err.join('\n') }
}
