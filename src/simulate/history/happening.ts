import type { Cause } from '../../cluster/actor.ts'
import type { Happening } from './history.ts'

/** What a cause is worth in the rows of events; undefined: it stands in the life of a Job. */
export function happeningOf(cause: Cause): Happening | undefined {
  const { at, actor, rule, effect, object, carrier, trigger } = cause
  const row = carrier ?? object ?? actor
  const base = { at, row, rule, ...(object === undefined ? {} : { object }) }
  if (trigger !== undefined && (carrier === undefined || carrier === object)) {
    // What Kubernetes itself does to Jobs and pods stands in their lives.
    if (/^(?:Pod|Job|CronJob|ReplicaSet) /.test(row)) return undefined
    return { ...base, kind: 'round', words: `${effect}, because ${trigger.words}` }
  }
  if (effect.startsWith('refused')) return { ...base, kind: 'refused', words: effect }
  if (/^(?:failed|stalled)/.test(effect)) return { ...base, kind: 'failed', words: effect }
  if (effect.startsWith('skipped')) return { ...base, kind: 'note', words: effect }
  if (object === undefined || object.startsWith('Pod ')) return undefined
  if (effect.startsWith('pruned')) return { ...base, kind: 'pruned', words: `${effect} ${object}` }
  return undefined
}
