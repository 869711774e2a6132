import type { JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { Watched } from '../../../cluster/clients/kubectl/run.ts'
import type { Instant } from '../../../cluster/time.ts'
import { mergeValues } from '../../go-template/chart.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { resumeAction, startAction } from './action.ts'
import { readHelmCommand, type HelmCommand } from './command.ts'
import type {
  ActionEnded,
  ActionInput,
  ActionPorts,
  ActionState,
  ChartInput,
  HelmVersion,
  Progress,
} from './contract.ts'
import { doerOf } from './options.ts'
import { historyOf, lastOf } from './storage.ts'

/** A Helm command as somebody types it, with the chart that stands at its place. */
export interface HelmInput {
  readonly command: string
  readonly version: HelmVersion
  readonly namespace: string
  readonly chart: ChartInput['files']
  /** Below everything that the command gives. */
  readonly values?: JsonObject
  /** What `--values FILE` may name. */
  readonly files?: { readonly [path: string]: string }
}

export type HelmRun = HelmEnded | HelmWaiting

export interface HelmEnded {
  readonly kind: 'ended'
  readonly exit: number
  /** What is the same at every time: no names of namespaces, no times. Without a line end. */
  readonly output: string
}

export interface HelmWaiting {
  readonly kind: 'waiting'
  readonly at: Instant
  readonly watches: readonly Watched[]
  readonly run: HelmRunState
}

export interface HelmRunState {
  readonly input: HelmInput
  readonly action: ActionState
  /** Lines before the result. */
  readonly before: readonly string[]
  readonly prefix: string
}

export function startHelm(input: HelmInput, io: Io<never>, ports: ActionPorts): HelmRun {
  const command = readHelmCommand(input.command, input.version)
  if (typeof command === 'string') return { kind: 'ended', exit: 1, output: `Error: ${command}` }
  const action = actionOf(command, input, io)
  const installs = command.verb === 'upgrade' && action.action === 'install'
  tellCommand(action, input.command, io)
  const before = installs ? [`Release "${action.release}" does not exist. Installing it now.`] : []
  const prefix = installs ? '' : (PREFIX[command.verb] ?? '')
  return goOn(startAction(action, io, ports), { input, before, prefix }, action, io)
}

/** Helm does nothing by itself: everything begins with somebody's command. */
function tellCommand(action: ActionInput, command: string, io: Io<never>): void {
  const doer = doerOf(action)
  const effect = `began ${action.action} of release ${action.release}`
  const trigger = { kind: 'request', words: `somebody ran \`${command}\`` } as const
  const rule = COMMAND_RULES[action.action]
  io.cause({ at: io.now, ...doer, rule, effect, object: doer.carrier, trigger })
}

/** What stands on the screen, whole: nothing in the cluster keeps it. */
function tellFailure(action: ActionInput, prefix: string, error: string, io: Io<never>): void {
  const doer = doerOf(action)
  const effect = `failed: ${prefix}${error.trim()}`
  const rule = error.includes('is in progress') ? 'H-15' : COMMAND_RULES[action.action]
  io.cause({ at: io.now, ...doer, rule, effect, object: doer.carrier })
}

const COMMAND_RULES: { readonly [action in ActionInput['action']]: string } = {
  install: 'H-7',
  upgrade: 'H-7',
  rollback: 'H-14',
  uninstall: 'H-12',
  test: 'H-1',
}

export function resumeHelm(run: HelmRunState, io: Io<never>, ports: ActionPorts): HelmRun {
  return goOn(resumeAction(run.action, io, ports), run, run.action.input, io)
}

const PREFIX: { readonly [verb: string]: string } = {
  install: 'INSTALLATION FAILED: ',
  upgrade: 'UPGRADE FAILED: ',
}

function goOn(
  progress: Progress,
  { input, before, prefix }: Omit<HelmRunState, 'action'>,
  action: ActionInput,
  io: Io<never>,
): HelmRun {
  if (progress.kind === 'waiting') {
    const { at, watches, state } = progress
    return { kind: 'waiting', at, watches, run: { input, before, prefix, action: state } }
  }
  if (progress.error !== undefined) tellFailure(action, prefix, progress.error, io)
  const lines = [...before, ...linesOf(progress, action, prefix)]
  const output = lines.join('\n').trim()
  return { kind: 'ended', exit: progress.error === undefined ? 0 : 1, output }
}

function linesOf(
  { error, release, notes }: ActionEnded,
  { action, version, release: name }: ActionInput,
  prefix: string,
): readonly string[] {
  const said = notes.map(({ text }) => text.trimEnd())
  const wrong = error === undefined ? [] : [`Error: ${prefix}${error.trim()}`]
  const state =
    release === undefined ? [] : [`STATUS: ${release.status}`, `REVISION: ${release.version}`]
  if (version.major === 4 && release !== undefined)
    state.push(`DESCRIPTION: ${release.description}`)
  if (action === 'test' && release !== undefined) {
    const phases = release.hooks
      .filter(({ events, phase }) => events.includes('test') && phase !== undefined)
      .map(({ phase = '' }) => `Phase:          ${phase}`)
    return [...said, ...state, ...phases, ...wrong]
  }
  if (error !== undefined) return [...said, ...wrong]
  switch (action) {
    case 'install':
      return [...said, ...state]
    case 'upgrade':
      return [...said, `Release "${name}" has been upgraded. Happy Helming!`, ...state]
    case 'rollback':
      return [...said, 'Rollback was a success! Happy Helming!']
    case 'uninstall':
      return [...said, `release "${name}" uninstalled`]
    case 'test':
    default:
      return said
  }
}

function actionOf(command: HelmCommand, input: HelmInput, io: Io<never>): ActionInput {
  const [release = ''] = command.args
  const namespace = command.namespace ?? input.namespace
  const last = lastOf(historyOf(io, namespace, release))
  const isNew = last === undefined || last.status === 'uninstalled'
  const action = command.verb === 'upgrade' && command.installs && isNew ? 'install' : command.verb
  const options = { ...command.options, ...(action === command.verb ? {} : { replace: true }) }
  const base = { action, version: input.version, release, namespace, options }
  if (action !== 'install' && action !== 'upgrade') return base
  const given = { ...command, values: givenValues(command, input) }
  const values = valuesOf(given, action === 'upgrade' ? last?.config : undefined)
  return { ...base, chart: { files: input.chart, values } }
}

function givenValues({ values, valueFiles }: HelmCommand, input: HelmInput): JsonObject {
  const files = valueFiles.map((path) => {
    const text = input.files?.[path.replace(/^\.\//, '')]
    return text === undefined ? {} : (objectsOf(path, text)[0] ?? {})
  })
  return [...files, values].reduce(mergeValues, input.values ?? {})
}

/** An upgrade without any values keeps those of the release. */
function valuesOf({ values, valuesFrom }: HelmCommand, last: JsonObject | undefined): JsonObject {
  if (last === undefined || valuesFrom === 'chart') return values
  if (valuesFrom === 'last') return mergeValues(last, values)
  return Object.keys(values).length === 0 ? last : values
}
