import type { Reader } from './actor.ts'
import type { WatchEvent } from './api/request.ts'

/**
 * What an informer tells that knew `before` and lists `after`: what is gone, then what is new or
 * different, each in the order of its creation.
 */
export function differences(before: Reader, after: Reader): readonly WatchEvent[] {
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
