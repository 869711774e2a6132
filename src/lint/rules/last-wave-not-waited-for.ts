import { stringAt } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { annotationPath, engineTitle, label, mayBecomeHook } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const WAVE = annotationPath('argocd.argoproj.io/sync-wave')

/**
 * Whoever gives a Job a wave wants it to run in its turn, and to count. In the last wave nobody
 * waits for it: the operation has succeeded as soon as the Job exists.
 * Silent unless all that the application applies was seen (a chart or a second source may bring a
 * later wave), when a later wave or a PostSync hook follows, in an application of one wave, for
 * hooks, and for CronJobs.
 */
export const lastWaveNotWaitedFor: Rule = {
  id: 'last-wave-not-waited-for',
  severity: 'warning',
  summary: 'The Job stands in the last wave with no hook behind it, so nobody waits for its end.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { comesLast, applies, hook } = subject.traits
  if (comesLast === undefined || !applies || hook !== undefined) return []
  if (mayBecomeHook(subject)) return []
  const wave = stringAt(subject.object, WAVE) ?? ''
  return [
    {
      at: WAVE,
      what: `nobody waits for ${label(subject)}: wave ${wave} is the last one`,
      why:
        `${engineTitle(subject)} calls the sync succeeded as soon as ${comesLast} is applied; a ` +
        'failure later shows as Degraded only, nothing is retried, and no SyncFail hook runs',
      remedy:
        'make it a PostSync hook if the sync is to wait for it and fail with it; or put a PostSync ' +
        'hook behind it',
    },
  ]
}
