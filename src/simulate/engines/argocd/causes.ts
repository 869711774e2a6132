import { at, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { shortWords } from '../words.ts'
import type { Compared } from './compare.ts'
import type { Place } from './tracking.ts'

const ACTOR = 'argocd-application-controller'
const NAMESPACE = 'argocd'

function carrierOf(app: string): string {
  return `Application ${NAMESPACE}/${app}`
}

/** `Job shop/migrate`, `ClusterRole admin`. */
function placeIn({ kind, namespace, name }: Omit<Place, 'resource' | 'group'>): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

export interface Told {
  readonly rule: string
  readonly effect: string
  readonly trigger?: Trigger
  readonly data?: JsonObject
}

/** What an Application does by itself: `synced`, `refreshed`. */
export function tellRound(io: Io<never>, app: string, told: Told): void {
  const carrier = carrierOf(app)
  io.cause({ at: io.now, actor: ACTOR, object: carrier, carrier, ...told })
}

/** Tells what is done to one object of an app. */
export interface Teller {
  did(rule: string, effect: string): void
  refused(rule: string, message: string): void
}

export function tellerOf(
  io: Io<never>,
  app: string,
  place: Place,
  data: JsonObject | undefined,
): Teller {
  const did = (rule: string, effect: string): void =>
    io.cause({
      at: io.now,
      actor: ACTOR,
      carrier: carrierOf(app),
      object: placeIn(place),
      rule,
      effect,
      ...(data === undefined ? {} : { data }),
    })
  return {
    did,
    refused: (rule, message) => did(rule, `refused ${place.kind}: ${shortWords(message)}`),
  }
}

const BY_STRENGTH: readonly Trigger['kind'][] = [
  'start',
  'interval',
  'watch',
  'revision',
  'request',
]

/** Of several reasons for one comparison, the one that says most about what it finds. */
export function strongerOf(one: Trigger | undefined, other: Trigger): Trigger {
  const strength = ({ kind }: Trigger): number => BY_STRENGTH.indexOf(kind)
  return one === undefined || strength(other) > strength(one) ? other : one
}

export const CREATED: Trigger = { kind: 'revision', words: 'the Application was created' }
export const STARTED: Trigger = { kind: 'start', words: `${ACTOR} started` }
export const ASKED: Trigger = { kind: 'request', words: 'a refresh was asked for' }
export const ENDED: Trigger = { kind: 'watch', words: 'its last sync was over' }

export function intervalOf(seconds: number): Trigger {
  return { kind: 'interval', words: `its refresh every ${seconds}s came` }
}

export function watchOf({ type, object }: Pick<WatchEvent, 'type' | 'object'>): Trigger {
  const { namespace, name } = object.metadata
  const done = { ADDED: 'came', MODIFIED: 'changed', DELETED: 'went away' }[type]
  return { kind: 'watch', words: `${placeIn({ kind: object.kind, namespace, name })} ${done}` }
}

/** Which fields of the spec are others than before. */
export function specChangeOf(object: KubeObject, before: KubeObject): Trigger {
  const [is = {}, was = {}] = [object, before].map((one) => objectAt(one, ['spec']))
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
    .map((field) => `spec.${field}`)
  return { kind: 'revision', words: `its ${fields.join(', ') || 'spec'} changed` }
}

/** Why an automated sync of a whole revision starts (A-4). */
export function revisionTrigger(
  why: Trigger | undefined,
  revision: string,
  before: string | undefined,
): Trigger {
  const came: Trigger = { kind: 'revision', words: `revision ${shortOf(revision)} came` }
  if (before !== undefined && before !== revision) return came
  return why ?? came
}

/** What a self-heal found, and how long it had to wait (A-10). */
export function healTrigger(
  why: Trigger | undefined,
  found: readonly Compared[],
  waitSeconds: number,
): Trigger {
  const [first] = found
  const what = first === undefined ? 'something' : placeIn(first.place)
  const more = found.length > 1 ? ` and ${found.length - 1} more` : ''
  const isAbsent = first?.live === undefined
  const isFoundLater = why?.kind === 'interval' || why?.kind === 'start'
  const differs = more === '' ? 'differs from Git' : 'differ from Git'
  const how = isAbsent ? (isFoundLater ? 'is absent' : 'went away') : differs
  const told = isFoundLater ? `${why.words} and ${what}${more} ${how}` : `${what}${more} ${how}`
  const waited =
    waitSeconds === 0 ? '' : `, and the wait of ${waitSeconds}s since the last sync was over`
  return { kind: isFoundLater ? why.kind : 'watch', words: `${told}${waited}` }
}

/** Why an operation begins, from what it says itself: people, and what a restart has forgotten. */
export function operationTrigger(operation: JsonObject): Trigger {
  const sync = objectAt(operation, ['sync'])
  if (isAutomated(operation)) {
    const isHeal = at(sync, ['resources']) !== undefined
    if (isHeal) return { kind: 'watch', words: 'the cluster differs from Git' }
    const revision = shortOf(stringAt(sync, ['revision']) ?? '')
    return { kind: 'revision', words: `revision ${revision} came` }
  }
  const who = stringAt(operation, ['initiatedBy', 'username']) ?? 'somebody'
  const named = listAt(sync, ['resources']).map(
    (one) => `${stringAt(one, ['kind']) ?? ''} ${stringAt(one, ['name']) ?? ''}`,
  )
  const only = named.length === 0 ? '' : ` of ${named.join(', ')} alone`
  return { kind: 'request', words: `${who} asked for a sync${only}` }
}

/** The rule that says what an operation touches. */
export function operationRule(operation: JsonObject): string {
  const isPartial = listAt(operation, ['sync', 'resources']).length > 0
  if (isAutomated(operation)) return isPartial ? 'A-10' : 'A-4'
  return isPartial ? 'A-38' : 'A-6'
}

function isAutomated(operation: JsonObject): boolean {
  return at(operation, ['initiatedBy', 'automated']) === true
}

export function retryTrigger(count: number, limit: number, message: string): Trigger {
  const of = limit < 0 ? '' : ` of ${limit}`
  const cut = message.replace(/\. Retrying attempt #.*$/s, '')
  return {
    kind: 'retry',
    words: `the sync had failed, and retry ${count}${of} was due: ${shortWords(cut)}`,
  }
}

/** A commit hash as people know it. */
function shortOf(revision: string): string {
  return /^[0-9a-f]{40}$/.test(revision) ? revision.slice(0, 7) : revision
}
