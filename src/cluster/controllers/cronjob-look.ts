import { integerAt, stringAt, type JsonObject } from '../../core/json.ts'
import type { Io, Trigger } from '../actor.ts'
import type { Rules } from '../api/kind.ts'
import { succeeded, type Answer } from '../api/request.ts'
import { calledOf, controllerOf, type KubeObject } from '../object.ts'
import { instantOf, timestamp, type Instant } from '../time.ts'
import { firstWords } from './causes.ts'
import { beyondHistory, endOf, JOBS } from './cronjob-job.ts'
import type { Plans } from './cronjob-plan.ts'

/** What a look needs: its actor's io, the version's rules and the schedules made so far. */
export interface LookWith {
  readonly io: Pick<Io<never>, 'now' | 'request' | 'read' | 'event' | 'cause'>
  readonly rules: Rules
  readonly plans: Plans
  /** The last thing that was told of each CronJob's tick: once, however often it is looked at. */
  readonly told: Map<string, string>
}

/** All that one look reads and changes. */
export interface Look extends LookWith {
  readonly cron: KubeObject
  readonly namespace: string
  readonly jobs: readonly KubeObject[]
  active: readonly JsonObject[]
  lastScheduleTime: string | undefined
  lastSuccessfulTime: string | undefined
  hasChanged: boolean
}

/** Up to 1.36 by the owner's name alone, of whatever kind and uid; since 1.37 by its uid (K-39). */
export function childrenOf({ io, rules }: LookWith, cron: KubeObject): readonly KubeObject[] {
  const { name, namespace, uid } = cron.metadata
  if (rules.minor < 37) {
    return io.read.list(JOBS, namespace).filter((job) => controllerOf(job)?.name === name)
  }
  const owned = io.read.dependents(uid).map(({ object }) => object)
  return owned
    .filter((job) => job.kind === 'Job' && controllerOf(job)?.uid === uid)
    .sort((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1))
}

export function tidyHistory(look: Look): void {
  for (const job of beyondHistory(look.cron, look.jobs)) {
    const field = endOf(job) === 'Complete' ? 'successful' : 'failed'
    const limit = integerAt(look.cron, ['spec', `${field}JobsHistoryLimit`])
    const words = `its ${field}JobsHistoryLimit of ${limit} was exceeded`
    const why = { rule: 'K-38', trigger: { kind: 'watch', words } } as const
    if (removeJob(look, job.metadata, why)) look.hasChanged = true
  }
}

export function noteEnds(look: Look): void {
  for (const job of look.jobs) {
    const { name, uid } = job.metadata
    const isActive = look.active.some((reference) => reference.uid === uid)
    const end = endOf(job)
    if (end === undefined) {
      if (isActive) continue
      const message = `Saw a job that the controller did not create or forgot: ${name}`
      look.io.event(look.cron, 'Warning', 'UnexpectedJob', message)
      continue
    }
    if (isActive) {
      forget(look, uid)
      // Up to 1.30 the event says `status`, and the time is written by the next look.
      const isOld = look.rules.minor <= 30
      const word = isOld ? 'status' : 'condition'
      const message = `Saw completed job: ${name}, ${word}: ${end}`
      look.io.event(look.cron, 'Normal', 'SawCompletedJob', message)
      look.hasChanged = true
      if (isOld) continue
    }
    if (end === 'Complete') noteSuccess(look, stringAt(job, ['status', 'completionTime']))
  }
}

function noteSuccess(look: Look, completionTime: string | undefined): void {
  if (completionTime === undefined) return
  const last = look.lastSuccessfulTime
  if (last !== undefined && instantOf(completionTime) <= instantOf(last)) return
  look.lastSuccessfulTime = completionTime
  look.hasChanged = true
}

export function noteMissing(look: Look): void {
  for (const reference of look.active) {
    if (look.jobs.some((job) => job.metadata.uid === reference.uid)) continue
    const name = stringAt(reference, ['name']) ?? ''
    if (look.io.read.get(JOBS, look.namespace, name) !== undefined) continue
    look.io.event(look.cron, 'Normal', 'MissingJob', `Active job went missing: ${name}`)
    forget(look, stringAt(reference, ['uid']))
    look.hasChanged = true
  }
}

/** In the background: the Job's pods may still run when the next one starts. */
export function removeJob(
  look: Look,
  { name, uid }: { readonly name: string; readonly uid: string },
  why: { readonly rule: string; readonly trigger: Trigger },
): boolean {
  const answer = look.io.request({
    verb: 'delete',
    resource: JOBS,
    namespace: look.namespace,
    name,
    options: { propagationPolicy: 'Background' },
  })
  if (!succeeded(answer)) {
    const message = `Deleted job: ${textOf(answer)}`
    look.io.event(look.cron, 'Warning', 'FailedDelete', message)
    return false
  }
  forget(look, uid)
  look.io.event(look.cron, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`)
  note(look, { ...why, effect: 'deleted Job' }, name)
  return true
}

export function textOf({ body }: Answer): string {
  return stringAt(body, ['message']) ?? ''
}

function forget(look: Look, uid: string | undefined): void {
  look.active = look.active.filter((reference) => reference.uid !== uid)
}

interface Note {
  readonly rule: string
  readonly effect: string
  readonly trigger?: Trigger
}

/** About a Job of the CronJob, or about itself. */
export function note({ io, cron, namespace }: Look, what: Note, job?: string): void {
  const carrier = calledOf(cron)
  const object = job === undefined ? carrier : `Job ${namespace}/${job}`
  io.cause({ at: io.now, actor: CRONJOB_CONTROLLER, ...what, object, carrier })
}

/** K-31, K-30, K-40: a tick without a run, and why. */
export function noteSkipped(look: Look, tick: Instant, rule: string, why: string): void {
  noteOnce(look, tick, { rule, effect: `skipped a run: ${why}` })
}

/** A refused creation is tried again and again: the first is told. */
export function noteRefused(look: Look, tick: Instant, job: string, message: string): void {
  noteOnce(look, tick, { rule: 'K-40', effect: `refused Job: ${firstWords(message)}` }, job)
}

function noteOnce(look: Look, tick: Instant, what: Note, job?: string): void {
  const key = calledOf(look.cron)
  const text = `${what.rule} ${tick}`
  if (look.told.get(key) === text) return
  look.told.set(key, text)
  note(look, { ...what, trigger: tickTrigger(look, tick) }, job)
}

/** A run that starts later than this after its tick is caught up. */
const LATE_MS = 10_000

export function isLate({ io }: Look, tick: Instant): boolean {
  return io.now - tick > LATE_MS
}

export function tickTrigger(look: Look, tick: Instant): Trigger {
  const lateSeconds = Math.floor((look.io.now - tick) / 1000)
  const late = isLate(look, tick) ? `, ${lateSeconds} s ago` : ''
  return { kind: 'schedule', words: `its tick of ${timestamp(tick)} was due${late}` }
}

export const CRONJOB_CONTROLLER = 'cronjob-controller'
