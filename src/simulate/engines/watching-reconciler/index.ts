import { at, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io, Trigger } from '../../../cluster/actor.ts'
import { succeeded, type WatchEvent } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import { kindFinder, type KindFinder } from '../kinds.ts'
import { mayLiftRefusal, spanText } from '../kubectl-schedule/starts.ts'
import { toldIo } from '../told-io.ts'

export interface WatchingOptions {
  /** Default `generic-reconciler`. */
  readonly name?: string
  /** Its own object: `Package shop`. */
  readonly carrier: string
  /** What is declared now, and by which revision. */
  readonly declared: () => Declared
  /** How it learns that an object went: at once, or at the next round of this period. */
  readonly periodMs?: number
  /** The first and the longest distance of tries after a refusal, doubled in between. */
  readonly backoff?: { readonly firstMs: number; readonly mostMs: number }
  readonly isRealistic?: boolean
}

export interface Declared {
  readonly objects: readonly JsonObject[]
  readonly revision: string
}

export type Wake = { readonly kind: 'round'; readonly trigger: Trigger }

export interface WatchingState {
  /** When its rounds began. */
  readonly since: Instant
  readonly revision: string
  readonly failures: number
  /** Why the next round comes: of several reasons, the one that says most. */
  readonly because?: Trigger
  /** Since when something is refused. */
  readonly refusedAt?: Instant
}

export interface Box {
  state: WatchingState
}

const BACKOFF = { firstMs: 1000, mostMs: 600_000 }

/**
 * A controller of the package-operator kind: what is declared and absent is created again, and what
 * differs is applied by force. Rounds that find everything in place are not played.
 */
export function watchingReconciler(options: WatchingOptions): Actor<Box, Wake> {
  const find = kindFinder()
  return {
    name: nameOf(options),
    begin(io) {
      const { revision } = options.declared()
      io.wakeAt(io.now, { kind: 'round', trigger: STARTED }, 'round')
      return { state: { since: io.now, revision, failures: 0 } }
    },
    observe(box, event, io) {
      const trigger = triggerOf(options, box.state, event)
      if (trigger === undefined) return
      const { because } = box.state
      box.state = { ...box.state, because: strongerOf(because, trigger) }
      plan(options, box.state, trigger, io)
    },
    wake(box, wake, io) {
      const { because } = box.state
      const trigger =
        wake.trigger.kind === 'interval' ? wake.trigger : strongerOf(because, wake.trigger)
      round(options, box, { trigger, find }, io)
    },
    copy: ({ state }) => ({ state }),
  }
}

const STARTED: Trigger = { kind: 'start', words: 'it started' }

function nameOf({ name = 'generic-reconciler' }: WatchingOptions): string {
  return name
}

function strongerOf(one: Trigger | undefined, other: Trigger): Trigger {
  return one === undefined || strength(other) > strength(one) ? other : one
}

function strength({ kind, words }: Trigger): number {
  if (kind === 'watch') return words.endsWith('went away') ? 2 : 1
  return kind === 'revision' ? 3 : 0
}

/** The revision that a carrier object announces in the cluster. */
export const REVISION = 'semel.dev/revision'

function triggerOf(
  options: WatchingOptions,
  { refusedAt }: WatchingState,
  event: WatchEvent,
): Trigger | undefined {
  const { type, object, before } = event
  const revision = object.metadata.annotations?.[REVISION]
  if (revision !== undefined && revision !== before?.metadata.annotations?.[REVISION]) {
    return { kind: 'revision', words: `commit ${revision} came` }
  }
  if (isDeclared(options, object)) {
    const label = `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`
    if (type === 'DELETED') return { kind: 'watch', words: `${label} went away` }
    if (before === undefined || isSameDesire(before, object)) return undefined
    return { kind: 'watch', words: `${label} was changed` }
  }
  const isLifted = refusedAt !== undefined && mayLiftRefusal(event)
  return isLifted ? { kind: 'retry', words: 'what was refused is tried again' } : undefined
}

function isDeclared(options: WatchingOptions, { kind, metadata }: KubeObject): boolean {
  return options
    .declared()
    .objects.some(
      (one) =>
        one['kind'] === kind &&
        stringAt(one, ['metadata', 'name']) === metadata.name &&
        (metadata.namespace === undefined ||
          (stringAt(one, ['metadata', 'namespace']) ?? 'default') === metadata.namespace),
    )
}

function isSameDesire(before: KubeObject, now: KubeObject): boolean {
  const path = ['metadata', 'generation']
  return (
    at(before, path) === at(now, path) &&
    before.metadata.labels === now.metadata.labels &&
    before.metadata.annotations === now.metadata.annotations
  )
}

/** A revision is worked on at once, and so is what is watched; polls come in their period. */
function plan(
  { periodMs, backoff = BACKOFF, isRealistic }: WatchingOptions,
  { since, refusedAt, failures }: WatchingState,
  trigger: Trigger,
  io: Io<Wake>,
): void {
  if (trigger.kind === 'retry' && refusedAt !== undefined) {
    // Tries in between met the same refusal, each after twice the time.
    let at = refusedAt
    for (let nth = failures - 1; at < io.now || at === refusedAt; nth += 1) {
      at += Math.min(backoff.firstMs * 2 ** Math.min(Math.max(0, nth), 30), backoff.mostMs)
    }
    return io.wakeAt(at, { kind: 'round', trigger }, 'round')
  }
  if (trigger.kind === 'watch' && periodMs !== undefined) {
    const words = `its round every ${spanText(periodMs)} came`
    const rounds = Math.max(1, Math.ceil((io.now - since) / periodMs))
    const late: Trigger = { kind: 'interval', words }
    return io.wakeAt(since + rounds * periodMs, { kind: 'round', trigger: late }, 'round')
  }
  const delay = isRealistic === true ? 10 + Math.round(io.chance.next() * 90) : 0
  return io.wakeAt(io.now + delay, { kind: 'round', trigger }, 'round')
}

function round(
  options: WatchingOptions,
  box: Box,
  { trigger, find }: { readonly trigger: Trigger; readonly find: KindFinder },
  io: Io<Wake>,
): void {
  const { carrier } = options
  const by = { at: io.now, actor: nameOf(options), carrier }
  const told = toldIo(
    io,
    { actor: nameOf(options), carrier, rule: (verb) => (verb === 'delete' ? 'G-3' : 'G-1') },
    {
      before: () =>
        io.cause({ ...by, rule: 'G-1', effect: 'reconciled', object: carrier, trigger }),
    },
  )
  const { objects, revision } = options.declared()
  const isRefused = objects.map((object) => applyOne(object, find, told)).includes(false)
  const { since, failures } = box.state
  box.state = isRefused
    ? { since, revision, failures: failures + 1, refusedAt: io.now }
    : { since, revision, failures: 0 }
}

/** G-1, G-2: server-side apply by force; false when the server refused it. */
function applyOne(object: JsonObject, find: KindFinder, io: Io<Wake>): boolean {
  const [apiVersion, kind] = ['apiVersion', 'kind'].map((key) => stringAt(object, [key]) ?? '')
  const found = find(apiVersion ?? '', kind ?? '', io.read)
  if (found === undefined) return true
  const { group, version, resource, namespaced } = found
  const namespace = stringAt(object, ['metadata', 'namespace']) ?? 'default'
  const place = {
    resource: { group, version, resource },
    ...(namespaced ? { namespace } : {}),
    name: stringAt(object, ['metadata', 'name']) ?? '',
  }
  const live = io.read.get(place.resource, namespaced ? namespace : undefined, place.name)
  // What is being deleted is waited for: its end is seen.
  if (live?.metadata.deletionTimestamp !== undefined) return true
  const patch = { type: 'apply', body: object } as const
  const options = { fieldManager: 'generic-reconciler', force: true }
  return succeeded(io.request({ verb: 'patch', ...place, patch, options }))
}
