import type { Instant } from '../time.ts'
import type { ContainerPlan, ContainerRun, Need } from './script.ts'

export type Role = 'init' | 'sidecar' | 'main'

/** One container of a played pod. */
export interface Piece {
  readonly name: string
  readonly image: string
  readonly role: Role
  readonly plan: ContainerPlan
  /** Default `IfNotPresent`. */
  readonly pullPolicy?: string
  /** The content of its image, where the registry tells. */
  readonly digest?: string
  /** What it does in this run, or did in its last. */
  readonly now: ContainerRun
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

/** What a container finds when it starts. */
export interface Surroundings {
  /** The content of its image, or why it has to wait for it. */
  readonly pull: (piece: Piece, at: Instant) => Pulled
  /** Something is not there without which the work fails. */
  readonly lacks: (needs: readonly Need[]) => boolean
}

export type Pulled = { readonly digest?: string } | Omit<Waiting, 'is'>

/** Every image is there, and everything that the work needs. */
export const COMPLETE: Surroundings = { pull: () => ({}), lacks: () => false }

const FIRST_CRASH_DELAY_MS = 10_000
const LONGEST_CRASH_DELAY_MS = 300_000
/** A container that ran for so long since its last restart is no longer in a crash loop. */
const STABLE_MS = 600_000

export interface Around {
  readonly life: PodRules
  readonly at: Instant
  readonly mayStart: boolean
  readonly pieces: readonly Piece[]
  readonly surroundings: Surroundings
}

/** What of a pod's life decides about its containers. */
export interface PodRules {
  readonly restartPolicy: string
  readonly restart: 'crash-loop' | number
}

/** What is due for one container at an instant; the same piece when nothing is. */
export function changed(piece: Piece, around: Around): Piece {
  const { life, at, mayStart, pieces } = around
  const { state } = piece
  switch (state.is) {
    case 'waiting': {
      const isHeld =
        state.until === undefined ? state.reason !== 'PodInitializing' : state.until > at
      return isHeld || !mayStart ? piece : run(piece, around)
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

/** It starts, with the content that its image has now, or waits for the image. */
function run(piece: Piece, { at, surroundings }: Around): Piece {
  const pulled = surroundings.pull(piece, at)
  if ('reason' in pulled) return { ...piece, state: { is: 'waiting', ...pulled } }
  // The count goes up when it starts again, not while it waits to.
  const restarts = piece.last === undefined ? piece.restarts : piece.restarts + 1
  const { digest } = pulled
  const { runs, runsOf, needs = [] } = piece.plan
  const known = digest === undefined ? undefined : runsOf?.[digest]
  const chosen = known ?? runs
  const now = surroundings.lacks(needs)
    ? LACKS_SOMETHING
    : (chosen[Math.min(restarts, chosen.length - 1)] ?? {})
  const { durationMs, endsAfter } = now
  const until =
    durationMs === undefined || endsAfter !== undefined ? {} : { until: at + durationMs }
  return {
    ...piece,
    ...(digest === undefined ? {} : { digest }),
    restarts,
    now,
    state: { is: 'running', since: at, ...until },
  }
}

/** Work that cannot reach what it needs fails at once. */
const LACKS_SOMETHING: ContainerRun = { durationMs: 0, exitCode: 1 }

function ended(piece: Piece, state: Running, at: Instant): Piece {
  const { exitCode = 0, reason } = piece.now
  const end = endWith(exitCode)
  return {
    ...piece,
    state: { is: 'ended', since: state.since, at, ...end, reason: reason ?? end.reason },
  }
}

function following(piece: Piece, state: Running, pieces: readonly Piece[]): Piece {
  const { durationMs = 0, endsAfter } = piece.now
  if (endsAfter === undefined) return piece
  const leader = pieces.find(({ name }) => name === endsAfter.container)?.state
  if (leader?.is !== 'ended') return piece
  if (endsAfter.exitCode !== undefined && endsAfter.exitCode !== leader.exitCode) return piece
  return { ...piece, state: { ...state, until: Math.max(leader.at, state.since) + durationMs } }
}

function restarts(piece: Piece, life: PodRules, pieces: readonly Piece[]): boolean {
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
function again(piece: Piece, state: Ended, life: PodRules): Piece {
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

export function endWith(exitCode: number): { readonly exitCode: number; readonly reason: string } {
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' }
}

export function codeOf(state: PieceState): number {
  return state.is === 'ended' ? state.exitCode : 0
}
