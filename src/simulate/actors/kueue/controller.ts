import { booleanAt, integerAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io, Trigger } from '../../../cluster/actor.ts'
import { succeeded, type WatchEvent } from '../../../cluster/api/request.ts'
import {
  asJob,
  isFinished,
  isSuspended,
  JOBS,
  keyOf,
} from '../../../cluster/controllers/job/job.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { instantOf } from '../../../cluster/time.ts'
import { refusalOf, Round, shown } from '../causes.ts'
import { GROUP, NAME } from './kinds.ts'
import { isManaged, queueOf } from './managed.ts'
import { clusterQueueFor, type ClusterQueue } from './queues.ts'
import { decide } from './scheduler.ts'
import { workloadOf, type Workload } from './workload.ts'

export interface State {
  /** By `namespace/name` of the Job. */
  readonly workloads: Map<string, Workload>
}

export type Wake =
  | { readonly kind: 'job'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'schedule' }

/** The controllers and the scheduler of Kueue, as far as they hold and release Jobs. */
export function kueueController(settings: JsonObject): Actor<State, Wake> {
  return {
    name: NAME,
    /** After a restart a Job that runs counts as admitted (KU-10). */
    begin(io) {
      const state: State = { workloads: new Map() }
      for (const job of io.read.list(JOBS)) adopt(state, job, settings, io)
      io.wakeAt(io.now, { kind: 'schedule' }, 'schedule')
      return state
    },
    observe(state, event, io) {
      if (event.resource.group === GROUP) io.wakeAt(io.now, { kind: 'schedule' }, 'schedule')
      else if (isJobEvent(event)) observeJob(state, event.object, settings, io)
    },
    wake(state, wake, io) {
      if (wake.kind === 'schedule') schedule(state, settings, io)
      else look(state, wake.namespace, wake.name, settings, io)
    },
    copy: ({ workloads }) => ({ workloads: new Map(workloads) }),
  }
}

function isJobEvent({ resource }: WatchEvent): boolean {
  return resource.group === 'batch' && resource.resource === 'jobs'
}

function observeJob(state: State, job: KubeObject, settings: JsonObject, io: Io<Wake>): void {
  if (!isManaged(job, settings) && !state.workloads.has(keyOf(job))) return
  const { namespace = '', name } = job.metadata
  io.wakeAt(io.now, { kind: 'job', namespace, name }, `job ${namespace}/${name}`)
}

function adopt(state: State, job: KubeObject, settings: JsonObject, io: Io<Wake>): void {
  if (!isManaged(job, settings) || isFinished(asJob(job))) return
  const workload = workloadOf(job, instantOf(job.metadata.creationTimestamp), io.read)
  const queue = clusterQueueFor(workload.namespace, workload.queue, io.read, settings)
  const clusterQueue = queue?.name ?? ''
  const flavor = queue?.groups === 'unlimited' ? '' : (queue?.groups[0]?.[0]?.name ?? '')
  const flavors = Object.fromEntries(Object.keys(workload.requests).map((name) => [name, flavor]))
  const isHeld = isSuspended(asJob(job))
  const admission = isHeld ? {} : { admission: { clusterQueue, flavors } }
  state.workloads.set(keyOf(job), { ...workload, ...admission })
}

function look(
  state: State,
  namespace: string,
  name: string,
  settings: JsonObject,
  io: Io<Wake>,
): void {
  const key = `${namespace}/${name}`
  const job = io.read.get(JOBS, namespace, name)
  const known = state.workloads.get(key)
  const isOver = job === undefined || isFinished(asJob(job)) || !isManaged(job, settings)
  if (isOver || job.metadata.deletionTimestamp !== undefined) {
    // Its quota is free again.
    if (state.workloads.delete(key)) io.wakeAt(io.now, { kind: 'schedule' }, 'schedule')
    return
  }
  if (known?.uid !== job.metadata.uid) meet(state, job, io)
  else if (known.isEvicted === true) leave(state, job, known, io)
  else if (known.admission === undefined && queueOf(job) !== known.queue) {
    // A waiting Job may change its queue.
    state.workloads.set(key, { ...known, queue: queueOf(job) })
    io.wakeAt(io.now, { kind: 'schedule' }, 'schedule')
  } else if (known.admission !== undefined && isSuspended(asJob(job))) resume(job, known, io)
  else if (known.admission === undefined && !isSuspended(asJob(job))) hold(job, known, io)
}

/** KU-1, KU-4: a Job of its own that waits from now on. */
function meet(state: State, job: KubeObject, io: Io<Wake>): void {
  const workload = workloadOf(job, io.now, io.read)
  state.workloads.set(keyOf(job), workload)
  if (isSuspended(asJob(job))) {
    const words = `${shown(job)} came into queue ${workload.queue}`
    const round = roundOf(workload, 'KU-1', 'took it into the queue', { kind: 'watch', words }, io)
    round.did('KU-1', 'held Job until its queue has room', shown(job))
  } else hold(job, workload, io)
  io.wakeAt(io.now, { kind: 'schedule' }, 'schedule')
}

/** KU-4: somebody resumed what the queue has not admitted. */
function hold(job: KubeObject, workload: Workload, io: Io<Wake>): void {
  const words = `${shown(job)} is not suspended, and its queue has not admitted it`
  const round = roundOf(workload, 'KU-4', 'suspended it', { kind: 'watch', words }, io)
  suspend(workload, true, round, { rule: 'KU-4', effect: 'suspended Job', io })
}

/** KU-5: somebody suspended what the queue has admitted; it is resumed at once. */
function resume(job: KubeObject, workload: Workload, io: Io<Wake>): void {
  const words = `${shown(job)} is suspended, and its queue has admitted it`
  const round = roundOf(workload, 'KU-5', 'resumed it', { kind: 'watch', words }, io)
  suspend(workload, false, round, {
    rule: 'KU-5',
    effect: 'resumed Job that somebody had suspended',
    io,
  })
}

/** KU-7: an evicted one gives its quota back when its last pod is gone. */
function leave(state: State, job: KubeObject, workload: Workload, io: Io<Wake>): void {
  if (!isSuspended(asJob(job)) || (integerAt(job, ['status', 'active']) ?? 0) > 0) return
  const { admission: _admission, isEvicted: _evicted, ...rest } = workload
  state.workloads.set(keyOf(job), rest)
  io.wakeAt(io.now, { kind: 'schedule' }, 'schedule')
}

function schedule(state: State, settings: JsonObject, io: Io<Wake>): void {
  const lines = new Map<string, Line>()
  const queues = new Map<string, ClusterQueue | undefined>()
  for (const workload of state.workloads.values()) {
    const key = `${workload.namespace}/${workload.queue}`
    if (!queues.has(key)) {
      queues.set(key, clusterQueueFor(workload.namespace, workload.queue, io.read, settings))
    }
    const queue = queues.get(key)
    if (queue === undefined) continue
    const line = lines.get(queue.name) ?? { queue, waiting: [], admitted: [] }
    lines.set(queue.name, line)
    if (workload.admission === undefined) line.waiting.push(workload)
    else line.admitted.push(workload)
  }
  for (const { queue, waiting, admitted } of lines.values()) {
    for (const decision of decide(queue, waiting, admitted)) {
      if (decision.kind === 'admit') admit(state, decision.workload, decision.admission, io)
      else evict(state, decision.workload, decision.why, io)
    }
  }
}

/** Who stands at one ClusterQueue. */
interface Line {
  readonly queue: ClusterQueue
  readonly waiting: Workload[]
  readonly admitted: Workload[]
}

/** KU-3 */
function admit(
  state: State,
  workload: Workload,
  admission: NonNullable<Workload['admission']>,
  io: Io<Wake>,
): void {
  state.workloads.set(`${workload.namespace}/${workload.name}`, { ...workload, admission })
  const words = `ClusterQueue ${admission.clusterQueue} had room for it`
  const round = roundOf(workload, 'KU-3', 'admitted it', { kind: 'dependency', words }, io)
  suspend(workload, false, round, { rule: 'KU-3', effect: 'resumed Job, its turn came', io })
}

/** KU-7 */
function evict(state: State, workload: Workload, why: string, io: Io<Wake>): void {
  if (workload.isEvicted === true) return
  state.workloads.set(`${workload.namespace}/${workload.name}`, { ...workload, isEvicted: true })
  const round = roundOf(workload, 'KU-7', 'evicted it', { kind: 'dependency', words: why }, io)
  suspend(workload, true, round, { rule: 'KU-7', effect: 'suspended Job, its pods go', io })
}

function roundOf(
  { namespace, queue }: Workload,
  rule: string,
  effect: string,
  trigger: Trigger,
  io: Io<Wake>,
): Round {
  const carrier = `LocalQueue ${namespace}/${queue}`
  return new Round(io, { actor: NAME, carrier, rule, effect, trigger })
}

interface Telling {
  readonly rule: string
  readonly effect: string
  readonly io: Io<Wake>
}

function suspend(
  { namespace, name }: Workload,
  isHeld: boolean,
  round: Round,
  { rule, effect, io }: Telling,
): void {
  const job = io.read.get(JOBS, namespace, name)
  if (booleanAt(job, ['spec', 'suspend']) === isHeld) return
  const answer = io.request({
    verb: 'patch',
    resource: JOBS,
    namespace,
    name,
    patch: { type: 'merge', body: { spec: { suspend: isHeld } } },
    options: { fieldManager: 'kueue' },
  })
  const told = succeeded(answer) ? effect : `was refused: ${refusalOf(answer)}`
  round.did(rule, told, `Job ${namespace}/${name}`)
}
