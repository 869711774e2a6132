import { at } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { hookWords, inJobSpec, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * A sync waits for its hook Jobs, and where it has no timeout of its own, a hook whose run hangs,
 * or whose pod cannot start, keeps it waiting until a person ends it.
 * Silent when whoever waits gives up by itself (Helm, a HelmRelease), for a suspended hook, which
 * suspended-under-waiter reports, and where rendering may bring the deadline. Jobs that are no
 * hooks are the matter of no-deadline.
 */
export const hookWithoutDeadline: Rule = {
  id: 'hook-without-deadline',
  severity: 'warning',
  summary: 'A hook that hangs keeps the sync waiting for ever.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  const { hook, waiter } = traits
  if (hook === undefined || waiter === undefined || !traits.applies) return []
  if (waiter.timeoutSeconds !== undefined) return []
  const deadline = at(object, inJobSpec(subject, 'activeDeadlineSeconds')) ?? undefined
  if (deadline !== undefined || subject.isOpen(inJobSpec(subject))) return []
  // A suspended Job has no run that could hang, and a deadline does not count for it.
  if (at(object, inJobSpec(subject, 'suspend')) === true) return []
  return [
    {
      at: ['spec'],
      show: 'key',
      what: `${label(subject)} is a ${hookWords(hook)} without a deadline, and ${waiter.who} waits for its end without a limit`,
      why:
        'a run that hangs, or whose pod cannot start, is neither Complete nor Failed; no later ' +
        'sync starts until a person ends this one',
      remedy:
        'set spec.activeDeadlineSeconds to more than the longest good run takes, for example 3600',
    },
  ]
}
