import { isTemplated } from '../../core/templates.ts'
import type { Hook } from '../../engines/engine.ts'
import { annotationOf } from '../../engines/metadata.ts'
import type { Subject } from '../../ownership/subject.ts'
import {
  annotationPath,
  assuming,
  engineTitle,
  hashInName,
  isNamedAnew,
  label,
  nextOf,
  policiesKnown,
  policyPath,
  runsByHelm,
} from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * Without a delete policy an old hook Job is removed before the next one is created. A written
 * list replaces that default: when it lacks before-hook-creation, a Job that stays (after a
 * failure, after a success, or because the client was killed) stands in the way of the next run.
 * Silent when the list names before-hook-creation, when none is written, when rendering decides
 * it, for hooks of a deletion, for generateName, whose next Job has another name, and for a name
 * that follows the content: there, staying is meant.
 */
export const hookDeletePolicyDropsDefault: Rule = {
  id: 'hook-delete-policy-drops-default',
  severity: 'error',
  summary: 'The delete policy list of a hook lacks before-hook-creation, so an old Job blocks it.',
  kinds: ['Job'],
  fixes: ['unsafe'],
  check,
}

interface Trouble {
  readonly what: string
  readonly why: string
  readonly sure: boolean
}

function check(subject: Subject): readonly RuleFinding[] {
  const { hook, applies } = subject.traits
  if (hook === undefined || !applies || hook.policyAnnotations.length === 0) return []
  if (hook.deletePolicies.includes('before-hook-creation') || !policiesKnown(subject)) return []
  if (hook.phases.every(isAside) || isNamedAnew(subject)) return []
  if (hashInName(subject) !== undefined) return []
  const trouble = troubleOf(subject, hook)
  if (trouble === undefined) return []
  const policy = repairedPolicy(subject, hook)
  return [
    {
      at: policyPath(hook),
      what: `${label(subject)}: ${trouble.what}`,
      why: assuming(subject, 'runs hooks') + trouble.why,
      remedy: `write ${policy.key}: ${policy.value}`,
      // From now on the Job of the last run is deleted, with its pods and their logs.
      fix: {
        safe: false,
        title: `write ${policy.key}: ${policy.value}`,
        edits: [{ op: 'set', path: annotationPath(policy.key), value: policy.value }],
      },
      ...(trouble.sure && !subject.traits.assumed ? {} : { severity: 'warning' }),
    },
  ]
}

/** The end of a release, or what rendering decides. */
function isAside(phase: string): boolean {
  return /^(?:pre|post)-?delete$/i.test(phase) || isTemplated(phase)
}

function troubleOf(subject: Subject, hook: Hook): Trouble | undefined {
  const goes = (policy: Hook['deletePolicies'][number]): boolean =>
    hook.deletePolicies.includes(policy)
  const next = nextOf(hook)
  const written = 'the written delete policy replaces the default before-hook-creation'
  if (goes('hook-succeeded') && goes('hook-failed')) {
    if (!runsByHelm(hook)) return undefined
    return {
      what: `if the client is killed during the hook, its Job stays and stops ${next}`,
      why:
        `${written}, and the other two policies act only while the client lives; ` +
        meets(subject, hook, 'old'),
      sure: false,
    }
  }
  if (goes('hook-succeeded')) {
    return {
      what: `the first failure of the hook stops ${next}, and each one after it`,
      why: `${written}, so a failed Job stays; ${meets(subject, hook, 'failed')}`,
      sure: true,
    }
  }
  return {
    what:
      hook.existing === 'refused'
        ? `the finished Job stays and stops ${next}`
        : `the finished Job stays, so ${next} does not run it`,
    why: `${written}, so a Job that succeeded stays; ${meets(subject, hook, 'old')}`,
    sure: runsByHelm(hook),
  }
}

function meets(subject: Subject, hook: Hook, which: 'old' | 'failed'): string {
  const title = engineTitle(subject)
  if (hook.existing === 'refused') return `${title} then cannot create the hook ("already exists")`
  if (runsByHelm(hook)) {
    const equal = which === 'failed' ? 'takes the old failure' : 'does not run an unchanged hook'
    return (
      `Helm 3 then fails with "already exists"; Helm 4 ${equal}, ` +
      'and refuses a changed one as immutable'
    )
  }
  const equal = which === 'failed' ? 'failed at once' : 'done without a run'
  const changed = hook.deletePolicies.includes('hook-failed')
    ? ', and only a retry of that failure deletes it and runs the new one'
    : ''
  return (
    `${title} applies over it: unchanged it is ${equal}, changed it is refused as immutable` +
    changed
  )
}

function repairedPolicy({ object }: Subject, hook: Hook): { key: string; value: string } {
  const key = hook.policyAnnotations[0] ?? ''
  const word = key.startsWith('argocd') ? 'BeforeHookCreation' : 'before-hook-creation'
  const now = annotationOf(object, key)?.trim() ?? ''
  return { key, value: now === '' ? word : `${word},${now}` }
}
