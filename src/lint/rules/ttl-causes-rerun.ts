import { at, integerAt } from '../../core/json.ts'
import type { Restore } from '../../engines/engine.ts'
import type { Subject } from '../../ownership/subject.ts'
import {
  comesWithEverySync,
  contractOf,
  duration,
  engineTitle,
  isNamedAnew,
  isReplacedEachTime,
  label,
  mayBecomeHook,
  nextOf,
  OR_CONVERGES,
  queuedByKueue,
  related,
} from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const TTL = ['spec', 'ttlSecondsAfterFinished']

/**
 * A finished Job with a TTL is deleted; an engine that restores absent objects then creates it
 * again, so it runs about once per TTL, rounded up to the engine's next look. Pruning has no say
 * in it: it removes what is no longer declared.
 * Silent where absent objects are left alone, where the author says that a repeat converges, for
 * hooks that run anew each time anyway, for a Job that comes back suspended, for CronJobs (their
 * Jobs are not declared), and for a TTL that only rendering knows.
 */
export const ttlCausesRerun: Rule = {
  id: 'ttl-causes-rerun',
  severity: 'error',
  summary: 'The TTL deletes the finished Job, and the engine creates and so runs it again.',
  kinds: ['Job'],
  fixes: ['unsafe'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  const ttlSeconds = integerAt(object, TTL)
  if (ttlSeconds === undefined || !traits.applies) return []
  const restore = restoreOf(subject)
  if (restore.when === 'never') return []
  if (contractOf(subject) === 'converges') return []
  if (at(object, ['spec', 'suspend']) === true && !queuedByKueue(subject)) return []
  const sure = restore.when !== 'change' && !traits.assumed && !mayBecomeHook(subject)
  return [
    {
      at: TTL,
      what:
        `${label(subject)} is deleted ${duration(ttlSeconds)} after it finishes and then ` +
        again(
          restore,
          ttlSeconds,
          traits.waiter !== undefined && restore === traits.restoresAbsent,
        ),
      why: reasonOf(subject, restore),
      remedy: remedyOf(subject),
      // Somebody may live on the repeats, and the finished Jobs now stay.
      fix: {
        safe: false,
        title: 'remove ttlSecondsAfterFinished',
        edits: [{ op: 'remove', path: TTL }],
      },
      ...(sure ? {} : { severity: 'warning' }),
      related: related(subject, [...SETTINGS[restore.when], 'prune']),
    },
  ]
}

/**
 * No engine notices that a hook is gone. One that is kept, because no policy removes it, is taken
 * for done by the next sync as long as it is there, and runs again once the TTL has deleted it.
 */
function restoreOf(subject: Subject): Restore {
  const { hook, restoresAbsent } = subject.traits
  if (hook === undefined) return restoresAbsent
  const { rule } = restoresAbsent
  const isKept = !isReplacedEachTime(hook) && !isNamedAnew(subject)
  return !isKept || !comesWithEverySync(hook)
    ? { when: 'never', rule }
    : { when: 'change', on: nextOf(hook), rule }
}

/** What of the carrier explains that the Job comes back. */
const SETTINGS: Readonly<Record<Restore['when'], readonly string[]>> = {
  interval: ['interval', 'reconcileEvery', 'driftDetection.mode'],
  watch: ['selfHeal', 'correctDrift.enabled'],
  change: [],
  never: [],
}

/**
 * interval: deleted at run + TTL and created at the next multiple of the interval, for a run that
 * ends within the rest of the interval; where the engine waits for the Job the interval counts from
 * its end (F-1), so the run time comes on top of whole intervals. watch: at once, so the run time and TTL alone count.
 */
function again(restore: Restore, ttlSeconds: number, waits: boolean): string {
  if (restore.when === 'change') return `runs again with ${restore.on}`
  if (restore.when === 'watch') {
    const pause = ttlSeconds + restore.delaySeconds
    const longest = restore.maxDelaySeconds ?? 0
    if (longest > pause) return `runs again, soon at first, later about every ${duration(longest)}`
    return pause === 0
      ? 'runs again at once, for ever'
      : `runs again about every ${duration(pause)} plus the time that it takes`
  }
  const interval = restore.when === 'interval' ? restore.periodSeconds : undefined
  if (interval !== undefined && interval > 0) {
    if (waits && restore.when === 'interval' && restore.unwaited === undefined) {
      const period = interval * Math.max(1, Math.ceil(ttlSeconds / interval))
      return `runs again about every ${duration(period)} plus the time that it takes`
    }
    const period = interval * (Math.floor(ttlSeconds / interval) + 1)
    return `runs again about every ${duration(period)}`
  }
  return ttlSeconds === 0
    ? 'runs again at every look of the engine'
    : `runs again about once per TTL (every ${duration(ttlSeconds)} or a little more)`
}

function reasonOf(subject: Subject, restore: Restore): string {
  const { traits, object } = subject
  const parts = [
    traits.assumed
      ? 'engine unknown; assuming one that restores absent objects'
      : `${engineTitle(subject)} creates what is declared and absent${occasion(restore)}`,
  ]
  if (related(subject, ['prune']).length > 0) {
    parts.push('prune has no say in it, it only removes what is no longer declared')
  }
  const retries = traits.waiter !== undefined && integerAt(object, ['spec', 'backoffLimit']) === 0
  if (retries && restore.when !== 'change') {
    parts.push('a failed run is deleted and repeated too, so the TTL is also a retry without end')
  }
  if (mayBecomeHook(subject)) parts.push('unless rendering makes the Job a hook')
  return parts.join('; ')
}

function occasion(restore: Restore): string {
  if (restore.when === 'change') {
    return ' when it next applies, whether or not the Job itself changed'
  }
  return restore.when === 'interval' && restore.periodSeconds !== undefined
    ? `, and looks every ${duration(restore.periodSeconds)}`
    : ''
}

function remedyOf(subject: Subject): string {
  const keep =
    'remove ttlSecondsAfterFinished and keep the finished Job: it runs nothing, only its ' +
    'pods need tidying'
  return contractOf(subject) === 'never-again' ? keep : `${keep}; ${OR_CONVERGES}`
}
