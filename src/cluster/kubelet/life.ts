import type { Container, Pod } from '../pod.ts'
import type { Instant } from '../time.ts'
import type { ContainerPlan, ContainerRun, PodPlan } from './script.ts'

export type Role = 'init' | 'sidecar' | 'main'

/** One container of a played pod. */
export interface Piece {
  readonly name: string
  readonly image: string
  readonly role: Role
  readonly plan: ContainerPlan
  readonly restarts: number
  readonly state: PieceState
  /** How its run before this one ended. */
  readonly last?: Ended
  /** Crash-loop: what the next restart waits, and when the last was. */
  readonly delayMs: number
  readonly restartedAt?: Instant
}

export type PieceState = Waiting | Running | Ended

export interface Waiting {
  readonly is: 'waiting'
  readonly reason: string
  readonly message?: string
  /** When it starts, if only time holds it. */
  readonly until?: Instant
}

export interface Running {
  readonly is: 'running'
  readonly since: Instant
  /** When it ends by itself. */
  readonly until?: Instant
}

export interface Ended {
  readonly is: 'ended'
  readonly since: Instant
  readonly at: Instant
  readonly exitCode: number
  readonly reason: string
}

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

const FIRST_CRASH_DELAY_MS = 10_000
const LONGEST_CRASH_DELAY_MS = 300_000
/** A container that ran for so long since its last restart is no longer in a crash loop. */
const STABLE_MS = 600_000

export function begin(pod: Pod, plan: PodPlan, now: Instant): Life {
  const { initContainers = [], containers, restartPolicy = 'Always' } = pod.spec
  const roleOf = (container: Container): Role =>
    container.restartPolicy === 'Always' ? 'sidecar' : 'init'
  const piece = (container: Container, role: Role): Piece => {
    const given = plan.containers?.[container.name]
    return {
      name: container.name,
      image: container.image ?? '',
      role,
      plan: given ?? { runs: [role === 'init' ? { durationMs: 0 } : {}] },
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
  return settle(life, now)
}

/** All that is due until `now`, in its order. */
export function advance(life: Life, now: Instant): Life {
  let current = life
  for (;;) {
    const at = nextChange(current)
    if (at === undefined || at > now) return current
    current = settle(current, at)
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
function settle(life: Life, at: Instant): Life {
  if (life.outcome !== undefined) return life
  const pieces = [...life.pieces]
  let isChanged = true
  while (isChanged) {
    isChanged = false
    const mayStart = startable(pieces)
    for (const [index, piece] of pieces.entries()) {
      const next = changed(piece, { life, at, mayStart: mayStart.has(piece.name), pieces })
      if (next === piece) continue
      pieces[index] = next
      isChanged = true
    }
  }
  return judge({ ...life, pieces }, at)
}

interface Around {
  readonly life: Life
  readonly at: Instant
  readonly mayStart: boolean
  readonly pieces: readonly Piece[]
}

function changed(piece: Piece, { life, at, mayStart, pieces }: Around): Piece {
  const { state } = piece
  switch (state.is) {
    case 'waiting': {
      const isHeld =
        state.until === undefined ? state.reason !== 'PodInitializing' : state.until > at
      return isHeld || !mayStart ? piece : run(piece, at)
    }
    case 'running': {
      if (state.until !== undefined && state.until <= at) return ended(piece, state, at)
      return state.until === undefined ? following(piece, state, pieces) : piece
    }
    case 'ended':
      return restarts(piece, life, pieces) ? again(piece, state, life) : piece
    default:
      return state satisfies never
  }
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

function run(piece: Piece, at: Instant): Piece {
  // The count goes up when it starts again, not while it waits to.
  const next = piece.last === undefined ? piece : { ...piece, restarts: piece.restarts + 1 }
  const { durationMs, endsAfter } = runOf(next)
  const until =
    durationMs === undefined || endsAfter !== undefined ? {} : { until: at + durationMs }
  return { ...next, state: { is: 'running', since: at, ...until } }
}

function runOf(piece: Piece): ContainerRun {
  const { runs } = piece.plan
  return runs[Math.min(piece.restarts, runs.length - 1)] ?? {}
}

function ended(piece: Piece, state: Running, at: Instant): Piece {
  const { exitCode = 0, reason } = runOf(piece)
  const end = endWith(exitCode)
  return {
    ...piece,
    state: { is: 'ended', since: state.since, at, ...end, reason: reason ?? end.reason },
  }
}

function following(piece: Piece, state: Running, pieces: readonly Piece[]): Piece {
  const { durationMs = 0, endsAfter } = runOf(piece)
  if (endsAfter === undefined) return piece
  const leader = pieces.find(({ name }) => name === endsAfter.container)?.state
  if (leader?.is !== 'ended') return piece
  if (endsAfter.exitCode !== undefined && endsAfter.exitCode !== leader.exitCode) return piece
  return { ...piece, state: { ...state, until: Math.max(leader.at, state.since) + durationMs } }
}

function restarts(piece: Piece, life: Life, pieces: readonly Piece[]): boolean {
  const { role, state } = piece
  const isFailed = codeOf(state) !== 0
  switch (role) {
    case 'sidecar':
      return !pieces.every((one) => one.role !== 'main' || one.state.is === 'ended')
    case 'init':
      return isFailed && life.restartPolicy !== 'Never'
    case 'main':
      return life.restartPolicy === 'Always' || (isFailed && life.restartPolicy === 'OnFailure')
    default:
      return role satisfies never
  }
}

/** It waits to start again: with a crash loop not at all the first time, then 10, 20, 40 ... 300 s. */
function again(piece: Piece, state: Ended, life: Life): Piece {
  const isStable = piece.restartedAt === undefined || state.at - piece.restartedAt > STABLE_MS
  const waitMs = life.restart === 'crash-loop' ? (isStable ? 0 : piece.delayMs) : life.restart
  const next = isStable ? FIRST_CRASH_DELAY_MS : piece.delayMs * 2
  const until = state.at + (life.restart === 'crash-loop' ? waitMs : Math.max(waitMs, 1))
  return {
    ...piece,
    last: state,
    delayMs: Math.min(next, LONGEST_CRASH_DELAY_MS),
    restartedAt: until,
    state: {
      is: 'waiting',
      reason: 'CrashLoopBackOff',
      message: `back-off ${waitMs / 1000}s restarting failed container=${piece.name}`,
      until,
    },
  }
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

function endWith(exitCode: number): { readonly exitCode: number; readonly reason: string } {
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' }
}

function codeOf(state: PieceState): number {
  return state.is === 'ended' ? state.exitCode : 0
}
