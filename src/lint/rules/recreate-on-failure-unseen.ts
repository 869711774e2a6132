import { objectAt } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { annotationPath, assuming, engineTitle, label, related } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const MARK = '/recreateOnFailure'

/**
 * A failed Job is to be created again, but nobody waits for it: its failure is no error, the
 * object reads Ready, and the next attempt comes with the next reconcile only.
 * Silent when the Job is waited for (a step that another follows, or wait: true).
 */
export const recreateOnFailureUnseen: Rule = {
  id: 'recreate-on-failure-unseen',
  severity: 'warning',
  summary: 'A failed Job is created again, but nobody waits for it, so its failures are not seen.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { recreatesFailed, waiter, applies } = subject.traits
  if (recreatesFailed === undefined || waiter !== undefined || !applies) return []
  const annotations = objectAt(subject.object, ['metadata', 'annotations']) ?? {}
  const mark = Object.keys(annotations).find((key) => key.endsWith(MARK))
  if (mark === undefined) return []
  return [
    {
      at: annotationPath(mark),
      what: `failures of ${label(subject)} are not seen, and it is tried again late`,
      why:
        assuming(subject) +
        `${engineTitle(subject)} does not wait for the Job, so a failure is no error and Ready ` +
        `stays True; the next attempt comes at ${recreatesFailed}`,
      remedy:
        'set wait: true, or put the Job into a step that another step follows; then a failure is ' +
        'reported, and tried again with the error backoff',
      related: related(subject, ['wait', 'reconcileEvery']),
    },
  ]
}
