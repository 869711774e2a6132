import type { JsonObject } from '../../../core/json.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { JobResource } from './config.ts'

/** The configuration, or why it cannot be read. */
export type Config = readonly JobResource[] | { readonly fault: string }

/** A resource in the state file. */
export interface Stored {
  readonly namespace: string
  readonly name: string
  /** As it was applied last. */
  readonly object: JsonObject
  /** Its creation ended in an error: it is replaced next time. */
  readonly isTainted: boolean
  readonly deleteMs: number
}

/** What is done about one resource, step by step; all resources at the same time. */
export interface Chain {
  readonly address: string
  readonly does: 'create' | 'replace' | 'update' | 'destroy'
  readonly resource?: JobResource
  readonly step: 'begin' | 'deleting' | 'waiting'
  /** Since when it waits, and how often it has looked. */
  readonly since: Instant
  readonly looks: number
}

export interface Run {
  readonly startedAt: Instant
  readonly config: Config
  readonly chains: ReadonlyMap<string, Chain>
  readonly hasWritten: boolean
  readonly isTold: boolean
  /** The state file does not hold all of it yet. */
  readonly isDirty: boolean
  readonly errors: readonly string[]
}

/** Maps are replaced, never changed in place. */
export interface State {
  /** The state file, by address. */
  readonly stored: ReadonlyMap<string, Stored>
  readonly running?: Run
  /** Names of the Jobs that the last run went over without changing anything, and when it began. */
  readonly idle?: { readonly names: ReadonlySet<string>; readonly startedAt: Instant }
}

export interface Box {
  state: State
}

/** How the provider looks again while it waits: at once, then with doubled distance up to 10 s. */
export function nextLook(looks: number): number {
  return Math.min(500 * 2 ** Math.min(looks, 10), 10_000)
}
