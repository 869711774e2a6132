import { objectAt, type Path } from '../../core/json.ts'
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

/** The delay after an error doubles from the first to the last of these. */
const FIRST_DELAY_SECONDS = 0.75
const LAST_DELAY_SECONDS = 900
const DAY_SECONDS = 86_400

/**
 * An engine that deletes and creates failed Jobs does so at each attempt; while somebody waits
 * for the Job, its failure is an error, and errors are retried after 0.75 s, doubling to 15 min.
 * So a Job that keeps failing runs some hundred times a day, each time over the remains of the
 * last run.
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
  const pace =
    waiter === undefined
      ? recreatesFailed
      : `${recreatesFailed}: the delays grow from ${FIRST_DELAY_SECONDS} s to 15 min, which makes up to ${runsPerDay()} runs on the first day`
  return [
    {
      at: whereAsked(subject),
      what: `${label(subject)} runs again without end while it keeps failing`,
      why: `${assuming(subject)}${engineTitle(subject)} deletes and creates the failed Job ${pace}`,
      remedy:
        contract === 'never-again'
          ? `remove recreateOnFailure, because ${CONTRACT}: never-again asks for a person after a failure`
          : `remove recreateOnFailure and repeat within the Job (backoffLimit); or, if a repeat after half a run changes nothing, set ${CONTRACT}: converges and say why in ${CONTRACT}-reason`,
      ...(contract === 'never-again' ? { severity: 'error' } : {}),
      related: related(subject, ['reconcileEvery', 'wait']),
    },
  ]
}

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

function whereAsked({ object }: Subject): Path {
  const keys = Object.keys(objectAt(object, ['metadata', 'annotations']) ?? {})
  const key = keys.find((candidate) => candidate.endsWith('/recreateOnFailure'))
  return key === undefined ? ['metadata', 'name'] : annotationPath(key)
}
