import type { Cause, Io, Trigger } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { conditionOf, isTrue } from '../../health/health.ts'
import { ofItself } from '../words.ts'
import { isSuspended } from './graph.ts'

const ACTOR = 'kro'

/**
 * One pass with what began it. Passes that change nothing are many, so the trigger is told with
 * the first thing that is done.
 */
export interface Round {
  readonly carrier: string
  readonly trigger: Trigger
  isTold: boolean
}

/** What a pass did, behind the trigger of the pass. */
export function tell(
  round: Round,
  done: Pick<Cause, 'rule' | 'effect' | 'object'>,
  io: Io<never>,
): void {
  const { carrier } = round
  const trigger = { ...round.trigger, words: ofItself(round.trigger.words, carrier) }
  const by = { at: io.now, actor: ACTOR, carrier }
  if (!round.isTold) {
    const rule = trigger.kind === 'retry' ? 'X-2' : 'X-1'
    io.cause({ ...by, rule, effect: 'reconciled', object: carrier, trigger })
    round.isTold = true
  }
  io.cause({ ...by, ...done })
}

/** A definition begins to count, or is refused. */
export function tellDefinition(
  name: string,
  effect: string,
  trigger: Trigger,
  io: Io<never>,
): void {
  const object = `ResourceGraphDefinition ${name}`
  const own = { ...trigger, words: ofItself(trigger.words, object) }
  const by = { at: io.now, actor: ACTOR, rule: 'X-1', object, carrier: object }
  io.cause({ ...by, effect, trigger: own })
}

/** `Job lab/run-a`, `ResourceGraphDefinition lab`. */
export function labelOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`
}

export const STARTED: Trigger = { kind: 'start', words: 'kro started' }

export const REPEATED: Trigger = {
  kind: 'retry',
  words: 'what was refused is tried again every 3s',
}

/** A definition or an instance was written by those who own it. */
export function writtenBy({ type, object, before }: WatchEvent): Trigger {
  const label = labelOf(object)
  const { annotations, deletionTimestamp } = object.metadata
  if (type === 'DELETED' || deletionTimestamp !== undefined) {
    return { kind: 'revision', words: `${label} was deleted` }
  }
  if (before === undefined) return { kind: 'revision', words: `${label} was created` }
  if (isSuspended(annotations) !== isSuspended(before.metadata.annotations)) {
    const words = `the annotation kro.run/reconcile of ${label} changed`
    return { kind: 'request', words }
  }
  return { kind: 'revision', words: `${label} changed` }
}

/** An object of the graph changed or went. */
export function seenAt({ type, object, before }: WatchEvent): Trigger {
  const label = labelOf(object)
  if (type === 'DELETED') return { kind: 'watch', words: `${label} went away` }
  if (before === undefined) return { kind: 'watch', words: `${label} was created` }
  if (hasEnded(object) && !hasEnded(before)) {
    return { kind: 'dependency', words: `${label} finished` }
  }
  return { kind: 'watch', words: `${label} changed` }
}

function hasEnded(object: KubeObject): boolean {
  return ['Complete', 'Failed'].some((type) => isTrue(conditionOf(object, type)))
}
