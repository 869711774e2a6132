import type { Path } from '../../core/json.ts'
import { annotationOf } from '../../engines/metadata.ts'
import type { Subject } from '../../ownership/subject.ts'
import {
  annotationPath,
  assuming,
  engineTitle,
  isReplacedEachTime,
  label,
  related,
} from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options'

/**
 * A replace by PUT sends the manifest as the whole object. The API server put a selector and
 * labels into the stored Job when it was created, they may not change, and the manifest lacks
 * them: so each PUT of an existing Job is refused, also of an unchanged one.
 * Silent for CronJobs, which can be replaced, and for hooks that are deleted before each run.
 */
export const putCannotUpdateJob: Rule = {
  id: 'put-cannot-update-job',
  severity: 'error',
  summary: 'The engine replaces by PUT, which the API server refuses for every existing Job.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { updatesBy, hook, applies } = subject.traits
  if (updatesBy !== 'put' || !applies || isReplacedEachTime(hook)) return []
  return [
    {
      at: whereAsked(subject),
      what: `every apply of ${label(subject)} after the first one fails, changed or not`,
      why:
        `${assuming(subject)}${engineTitle(subject)} replaces the object by PUT, and the ` +
        'API server refuses that for a Job: "spec.selector: Required value" and ' +
        '"spec.template: field is immutable"',
      remedy:
        'do not replace this Job by PUT: leave the option out, and let the name follow the ' +
        'content so that a change is a new Job',
      related: related(subject, ['Replace', 'upgrade.force', 'helm.force', 'correctDrift.force']),
    },
  ]
}

function whereAsked({ object }: Subject): Path {
  return annotationOf(object, SYNC_OPTIONS) === undefined
    ? ['metadata', 'name']
    : annotationPath(SYNC_OPTIONS)
}
