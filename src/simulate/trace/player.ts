import type { Cause } from '../../cluster/actor.ts'
import type { Cel } from '../../cluster/api/contract.ts'
import type { ObservedJob, Trace } from './format.ts'

/** Gives a trace's files and events to the model of its engine. One file per engine in players/. */
export interface TracePlayer {
  /** As `engine.name` of a trace says: `kubernetes`, `argocd`. */
  readonly engine: string
  play(trace: Trace, tools: PlayTools): Played
}

/** What needs a package from npm, and so is handed in. */
export interface PlayTools {
  readonly cel?: Cel
}

export interface Played {
  readonly jobs: readonly ObservedJob[]
  readonly answers: readonly EventAnswer[]
  readonly causes: readonly Cause[]
  /** When the recording ended, in its seconds. */
  readonly endSeconds: number
  /** What the engine reports as wrong, in the words of `answer.error`; left out: not compared. */
  readonly error?: string | null
  /** Why the trace cannot be played, in place of an answer. */
  readonly unplayable?: string
}

/** What an event of the trace was answered with, and what the model answered. */
export interface EventAnswer {
  /** Position in `events`. */
  readonly event: number
  readonly t: number
  readonly what: string
  readonly recorded: string
  readonly model: string
}
