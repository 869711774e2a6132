import { at, integerAt } from '../../core/json.ts'
import { outermost, type Place } from '../../core/source.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Subject } from '../../ownership/subject.ts'
import { duration, label } from '../helpers.ts'
import type { Rule, RuleContext, RuleFinding, TtlContract, TtlEntry } from '../rule.ts'

const TTL = ['spec', 'ttlSecondsAfterFinished']

/**
 * A team that agrees on one TTL for all Jobs writes it into semel.yaml, with the exceptions by
 * file and Job name. Every Job then has exactly its TTL: no other value, and none where none is
 * agreed. Entries are compared with the name as it is written, so `build-${KERNEL_TAG}` matches.
 * Silent on CronJobs, and altogether while semel.yaml has no ttlContract. Whether an entry still
 * matches anything is for the reader of semel.yaml to say, not for this rule.
 */
export const ttlContract: Rule = {
  id: 'ttl-contract',
  severity: 'error',
  summary: 'A Job has another TTL than the TTL contract in semel.yaml asks for.',
  offByDefault: true,
  kinds: ['Job'],
  check,
}

interface Wanted {
  readonly seconds: number | undefined
  readonly why: string
  /** What to do with the contract instead of the Job. */
  readonly otherwise: string
  readonly entry?: Place
}

function check(subject: Subject, { contract }: RuleContext): readonly RuleFinding[] {
  if (contract.ttl === undefined) return []
  const wanted = wantedOf(subject, contract.ttl)
  const written = at(subject.object, TTL)
  if (written === undefined || written === null) {
    if (wanted.seconds === undefined) return []
    if (subject.isOpen(['spec'])) return [unread(subject, wanted)]
    return [
      finding(subject, wanted, {
        at: ['spec'],
        show: 'key',
        what: `${label(subject)} has no ttlSecondsAfterFinished`,
        remedy: `set ttlSecondsAfterFinished: ${wanted.seconds}, or ${wanted.otherwise}`,
      }),
    ]
  }
  if (isTemplated(written)) return [unread(subject, wanted)]
  const seconds = integerAt(subject.object, TTL)
  if (seconds !== undefined && seconds === wanted.seconds) return []
  const text = seconds === undefined ? JSON.stringify(written) : String(seconds)
  return [
    finding(subject, wanted, {
      at: TTL,
      what: `${label(subject)} has ttlSecondsAfterFinished: ${text}`,
      remedy:
        wanted.seconds === undefined
          ? `remove ttlSecondsAfterFinished, or ${wanted.otherwise}`
          : `set ttlSecondsAfterFinished: ${wanted.seconds}, or ${wanted.otherwise}`,
    }),
  ]
}

function wantedOf(subject: Subject, { seconds, none, value }: TtlContract): Wanted {
  const isThis = ({ file, job }: TtlEntry): boolean =>
    plain(file) === plain(fileOf(subject)) && job === nameOf(subject)
  const free = none.find(isThis)
  if (free !== undefined) {
    return {
      seconds: undefined,
      why: `ttlContract.none in semel.yaml says that this Job has no TTL (${free.reason})`,
      otherwise: 'take its entry out of ttlContract.none',
      entry: free.place,
    }
  }
  const other = value.find(isThis)
  if (other !== undefined) {
    return {
      seconds: other.seconds,
      why:
        `ttlContract.value in semel.yaml asserts ${other.seconds} s for this Job ` +
        `(${other.reason})`,
      otherwise: 'change its entry in ttlContract.value',
      entry: other.place,
    }
  }
  return {
    seconds,
    why:
      `the TTL contract asks for ${seconds} s (${duration(seconds)}) on every Job, and ` +
      'semel.yaml names no exception for this one',
    otherwise:
      `name file ${fileOf(subject)} and job ${nameOf(subject)} with a reason, under ` +
      'ttlContract.none for no TTL or under ttlContract.value for another one',
  }
}

function finding(
  subject: Subject,
  { why, entry }: Wanted,
  rest: Omit<RuleFinding, 'why' | 'related'>,
): RuleFinding {
  const related =
    entry === undefined ? [] : [{ place: entry, note: `entry for ${nameOf(subject)}` }]
  return { ...rest, why, related }
}

/** A guard that cannot see must say so. */
function unread(subject: Subject, wanted: Wanted): RuleFinding {
  return finding(subject, wanted, {
    at: TTL,
    show: 'key',
    severity: 'warning',
    what:
      `the TTL of ${label(subject)} is only known after rendering, so the TTL contract is ` +
      'not checked',
    remedy: 'write the number into the manifest, or check the rendered files (--render)',
  })
}

function fileOf({ manifest }: Subject): string {
  const { source, span } = manifest.document
  return outermost({ source, span }).source.path
}

function nameOf({ manifest }: Subject): string {
  return manifest.name ?? '(no name)'
}

function plain(path: string): string {
  return path.replace(/^(?:\.\/)+/, '')
}
