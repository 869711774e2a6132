import type { Actor, Io } from '../actor.ts'
import type { Rules } from '../api/kind.ts'
import { succeeded, type WatchEvent } from '../api/request.ts'
import { calledOf, controllerOf, type KubeObject } from '../object.ts'
import type { Instant } from '../time.ts'
import { CRONJOBS } from './cronjob-job.ts'
import { nextLook } from './cronjob-missed.ts'
import { noPlans, planOf, scheduleOf, sinceOf, timeZoneOf, type Plans } from './cronjob-plan.ts'
import { CRONJOB_CONTROLLER } from './cronjob-look.ts'
import { lookAt, type Outcome } from './cronjob-sync.ts'

/**
 * The CronJob controller (K-29 to K-32, K-36 to K-40). A CronJob is looked at when its next tick
 * is due, and after every event of itself or of one of its Jobs; nothing polls, and a suspended
 * one plans nothing.
 * Its queue is that of the real controller: one waiting time per CronJob, of which the earlier one
 * stays, so a failure's short pause takes the place of the next tick, and an edit's later tick does
 * not take back the look at the old one (K-41).
 */
export function cronJobController(rules: Rules): Actor<CronState, CronWake> {
  return {
    name: CRONJOB_CONTROLLER,
    begin: beginAll,
    observe,
    wake(state, wake, io) {
      const { key } = wake
      const at: At = { state, io, rules }
      if (wake.kind === 'status') finish(at, key, wake.outcome)
      else if (state.writing.has(key)) state.writing.set(key, 'again')
      else look(at, key)
    },
    copy: ({ failures, writing, told, plans, readyAt }) => ({
      failures: new Map(failures),
      writing: new Map(writing),
      told: new Map(told),
      plans,
      readyAt,
    }),
  }
}

export interface CronState {
  /** Failures in a row, by `namespace/name`. */
  readonly failures: Map<string, number>
  /** CronJobs whose Job is created and whose status is still to be written. */
  readonly writing: Map<string, 'once' | 'again'>
  /** What was told last of a CronJob that does not run. */
  readonly told: Map<string, string>
  /** Schedules as they were read: shared by all copies, for they never change. */
  readonly plans: Plans
  /** A process that has just started works from here on. */
  readonly readyAt: Instant
}

export type CronWake =
  | { readonly kind: 'look'; readonly key: string }
  | { readonly kind: 'status'; readonly key: string; readonly outcome: Outcome }

interface At {
  readonly state: CronState
  readonly io: Io<CronWake>
  readonly rules: Rules
}

function beginAll(io: Io<CronWake>): CronState {
  const state: CronState = {
    failures: new Map(),
    writing: new Map(),
    told: new Map(),
    plans: noPlans(),
    readyAt: io.now + io.latencies.controllerStart,
  }
  for (const cron of io.read.list(CRONJOBS)) soon(state, cron, io)
  return state
}

function observe(state: CronState, event: WatchEvent, io: Io<CronWake>): void {
  const { group, resource } = event.resource
  if (group !== 'batch') return
  if (resource === 'cronjobs') observeCron(state, event, io)
  if (resource === 'jobs') observeJob(state, event, io)
}

/** An edit of the schedule only plans its next tick; anything else is a reason to look (K-42). */
function observeCron(
  state: CronState,
  { type, object, before }: WatchEvent,
  io: Io<CronWake>,
): void {
  if (type === 'DELETED') {
    state.told.delete(calledOf(object))
    return
  }
  const isEdited =
    before !== undefined &&
    (scheduleOf(before) !== scheduleOf(object) || timeZoneOf(before) !== timeZoneOf(object))
  if (!isEdited) {
    soon(state, object, io)
    return
  }
  const plan = planOf(state.plans, object)
  if (plan.ticks === undefined) {
    const message = `unparseable schedule for cronjob: ${scheduleOf(object)}`
    io.event(object, 'Warning', 'UnParseableCronJobSchedule', message)
    return
  }
  later(state, keyOf(object), nextLook(plan.ticks, sinceOf(object), io.now), io)
}

function observeJob(state: CronState, { object, before }: WatchEvent, io: Io<CronWake>): void {
  const owner = cronOf(object, io)
  if (owner !== undefined) soon(state, owner, io)
  if (before === undefined) return
  const old = cronOf(before, io)
  if (old !== undefined && old !== owner) soon(state, old, io)
}

/** The CronJob that controls a Job, if it is still the one that the Job means. */
function cronOf(job: KubeObject, io: Io<CronWake>): KubeObject | undefined {
  const owner = controllerOf(job)
  if (owner?.kind !== 'CronJob') return undefined
  const cron = io.read.get(CRONJOBS, job.metadata.namespace, owner.name)
  return cron?.metadata.uid === owner.uid ? cron : undefined
}

/** Reads and decides now; what it decided is written a moment later, as by the real one. */
function look(at: At, key: string): void {
  const { state, io, rules } = at
  const [namespace, name = ''] = key.split('/')
  const cron = io.read.get(CRONJOBS, namespace, name)
  if (cron === undefined) return
  const outcome = lookAt({ io, rules, plans: state.plans, told: state.told }, cron)
  const delay = outcome.changed === undefined ? 0 : (io.latencies.cronStatus ?? 0)
  if (delay === 0) {
    settle(at, key, outcome)
    return
  }
  state.writing.set(key, 'once')
  io.wakeAt(io.now + delay, { kind: 'status', key, outcome })
}

function finish(at: At, key: string, outcome: Outcome): void {
  const isAgain = at.state.writing.get(key) === 'again'
  at.state.writing.delete(key)
  settle(at, key, outcome)
  if (isAgain) at.io.wakeAt(at.io.now, { kind: 'look', key })
}

/** Writes the status, and plans the next look. */
function settle({ state, io, rules }: At, key: string, outcome: Outcome): void {
  const isWritten = outcome.changed === undefined || writeStatus(io, outcome.changed)
  if (outcome.hasFailed || !isWritten) {
    const failures = state.failures.get(key) ?? 0
    state.failures.set(key, failures + 1)
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
    io.wakeAt(io.now + pause, { kind: 'look', key }, `later ${key}`)
    return
  }
  // Up to 1.36 a look that plans nothing does not take back the count of failures (K-40).
  if (outcome.lookAt !== undefined || rules.minor >= 37) state.failures.delete(key)
  if (outcome.lookAt !== undefined) later(state, key, outcome.lookAt, io)
}

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 1_000_000

/** Written as read, so that it conflicts when anybody wrote the CronJob in between. */
function writeStatus(io: Io<CronWake>, changed: KubeObject): boolean {
  const { name, namespace } = changed.metadata
  const answer = io.request({
    verb: 'update',
    resource: CRONJOBS,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    subresource: 'status',
    body: changed,
    options: { fieldManager: 'kube-controller-manager' },
  })
  return succeeded(answer)
}

/** Once per event, as the real one nearly always does: each failing look counts (K-40). */
function soon(state: CronState, cron: KubeObject, io: Io<CronWake>): void {
  io.wakeAt(Math.max(io.now, state.readyAt), { kind: 'look', key: keyOf(cron) })
}

/** The tick itself; the controller comes to it a little later. */
function later(state: CronState, key: string, at: Instant, io: Io<CronWake>): void {
  const instant = Math.max(at + io.latencies.cronTick, state.readyAt)
  io.wakeAt(instant, { kind: 'look', key }, `later ${key}`)
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}
