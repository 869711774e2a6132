import type { Hook } from '../../engines/engine.ts'
import type { Subject } from '../../ownership/subject.ts'
import {
  annotationPath,
  assuming,
  comesWithEverySync,
  contractOf,
  engineTitle,
  hashInName,
  hookWords,
  isPolicyTemplated,
  isReplacedEachTime,
  label,
  nextOf,
  policiesKnown,
  policyPath,
  runsByHelm,
} from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * A name that follows the content makes a Job run once per content, as long as the finished Job
 * stays. A hook that is deleted after success or before the next creation frees the name again,
 * so the hash protects nothing: it runs at every sync or upgrade.
 * Also for a Helm hook that is kept: Helm creates hooks, so the next upgrade meets the old Job.
 * Silent for a kept hook that the engine takes for done (HookFailed only), for phases that come on
 * their own occasion (deletion, test, failure), where the engine does not heed hook annotations,
 * and where rendering decides the policy.
 */
export const hashWithDeleteOnSuccess: Rule = {
  id: 'hash-with-delete-on-success',
  severity: 'error',
  summary: 'The name follows the content, but the Job is deleted at every sync and so runs again.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { hook, applies } = subject.traits
  const hash = hashInName(subject)
  if (hook === undefined || hash === undefined || !applies) return []
  if (!comesWithEverySync(hook)) return []
  const replaced = isReplacedEachTime(hook) && !isPolicyTemplated(subject)
  if (!replaced && !runsByHelm(hook)) return []
  const sure =
    policiesKnown(subject) && contractOf(subject) !== 'converges' && !subject.traits.assumed
  return [
    {
      at: policyPath(hook),
      what: replaced
        ? `${hash}, yet ${label(subject)} is deleted and runs again at ${hook.runsOn}`
        : `${hash}, yet ${label(subject)} is a ${hookWords(hook)}, which the hash does not ` +
          'hold back',
      why:
        assuming(subject, 'runs hooks') +
        (replaced ? replacedBy(subject, hook) : keptBy(subject, hook)),
      remedy: remedyOf(hook),
      ...(sure ? {} : { severity: 'warning' }),
      related: hook.policyAnnotations.slice(1).map((key) => ({
        place: subject.placeOf(annotationPath(key)),
        note: 'this delete policy counts as well',
      })),
    },
  ]
}

function replacedBy(subject: Subject, hook: Hook): string {
  const title = engineTitle(subject)
  if (hook.policyAnnotations.length === 0) {
    return (
      `no delete policy is written, so before-hook-creation holds: ${title} deletes the old Job ` +
      'first, and the unchanged name does not hold the new one back'
    )
  }
  return hook.deletePolicies.includes('before-hook-creation')
    ? `before-hook-creation makes ${title} delete the old Job first, so the unchanged name ` +
        'does not hold the new one back'
    : `hook-succeeded makes ${title} delete the Job once it has succeeded, so its name is ` +
        `free at ${nextOf(hook)}`
}

function keptBy(subject: Subject, hook: Hook): string {
  return (
    `${engineTitle(subject)} runs hooks at ${hook.runsOn} whatever their name is; where the old ` +
    'Job is kept, Helm 3 stops with "already exists" and Helm 4 takes the old result'
  )
}

function remedyOf(hook: Hook): string {
  const plain = 'drop the hook annotations, so that the Job is an ordinary object that stays'
  return runsByHelm(hook)
    ? `${plain}; or drop the hash, if it may run at every upgrade`
    : `${plain}; or leave HookFailed as the only delete policy, so that the finished Job is kept`
}
