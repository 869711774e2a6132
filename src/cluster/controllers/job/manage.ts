import { byRemoval, finishedAt, isReady, isTerminating, type Pod } from '../../pod.ts'
import type { Trigger } from '../../actor.ts'
import { counted, firstWords } from '../causes.ts'
import { delayMs, remainingMs } from './backoff.ts'
import { isTerminatingNamespace } from './client.ts'
import { firstFree, indexesOf, union } from './indexes.ts'
import { isIndexed, isSuspended, replacesOnlyFailed, type Job } from './job.ts'
import { completionIndex, failureCount, ignoredFailureCount, isTracked } from './pods.ts'
import type { Sync } from './sync-state.ts'
import { podOf } from './template.ts'

/** What one sync creates or deletes at most. */
const MOST_AT_ONCE = 500

/**
 * Brings the number of active pods to what the Job wants: deletes surplus ones, or creates missing
 * ones when no delay after failures (K-17) holds them back. Never both in one sync. Gives back what
 * was refused.
 */
export function managePods(sync: Sync): string | undefined {
  const { job, activePods } = sync
  if (isSuspended(job)) return deleteSurplus(sync, surplus(sync, activePods.length))
  const wanted = wantedActive(sync)
  const rest = surplus(sync, Math.max(sync.active - wanted, 0)).slice(0, MOST_AT_ONCE)
  if (rest.length > 0) return deleteSurplus(sync, rest)
  // K-2: under `Failed` a pod that is being deleted keeps its place until it has stopped.
  const leaving = replacesOnlyFailed(job) ? sync.terminating : 0
  const missing = wanted - leaving - sync.active
  return missing > 0 ? createMissing(sync, missing) : undefined
}

interface Deleted {
  readonly count: number
  readonly ready: number
  readonly error: string | undefined
}

/** The Job ends: its active pods go. Their finalizers stay until they are counted. */
export function deleteActivePods(sync: Sync): Deleted {
  return deleteEach(sync.activePods, (pod) => {
    const effect = 'deleted pod of an ending Job'
    sync.client.cause(sync.job, { rule: 'K-21', effect }, pod)
    return sync.client.deletePod(sync.job, pod)
  })
}

/** Surplus pods are deleted uncounted: they are no failures, so their finalizer goes first. */
function deleteSurplus(sync: Sync, pods: readonly Pod[]): string | undefined {
  const { client, job } = sync
  const deleted = deleteEach(pods, (pod) => {
    const refused = isTracked(pod) ? client.untrack(pod) : undefined
    if (refused !== undefined) return `removing completion finalizer: ${refused}`
    client.cause(job, { rule: 'K-23', effect: 'deleted surplus pod' }, pod)
    return client.deletePod(job, pod)
  })
  sync.active -= deleted.count
  sync.terminating += deleted.count
  sync.ready -= deleted.ready
  return deleted.error
}

function deleteEach(pods: readonly Pod[], remove: (pod: Pod) => string | undefined): Deleted {
  let count = pods.length
  let ready = 0
  let error: string | undefined
  for (const pod of pods) {
    const refused = remove(pod)
    if (refused !== undefined) {
      count -= 1
      error ??= refused
    }
    if (isReady(pod)) ready += 1
  }
  return { count, ready, error }
}

/** Work queues (no `completions`) leave running what runs once one pod has succeeded. */
function wantedActive({ job, active, succeeded }: Sync): number {
  const { parallelism = 1, completions } = job.spec
  if (completions === undefined) return succeeded > 0 ? active : parallelism
  return Math.max(Math.min(completions - succeeded, parallelism), 0)
}

/** Pods of indexes that are doubled or no longer wanted, filled up to `least` in order of removal. */
function surplus({ job, activePods }: Sync, least: number): readonly Pod[] {
  const { doubled, rest } = isIndexed(job)
    ? splitDoubled(job, activePods)
    : { doubled: [], rest: activePods }
  if (doubled.length >= least) return doubled
  return [...doubled, ...rest.toSorted(byRemoval).slice(0, least - doubled.length)]
}

function splitDoubled(
  job: Job,
  pods: readonly Pod[],
): { readonly doubled: readonly Pod[]; readonly rest: readonly Pod[] } {
  const byIndex = new Map<number, Pod[]>()
  for (const pod of pods) {
    const index = completionIndex(pod) ?? -1
    const same = byIndex.get(index)
    if (same === undefined) byIndex.set(index, [pod])
    else same.push(pod)
  }
  const doubled: Pod[] = []
  const rest: Pod[] = []
  for (const [index, same] of [...byIndex].sort(([one], [other]) => one - other)) {
    const isWanted = index >= 0 && index < (job.spec.completions ?? 0)
    const sorted = same.toSorted(byRemoval)
    const kept = isWanted ? sorted.pop() : undefined
    doubled.push(...sorted)
    if (kept !== undefined) rest.push(kept)
  }
  return { doubled, rest }
}

function createMissing(sync: Sync, missing: number): string | undefined {
  const { job, now } = sync
  const isPerIndex = job.spec.backoffLimitPerIndex !== undefined
  const delay = isPerIndex ? 0 : remainingMs(sync.backoff, now)
  if (delay > 0) {
    sync.lookAgainIn(Math.max(delay, sync.batchMs))
    return undefined
  }
  const count = Math.min(missing, MOST_AT_ONCE)
  if (!isIndexed(job)) return createEach(sync, Array<undefined>(count).fill(undefined))
  const free = freeIndexes(sync, count)
  if (!isPerIndex) return createEach(sync, free)
  const delays = free.map((index) => indexDelay(sync, index))
  const due = free.filter((_, at) => delays[at] === 0)
  if (due.length === 0 && free.length > 0) {
    sync.lookAgainIn(Math.max(Math.min(...delays), sync.batchMs))
  }
  return createEach(sync, due)
}

function freeIndexes(sync: Sync, count: number): readonly number[] {
  const { job, pods, activePods, succeededIndexes, failedIndexes } = sync
  const busy = replacesOnlyFailed(job) ? [...activePods, ...pods.filter(isTerminating)] : activePods
  const held = indexesOf(busy.map(completionIndex).filter((index) => index !== undefined))
  const taken = union(union(succeededIndexes, held), failedIndexes ?? [])
  return firstFree(taken, count, job.spec.completions ?? 0)
}

/** K-17 with backoffLimitPerIndex: the delay of one index, read off its last failed pod. */
function indexDelay(sync: Sync, index: number): number {
  const last = sync.delayed.get(index)
  if (last === undefined) return 0
  const failures = failureCount(last) + ignoredFailureCount(last) + 1
  return remainingMs({ failures, lastFailureAt: finishedAt(last) }, sync.now)
}

/**
 * Creates pods in groups of 1, 2, 4 ... and stops after a group with a refusal, so that a full quota
 * is asked once and not five hundred times.
 */
function createEach(sync: Sync, indexes: readonly (number | undefined)[]): string | undefined {
  let at = 0
  for (let size = 1; at < indexes.length; size *= 2) {
    let error: string | undefined
    for (const index of indexes.slice(at, at + size)) {
      const refused = createOne(sync, index)
      error ??= refused
    }
    if (error !== undefined) return error
    at += size
  }
  return undefined
}

function createOne(sync: Sync, index: number | undefined): string | undefined {
  const { client, job, delayed } = sync
  const replaced = index === undefined ? undefined : delayed.get(index)
  const created = client.createPod(job, podOf(job, index, replaced))
  if ('object' in created) {
    sync.active += 1
    const trigger = reasonForPod(sync, index)
    client.cause(job, { rule: 'K-17', effect: 'created pod', trigger }, created.object)
    return undefined
  }
  // A namespace on its way out is no error to retry; the pod counts as created until the next sync.
  if (!isTerminatingNamespace(created.answer)) {
    noteRefusal(sync, created.message)
    return created.message
  }
  sync.active += 1
  return undefined
}

/** After failures: how many, and how long it waited for them. Else what made a pod wanted. */
function reasonForPod(sync: Sync, index: number | undefined): Trigger {
  const { job, status, delayed, backoff, succeeded, failed } = sync
  const replaced = index === undefined ? undefined : delayed.get(index)
  const failures =
    replaced === undefined
      ? (backoff?.failures ?? 0)
      : failureCount(replaced) + ignoredFailureCount(replaced) + 1
  if (failures > 0) {
    const whose = replaced === undefined ? 'it' : `its index ${index}`
    const waited = `the back-off of ${delayMs(failures) / 1000} s was over`
    return {
      kind: 'retry',
      words: `${whose} had failed ${counted(failures, 'time')} and ${waited}`,
    }
  }
  // A controller that was started anew knows only that something failed.
  if (failed > 0 && succeeded === 0) {
    return { kind: 'retry', words: `${counted(failed, 'pod')} of it had failed` }
  }
  if (succeeded > 0) {
    const wanted = job.spec.completions ?? 1
    return { kind: 'watch', words: `${succeeded} of ${wanted} completions were reached` }
  }
  const isResumed = status.conditions.some(({ type }) => type === 'Suspended')
  return isResumed
    ? { kind: 'request', words: 'it was resumed' }
    : { kind: 'watch', words: 'it was created' }
}

/** Told once, not at each of the tries that follow. */
function noteRefusal({ client, job, isFirstTry }: Sync, message: string): void {
  if (!isFirstTry) return
  const { rule } = REFUSALS.find(({ text }) => message.includes(text)) ?? { rule: 'K-16' }
  client.cause(job, { rule, effect: `refused Pod: ${firstWords(message)}` })
}

const REFUSALS = [
  { text: 'exceeded quota', rule: 'K-80' },
  { text: 'error looking up service account', rule: 'K-96' },
] as const
