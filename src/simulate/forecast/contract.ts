import type { RunCause } from '../history/history.ts'
import type { Work } from './work.ts'

/**
 * How often a Job will run while nobody changes anything, from what its engine's traits declare.
 * Counted from the moment at which its engine comes to it for the first time.
 */
export interface Forecast {
  readonly kind: 'never' | 'once' | 'period' | 'schedule' | 'occasions' | 'unknown'
  /** In the span; left out where only occasions are known, or nothing. */
  readonly runs?: number
  readonly firstSeconds?: number
  /** Of runs that keep coming, once their rhythm has settled. */
  readonly periodSeconds?: number
  /** Of the repetitions; of the first run where there are none. */
  readonly cause?: RunCause
  /** Rules of docs/engines that it rests on. */
  readonly rules: readonly string[]
  /** On what further occasion it runs: `every full sync`, `the next revision of the source`. */
  readonly again?: string
  /** For a column: `every 25 h`, `24 a day`. */
  readonly short: string
  /** Without its full stop, in the words of `semel simulate`. */
  readonly sentence: string
}

export interface ForecastOptions {
  readonly spanSeconds: number
  /** Counts for schedules alone. */
  readonly start: number
  readonly work: Work
}

/** A week from a Monday on, of work that takes a minute and succeeds. */
export const USUAL: ForecastOptions = {
  spanSeconds: 604_800,
  start: Date.UTC(2026, 0, 5),
  work: { seconds: 60, outcome: 'ok' },
}
