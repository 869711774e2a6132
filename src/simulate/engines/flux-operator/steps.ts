import { integerAt } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import { fluxStatus } from '../../health/index.ts'
import { liveOf, shown, type Desired } from '../kustomize-controller/objects.ts'
import { stagesOf } from '../kustomize-controller/order.ts'
import type { KindFinder } from '../kinds.ts'
import { applyOne, collect, deleteFailed, entryOf, inspect } from './apply.ts'
import { placeIn, tell, type Round } from './causes.ts'
import { SETS } from './kinds.ts'
import type { Settings } from './settings.ts'
import type { Entry, OperatorOptions, Run, Step, Timing, Wait, Wake } from './state.ts'
import { inventoryField } from '../kustomize-controller/status.ts'
import { progressing, writeStatus } from './status.ts'

/** Of every wait for health, and of the wait for a deleted Job (O-6, O-10). */
const POLL_MS = 5000
const TERMINATION_MS = 60_000
/** Of the wait for an object that is replaced (F-11). */
const REPLACE_POLL_MS = 2000
/** A first look that comes late enough to find a deleted Job gone, and how often it does (O-10). */
const LATE_LOOK_MS = 50
const LATE_LOOKS = 1 / 15

/** Where a reconcile has come to: it looks again at an instant, or it is over. */
export type Outcome =
  | { readonly kind: 'wait'; readonly run: Run; readonly at: Instant }
  | { readonly kind: 'done'; readonly run: Run }
  | { readonly kind: 'failed'; readonly run: Run; readonly message: string }

export interface Walk {
  readonly io: Io<Wake>
  readonly set: KubeObject
  readonly settings: Settings
  readonly find: KindFinder
  readonly timing: Timing
  readonly options: OperatorOptions
  readonly round: Round
}

/** O-6, O-7: goes on through the steps until something must be waited for. */
export function walk(run: Run, walking: Walk): Outcome {
  switch (run.phase) {
    case 'recreate':
      return run.wait === undefined ? recreate(run, walking) : awaitGone(run, run.wait, walking)
    case 'replace':
      return run.wait === undefined ? apply(run, walking) : awaitGone(run, run.wait, walking)
    case 'health':
    case 'final':
      return run.wait === undefined ? nextStep(run, walking) : look(run, run.wait, walking)
    case 'begin':
    case 'apply':
    default:
      return apply(run, walking)
  }
}

/** The first step; a set without objects still collects what it had (O-5). */
export function firstStep(run: Run, walking: Walk): Outcome {
  return run.steps.length === 0 ? afterSteps(run, walking) : recreate(run, walking)
}

function recreate(run: Run, walking: Walk): Outcome {
  const { io, set, round } = walking
  const deleted = deleteFailed(stepOf(run).objects, set, round, io)
  if (typeof deleted === 'string') return failed(run, 'job recreation failed', deleted)
  const [first] = deleted
  if (first === undefined) return apply({ ...run, phase: 'apply' }, walking)
  const uids = deleted.map(({ metadata }) => metadata.uid)
  const wait = waitFor({ objects: [], uids, everyMs: POLL_MS }, TERMINATION_MS, io.now)
  const isLate = isLateLook(first, walking)
  const waiting: Run = { ...run, phase: 'recreate', hasChanged: true, wait }
  if (isLate) return { kind: 'wait', run: waiting, at: io.now + LATE_LOOK_MS }
  return awaitGone(waiting, wait, walking)
}

/** A race: by chance as often as recorded, or as the caller knows it. */
function isLateLook(job: KubeObject, { io, timing, options }: Walk): boolean {
  const { isGoneAtFirstLook } = options
  if (isGoneAtFirstLook !== undefined) return isGoneAtFirstLook(job, io.now)
  return timing.look > 0 && io.chance.next() < LATE_LOOKS
}

function awaitGone(run: Run, wait: Wait, walking: Walk): Outcome {
  const { io } = walking
  const { wait: _over, ...rest } = run
  const left = wait.uids.flatMap((uid) => io.read.byUid(uid) ?? [])
  if (left.length === 0) return apply({ ...rest, phase: 'apply' }, walking)
  if (io.now < wait.until) {
    return { kind: 'wait', run, at: Math.min(io.now + wait.everyMs, wait.until) }
  }
  const names = left.map(({ object }) => shown({ ...object, ...placeOf(object) }))
  const what = `${names.join(', ')} termination timeout: context deadline exceeded`
  return run.phase === 'recreate'
    ? failed(run, 'job recreation failed', `failed to wait for Jobs termination: ${what}`)
    : failed(run, 'apply failed', what)
}

function placeOf({ metadata }: KubeObject): { namespace: string | undefined; name: string } {
  return { namespace: metadata.namespace, name: metadata.name }
}

/** Stage by stage: all dry runs first, so one bad object changes nothing of its stage. */
function apply(run: Run, walking: Walk): Outcome {
  const { io, settings, round } = walking
  const stages = stagesOf(stepOf(run).objects)
  let here = run
  for (let stage = run.stage; stage < stages.length; stage += 1) {
    const objects = stages[stage] ?? []
    const changes: { desired: Desired; action: 'created' | 'configured' }[] = []
    for (const desired of objects) {
      const found = inspect(desired, settings.forces, round, io)
      if (found.kind === 'fault') return failed({ ...here, stage }, 'apply failed', found.message)
      if (found.kind === 'deleting') {
        const asked = { objects: [], uids: [found.uid], everyMs: REPLACE_POLL_MS }
        const wait = waitFor(asked, TERMINATION_MS, io.now)
        const waiting: Run = { ...here, stage, phase: 'replace', hasChanged: true, wait }
        return { kind: 'wait', run: waiting, at: io.now + walking.timing.look }
      }
      const { action } = found
      if (action !== 'unchanged') changes.push({ desired, action })
    }
    for (const { desired, action } of changes) {
      const refused = applyOne(desired, action, round, io)
      if (refused !== undefined) return failed({ ...here, stage }, 'apply failed', refused)
    }
    const applied = [...here.applied, ...objects.map(entryOf)]
    here = { ...here, applied, hasChanged: here.hasChanged || changes.length > 0 }
  }
  return afterApply(here, walking)
}

function afterApply(run: Run, walking: Walk): Outcome {
  const { io, set } = walking
  if (run.step >= run.steps.length - 1) return afterSteps(run, walking)
  const step = stepOf(run)
  const place = `${run.step + 1}/${run.steps.length} ${JSON.stringify(step.name)}`
  const fields = inventoryField(inventoryOfRun(run))
  writeStatus(SETS, set, { conditions: progressing(`Applying step ${place}`), fields }, io)
  if (step.objects.length === 0) return nextStep(run, walking)
  const wait = healthOf(step, io.now)
  const at = firstLook(step, walking)
  return { kind: 'wait', run: { ...run, phase: 'health', wait }, at }
}

/** O-8: collects once, after all steps; then the last one is waited for if the set says so. */
function afterSteps(run: Run, walking: Walk): Outcome {
  const { io, set, find, settings, round } = walking
  const kept = new Set(run.applied.map(({ id }) => id))
  const stale = run.old.filter(({ id }) => !kept.has(id))
  const rule = run.steps.length === 0 ? 'O-5' : 'O-8'
  const refused = collect(stale, { set, find, round, rule }, io)
  if (refused !== undefined) return { kind: 'failed', run, message: refused }
  const collected: Run = { ...run, old: [], hasChanged: run.hasChanged || stale.length > 0 }
  const step = run.steps.at(-1)
  if (!settings.waits || step === undefined || step.objects.length === 0) {
    return { kind: 'done', run: collected }
  }
  const wait = healthOf(step, io.now)
  const at = firstLook(step, walking)
  return { kind: 'wait', run: { ...collected, phase: 'final', wait }, at }
}

/** What is there only for a moment is seen or missed by it. */
function firstLook({ objects }: Step, { io, timing, options }: Walk): Instant {
  return io.now + (options.firstLookMs?.(objects, io.now) ?? timing.look)
}

/** O-11: the first look comes at once, then each 5 s; a failed object ends the wait. */
function look(run: Run, wait: Wait, walking: Walk): Outcome {
  const { io, round } = walking
  if (io.now >= wait.until) {
    return failed(run, 'health check failed', `timeout waiting for: [${wait.seen ?? ''}]\n`)
  }
  const states = wait.objects.map((desired) => {
    const live = liveOf(desired, io)
    const status = live === undefined ? 'NotFound' : fluxStatus(live, io.now).status
    const text = `${shown(desired)} status: '${status}'`
    if (live === undefined && wait.seen?.includes(text) !== true) tellMissed(desired, round, io)
    return { status, text }
  })
  const textOf = (some: typeof states): string => some.map(({ text }) => text).join(', ')
  const broken = states.filter(({ status }) => status === 'Failed')
  if (broken.length > 0) {
    const what = `failed early due to stalled resources: [${textOf(broken)}]\n`
    return failed(run, 'health check failed', what)
  }
  const open = states.filter(({ status }) => status !== 'Current')
  if (open.length === 0) {
    const { wait: _over, ...rest } = run
    return run.phase === 'final' ? { kind: 'done', run: rest } : nextStep(rest, walking)
  }
  const at = Math.min(io.now + wait.everyMs, wait.until)
  return { kind: 'wait', run: { ...run, wait: { ...wait, seen: textOf(open) } }, at }
}

/** O-11: a Job that goes between two looks is never seen as complete. */
function tellMissed(desired: Desired, round: Round, io: Io<Wake>): void {
  const ttl = integerAt(desired.object, ['spec', 'ttlSecondsAfterFinished'])
  if (desired.kind !== 'Job' || ttl === undefined || ttl * 1000 >= POLL_MS) return
  const race =
    `its TTL of ${ttl}s is shorter than the 5s between two looks: a look that comes in between ` +
    'finds the Job complete, and the step goes on'
  const object = placeIn(desired)
  tell(round, { rule: 'O-11', effect: 'found Job gone', object, data: { race } }, io)
}

function nextStep(run: Run, walking: Walk): Outcome {
  const { io, round } = walking
  const next: Run = { ...run, step: run.step + 1, stage: 0, phase: 'recreate' }
  // Of a reconcile that has changed nothing so far there is nothing to tell.
  if (round.isTold) tell(round, { rule: 'O-6', effect: `began step ${stepOf(next).name}` }, io)
  return recreate(next, walking)
}

function stepOf({ steps, step }: Run): Step {
  return steps[step] ?? { name: '', timeoutMs: 0, objects: [] }
}

/** O-7: the retry starts at the first step. Sets without steps have no name to say. */
function failed(run: Run, action: string, message: string): Outcome {
  const { name } = stepOf(run)
  const text = name === '' ? message : `step ${JSON.stringify(name)} ${action}: ${message}`
  return { kind: 'failed', run, message: text }
}

/** What stood there before, and what was applied: a failure never orphans anything. */
export function inventoryOfRun({ old, applied }: Run): readonly Entry[] {
  const ids = new Set(old.map(({ id }) => id))
  return [...old, ...applied.filter(({ id }) => !ids.has(id))]
}

function healthOf({ objects, timeoutMs }: Step, now: Instant): Wait {
  return waitFor({ objects, uids: [], everyMs: POLL_MS }, timeoutMs, now)
}

function waitFor(asked: Omit<Wait, 'until'>, timeoutMs: number, now: Instant): Wait {
  return { ...asked, until: now + timeoutMs }
}
