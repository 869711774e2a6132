import type { Json, JsonObject } from '../../core/json.ts'

/**
 * A recorded trace, `job-trace/1`: what real controllers did with given files and events. Times
 * are seconds since the first event. docs/reference/job-trace.md describes every key.
 */
export interface Trace {
  readonly format: 'job-trace/1'
  readonly id: string
  readonly title: string
  readonly question: string
  readonly engine: { readonly name: string; readonly version?: string; readonly settings?: Json }
  /** Version of the API server: `1.36.3`. */
  readonly kubernetes: string
  /** What was handed over, by the name that an event gives. */
  readonly files: { readonly [event: string]: TraceFiles }
  readonly events: readonly TraceEvent[]
  readonly observed: Observed
  readonly answer: Answer
  readonly tolerance: { readonly seconds: number; readonly why?: string }
}

/** Path -> text; one text stands for a file of the event's name. */
export type TraceFiles = string | { readonly [path: string]: string }

/** `do` names the act; the other keys are its own and are read by the player of the engine. */
export interface TraceEvent extends JsonObject {
  readonly t: number
  readonly do: string
}

export interface Observed {
  readonly jobs: readonly ObservedJob[]
  /** States that the engine reported, and events; each engine has its own keys. */
  readonly engine?: readonly JsonObject[]
  readonly requests?: readonly JsonObject[]
  /** Wall clock of t = 0; what depends on a clock (CronJobs, whole seconds) starts there. */
  readonly wallClockAtZero?: string
}

/** One Job object from creation to removal. Null times: did not happen while it was watched. */
export interface ObservedJob {
  readonly name: string
  readonly namespace: string
  /** J1, J2 ... in the order of creation. */
  readonly uid: string
  readonly image?: string | null
  readonly owner?: string | null
  readonly managedBy?: string | null
  /** Of the model only: the name was generated from this prefix, so its last letters are chance. */
  readonly generateName?: string
  readonly created: number
  readonly deletionRequested: number | null
  readonly deletionFinalizers?: readonly string[] | null
  readonly deleted: number | null
  readonly conditions: readonly ObservedCondition[]
  readonly pods: readonly ObservedPod[]
}

/** A condition each time that it appeared or changed its status. */
export interface ObservedCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string | null
  readonly t: number
}

export interface ObservedPod {
  readonly image?: string | null
  readonly created: number
  readonly started: number | null
  readonly ended: number | null
  readonly exit: number | null
  readonly deletionRequested?: number | null
  readonly deleted: number | null
  /** Completion index of an Indexed Job. */
  readonly index?: number | null
  /** Containers started again inside of this pod. */
  readonly restarts?: number | null
}

export interface Answer {
  /** Job objects by name that started a pod. */
  readonly runs: { readonly [name: string]: number }
  readonly jobsCreated?: { readonly [name: string]: number }
  readonly error: string | null
  readonly endState: string
}
