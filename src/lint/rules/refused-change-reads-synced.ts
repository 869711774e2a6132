import type { Subject } from '../../ownership/subject.ts'
import { coverageOf } from '../coverage.ts'
import { engineTitle, hashInName, isNamedAnew, label, mayBecomeHook, related } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * The engine compares by dry runs on the API server, which refuses the changed template of a Job.
 * No sync starts, and the next periodic comparison takes the old results: the new revision reads
 * as applied, and nothing of that commit was.
 * Silent where the name follows the content, so that a change is a new Job; for hooks, which are
 * not compared; for CronJobs; and where the template is never applied anyway.
 */
export const refusedChangeReadsSynced: Rule = {
  id: 'refused-change-reads-synced',
  severity: 'warning',
  summary: 'A change of the Job ends as synced although nothing of its commit was applied.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { refusedReadsApplied, hook, applies, templateChange } = subject.traits
  if (refusedReadsApplied === undefined || hook !== undefined || !applies) return []
  if (templateChange === 'skipped' || isNamedAnew(subject) || mayBecomeHook(subject)) return []
  if (hashInName(subject) !== undefined || coverageOf(subject) !== undefined) return []
  const { setting, words } = refusedReadsApplied
  return [
    {
      at: ['metadata', 'name'],
      what:
        `a change of ${label(subject)} ends as Synced at the new revision without having been ` +
        'applied',
      why:
        `with ${words} ${engineTitle(subject)} compares by a dry run, which the API server refuses ` +
        'for a changed Job; no sync starts, and the next periodic comparison (within 5 min) takes ' +
        'the results of the revision before, so that the other changes of that commit are lost too',
      remedy:
        'let the name follow the content, so that a change is a new Job; or set the annotation ' +
        'argocd.argoproj.io/compare-options: ServerSideDiff=false on the Application',
      related: related(subject, [setting]),
    },
  ]
}
