import { objectAt } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import {
  annotationPath,
  assuming,
  CONTRACT,
  contractOf,
  engineTitle,
  label,
  related,
} from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/** What asks for it object by object; elsewhere it follows from retries without a limit. */
const MARK = '/recreateOnFailure'

/** With that mark, an error is tried again after the first of these, doubling to the last. */
const FIRST_DELAY_SECONDS = 0.75
const LAST_DELAY_SECONDS = 900
const DAY_SECONDS = 86_400

/**
 * A failed Job that is deleted and created again until it succeeds runs at every attempt of its
 * engine, each time over the remains of the last run. Under a ResourceSet those attempts follow
 * the error backoff, not the interval.
 * Silent where the author says that a repeat converges.
 */
export const recreateOnFailureWithoutConvergence: Rule = {
  id: 'recreate-on-failure-without-convergence',
  severity: 'warning',
  summary: 'A failed Job is created again without end, though nobody says that a repeat is safe.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { recreatesFailed, waiter, applies } = subject.traits
  if (recreatesFailed === undefined || !applies) return []
  const contract = contractOf(subject)
  if (contract === 'converges') return []
  const mark = markOf(subject)
  const pace =
    mark === undefined || waiter === undefined
      ? ''
      : `, which makes up to ${runsPerDay()} runs on the first day`
  const stop = mark === undefined ? 'set a limit to the retries' : 'remove recreateOnFailure'
  return [
    {
      at: mark === undefined ? ['metadata', 'name'] : annotationPath(mark),
      what: `${label(subject)} runs again without end while it keeps failing`,
      why:
        assuming(subject) +
        `${engineTitle(subject)} deletes a failed Job and creates it again at ` +
        recreatesFailed +
        pace,
      remedy:
        contract === 'never-again'
          ? `${stop}, because ${CONTRACT}: never-again asks for a person after a failure`
          : `${stop} and repeat within the Job (backoffLimit); or, if a repeat after half a run ` +
            `changes nothing, set ${CONTRACT}: converges and say why in ${CONTRACT}-reason`,
      ...(contract === 'never-again' ? { severity: 'error' } : {}),
      related: related(subject, SETTINGS),
    },
  ]
}

const SETTINGS = [
  'reconcileEvery',
  'wait',
  'retry.limit',
  'install.remediation.retries',
  'upgrade.remediation.retries',
]

/** An upper bound: the time of the runs themselves is left out. */
function runsPerDay(): number {
  let runs = 1
  let delay = FIRST_DELAY_SECONDS
  for (let seconds = delay; seconds < DAY_SECONDS; seconds += delay) {
    runs += 1
    delay = Math.min(delay * 2, LAST_DELAY_SECONDS)
  }
  return runs
}

function markOf({ object }: Subject): string | undefined {
  const keys = Object.keys(objectAt(object, ['metadata', 'annotations']) ?? {})
  return keys.find((key) => key.endsWith(MARK))
}
