import { at, stringAt } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { inJobSpec, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * A run that hangs is neither Complete nor Failed, so whoever waits for its end waits for ever: a
 * waiter without a timeout of its own, or the next tick of a CronJob that forbids a second run
 * beside it.
 * Silent when the waiter gives up by itself, when nobody waits, for a suspended Job, for hooks
 * (hook-without-deadline speaks there), and where rendering may bring the deadline.
 */
export const noDeadline: Rule = {
  id: 'no-deadline',
  severity: 'warning',
  summary: 'A run that hangs keeps a sync or the next ticks waiting for ever.',
  kinds: ['Job', 'CronJob'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  if (!traits.applies) return []
  const deadline = at(object, inJobSpec(subject, 'activeDeadlineSeconds')) ?? undefined
  if (deadline !== undefined || subject.isOpen(inJobSpec(subject))) return []
  // A suspended Job has no run that could hang, and a deadline does not count for it.
  if (at(object, inJobSpec(subject, 'suspend')) === true) return []
  return subject.kind === 'Job' ? waitedFor(subject) : blocksTicks(subject)
}

function waitedFor(subject: Subject): readonly RuleFinding[] {
  const { waiter, hook } = subject.traits
  if (waiter === undefined || waiter.timeoutSeconds !== undefined) return []
  if (hook !== undefined) return []
  return [
    {
      at: ['spec'],
      show: 'key',
      what: `${label(subject)} has no deadline, and ${waiter.who} waits for its end without a limit`,
      why:
        'a run that hangs, or whose pod cannot start, is neither Complete nor Failed; everything ' +
        'behind it waits until a person ends it',
      remedy:
        'set spec.activeDeadlineSeconds to more than the longest good run takes, for example 3600',
      ...(waiter.suspended === 'not-ready' ? { severity: 'info' } : {}),
    },
  ]
}

function blocksTicks(subject: Subject): readonly RuleFinding[] {
  const { object } = subject
  const policy = ['spec', 'concurrencyPolicy']
  if (stringAt(object, policy) !== 'Forbid') return []
  return [
    {
      at: policy,
      what: `${label(subject)} forbids a second run, and its runs have no deadline`,
      why:
        'one run that hangs (a sidecar that never ends is enough) is neither Complete nor Failed, ' +
        'so no later tick starts and nothing is reported as failed',
      remedy:
        'set activeDeadlineSeconds in spec.jobTemplate.spec to more than the longest good run takes',
    },
  ]
}
