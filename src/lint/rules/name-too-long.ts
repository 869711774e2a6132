import { byteLength } from '../../core/text.ts'
import { sha8 } from '../../core/hash.ts'
import { objectAt, stringAt } from '../../core/json.ts'
import { hashSuffixOf, nameBudget, nameProblem, repairName } from '../../core/names.ts'
import { isTemplated, literalParts } from '../../core/templates.ts'
import type { Subject } from '../../ownership/subject.ts'
import { words, type Expression } from '../expressions.ts'
import { label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { expressionReader } from '../templating.ts'

/**
 * A name that the API server refuses: a Job's has at most 63 bytes (less for Indexed Jobs and for
 * hooks with generateName), a CronJob's 52, and no capitals, underscores or the like.
 * Of a templated name only what every rendering has is judged: the literal parts, and hashes that
 * nothing cuts. Silent where a branch of the template may leave parts out, and for long names that
 * are only likely.
 */
export const nameTooLong: Rule = {
  id: 'name-too-long',
  severity: 'error',
  summary: 'A name that is too long for its kind, or that Kubernetes does not allow.',
  kinds: ['Job', 'CronJob'],
  check,
}

const NAME = ['metadata', 'name'] as const
const GENERATED = ['metadata', 'generateName'] as const

function check(subject: Subject): readonly RuleFinding[] {
  const { object, kind, traits } = subject
  if (!traits.applies) return []
  const name = stringAt(object, NAME)
  if (name === undefined) return generated(subject)
  if (isTemplated(name)) return templated(subject, name)
  // A variable of a build plugin (`$ARGOCD_APP_NAME`) is text that something else replaces.
  if (/\$\(?[A-Z_]/.test(name)) return []
  const problem = nameProblem(kind, name, specOf(subject))
  if (problem === undefined) return []
  const { fault, length, budget, why } = problem
  if (fault === 'invalid') {
    const repaired = repairName(name)
    return [
      {
        at: NAME,
        what: `${label(subject)} has a name that Kubernetes does not allow`,
        why,
        remedy: `call it ${repaired.length <= budget ? repaired : shortened(repaired, budget)}`,
      },
    ]
  }
  return [
    {
      at: NAME,
      what: `the name of ${label(subject)} has ${length} bytes, ${budget} are allowed`,
      why: `${limitReason(subject)}; the API server refuses it, and nothing runs`,
      remedy: `${advice(name)}: ${shortened(repairName(name), budget)}`,
    },
  ]
}

function advice(name: string): string {
  return hashSuffixOf(name) === undefined
    ? 'shorten it, for example'
    : 'shorten it and keep the hash'
}

function templated(subject: Subject, name: string): readonly RuleFinding[] {
  const expressions = expressionReader(subject)(name)
  // With branches in the name nobody knows which of its parts are rendered.
  if (expressions.some(({ calls }) => [...calls].some((call) => BRANCHES.has(call)))) return []
  const budget = nameBudget(subject.kind, specOf(subject))
  const literal = literalParts(name).join('')
  const literalBytes = byteLength(literal)
  const hashes = expressions.map(uncutHashLength)
  const hashBytes = hashes.reduce((sum, length) => sum + length, 0)
  const least = literalBytes + hashBytes
  if (least > budget) {
    const hash = expressions[hashes.findIndex((length) => length > 0)]
    return [
      {
        at: NAME,
        what: `the name of ${label(subject)} has at least ${least} bytes when rendered, ${budget} are allowed`,
        why:
          hash === undefined
            ? `its literal parts alone have ${literalBytes}; ${limitReason(subject)}`
            : `${hash.text} gives ${hashBytes} bytes; ${limitReason(subject)}`,
        remedy:
          hash === undefined
            ? `leave at most ${budget} bytes for all parts together, the rendered ones too`
            : `keep the first 8 characters of the hash: ${hash.language === 'cel' ? '.substring(0, 8)' : '| trunc 8'}`,
      },
    ]
  }
  const wrong = /[^a-z0-9.$-]+/.exec(literal)?.[0]
  if (wrong === undefined) return []
  return [
    {
      at: NAME,
      what: `${label(subject)} has ${JSON.stringify(wrong)} in its name`,
      why: 'Kubernetes allows only a-z, 0-9, - and . in it, whatever the other parts become',
      remedy: `write ${JSON.stringify(wrong.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-'))}`,
    },
  ]
}

/** Two ways of making a name from the prefix: by the server, or by the engine for its hooks. */
function generated(subject: Subject): readonly RuleFinding[] {
  const { object, kind, traits } = subject
  const prefix = stringAt(object, GENERATED)
  if (prefix === undefined || isTemplated(prefix)) return []
  const length = byteLength(prefix)
  if (kind === 'CronJob') {
    const room = nameBudget(kind, specOf(subject)) - SERVER_SUFFIX
    return length <= room || traits.generateName === 'refused'
      ? []
      : [tooLongPrefix(subject, length, room, `the API server adds ${SERVER_SUFFIX} characters`)]
  }
  if (traits.generateName !== 'hooks-only') return []
  for (const phase of traits.hook?.phases ?? []) {
    const suffix = hookSuffix(phase)
    if (suffix === undefined || length + suffix <= nameBudget(kind, specOf(subject))) continue
    const room = nameBudget(kind, specOf(subject)) - suffix
    const added = `-${phase.toLowerCase()}-, seven characters of the revision and the start time`
    return [tooLongPrefix(subject, length, room, `the engine adds ${suffix} bytes (${added})`)]
  }
  return []
}

function tooLongPrefix(subject: Subject, length: number, room: number, why: string): RuleFinding {
  return {
    at: GENERATED,
    what: `the generateName of this ${subject.kind} has ${length} bytes, ${room} are allowed`,
    why: `${why}; ${limitReason(subject)}`,
    remedy: `shorten it to at most ${room} bytes`,
  }
}

/** Seven characters of the revision, the phase, the start in unix seconds, two dashes. */
function hookSuffix(phase: string): number | undefined {
  return SYNC_PHASES.has(phase) ? 7 + 1 + phase.length + 1 + 10 : undefined
}

const SYNC_PHASES: ReadonlySet<string> = new Set(['PreSync', 'Sync', 'PostSync', 'SyncFail'])
const SERVER_SUFFIX = 5
const BRANCHES = words('if else with range ternary')

/** The least that a hash call adds, when nothing in its expression shortens text. */
function uncutHashLength({ calls, language }: Expression): number {
  if ([...calls].some((call) => CUTTERS.has(call))) return 0
  // Without the hex format the digest is bytes, whose text depends on what else is called.
  if (language === 'cel' && !calls.has('format')) return 0
  return Math.max(0, ...[...calls].map((call) => HASH_LENGTHS[call] ?? 0))
}

const CUTTERS = words(
  'trunc substr slice abbrev abbrevboth printf regexFind splitn first include template ' +
    'substring split replace matches eq ne b64dec',
)

const HASH_LENGTHS: Readonly<Record<string, number>> = {
  sha1sum: 40,
  sha256sum: 64,
  sha512sum: 128,
  'hash.sha256': 64,
  'hash.md5': 32,
}

function limitReason({ kind, object }: Subject): string {
  if (kind === 'CronJob') return 'its Jobs are named after it, with a time behind the name'
  const indexed = stringAt(object, ['spec', 'completionMode']) === 'Indexed'
  return indexed
    ? 'the pods of an Indexed Job add their index to it and use it as host name (63)'
    : 'the name of a Job becomes a label of its pods, and labels end at 63'
}

/** A proposal: the readable part cut, a hash at the end kept, and what was cut told apart by one. */
function shortened(name: string, budget: number): string {
  const suffix = hashSuffixOf(name)
  const hash = suffix?.hash.slice(0, 10) ?? sha8(name)
  const base = suffix?.base ?? name
  return `${base.slice(0, budget - hash.length - 1).replace(/[-.]+$/, '')}-${hash}`
}

function specOf({ object }: Subject): NonNullable<ReturnType<typeof objectAt>> {
  return objectAt(object, ['spec']) ?? {}
}
