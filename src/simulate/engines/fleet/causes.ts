import type { Cause, Io, Trigger } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { integerAt } from '../../../core/json.ts'
import type { Target } from '../helm/objects.ts'
import { ofItself } from '../words.ts'

export function carrierOf({ key }: { readonly key: string }): string {
  return `Bundle ${key}`
}

/** What was done to a bundle, or why something begins. */
export function tell(
  record: { readonly key: string },
  told: Pick<Cause, 'rule' | 'effect' | 'trigger'>,
  io: Io<never>,
): void {
  const carrier = carrierOf(record)
  const { trigger, ...rest } = told
  const why =
    trigger === undefined
      ? {}
      : { trigger: { ...trigger, words: ofItself(trigger.words, carrier) } }
  io.cause({ at: io.now, actor: 'fleet', object: carrier, carrier, ...rest, ...why })
}

export const STARTED: Trigger = { kind: 'start', words: 'fleet started' }

export const CHANGED_MEANWHILE: Trigger = {
  kind: 'revision',
  words: 'the bundle changed while Helm was at work',
}

export const DEPENDENCY: Trigger = {
  kind: 'dependency',
  words: 'a bundle that it depends on changed its state',
}

export function retryOf(waitMs: number): Trigger {
  return { kind: 'retry', words: `its deployment failed ${waitMs / 1000}s ago` }
}

export function revisionOf({ type, object, before }: WatchEvent): Trigger {
  const { namespace = '', name, labels } = object.metadata
  const label = `Bundle ${namespace}/${name}`
  if (type === 'DELETED') return { kind: 'revision', words: `${label} was deleted` }
  const forced = integerAt(object, ['spec', 'forceSyncGeneration']) ?? 0
  if (
    before !== undefined &&
    forced !== (integerAt(before, ['spec', 'forceSyncGeneration']) ?? 0)
  ) {
    return { kind: 'request', words: `a person forced a sync of ${label}` }
  }
  const commit = labels?.[COMMIT]
  if (commit !== undefined && commit !== before?.metadata.labels?.[COMMIT]) {
    return { kind: 'revision', words: `commit ${commit} came` }
  }
  return { kind: 'revision', words: `${label} ${before === undefined ? 'was created' : 'changed'}` }
}

/** The commit that a bundle was made from. */
export const COMMIT = 'fleet.cattle.io/commit'

export function driftOfTarget(
  { kind, namespace, name }: Target,
  drift: 'missing' | 'modified',
  delayMs: number,
): Trigger {
  const label = `${kind.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`
  const what = drift === 'missing' ? 'went away' : 'was changed'
  return { kind: 'watch', words: `${label} ${what} ${delayMs / 1000}s ago` }
}
