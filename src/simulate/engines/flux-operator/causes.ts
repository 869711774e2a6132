import { objectAt, type JsonObject } from '../../../core/json.ts'
import type { Io, Trigger } from '../../../cluster/actor.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { goDuration } from '../kustomize-controller/settings.ts'
import type { Identity } from '../kustomize-controller/objects.ts'
import { shortWords } from '../words.ts'
import { MANAGER } from './kinds.ts'
import type { Record } from './state.ts'

/**
 * What began a reconcile, for one wake. Most reconciles change nothing, so the trigger is told with
 * the first thing that is done: it makes no difference whether a quiet one was gone through (O-1).
 */
export interface Round {
  readonly carrier: string
  readonly trigger: Trigger
  isTold: boolean
}

export interface Told {
  readonly rule: string
  readonly effect: string
  /** Default: the set itself. */
  readonly object?: string
  readonly data?: JsonObject
}

export function tell(round: Round, told: Told, io: Io<never>): void {
  const { carrier, trigger, isTold } = round
  const own = { at: io.now, actor: MANAGER, object: carrier, carrier }
  if (!isTold) io.cause({ ...own, rule: 'O-1', effect: 'reconciled', trigger })
  round.isTold = true
  io.cause({ ...own, ...told })
}

/** The server said no: nothing was changed. */
export function tellRefusal(
  round: Round,
  about: Identity,
  rule: string,
  message: string,
  io: Io<never>,
): void {
  const effect = `refused ${about.kind}: ${shortWords(message)}`
  tell(round, { rule, effect, object: placeIn(about) }, io)
}

/** `Job shop/migrate`, `Namespace shop`. */
export function placeIn({ kind, namespace, name }: Identity): string {
  return namespace === undefined || namespace === ''
    ? `${kind} ${name}`
    : `${kind} ${namespace}/${name}`
}

export function carrierOf({ kind, namespace, name }: Record): string {
  return `${kind === 'set' ? 'ResourceSet' : 'ResourceSetInputProvider'} ${namespace}/${name}`
}

export const STARTED: Trigger = { kind: 'start', words: `${MANAGER} started` }

export const DEPENDENCY: Trigger = {
  kind: 'dependency',
  words: 'what it depends on became ready',
}

export function intervalOver(ms: number): Trigger {
  return { kind: 'interval', words: `its interval of ${goDuration(ms)} was over` }
}

export function retryAfter(message: string): Trigger {
  return { kind: 'retry', words: `the attempt before failed: ${shortWords(message)}` }
}

/** Of several reasons for one reconcile the one that says most: changes and people before timers. */
export function strongerOf(one: Trigger | undefined, other: Trigger): Trigger {
  return one?.kind === 'revision' && other.kind !== 'revision' ? one : other
}

/** Why a set or provider that was written is looked at. */
export function writtenBecause(object: KubeObject, before: KubeObject | undefined): Trigger {
  const { kind, metadata } = object
  if (before === undefined) return { kind: 'revision', words: `the ${kind} was created` }
  if (metadata.deletionTimestamp !== before.metadata.deletionTimestamp) {
    return { kind: 'request', words: `the ${kind} was deleted` }
  }
  if (metadata.generation !== before.metadata.generation) {
    const fields = changedKeys(objectAt(before, ['spec']), objectAt(object, ['spec']))
    const names = fields.map((field) => `spec.${field}`)
    return { kind: 'revision', words: `its ${listed(names)} changed` }
  }
  const marks = changedKeys(before.metadata.annotations, metadata.annotations)
  if (marks.includes(REQUESTED)) return { kind: 'request', words: 'somebody asked for a reconcile' }
  const word = marks.length === 1 ? 'annotation' : 'annotations'
  return { kind: 'request', words: `its ${word} ${listed(marks)} changed` }
}

const REQUESTED = 'reconcile.fluxcd.io/requestedAt'

function changedKeys(before: JsonObject = {}, after: JsonObject = {}): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !equal(before[key] ?? null, after[key] ?? null))
    .sort()
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? 'spec'
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}
