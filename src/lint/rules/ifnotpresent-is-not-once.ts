import { at, integerAt, type Path } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import {
  annotationPath,
  contractOf,
  engineTitle,
  hashInName,
  label,
  OR_CONVERGES,
} from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const KEY = 'kustomize.toolkit.fluxcd.io/ssa'
const TTL = ['spec', 'ttlSecondsAfterFinished']

/**
 * `ssa: IfNotPresent` keeps an existing Job as it is. That is not once: a Job that is absent (its
 * TTL, a person, a prune in between) is created again and runs, and a change of the Job never
 * runs while it exists, without an error.
 * Silent where the mark has no effect, for CronJobs, where a repeat converges, and without a TTL
 * for names that follow the content.
 */
export const ifnotpresentIsNotOnce: Rule = {
  id: 'ifnotpresent-is-not-once',
  severity: 'warning',
  summary: 'ssa: IfNotPresent protects against changes, not against a second run.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { traits, object } = subject
  // Only an engine that heeds the mark skips changes of an existing object.
  if (!traits.applies || traits.templateChange !== 'skipped') return []
  const path = markPath(subject)
  if (path === undefined || contractOf(subject) === 'converges') return []
  const ttlSeconds = integerAt(object, TTL)
  if (ttlSeconds !== undefined) return [afterTtl(subject, path)]
  const isUnknown = at(object, TTL) !== undefined || subject.isOpen(['spec'])
  return isUnknown || hashInName(subject) !== undefined ? [] : [withoutTtl(subject, path)]
}

function afterTtl(subject: Subject, path: Path): RuleFinding {
  return {
    at: path,
    what: `IfNotPresent does not keep ${label(subject)} from running again`,
    why:
      'the TTL deletes the finished Job, and an absent Job is exactly what IfNotPresent creates: ' +
      'it runs again at the next reconcile',
    remedy: `remove ttlSecondsAfterFinished and keep the finished Job; ${OR_CONVERGES}`,
    related: [{ place: subject.placeOf(TTL), note: 'the TTL' }],
  }
}

function withoutTtl(subject: Subject, path: Path): RuleFinding {
  return {
    at: path,
    severity: 'info',
    what: `a change of ${label(subject)} never runs while the Job exists`,
    why:
      `${engineTitle(subject)} skips an existing object with IfNotPresent without an error; when ` +
      'somebody deletes the Job, the next reconcile runs it with whatever it says by then',
    remedy:
      'let the name follow the content and drop IfNotPresent: each change then runs once, and an ' +
      'unchanged finished Job is left alone anyway',
  }
}

/** Annotation or label, in any case, of the object; one that the carrier adds has no place here. */
function markPath({ object }: Subject): Path | undefined {
  const paths: readonly Path[] = [annotationPath(KEY), ['metadata', 'labels', KEY]]
  return paths.find((path) => {
    const value = at(object, path)
    return typeof value === 'string' && value.toLowerCase() === 'ifnotpresent'
  })
}
