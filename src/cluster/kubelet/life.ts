import type { Container, Pod } from '../pod.ts'
import type { Instant } from '../time.ts'
import {
  changed,
  codeOf,
  COMPLETE,
  endWith,
  type Piece,
  type Role,
  type Surroundings,
  type Waiting,
} from './piece.ts'
import type { ContainerPlan, PodPlan } from './script.ts'

/** A pod whose containers run, or have run: all that the kubelet remembers of it. */
export interface Life {
  readonly startedAt: Instant
  readonly restartPolicy: string
  readonly pieces: readonly Piece[]
  readonly restart: 'crash-loop' | number
  readonly readyMs: number | 'never'
  /** When all main containers were running, and how the pod ended. */
  readonly runningSince?: Instant
  readonly outcome?: 'Succeeded' | 'Failed'
}

export interface Begin {
  readonly surroundings?: Surroundings
  /** Default true; before 1.29 nobody knew them, and one is an init container that never ends. */
  readonly hasNativeSidecars?: boolean
}

export function begin(pod: Pod, plan: PodPlan, now: Instant, how: Begin = {}): Life {
  const { initContainers = [], containers, restartPolicy = 'Always' } = pod.spec
  const { surroundings = COMPLETE, hasNativeSidecars = true } = how
  const isSidecar = (container: Container): boolean => container.restartPolicy === 'Always'
  const roleOf = (container: Container): Role =>
    hasNativeSidecars && isSidecar(container) ? 'sidecar' : 'init'
  const piece = (container: Container, role: Role): Piece => {
    const given = plan.containers?.[container.name]
    return {
      name: container.name,
      image: container.image ?? '',
      role,
      plan: given ?? { runs: [role === 'init' && !isSidecar(container) ? { durationMs: 0 } : {}] },
      ...(container.imagePullPolicy === undefined ? {} : { pullPolicy: container.imagePullPolicy }),
      now: {},
      restarts: 0,
      state: pullOf(given, now),
      delayMs: 0,
    }
  }
  const life: Life = {
    startedAt: now,
    restartPolicy,
    pieces: [
      ...initContainers.map((one) => piece(one, roleOf(one))),
      ...containers.map((one) => piece(one, 'main')),
    ],
    restart: plan.restart ?? 'crash-loop',
    readyMs: plan.readyMs ?? 0,
  }
  return settle(life, now, surroundings)
}

/** All that is due until `now`, in its order. */
export function advance(life: Life, now: Instant, surroundings: Surroundings = COMPLETE): Life {
  let current = life
  for (;;) {
    const at = nextChange(current)
    if (at === undefined || at > now) return current
    current = settle(current, at, surroundings)
  }
}

/** When a container starts or ends next; undefined when nothing happens by itself any more. */
export function nextChange(life: Life): Instant | undefined {
  if (life.outcome !== undefined) return undefined
  let next: Instant | undefined
  for (const { state } of life.pieces) {
    if (state.is === 'ended' || state.until === undefined) continue
    next = Math.min(next ?? Infinity, state.until)
  }
  return next
}

/** When the pod becomes Ready, once all its containers run. */
export function readyAt(life: Life): Instant | undefined {
  if (life.runningSince === undefined || life.readyMs === 'never') return undefined
  return life.runningSince + life.readyMs
}

/** Everything that still runs is stopped, and nothing starts again. */
export function stop(life: Life, now: Instant, exitCode: number): Life {
  if (life.outcome !== undefined) return life
  const pieces = life.pieces.map((piece): Piece => {
    const { role, state, last } = piece
    if (state.is === 'waiting') {
      if (last === undefined) return piece
      // In a crash loop it stays as it ended; a played wait stands for a container that restarts.
      if (life.restart === 'crash-loop') return { ...piece, state: last }
      return { ...piece, state: { is: 'ended', since: last.at, at: now, ...endWith(exitCode) } }
    }
    if (state.is === 'ended') return piece
    // A native sidecar that stops on request has done its part.
    const end = endWith(role === 'sidecar' ? 0 : exitCode)
    return { ...piece, state: { is: 'ended', since: state.since, at: now, ...end } }
  })
  const isGood = pieces.every(
    ({ role, state }) => role === 'sidecar' || (state.is === 'ended' && state.exitCode === 0),
  )
  return { ...life, pieces, outcome: isGood ? 'Succeeded' : 'Failed' }
}

/** Applies what is due at `at`, and what follows from it in the same instant. */
function settle(life: Life, at: Instant, surroundings: Surroundings): Life {
  if (life.outcome !== undefined) return life
  const pieces = [...life.pieces]
  let isChanged = true
  while (isChanged) {
    isChanged = false
    const mayStart = startable(pieces)
    for (const [index, piece] of pieces.entries()) {
      const isNext = mayStart.has(piece.name)
      const next = changed(piece, { life, at, mayStart: isNext, pieces, surroundings })
      if (next === piece) continue
      pieces[index] = next
      isChanged = true
    }
  }
  return judge({ ...life, pieces }, at)
}

/** Init containers one after the other, sidecars among them only started; then all others. */
function startable(pieces: readonly Piece[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { name, role, state } of pieces) {
    if (role === 'main') continue
    names.add(name)
    const isPassed =
      role === 'sidecar' ? state.is !== 'waiting' : state.is === 'ended' && state.exitCode === 0
    if (!isPassed) return names
  }
  for (const { name } of pieces) names.add(name)
  return names
}

/** Whether the pod has ended: all main containers for good, or an init container that may not again. */
function judge(life: Life, at: Instant): Life {
  const { pieces } = life
  const main = pieces.filter(({ role }) => role === 'main')
  const hasStarted = main.every(({ state, last }) => state.is !== 'waiting' || last !== undefined)
  const now = life.runningSince === undefined && hasStarted ? { ...life, runningSince: at } : life
  const isStuck = pieces.some(({ role, state }) => role === 'init' && codeOf(state) !== 0)
  const isDone = main.every(({ state }) => state.is === 'ended')
  return isStuck || isDone ? stop(now, at, 137) : now
}

function pullOf(plan: ContainerPlan | undefined, now: Instant): Waiting {
  const failure = plan?.pullFails
  if (failure === undefined) return { is: 'waiting', reason: 'PodInitializing' }
  const { message = 'Back-off pulling image', forMs } = failure
  const until = forMs === undefined ? {} : { until: now + forMs }
  return { is: 'waiting', reason: 'ImagePullBackOff', message, ...until }
}
