import type { Path } from '../../core/json.ts'
import { annotationOf } from '../../engines/metadata.ts'
import type { Subject } from '../../ownership/subject.ts'
import {
  annotationPath,
  assuming,
  contractOf,
  engineTitle,
  label,
  related,
  OR_CONVERGES,
} from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options'

/**
 * An engine that is told to replace by force deletes and creates the object each time it applies
 * it, changed or not, and every new Job object is a run.
 * Silent where unchanged objects are left out of the apply, where the author says that a repeat
 * converges, for hooks (hook-runs-every-sync speaks there), and for CronJobs: a replaced CronJob
 * starts nothing.
 */
export const forceReplaceRunsEverySync: Rule = {
  id: 'force-replace-runs-every-sync',
  severity: 'error',
  summary: 'The Job is deleted and created at every sync, also when nothing of it changed.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { updatesBy, recreatesUnchanged, hook, applies } = subject.traits
  if (updatesBy !== 'delete-and-create' || recreatesUnchanged === undefined) return []
  if (hook !== undefined || !applies || contractOf(subject) === 'converges') return []
  return [
    {
      at: whereAsked(subject),
      what: `${label(subject)} is deleted and created, and so runs, at ${recreatesUnchanged}`,
      why:
        `${assuming(subject)}${engineTitle(subject)} is asked to replace it by force, and ` +
        `does not ask first whether anything changed${twice(subject)}`,
      remedy:
        'let the name follow the content and drop the forced replacement; or apply only ' +
        `what is out of sync (syncOptions: [ApplyOutOfSyncOnly=true]); ${OR_CONVERGES}`,
      related: related(subject, ['Replace', 'selfHeal']),
    },
  ]
}

/** The first self-heal has no wait, and often reads a state from before the sync (trace 038). */
function twice({ traits }: Subject): string {
  return traits.restoresAbsent.when === 'watch'
    ? '; self-heal may then take the new Job for a difference and replace it again, so a run is ' +
        'killed after it has begun (5 of 8 changes in a recorded run)'
    : ''
}

function whereAsked({ object }: Subject): Path {
  return annotationOf(object, SYNC_OPTIONS) === undefined
    ? ['metadata', 'name']
    : annotationPath(SYNC_OPTIONS)
}
