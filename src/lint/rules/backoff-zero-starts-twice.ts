import { integerAt, stringAt } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { contractOf, inJobSpec, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * `backoffLimit: 0` reads as "one attempt". With restartPolicy OnFailure the kubelet starts the
 * container again, and only then does the Job controller count and stop it: the work begins twice.
 * Silent with Never, for other limits, where the author says that a repeat converges, and for
 * `never-again` (backoff-default speaks there).
 */
export const backoffZeroStartsTwice: Rule = {
  id: 'backoff-zero-starts-twice',
  severity: 'warning',
  summary: 'backoffLimit 0 with restartPolicy OnFailure starts a failed container a second time.',
  kinds: ['Job', 'CronJob'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  const limit = inJobSpec(subject, 'backoffLimit')
  const policy = inJobSpec(subject, 'template', 'spec', 'restartPolicy')
  if (integerAt(object, limit) !== 0 || stringAt(object, policy) !== 'OnFailure') return []
  // Of never-again, backoff-default says it.
  if (!traits.applies || contractOf(subject) !== 'once') return []
  return [
    {
      at: limit,
      what: `${label(subject)} starts a failed container a second time, although backoffLimit is 0`,
      why:
        'with OnFailure the kubelet restarts the container and the Job controller counts ' +
        'afterwards; it stops the second start about 1 s after it began, and with the pod go the logs',
      remedy: 'set restartPolicy: Never, with which 0 means one start and the failed pod stays',
      related: [{ place: subject.placeOf(policy), note: 'restartPolicy: OnFailure' }],
    },
  ]
}
