import { isList, isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { spanSeconds } from './span.ts'

/** A setting that no engine could have. `path` leads to it from where the settings stand. */
export interface SettingProblem {
  readonly path: readonly (string | number)[]
  /** Follows the value: `is no span above zero`. */
  readonly words: string
}

/** Periods of engines; a zero one would never let time go on. */
const PERIODS: ReadonlySet<string> = new Set([
  'interval',
  'refresh',
  'retryInterval',
  'reconcileEvery',
  'minRetryDelay',
  'maxRetryDelay',
  'pollingInterval',
  'every',
])

const SPANS: ReadonlySet<string> = new Set(['jitter', 'timeout', 'manifestCache', 'backoff'])

const SWITCHES: ReadonlySet<string> = new Set([
  'automated',
  'selfHeal',
  'prune',
  'wait',
  'suspend',
  'applyOutOfSyncOnly',
])

/** Versions whose rules the models know, or that behave like a known one. */
const VERSIONS: Readonly<Record<string, { readonly fits: RegExp; readonly words: string }>> = {
  argocd: { fits: /^v?(?:2|3)(?:\.(?:x|\d+)(?:\.(?:x|\d+))?)?$/, words: '2.x and 3.x' },
  helm: { fits: /^v?(?:3|4)(?:\.(?:x|\d+)(?:\.(?:x|\d+))?)?$/, words: '3.x and 4.x' },
  'helm-cli': { fits: /^v?(?:3|4)(?:\.(?:x|\d+)(?:\.(?:x|\d+))?)?$/, words: '3.x and 4.x' },
}

const KUBERNETES = /^v?1\.(?:2\d|3[0-7])(?:\.(?:x|\d+))?$/

/** What is impossible among the settings of an engine; a list stands for several settings. */
export function settingProblems(engine: JsonObject): readonly SettingProblem[] {
  const kind = stringAt(engine, ['kind']) ?? ''
  return Object.entries(engine).flatMap(([key, value]) => {
    const check = checkOf(kind, key)
    if (check === undefined || value === undefined) return []
    if (!isList(value)) {
      const words = check(value)
      return words === undefined ? [] : [{ path: [key], words }]
    }
    return value.flatMap((one, at) => {
      const words = check(one)
      return words === undefined ? [] : [{ path: [key, at], words }]
    })
  })
}

type Check = (value: Json) => string | undefined

function checkOf(kind: string, key: string): Check | undefined {
  if (PERIODS.has(key)) return (value) => spanProblem(value, true)
  if (SPANS.has(key))
    return (value) =>
      isObject(value) || isShare(value) || isRange(value) ? undefined : spanProblem(value, false)
  if (SWITCHES.has(key)) {
    return (value) => (typeof value === 'boolean' ? undefined : 'is neither true nor false')
  }
  const versions = VERSIONS[kind]
  if (key === 'version' && versions !== undefined) {
    return (value) =>
      versions.fits.test(textOf(value))
        ? undefined
        : `is no version that the model knows (${versions.words})`
  }
  if (key !== 'kubernetes') return undefined
  return (value) =>
    KUBERNETES.test(textOf(value)) ? undefined : 'is no version that the model knows (1.20 to 1.37)'
}

/** A share of the interval (`0.05`) or a span. */
function isShare(value: Json): boolean {
  return typeof value === 'number' && value >= 0 && value < 1
}

/** `1s-10m`: from the first to the longest. */
function isRange(value: Json): boolean {
  const parts = typeof value === 'string' ? value.split('-') : []
  return parts.length === 2 && parts.every((part) => spanSeconds(part) !== undefined)
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function spanProblem(value: Json, mustBePositive: boolean): string | undefined {
  const seconds = typeof value === 'string' ? spanSeconds(value) : undefined
  if (seconds === undefined) return 'is no span of time such as 10m or 1h30m'
  return mustBePositive && seconds === 0 ? 'is no span above zero' : undefined
}

/** Fields of the engines' own objects that no controller could work with. */
const CARRIER_PERIODS: readonly (readonly string[])[] = [
  ['spec', 'interval'],
  ['spec', 'retryInterval'],
]

/** Why an engine's own object cannot be played, for a sentence; undefined: it can. */
export function carrierProblem(object: JsonObject): string | undefined {
  for (const path of CARRIER_PERIODS) {
    const value = stringAt(object, path)
    const words = value === undefined ? undefined : spanProblem(value, true)
    if (words === undefined) continue
    const name = stringAt(object, ['metadata', 'name']) ?? ''
    return `${path.join('.')} of ${stringAt(object, ['kind']) ?? ''} ${name}: ${value ?? ''} ${words}`
  }
  return undefined
}
