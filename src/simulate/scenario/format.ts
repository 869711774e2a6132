import type { Json, JsonObject } from '../../core/json.ts'
import type { RunCause } from '../history/history.ts'

/**
 * A scenario, `job-scenario/1`: an engine with its settings, what people and the world do to it,
 * and how the work behaves. docs/reference/job-scenario.md describes every key.
 */
export interface Scenario {
  readonly format: 'job-scenario/1'
  /** A span: `168h`, `49h30m`. Half open: what happens exactly at its end is outside. */
  readonly horizon: string
  /** Wall clock of 0h, RFC 3339; needed where a CronJob's schedule counts. */
  readonly start?: string
  readonly engine: JsonObject & { readonly kind: string }
  /** Who acts on Jobs besides the engine: `{kind: kueue, quota: {pods: 1}}`. */
  readonly actors?: readonly JsonObject[]
  readonly workloads?: readonly ScenarioWorkload[]
  /** Settings that are tried one after the other, each with its own answer. */
  readonly variants?: { readonly [name: string]: Json }
  readonly events?: readonly ScenarioEvent[]
  readonly expect?: Expectation
}

export interface ScenarioWorkload {
  readonly job?: string
  readonly cronjob?: string
  readonly deployment?: string
  readonly duration?: string
  /** `ok`, `fail`, `never`, an exit code, one of them by commit, image or tag, or a list by attempt. */
  readonly exits?: Json
  /** A span or `never`, or one of them by commit, image or tag. */
  readonly ready?: Json
  readonly needs?: string | readonly string[]
  /** Of a variant: the work never ends. */
  readonly completes?: boolean
  /** Outcomes by attempt, before `exits` counts: `[fail, fail]` for work that succeeds the third time. */
  readonly attempts?: readonly ('ok' | 'fail' | 'never' | number)[]
  /** What containers beside the work do: `{istio-proxy: {duration: 1h, exit: 137}}`. */
  readonly containers?: { readonly [name: string]: ScenarioContainer }
  /** Only in this variant. */
  readonly variant?: string
}

export interface ScenarioContainer {
  /** Left out: until it is stopped. */
  readonly duration?: string
  readonly exit?: number
}

export interface ScenarioEvent extends JsonObject {
  /** A span from the start; or `every` with `from` and `count`. */
  readonly at?: string
  readonly every?: string
  readonly from?: string
  readonly count?: number
  readonly commit?: string
  readonly apply?: string | readonly string[]
  readonly note?: string
  /** Only in this variant. */
  readonly only?: string | readonly string[]
}

/** What must come out; a number is exact, `{min, max}` a range. */
export interface Expectation {
  readonly runs_7d?: readonly ExpectedRuns[] | { readonly [variant: string]: Json }
  readonly error?: Json
  /** Prose, which nobody compares, or a list of objects as they must be at the end. */
  readonly end_state?: Json
  /** Starts of the container that does the work; a map of variants, or one number. */
  readonly executions_of_the_work?: Json
  /** How the Jobs ended: `Complete`, `Failed` or prose; a map of variants, or one. */
  readonly job_result?: Json
}

export interface ExpectedRuns extends JsonObject {
  readonly job?: string
  readonly cronjob?: string
  readonly variant?: string
  readonly started?: Json
  readonly completed?: Json
  readonly failed?: Json
  readonly at_hours?: Json
  readonly period_seconds?: Json
  readonly images?: Json
}

/** One Job object that started a pod. */
export interface Run {
  readonly job: string
  readonly namespace: string
  /** The CronJob that made it, if one did. */
  readonly cronjob?: string
  readonly startedAtSeconds: number
  readonly endedAtSeconds?: number
  readonly outcome: 'complete' | 'failed' | 'running' | 'gone'
  readonly image: string
  /** Pods that were created: attempts, and parallel ones. */
  readonly pods: number
  /** Starts of the container that does the work. */
  readonly executions: number
  readonly cause: RunCause
}
