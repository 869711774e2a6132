import type { Subject } from '../../ownership/subject.ts'
import {
  annotationPath,
  annotationsOpen,
  assuming,
  comesWithEverySync,
  CONTRACT,
  contractOf,
  engineTitle,
  hashInName,
  hookWords,
  isNamedAnew,
  isPolicyTemplated,
  isReplacedEachTime,
  label,
  OR_CONVERGES,
} from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * Hooks follow the command, not the content: each full sync or upgrade runs them, also when
 * nothing of them changed.
 * Silent where the author says that a repeat converges; for hooks of another occasion (deletion,
 * test, rollback, failure, install only); for hooks whose kept Job is taken for done or refused
 * (hook-delete-policy-drops-default speaks there); and for names that follow the content
 * (hash-with-delete-on-success speaks there).
 */
export const hookRunsEverySync: Rule = {
  id: 'hook-runs-every-sync',
  severity: 'warning',
  summary: 'A hook Job runs at every sync or upgrade, whether or not it changed.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { hook, applies } = subject.traits
  if (hook === undefined || !applies) return []
  if (!isReplacedEachTime(hook) && !isNamedAnew(subject)) return []
  if (!comesWithEverySync(hook) || hashInName(subject) !== undefined) return []
  if (contractOf(subject) === 'converges') return []
  if (isPolicyTemplated(subject)) return []
  const never = contractOf(subject) === 'never-again'
  const maybe = hook.policyAnnotations.length === 0 && annotationsOpen(subject)
  const unless = maybe ? ' (unless rendering adds a delete policy that keeps the Job)' : ''
  const plain = 'make it an ordinary Job whose name follows its content'
  return [
    {
      at: annotationPath(hook.annotation),
      what: `${label(subject)} is a ${hookWords(hook)}: it runs at ${hook.runsOn}`,
      why:
        assuming(subject, 'runs hooks') +
        `${engineTitle(subject)} runs hooks whether or not anything of them changed${unless}`,
      remedy: never
        ? `${plain}, because ${CONTRACT}: never-again forbids a repeat`
        : `${plain}; ${OR_CONVERGES}`,
      ...(never && !maybe && !subject.traits.assumed ? { severity: 'error' } : {}),
    },
  ]
}
