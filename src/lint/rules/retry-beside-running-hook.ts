import { at, integerAt } from '../../core/json.ts'
import type { Waiter } from '../../engines/engine.ts'
import type { Subject } from '../../ownership/subject.ts'
import { contractOf, duration, engineTitle, inJobSpec, label, related } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * The wait for a hook ends at a timeout, the Job of the hook does not: the retry deletes it, its
 * pod takes its time to stop, and the next one runs beside it.
 * Silent when the Job's own deadline ends it first, when nothing is tried again, when the waiter
 * has no timeout, when the delete policy leaves the old Job, and where rendering may bring the
 * deadline. An info where the author says that a repeat converges.
 */
export const retryBesideRunningHook: Rule = {
  id: 'retry-beside-running-hook',
  severity: 'warning',
  summary: 'After a timeout the retry starts the hook again while its first pod still runs.',
  kinds: ['Job'],
  check,
}

const SETTINGS = [
  'timeout',
  'install.timeout',
  'upgrade.timeout',
  'install.remediation.retries',
  'upgrade.remediation.retries',
  'install.strategy.name',
  'upgrade.strategy.name',
]

function check(subject: Subject): readonly RuleFinding[] {
  const { hook, waiter, applies } = subject.traits
  if (hook === undefined || waiter?.timeoutSeconds === undefined || !applies) return []
  if (waiter.afterFailure !== 'recreates') return []
  if (!hook.deletePolicies.includes('before-hook-creation')) return []
  const path = inJobSpec(subject, 'activeDeadlineSeconds')
  const written = at(subject.object, path) ?? undefined
  const deadline = integerAt(subject.object, path)
  if (written === undefined ? subject.isOpen(inJobSpec(subject)) : deadline === undefined) return []
  if (deadline !== undefined && deadline < waiter.timeoutSeconds) return []
  return [finding(subject, waiter, deadline)]
}

function finding(subject: Subject, waiter: Waiter, deadline: number | undefined): RuleFinding {
  const timeout = waiter.timeoutSeconds ?? 0
  const limit =
    deadline === undefined
      ? 'the Job has no deadline of its own'
      : `the Job may go on for ${duration(deadline)}`
  return {
    at: deadline === undefined ? ['metadata', 'name'] : inJobSpec(subject, 'activeDeadlineSeconds'),
    what: `${label(subject)} may run twice at once: a retry starts while the first pod still runs`,
    why:
      `${waiter.who} gives up after ${duration(timeout)}, and ${limit}; the retry of ` +
      `${engineTitle(subject)} deletes it in the background and creates the next one in the same ` +
      'second, as it does after a restart of the controller',
    remedy: `set spec.activeDeadlineSeconds below ${timeout}, so that the Job ends before the wait does`,
    related: related(subject, SETTINGS),
    ...(contractOf(subject) === 'converges' ? { severity: 'info' } : {}),
  }
}
