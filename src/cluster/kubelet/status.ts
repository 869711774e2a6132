import type { JsonObject } from '../../core/json.ts'
import type { ContainerState, ContainerStatus, Pod, PodCondition } from '../pod.ts'
import { timestamp, type Instant } from '../time.ts'
import { readyAt, type Life } from './life.ts'
import type { Ended, Piece, PieceState } from './piece.ts'

/** What a played pod reports, as far as controllers, engines and people read it. */
export function statusOf(pod: Pod, life: Life, now: Instant): JsonObject {
  const ready = readyAt(life)
  const isReadyByNow = life.outcome === undefined && ready !== undefined && ready <= now
  const statuses = life.pieces.map((piece) => containerStatus(piece, isReadyByNow))
  const inits = statuses.filter((_, at) => life.pieces[at]?.role !== 'main')
  const main = statuses.filter((_, at) => life.pieces[at]?.role === 'main')
  const unready = main.filter((status) => !status.ready).map(({ name }) => name)
  const isReady = isReadyByNow && unready.length === 0
  return {
    phase: phaseOf(life),
    startTime: timestamp(life.startedAt),
    hostIP: '10.0.0.1',
    podIP: '10.1.0.1',
    podIPs: [{ ip: '10.1.0.1' }],
    conditions: conditionsOf(pod, { life, isReady, unready }, now),
    ...(inits.length > 0 ? { initContainerStatuses: inits } : {}),
    containerStatuses: main,
  }
}

/** No node takes the pod. */
export function unscheduledStatus(pod: Pod, message: string, now: Instant): JsonObject {
  const scheduled = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message,
  } as const
  return { phase: 'Pending', conditions: merge(pod, [scheduled], now) }
}

/** On its node, but its containers cannot be made. */
export function waitingStatus(
  pod: Pod,
  why: { reason: string; message?: string },
  now: Instant,
): JsonObject {
  const names = pod.spec.containers.map(({ name }) => name)
  const waiting = (container: {
    readonly name: string
    readonly image?: string
  }): ContainerStatus => ({
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    ready: false,
    started: false,
    restartCount: 0,
    state: { waiting: why },
  })
  const { initContainers = [] } = pod.spec
  return {
    phase: 'Pending',
    startTime: timestamp(now),
    conditions: merge(pod, wantedConditions({ unready: names }, initContainers.length === 0), now),
    ...(initContainers.length > 0 ? { initContainerStatuses: initContainers.map(waiting) } : {}),
    containerStatuses: pod.spec.containers.map(waiting),
  }
}

/** Somebody is about to end the pod: what a podFailurePolicy looks for. */
export function withDisruption(
  pod: Pod,
  disruption: { readonly reason: string; readonly message?: string },
  now: Instant,
): readonly PodCondition[] {
  return merge(pod, [{ type: 'DisruptionTarget', status: 'True', ...disruption }], now)
}

function phaseOf(life: Life): string {
  if (life.outcome !== undefined) return life.outcome
  return life.runningSince === undefined ? 'Pending' : 'Running'
}

function containerStatus(piece: Piece, isReadyByNow: boolean): ContainerStatus {
  const { name, image, role, state, restarts, last, digest } = piece
  const isRunning = state.is === 'running'
  const isDone = state.is === 'ended' && state.exitCode === 0
  const ready = role === 'main' ? isRunning && isReadyByNow : role === 'init' ? isDone : isRunning
  return {
    name,
    image,
    imageID: state.is === 'waiting' && last === undefined ? '' : imageIdOf(image, digest),
    ready,
    started: isRunning,
    restartCount: restarts,
    state: stateOf(state),
    ...(last === undefined ? {} : { lastState: { terminated: terminated(last) } }),
  }
}

function imageIdOf(image: string, digest: string | undefined): string {
  return digest === undefined ? `${image}@played` : `${image.replace(/@.*$/, '')}@${digest}`
}

function stateOf(state: PieceState): ContainerState {
  switch (state.is) {
    case 'waiting': {
      const { reason, message } = state
      return { waiting: { reason, ...(message === undefined ? {} : { message }) } }
    }
    case 'running':
      return { running: { startedAt: timestamp(state.since) } }
    case 'ended':
      return { terminated: terminated(state) }
    default:
      return state satisfies never
  }
}

function terminated({
  exitCode,
  reason,
  since,
  at,
}: Ended): NonNullable<ContainerState['terminated']> {
  return { exitCode, reason, startedAt: timestamp(since), finishedAt: timestamp(at) }
}

function conditionsOf(
  pod: Pod,
  seen: { readonly life: Life; readonly isReady: boolean; readonly unready: readonly string[] },
  now: Instant,
): readonly PodCondition[] {
  const { life } = seen
  const isInitialized = life.pieces.every(
    ({ role, state }) =>
      role === 'main' ||
      (role === 'init' ? state.is === 'ended' && state.exitCode === 0 : state.is !== 'waiting'),
  )
  return merge(pod, wantedConditions(seen, isInitialized), now)
}

interface Readiness {
  readonly life?: Life
  readonly isReady?: boolean
  readonly unready: readonly string[]
}

function wantedConditions(seen: Readiness, isInitialized: boolean): readonly PodCondition[] {
  const { life, isReady = false, unready } = seen
  const why = isReady ? {} : reasonOf(life?.outcome, unready)
  const status = isReady ? 'True' : 'False'
  return [
    { type: 'PodScheduled', status: 'True' },
    isInitialized || life?.outcome === 'Succeeded'
      ? { type: 'Initialized', status: 'True' }
      : { type: 'Initialized', status: 'False', reason: 'ContainersNotInitialized' },
    { type: 'ContainersReady', status, ...why },
    { type: 'Ready', status, ...why },
  ]
}

function reasonOf(
  outcome: Life['outcome'],
  unready: readonly string[],
): { readonly reason: string; readonly message?: string } {
  if (outcome === 'Succeeded') return { reason: 'PodCompleted' }
  if (outcome === 'Failed') return { reason: 'PodFailed' }
  const message = `containers with unready status: [${unready.join(' ')}]`
  return { reason: 'ContainersNotReady', message }
}

/** Over the pod's conditions, others' among them; a time changes with the status alone. */
function merge(pod: Pod, wanted: readonly PodCondition[], now: Instant): readonly PodCondition[] {
  const before = pod.status?.conditions ?? []
  const kept = before.filter(({ type }) => !wanted.some((one) => one.type === type))
  return [
    ...kept,
    ...wanted.map((one): PodCondition => {
      const old = before.find(({ type }) => type === one.type)
      const since = old?.status === one.status ? old.lastTransitionTime : undefined
      return { ...one, lastTransitionTime: since ?? timestamp(now) }
    }),
  ]
}
