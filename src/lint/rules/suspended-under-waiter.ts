import { at } from '../../core/json.ts'
import type { Waiter } from '../../engines/engine.ts'
import type { Subject } from '../../ownership/subject.ts'
import { assuming, duration, hookWords, label, queuedByKueue } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const SUSPEND = ['spec', 'suspend']

/**
 * A suspended Job never finishes. Whoever waits for its end waits until a timeout, or for ever,
 * and an engine that reports it as not ready holds back what depends on it. Where only the health
 * of the engine's object shows it: an info.
 * Silent where a suspended Job counts as done, where nobody waits, for CronJobs, and for Jobs in
 * a Kueue queue, which Kueue resumes.
 */
export const suspendedUnderWaiter: Rule = {
  id: 'suspended-under-waiter',
  severity: 'error',
  summary: 'The Job is suspended, and something waits for it to finish.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  if (at(object, SUSPEND) !== true || !traits.applies || queuedByKueue(subject)) return []
  const found = traits.waiter === undefined ? shownIn(subject) : waitedFor(subject, traits.waiter)
  if (found === undefined) return []
  const remedy =
    'leave the Job out until it is wanted, or ship a suspended CronJob and start it with ' +
    '`kubectl create job --from`'
  return [{ at: SUSPEND, ...found, why: assuming(subject) + found.why, remedy }]
}

type Trouble = Pick<RuleFinding, 'what' | 'why' | 'severity'>

function shownIn(subject: Subject): Trouble | undefined {
  const { health } = subject.traits
  if (health === undefined || health.suspended === 'Healthy') return undefined
  return {
    severity: 'info',
    what: `${label(subject)} is suspended, so ${health.where} is ${health.suspended}`,
    why:
      `nothing waits for the Job, but whatever waits for ${health.where} to become Healthy ` +
      'does not go on',
  }
}

function waitedFor(subject: Subject, waiter: Waiter): Trouble | undefined {
  if (waiter.suspended === 'done') return undefined
  const waits = waiter.suspended === 'waits'
  const sure = waits && !subject.traits.assumed && !subject.isOpen(['metadata', 'labels'])
  return {
    what: waits
      ? stuck(subject, waiter)
      : `${label(subject)} is suspended, which holds up ${waiter.who}`,
    why: reasonOf(subject, waiter),
    ...(sure ? {} : { severity: 'warning' }),
  }
}

function stuck(subject: Subject, { who, timeoutSeconds }: Waiter): string {
  const what = `${label(subject)} is suspended, so ${who}`
  return timeoutSeconds === undefined
    ? `${what} never ends`
    : `${what} fails after ${duration(timeoutSeconds)}`
}

function reasonOf({ traits }: Subject, { who, suspended }: Waiter): string {
  if (suspended === 'not-ready') {
    return (
      `a suspended Job is neither complete nor failed, so ${who} waits for as long as it is ` +
      'suspended'
    )
  }
  return traits.hook === undefined
    ? `${who} waits for the Job to complete, and a suspended Job starts no pod`
    : `it is a ${hookWords(traits.hook)}: ${who} waits for it to complete, and a suspended ` +
        'Job starts no pod'
}
