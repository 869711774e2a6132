import { Fault } from '../../core/faults.ts'
import { fingerprint, isFullyKnown, saltDigest, type PolicyId } from '../../core/fingerprint.ts'
import { integerAt, stringAt, type JsonObject } from '../../core/json.ts'
import { contentName } from '../../core/names.ts'
import { annotationOf } from '../../engines/metadata.ts'
import type { Subject } from '../../ownership/subject.ts'
import { coverageOf, type Coverage } from '../coverage.ts'
import { annotationPath, FINGERPRINT, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * The name says that the Job follows its content, and does not keep it: the stamped fingerprint
 * is of other content, or the hash (or version) in the name leaves out inputs that the pod
 * template reads. Then the template changes under the same name, which is refused or ignored.
 * Silent where an include, a loop variable or the cluster has a say in the name, for hooks and for
 * engines that re-create a changed Job, and for fingerprints of another version or of content that
 * only rendering knows. Also for content of other objects that the Job follows, for a name that was
 * cut to fit, and for the name that semel.dev/was keeps.
 */
export const hashDoesNotCover: Rule = {
  id: 'hash-does-not-cover',
  severity: 'error',
  summary: 'The hash or version in the name does not follow all that the Job runs.',
  kinds: ['Job'],
  check,
}

const NAME = ['metadata', 'name'] as const

function check(subject: Subject): readonly RuleFinding[] {
  const { traits } = subject
  if (!traits.applies) return []
  const stamp = stampOf(subject.object)
  if (stamp !== undefined) return staleStamp(subject, stamp)
  if (traits.hook !== undefined || traits.templateChange === 'recreates') return []
  const coverage = coverageOf(subject)
  return coverage === undefined || coverage.missing.length === 0
    ? []
    : [uncovered(subject, coverage)]
}

function uncovered(subject: Subject, { by, covered, missing }: Coverage): RuleFinding {
  const follows = by === 'hash' ? 'holds a hash of' : 'follows'
  const known = covered.length === 0 ? 'the release alone' : list(covered)
  return {
    at: NAME,
    what: `the name of ${label(subject)} ${follows} ${known}, but the pod template also reads ${list(missing)}`,
    why:
      subject.traits.templateChange === 'skipped'
        ? 'when one of these changes, the name stays, and the engine leaves the existing Job as it is: the change never runs'
        : 'when one of these changes, the name stays and the template does not: the apply is refused (field is immutable)',
    remedy:
      by === 'hash'
        ? 'hash all of them, or a common parent'
        : 'add a hash of all of them to the name; the version may stay as a readable part',
    ...(by === 'hash' ? {} : { severity: 'warning' }),
  }
}

interface Stamp {
  readonly policy: PolicyId
  readonly digest: string
}

/** Undefined for another algorithm, whose digest cannot be computed here, and for other text. */
function stampOf(object: JsonObject): Stamp | undefined {
  const text = annotationOf(object, FINGERPRINT)
  const digest = text === undefined ? undefined : /(?<![0-9a-f])[0-9a-f]{64}$/.exec(text)?.[0]
  if (text === undefined || digest === undefined) return undefined
  if (/\bv(?!1\b)\d+\b/.test(text)) return undefined
  return { policy: text.includes('adr-012') ? 'adr-012' : 'intent', digest }
}

function staleStamp(subject: Subject, { policy, digest }: Stamp): readonly RuleFinding[] {
  const { object, manifest } = subject
  const suffix = /-([0-9a-f]{8})$/.exec(stringAt(object, NAME) ?? '')?.[1]
  if (suffix !== undefined && !isOf(suffix, digest, object)) {
    return [
      {
        at: NAME,
        what: `the name of ${label(subject)} ends in ${suffix}, its fingerprint begins with ${digest.slice(0, 8)}`,
        why: 'the name does not follow the content any more: a change may run nothing, or be refused',
        remedy: 'stamp the Job again, or write the first 8 digits of its fingerprint into the name',
        related: [{ place: subject.placeOf(annotationPath(FINGERPRINT)), note: 'the fingerprint' }],
      },
    ]
  }
  // What is added on the way to the cluster was not there when the file was stamped.
  const versions = [manifest.object, object]
  if (annotationOf(object, FOLLOW) !== undefined || mayGrow(subject)) return []
  if (!versions.every((version) => isFullyKnown(version, { policy }))) return []
  const now = versions.map((version) => {
    const salt = annotationOf(version, SALT) ?? ''
    const config = salt === '' ? {} : { [SALT]: saltDigest(salt) }
    return fingerprint(version, { policy, config }).digest
  })
  if (now.includes(digest)) return []
  return [
    {
      at: annotationPath(FINGERPRINT),
      what: `the fingerprint of ${label(subject)} is ${digest.slice(0, 8)}..., its content has ${now.at(-1)?.slice(0, 8)}...`,
      why:
        'the content was changed after the Job was stamped, so the name still stands for the old ' +
        'content: the apply is refused (field is immutable) or nothing runs',
      remedy: 'stamp the Job again, so that name and fingerprint follow the change',
    },
  ]
}

/**
 * A base that does not fit is cut, and then the whole of it is part of the hash. A name that
 * semel.dev/was keeps has no hash of ours, whatever it ends in.
 */
function isOf(suffix: string, digest: string, object: JsonObject): boolean {
  if (digest.startsWith(suffix)) return true
  const name = stringAt(object, NAME)
  if (annotationOf(object, WAS)?.split('@')[0] === name) return true
  const base = annotationOf(object, BASE)
  if (base === undefined) return false
  const completions = integerAt(object, ['spec', 'completions'])
  const completionMode = stringAt(object, ['spec', 'completionMode'])
  try {
    const { sha8 } = contentName({
      kind: 'Job',
      base,
      fingerprint: digest,
      ...(completions === undefined ? {} : { completions }),
      ...(completionMode === undefined ? {} : { completionMode }),
    })
    return sha8 === suffix
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

const BASE = 'semel.dev/base'
const SALT = 'semel.dev/salt'
const WAS = 'semel.dev/was'

/** Content of other objects that went into the fingerprint cannot be computed from here. */
const FOLLOW = 'semel.dev/follow'

function mayGrow({ manifest }: Subject): boolean {
  const { start, end } = manifest.document.span
  return (manifest.file.openPlaces ?? []).some(({ offset }) => offset >= start && offset < end)
}

/** `a`, `a and b`, `a, b, c and 2 more`. */
function list(names: readonly string[]): string {
  const shown = names.length > 4 ? names.slice(0, 3) : names
  const rest = names.length - shown.length
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown
  return parts.length < 2
    ? (parts[0] ?? '')
    : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
}
