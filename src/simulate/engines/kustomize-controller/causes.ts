import type { JsonObject } from '../../../core/json.ts'
import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { shortWords } from '../words.ts'
import { MANAGER } from './cleanup.ts'
import type { Identity } from './objects.ts'
import { goDuration, type Settings } from './settings.ts'
import type { Record, State } from './state.ts'

/** Tells what a reconcile did to an object; the first time also why the reconcile began. */
export interface Teller {
  did(rule: string, effect: string, object: Identity): void
  /** The server said no to an object, and with it to what `rule` leaves undone. */
  refused(rule: string, message: string, object: Identity): void
}

/**
 * A reconcile is told with the first thing that it does: one that finds everything as it should be
 * tells nothing, so it makes no difference whether it was gone through.
 */
export function tellerOf(state: State, record: Record, io: Io<never>): Teller {
  const carrier = carrierOf(record)
  const { key } = record
  const told = { at: io.now, actor: MANAGER, carrier }
  const begin = (): void => {
    if (state.told.has(key)) return
    state.told.add(key)
    const trigger = record.run?.trigger ?? record.asked
    const data: JsonObject = record.run === undefined ? {} : { revision: record.run.revision }
    io.cause({
      ...told,
      rule: ruleOf(trigger),
      effect: 'reconciled',
      object: carrier,
      ...(trigger === undefined ? {} : { trigger }),
      data,
    })
  }
  const did = (rule: string, effect: string, object: Identity): void => {
    begin()
    io.cause({ ...told, rule, effect, object: placeIn(object) })
  }
  return {
    did,
    refused(rule, message, object) {
      const known = state.refused.get(key) ?? new Set()
      const words = `${placeIn(object)} ${message}`
      // The same answer to the next try is no news.
      if (known.has(words) && isPeriodic(record.run?.trigger)) return
      state.refused.set(key, new Set([...known, words]))
      did(rule, `refused ${object.kind}: ${shortWords(message)}`, object)
    },
  }
}

function carrierOf({ key }: Pick<Record, 'key'>): string {
  return `Kustomization ${key}`
}

function isPeriodic(trigger: Trigger | undefined): boolean {
  return trigger?.kind === 'interval' || trigger?.kind === 'retry'
}

function ruleOf(trigger: Trigger | undefined): string {
  if (trigger?.kind === 'dependency') return 'F-18'
  return trigger?.kind === 'retry' ? 'F-2' : 'F-1'
}

/** `Job shop/migrate`, `Namespace shop`. */
function placeIn({ kind, namespace, name }: Identity): string {
  return `${kind} ${namespace === undefined || namespace === '' ? '' : `${namespace}/`}${name}`
}

const BY_STRENGTH: readonly Trigger['kind'][] = [
  'start',
  'interval',
  'retry',
  'dependency',
  'watch',
  'revision',
  'request',
]

/** Of several reasons for one reconcile, the one that says most about what it does. */
export function strongerOf(one: Trigger | undefined, other: Trigger): Trigger {
  const strength = ({ kind }: Trigger): number => BY_STRENGTH.indexOf(kind)
  return one === undefined || strength(other) > strength(one) ? other : one
}

/** What of a written Kustomization starts a reconcile; undefined: nothing (F-1). */
export function changeOf(object: KubeObject, before: KubeObject | undefined): Trigger | undefined {
  const { metadata } = object
  if (metadata.deletionTimestamp !== before?.metadata.deletionTimestamp) {
    return { kind: 'request', words: 'somebody deleted the Kustomization' }
  }
  if (requestOf(object) !== requestOf(before)) {
    return { kind: 'request', words: 'somebody asked for a reconcile' }
  }
  if (metadata.generation === before?.metadata.generation) return undefined
  const [was, is] = [specOf(before), specOf(object)]
  if (was['suspend'] === true && is['suspend'] !== true) {
    return { kind: 'request', words: 'the Kustomization was resumed' }
  }
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
    .map((field) => `spec.${field}`)
  return { kind: 'revision', words: `its ${fields.join(', ') || 'spec'} changed` }
}

function specOf(object: KubeObject | undefined): JsonObject {
  return (object?.['spec'] ?? {}) as JsonObject
}

function requestOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.annotations?.['reconcile.fluxcd.io/requestedAt']
}

export const CREATED: Trigger = { kind: 'revision', words: 'the Kustomization was created' }
export const STARTED: Trigger = { kind: 'start', words: `${MANAGER} started` }

export function intervalOf({ intervalMs = 0 }: Settings): Trigger {
  return { kind: 'interval', words: `its interval of ${goDuration(intervalMs)} was over` }
}

export function retryOf(retryMs: number, error: string): Trigger {
  const words = `its retryInterval of ${goDuration(retryMs)} was over after a failure`
  return { kind: 'retry', words: `${words}: ${shortWords(error)}` }
}
