import { isObject, stringAt } from '../../core/json.ts'
import { succeeded, type Answer } from '../api/request.ts'
import { controllerOf, type KubeObject } from '../object.ts'
import { instantOf, timestamp, type Instant } from '../time.ts'
import { activeOf, JOBS, jobName, jobOf, referenceTo, withStatus } from './cronjob-job.ts'
import {
  childrenOf,
  isLate,
  note,
  noteSkipped,
  noteEnds,
  noteMissing,
  noteRefused,
  removeJob,
  textOf,
  tickTrigger,
  tidyHistory,
  type Look,
  type LookWith,
} from './cronjob-look.ts'
import { missedTicks, nextLook, type Since } from './cronjob-missed.ts'
import { isSuspended, planOf, scheduleOf, sinceOf, withDeadline } from './cronjob-plan.ts'
import type { Plan } from './cronjob-plan.ts'
import type { Ticks } from './cronjob-schedule.ts'

/** One look at a CronJob: what its status becomes, and when to look again. */
export interface Outcome {
  /** The CronJob with its new status; undefined when nothing of it changed. */
  readonly changed: KubeObject | undefined
  /** Left out: only an event brings the controller back. */
  readonly lookAt?: Instant
  /** Something was refused: again after a pause that doubles. */
  readonly hasFailed: boolean
}

type Next = Instant | 'fails' | 'waits'

/**
 * What the CronJob controller does for one CronJob (K-29 to K-32): removes Jobs beyond the history
 * limits, writes down which Jobs ended or vanished, and starts the tick that is due.
 * Expects: nobody writes between its reads and its requests, which are made at one instant.
 * Promises: at most one Job is created; the status is not written, that is the caller's.
 */
export function lookAt(given: LookWith, cron: KubeObject): Outcome {
  const status = isObject(cron.status) ? cron.status : {}
  const look: Look = {
    ...given,
    cron,
    namespace: cron.metadata.namespace ?? '',
    jobs: childrenOf(given, cron),
    active: activeOf(cron),
    lastScheduleTime: stringAt(status, ['lastScheduleTime']),
    lastSuccessfulTime: stringAt(status, ['lastSuccessfulTime']),
    hasChanged: false,
  }
  tidyHistory(look)
  noteEnds(look)
  noteMissing(look)
  const next = startDue(look)
  const changed = look.hasChanged ? withStatus(cron, look) : undefined
  if (next === 'fails') return { changed, hasFailed: true }
  return next === 'waits'
    ? { changed, hasFailed: false }
    : { changed, hasFailed: false, lookAt: next }
}

function startDue(look: Look): Next {
  const { io, cron } = look
  if (cron.metadata.deletionTimestamp !== undefined) return 'waits'
  const plan = planOf(look.plans, cron)
  if (plan.ticks === undefined && plan.isZone) {
    const message = `invalid timeZone: ${JSON.stringify(cronZone(cron))}: ${plan.fault}`
    io.event(cron, 'Warning', 'UnknownTimeZone', message)
    return 'waits'
  }
  if (isSuspended(cron)) return 'waits'
  if (plan.ticks === undefined) {
    const message = `unparseable schedule: ${JSON.stringify(scheduleOf(cron))} : ${plan.fault}`
    io.event(cron, 'Warning', 'UnparseableSchedule', message)
    return 'waits'
  }
  if (plan.hasZoneInside) {
    const message = `CRON_TZ or TZ used in schedule ${JSON.stringify(scheduleOf(cron))} ${IS_UNSUPPORTED}`
    io.event(cron, 'Warning', 'UnsupportedSchedule', message)
  }
  const since = sinceOf(cron, look.lastScheduleTime)
  const missed = missedTicks(plan.ticks, withDeadline(since, cron), io.now)
  if (missed.hasNoTicks === true) {
    const message = `invalid schedule: ${scheduleOf(cron)} : ${NO_TICKS}`
    io.event(cron, 'Warning', 'InvalidSchedule', message)
    return 'waits'
  }
  const next = nextLook(plan.ticks, since, io.now)
  if (missed.latest === undefined) {
    noteTooLate(look, plan.ticks, since)
    return next
  }
  if (missed.count === 'many') io.event(cron, 'Warning', 'TooManyMissedTimes', TOO_MANY)
  return startTick(look, plan, missed.latest, next)
}

/** K-30: a tick was missed, and startingDeadlineSeconds says that it is too late for it. */
function noteTooLate(look: Look, ticks: Ticks, since: Since): void {
  const { deadlineSeconds } = withDeadline(since, look.cron)
  if (deadlineSeconds === undefined) return
  const { latest } = missedTicks(ticks, since, look.io.now)
  if (latest === undefined || latest + deadlineSeconds * 1000 >= look.io.now) return
  noteSkipped(look, latest, 'K-30', `its startingDeadlineSeconds of ${deadlineSeconds} were over`)
}

const IS_UNSUPPORTED =
  'is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details'
const NO_TICKS = 'time difference between two schedules is less than 1 second'
const TOO_MANY =
  'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew'

function cronZone(cron: KubeObject): string {
  return stringAt(cron, ['spec', 'timeZone']) ?? ''
}

type Ready = Plan & { readonly ticks: object }

/** The tick may have been started before, and other Jobs may be in its way (K-31). */
function startTick(look: Look, plan: Ready, tick: Instant, next: Instant): Next {
  const { io, cron, lastScheduleTime } = look
  const name = jobName(cron, tick)
  const isActive = look.active.some((reference) => reference.name === name)
  const last = lastScheduleTime === undefined ? undefined : instantOf(lastScheduleTime)
  if (isActive || last === tick) return next
  const policy = stringAt(cron, ['spec', 'concurrencyPolicy'])
  if (policy === 'Forbid' && look.active.length > 0) {
    io.event(cron, 'Normal', 'JobAlreadyActive', FORBIDDEN)
    const names = look.active.map((reference) => stringAt(reference, ['name']) ?? '').join(', ')
    noteSkipped(look, tick, 'K-31', `${names} is active, and concurrencyPolicy is Forbid`)
    return next
  }
  if (policy === 'Replace' && !replaceActive(look, tick)) return 'fails'
  const answer = io.request({
    verb: 'create',
    resource: JOBS,
    namespace: look.namespace,
    body: jobOf(cron, tick, plan.zone),
    options: { fieldManager: 'kube-controller-manager' },
  })
  if (succeeded(answer)) {
    io.event(cron, 'Normal', 'SuccessfulCreate', `Created job ${name}`)
    const rule = isLate(look, tick) ? 'K-30' : 'K-29'
    note(look, { rule, effect: 'created Job', trigger: tickTrigger(look, tick) }, name)
    return nowActive(look, answer.body, tick, next)
  }
  return afterRefusal(look, { answer, name, tick, next })
}

const FORBIDDEN =
  'Not starting job because prior execution is running and concurrency policy is Forbid'

function replaceActive(look: Look, tick: Instant): boolean {
  const { kind, words } = tickTrigger(look, tick)
  const why = `${words}, and concurrencyPolicy is Replace`
  const cause = { rule: 'K-31', trigger: { kind, words: why } } as const
  for (const reference of look.active) {
    const name = stringAt(reference, ['name']) ?? ''
    const job = look.io.read.get(JOBS, look.namespace, name)
    if (job === undefined) {
      const message = `Get job: jobs.batch "${name}" not found`
      look.io.event(look.cron, 'Warning', 'FailedGet', message)
      return false
    }
    if (!removeJob(look, job.metadata, cause)) return false
    look.hasChanged = true
  }
  return true
}

function nowActive(look: Look, job: KubeObject, tick: Instant, next: Instant): Next {
  look.active = [...look.active, referenceTo(job)]
  look.lastScheduleTime = timestamp(tick)
  look.hasChanged = true
  return next
}

interface Refusal {
  readonly answer: Answer
  readonly name: string
  readonly tick: Instant
  readonly next: Instant
}

/**
 * A Job of that name exists: up to 1.36 the controller asks for it in the namespace "", which
 * always fails, so the CronJob is stuck in an error until the name is free or a later tick is due
 * (K-40, kubernetes/kubernetes#136918). Since 1.37 it takes its own Job over, and for a foreign one
 * does nothing and plans nothing, so only an event brings it back.
 */
function afterRefusal(look: Look, { answer, name, tick, next }: Refusal): Next {
  const { io, cron } = look
  const { reason, details } = answer.body
  if (reason === 'AlreadyExists') {
    noteSkipped(look, tick, 'K-40', `the name ${name} is taken`)
    if (look.rules.minor < 37) return 'fails'
    const job = io.read.get(JOBS, look.namespace, name)
    if (job === undefined) return 'fails'
    if (controllerOf(job)?.uid !== cron.metadata.uid) return 'waits'
    if (look.active.some(({ uid }) => uid === job.metadata.uid)) return 'waits'
    return nowActive(look, job, tick, next)
  }
  const causes = isObject(details) && Array.isArray(details.causes) ? details.causes : []
  if (causes.some((cause) => isObject(cause) && cause.reason === 'NamespaceTerminating')) {
    return 'fails'
  }
  io.event(cron, 'Warning', 'FailedCreate', `Error creating job: ${textOf(answer)}`)
  noteRefused(look, tick, name, textOf(answer))
  return 'fails'
}
