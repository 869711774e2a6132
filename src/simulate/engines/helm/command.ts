import type { Json, JsonObject } from '../../../core/json.ts'
import { goDurationSeconds } from '../../../core/go-duration.ts'
import { mergeValues } from '../../go-template/chart.ts'
import type { ActionInput, ActionOptions, HelmVersion, WaitStrategy } from './contract.ts'

/** One command line of Helm, taken apart; what is not understood is said, not guessed. */
export interface HelmCommand {
  readonly verb: ActionInput['action']
  readonly args: readonly string[]
  readonly options: ActionOptions
  /** `upgrade --install`. */
  readonly installs: boolean
  /** Of `--set`; `--values` names files, which go before them. */
  readonly values: JsonObject
  readonly valueFiles: readonly string[]
  readonly valuesFrom: 'chart' | 'last' | 'if-none-given'
  readonly namespace?: string
}

const WITH_VALUE = new Set([
  'timeout',
  'cascade',
  'history-max',
  'set',
  'set-string',
  'namespace',
  'version',
  'description',
  'values',
  'server-side-manager',
  'filter',
])

const SWITCHES = new Set([
  'wait',
  'wait-for-jobs',
  'force',
  'force-replace',
  'force-conflicts',
  'server-side',
  'take-ownership',
  'atomic',
  'rollback-on-failure',
  'cleanup-on-fail',
  'install',
  'no-hooks',
  'skip-crds',
  'keep-history',
  'replace',
  'reuse-values',
  'reset-values',
  'reset-then-reuse-values',
  'create-namespace',
  'hide-notes',
  'debug',
])

const SHORT: { readonly [letter: string]: string } = { i: 'install', n: 'namespace', f: 'values' }
const VERBS = ['install', 'upgrade', 'rollback', 'uninstall', 'test'] as const
const ALIASES: { readonly [word: string]: ActionInput['action'] } = {
  delete: 'uninstall',
  del: 'uninstall',
  un: 'uninstall',
}

interface Flags {
  readonly [flag: string]: readonly string[]
}

/** Reads `helm upgrade rel chart --wait`; a text where it cannot be read. */
export function readHelmCommand(line: string, version: HelmVersion): HelmCommand | string {
  const [, word = '', ...rest] = line.trim().split(/\s+/)
  const verb = VERBS.find((known) => known === word) ?? ALIASES[word]
  if (verb === undefined) return `helm ${word} is not modelled`
  const read = readFlags(rest)
  if (typeof read === 'string') return `helm ${verb} with ${read} is not modelled`
  const { flags, args } = read
  const [namespace] = flags['namespace'] ?? []
  return {
    verb,
    args,
    options: optionsOf(verb, args, flags, version),
    installs: isOn(flags, 'install'),
    values: valuesOf(flags),
    valueFiles: (flags['values'] ?? []).flatMap((text) => text.split(',')),
    valuesFrom: valuesFrom(flags),
    ...(namespace === undefined ? {} : { namespace }),
  }
}

function readFlags(
  words: readonly string[],
): { readonly flags: Flags; readonly args: readonly string[] } | string {
  const args: string[] = []
  const flags: { [flag: string]: string[] } = {}
  for (let at = 0; at < words.length; at += 1) {
    const part = words[at] ?? ''
    const [, dashes, name, , given] = /^(--?)([a-z-]+)(=(.*))?$/.exec(part) ?? []
    if (dashes === undefined || name === undefined) {
      args.push(part)
      continue
    }
    const flag = dashes === '-' ? SHORT[name] : name
    if (flag === undefined || !(WITH_VALUE.has(flag) || SWITCHES.has(flag))) return part
    let value = given
    if (value === undefined) {
      if (SWITCHES.has(flag)) value = 'true'
      else {
        at += 1
        value = words[at] ?? ''
      }
    }
    flags[flag] = [...(flags[flag] ?? []), value]
  }
  return { flags, args }
}

function optionsOf(
  verb: ActionInput['action'],
  args: readonly string[],
  flags: Flags,
  version: HelmVersion,
): ActionOptions {
  const last = (flag: string): string | undefined => flags[flag]?.at(-1)
  const timeout = goDurationSeconds(last('timeout') ?? '5m')
  const serverSide = last('server-side')
  const historyMax = last('history-max')
  const revision = verb === 'rollback' ? Number(args[1] ?? 0) : 0
  const cascade = last('cascade')
  return {
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    wait: waitOf(last('wait'), version),
    waitForJobs: isOn(flags, 'wait-for-jobs'),
    ...(serverSide === undefined
      ? {}
      : { serverSide: serverSide === 'auto' ? 'auto' : serverSide !== 'false' }),
    forceConflicts: isOn(flags, 'force-conflicts'),
    forceReplace: isOn(flags, 'force') || isOn(flags, 'force-replace'),
    takeOwnership: isOn(flags, 'take-ownership'),
    rollbackOnFailure: isOn(flags, 'atomic') || isOn(flags, 'rollback-on-failure'),
    cleanupOnFail: isOn(flags, 'cleanup-on-fail'),
    noHooks: isOn(flags, 'no-hooks'),
    skipCrds: isOn(flags, 'skip-crds'),
    keepHistory: isOn(flags, 'keep-history'),
    replace: isOn(flags, 'replace'),
    ...(historyMax === undefined ? {} : { historyMax: Number(historyMax) }),
    ...(revision === 0 ? {} : { toRevision: revision }),
    cascade:
      cascade === 'foreground' ? 'Foreground' : cascade === 'orphan' ? 'Orphan' : 'Background',
  }
}

/** H-13: a flag without a value is the watcher of Helm 4. */
function waitOf(given: string | undefined, { major }: HelmVersion): WaitStrategy {
  if (given === undefined || given === 'false' || given === 'hookOnly') return 'none'
  return major === 3 || given === 'legacy' ? 'legacy' : 'watcher'
}

function valuesFrom(flags: Flags): HelmCommand['valuesFrom'] {
  if (isOn(flags, 'reset-values')) return 'chart'
  if (isOn(flags, 'reuse-values') || isOn(flags, 'reset-then-reuse-values')) return 'last'
  return 'if-none-given'
}

function isOn(flags: Flags, flag: string): boolean {
  const value = flags[flag]?.at(-1)
  return value !== undefined && value !== 'false'
}

/** `--set a.b=1,c=x`: numbers and booleans by their looks, text with --set-string. */
function valuesOf(flags: Flags): JsonObject {
  let values: JsonObject = {}
  for (const [flag, isText] of [
    ['set', false],
    ['set-string', true],
  ] as const) {
    for (const pair of (flags[flag] ?? []).flatMap((text) => text.split(/(?<!\\),/))) {
      const cut = pair.indexOf('=')
      const path = pair.slice(0, cut).split(/(?<!\\)\./)
      const value = isText ? pair.slice(cut + 1) : typed(pair.slice(cut + 1))
      values = mergeValues(values, nested(path, value))
    }
  }
  return values
}

function nested(path: readonly string[], value: Json): JsonObject {
  const [first = '', ...rest] = path
  return { [first.replaceAll('\\', '')]: rest.length === 0 ? value : nested(rest, value) }
}

function typed(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : text
}
