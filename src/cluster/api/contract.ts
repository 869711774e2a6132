import type { Json } from '../../core/json.ts'
import type { Reader } from '../actor.ts'
import type { Chance } from '../chance.ts'
import type { Instant } from '../time.ts'
import type { Admission } from './admission.ts'
import type { Kind, Rules } from './kind.ts'
import type { Answer, Request, WatchEvent } from './request.ts'

/**
 * The API server and its store: requests in, answers out, at once and without a clock of its own.
 * `copy` shares all objects.
 */
export interface ApiServer {
  handle(request: Request, now: Instant): Answer
  readonly read: Reader
  /** Of the last write, as the store counts: every write of any object raises it. */
  readonly resourceVersion: number
  /** Writes since the last call, in order: what watchers see. */
  takeEvents(): readonly WatchEvent[]
  /** Events after `resourceVersion`, or undefined when the window no longer reaches back: 410. */
  eventsSince(resourceVersion: number): readonly WatchEvent[] | undefined
  /** The kinds that are served now, those of stored CustomResourceDefinitions included. */
  kinds(): readonly Kind[]
  copy(chance: Chance): ApiServer
}

/**
 * Evaluates CEL for the rules of CustomResourceDefinitions (x-kubernetes-validations). A fault that
 * is `isUnsupported` is of the evaluator, not of CEL: what the real one says is unknown.
 */
export interface Cel {
  evaluate(
    expression: string,
    variables: { readonly [name: string]: Json | undefined },
  ): { readonly value: Json } | { readonly fault: string; readonly isUnsupported?: true }
}

export interface ApiServerOptions {
  readonly rules: Rules
  readonly kinds: readonly Kind[]
  readonly chance: Chance
  readonly admission?: readonly Admission[]
  /** Events that are kept for watches that come back; default 10,000. */
  readonly watchWindow?: number
  /** Kinds that nobody registered are stored without opinion; otherwise they are 404. */
  readonly openKinds?: boolean
  /** Without it, rules in CEL are not judged, and writes to their kinds say so in a warning. */
  readonly cel?: Cel
}
