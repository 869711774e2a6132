import type { Reader } from './actor.ts'
import type { WatchEvent } from './api/request.ts'
import type { Listener } from './contract.ts'
import { calledOf } from './object.ts'
import type { Instant } from './time.ts'

/** Another content of etcd in the place of the old one. */
export interface Replacement {
  readonly rule: string
  readonly effect: string
  /** What somebody did. */
  readonly words: string
  readonly before: Reader
  readonly after: Reader
  readonly now: Instant
}

/** Tells a listener what became of each object, and why; gives it back as an informer would. */
export function tellReplacement(
  listener: Listener | undefined,
  { rule, effect, words, before, after, now }: Replacement,
): readonly WatchEvent[] {
  const events = differences(before, after)
  const base = { at: now, actor: 'etcd', rule, carrier: 'etcd' }
  const trigger = { kind: 'request', words } as const
  listener?.cause?.({ ...base, effect, object: 'etcd', trigger })
  for (const event of events) {
    const { kind } = event.object
    if (kind === 'Job' || kind === 'CronJob') {
      const done = DONE[event.type]
      listener?.cause?.({ ...base, effect: `${done} ${kind}`, object: calledOf(event.object) })
    }
    listener?.write?.(event, now)
  }
  return events
}

const DONE = { ADDED: 'brought back', MODIFIED: 'changed back', DELETED: 'lost' } as const

/**
 * What an informer tells that knew `before` and lists `after`: what is gone, then what is new or
 * different, each in the order of its creation.
 */
function differences(before: Reader, after: Reader): readonly WatchEvent[] {
  const events: WatchEvent[] = []
  for (const { resource, object } of before.all()) {
    if (after.byUid(object.metadata.uid) !== undefined) continue
    events.push({ type: 'DELETED', resource, object, before: object })
  }
  for (const { resource, object } of after.all()) {
    const known = before.byUid(object.metadata.uid)?.object
    if (known === undefined) events.push({ type: 'ADDED', resource, object })
    else if (known !== object) events.push({ type: 'MODIFIED', resource, object, before: known })
  }
  return events
}
