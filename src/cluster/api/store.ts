import type { Reader } from '../actor.ts'
import type { KubeObject, ResourceId } from '../object.ts'
import { CowMap } from './cow-map.ts'
import type { WatchEvent } from './request.ts'
import { SharedManagers } from './shared-managers.ts'

/** An object and where it lives. Replaced as a whole by every write. */
export interface Row {
  readonly resource: ResourceId
  readonly object: KubeObject
}

/**
 * All objects, by resource, namespace and name, with indexes by uid and by owner that every write
 * keeps, and the window of past events. `copy` shares everything; whoever writes first pays for
 * the piece that it changes.
 */
export class Store implements Reader {
  readonly #managers = new SharedManagers()
  #version = 0
  #written = 0
  /** Of the last event that the window lost. */
  #forgotten = 0
  readonly #windowSize: number
  #window: WatchEvent[] = []
  #pending: WatchEvent[] = []
  #buckets = new CowMap<string, Bucket>()
  /** The namespaces of a resource that have a bucket, in the order of keys. */
  #spaces = new CowMap<string, readonly string[]>()
  #byUid = new CowMap<string, Row>()
  #byOwner = new CowMap<string, CowMap<string, true>>()

  constructor(windowSize: number) {
    this.#windowSize = windowSize
  }

  get version(): number {
    return this.#version
  }

  get(resource: ResourceId, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#buckets.get(bucketKey(resource, namespace))?.rows.get(name)?.object
  }

  list(resource: ResourceId, namespace?: string): readonly KubeObject[] {
    const key = resourceKey(resource)
    if (namespace !== undefined) return this.#inBucket(`${key}/${namespace}`)
    const spaces = this.#spaces.get(key) ?? []
    if (spaces.length === 1) return this.#inBucket(`${key}/${spaces[0]}`)
    return spaces.flatMap((space) => this.#inBucket(`${key}/${space}`))
  }

  dependents(uid: string): readonly Row[] {
    const uids = this.#byOwner.get(uid)
    if (uids === undefined) return []
    const rows: Row[] = []
    for (const dependent of uids.keys()) {
      const row = this.#byUid.get(dependent)
      if (row !== undefined) rows.push(row)
    }
    return rows
  }

  byUid(uid: string): Row | undefined {
    return this.#byUid.get(uid)
  }

  all(): Iterable<Row> {
    return this.#byUid.values()
  }

  /** Stores what was made from `before`; the answer carries the new resourceVersion. */
  put(resource: ResourceId, object: KubeObject, before: KubeObject | undefined): KubeObject {
    const stored = this.#versioned(object)
    const { namespace, name, uid } = stored.metadata
    const bucket = this.#bucket(resource, namespace)
    const row: Row = { resource: bucket.resource, object: stored }
    bucket.put(name, row)
    this.#byUid.set(uid, row)
    this.#index(uid, before, stored)
    const event: WatchEvent =
      before === undefined ? { type: 'ADDED', ...row } : { type: 'MODIFIED', ...row, before }
    this.#happened(event)
    return stored
  }

  /** Removes `before`; `last` is its last state, when the removing write changed it once more. */
  remove(resource: ResourceId, before: KubeObject, last: KubeObject = before): KubeObject {
    const gone = this.#versioned(last)
    const { namespace, name, uid } = before.metadata
    const key = bucketKey(resource, namespace)
    const bucket = this.#bucket(resource, namespace)
    bucket.remove(name)
    if (bucket.rows.size === 0) this.#dropBucket(resource, namespace, key)
    this.#byUid.delete(uid)
    this.#index(uid, before, undefined)
    this.#happened({ type: 'DELETED', resource: bucket.resource, object: gone, before })
    return gone
  }

  /** How many events there have been. */
  get written(): number {
    return this.#written
  }

  /** The events after the first `written`, all of them in the window still. */
  eventsFrom(written: number): readonly WatchEvent[] {
    return this.#window.slice(written - this.#written)
  }

  takeEvents(): readonly WatchEvent[] {
    if (this.#pending.length === 0) return NO_EVENTS
    const events = this.#pending
    this.#pending = []
    return events
  }

  eventsSince(version: number): readonly WatchEvent[] | undefined {
    if (version < this.#forgotten) return undefined
    const window = this.#window
    let low = 0
    let high = window.length
    while (low < high) {
      const middle = (low + high) >> 1
      const event = window[middle]
      if (event !== undefined && versionOf(event.object) <= version) low = middle + 1
      else high = middle
    }
    return window.slice(low)
  }

  /** As `list` was at `version`: later events are undone. Undefined when they are forgotten. */
  listAt(
    resource: ResourceId,
    namespace: string | undefined,
    version: number,
  ): readonly KubeObject[] | undefined {
    const later = this.eventsSince(version)
    if (later === undefined) return undefined
    const then = new Map(this.list(resource, namespace).map((object) => [placeOf(object), object]))
    for (const { type, resource: of, object, before } of later.toReversed()) {
      if (resourceKey(of) !== resourceKey(resource)) continue
      if (namespace !== undefined && object.metadata.namespace !== namespace) continue
      if (type === 'ADDED') then.delete(placeOf(object))
      else if (before !== undefined) then.set(placeOf(object), before)
    }
    const places = [...then.keys()].sort()
    return places.flatMap((place) => then.get(place) ?? [])
  }

  copy(): Store {
    const twin = new Store(this.#windowSize)
    twin.#version = this.#version
    twin.#written = this.#written
    twin.#forgotten = this.#forgotten
    twin.#window = this.#window.slice()
    twin.#pending = this.#pending.slice()
    twin.#buckets = this.#buckets.copy()
    twin.#spaces = this.#spaces.copy()
    twin.#byUid = this.#byUid.copy()
    twin.#byOwner = this.#byOwner.copy()
    return twin
  }

  #versioned(object: KubeObject): KubeObject {
    this.#version += 1
    const resourceVersion = String(this.#version)
    const { managedFields } = object.metadata
    if (managedFields === undefined) {
      return { ...object, metadata: { ...object.metadata, resourceVersion } }
    }
    const shared = this.#managers.share(managedFields)
    return { ...object, metadata: { ...object.metadata, resourceVersion, managedFields: shared } }
  }

  #happened(event: WatchEvent): void {
    this.#written += 1
    this.#pending.push(event)
    this.#window.push(event)
    if (this.#window.length < 2 * this.#windowSize) return
    const lost = this.#window[this.#window.length - this.#windowSize - 1]
    if (lost !== undefined) this.#forgotten = versionOf(lost.object)
    this.#window = this.#window.slice(-this.#windowSize)
  }

  #inBucket(key: string): readonly KubeObject[] {
    return this.#buckets.get(key)?.list() ?? []
  }

  #bucket(resource: ResourceId, namespace: string | undefined): Bucket {
    const key = bucketKey(resource, namespace)
    const found = this.#buckets.own(key, (shared) => shared.copy())
    if (found !== undefined) return found
    const bucket = new Bucket(resource, new CowMap(), undefined)
    this.#buckets.set(key, bucket)
    const spaces = this.#spaces.get(resourceKey(resource)) ?? []
    const ordered = [...spaces, namespace ?? ''].sort(byKey)
    this.#spaces.set(resourceKey(resource), ordered)
    return bucket
  }

  #dropBucket(resource: ResourceId, namespace: string | undefined, key: string): void {
    this.#buckets.delete(key)
    const spaces = this.#spaces.get(resourceKey(resource)) ?? []
    const kept = spaces.filter((space) => space !== (namespace ?? ''))
    this.#spaces.set(resourceKey(resource), kept)
  }

  #index(uid: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    const was = before?.metadata.ownerReferences
    const is = after?.metadata.ownerReferences
    if (was === is) return
    for (const owner of was ?? []) {
      if (is?.some((kept) => kept.uid === owner.uid) !== true) this.#disown(owner.uid, uid)
    }
    for (const owner of is ?? []) this.#own(owner.uid, uid)
  }

  #own(owner: string, uid: string): void {
    const uids = this.#ownersEntry(owner)
    if (uids?.has(uid) === true) return
    if (uids === undefined) this.#byOwner.set(owner, new CowMap([[uid, true]]))
    else uids.set(uid, true)
  }

  #disown(owner: string, uid: string): void {
    const uids = this.#ownersEntry(owner)
    if (uids === undefined) return
    uids.delete(uid)
    if (uids.size === 0) this.#byOwner.delete(owner)
  }

  /** The set of one owner, made this store's own before it is changed. */
  #ownersEntry(owner: string): CowMap<string, true> | undefined {
    return this.#byOwner.own(owner, (uids) => uids.copy())
  }
}

/** Objects of one resource in one namespace, with their order of names once somebody asked. */
class Bucket {
  /** One for all its rows. */
  readonly resource: ResourceId
  readonly rows: CowMap<string, Row>
  #names: string[] | undefined
  #isShared = false
  #listed: readonly KubeObject[] | undefined

  constructor(
    { group, version, resource }: ResourceId,
    rows: CowMap<string, Row>,
    names: string[] | undefined,
  ) {
    this.resource = { group, version, resource }
    this.rows = rows
    this.#names = names
  }

  copy(): Bucket {
    const twin = new Bucket(this.resource, this.rows.copy(), this.#names)
    twin.#listed = this.#listed
    twin.#isShared = true
    this.#isShared = true
    return twin
  }

  put(name: string, row: Row): void {
    this.#listed = undefined
    if (!this.rows.has(name))
      this.#changeNames((names) => names.splice(position(names, name), 0, name))
    this.rows.set(name, row)
  }

  remove(name: string): void {
    this.#listed = undefined
    this.#changeNames((names) => names.splice(position(names, name), 1))
    this.rows.delete(name)
  }

  list(): readonly KubeObject[] {
    if (this.#listed !== undefined) return this.#listed
    this.#names ??= [...this.rows.keys()].sort()
    const objects: KubeObject[] = []
    for (const name of this.#names) {
      const row = this.rows.get(name)
      if (row !== undefined) objects.push(row.object)
    }
    this.#listed = objects
    return objects
  }

  #changeNames(change: (names: string[]) => unknown): void {
    if (this.#names === undefined) return
    if (this.#isShared) {
      this.#names = this.#names.slice()
      this.#isShared = false
    }
    change(this.#names)
  }
}

const NO_EVENTS: readonly WatchEvent[] = []

export function versionOf(object: KubeObject): number {
  return Number(object.metadata.resourceVersion)
}

/** `namespace/name`: the order of keys. */
function placeOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

function resourceKey({ group, resource }: ResourceId): string {
  return `${group}/${resource}`
}

function bucketKey({ group, resource }: ResourceId, namespace: string | undefined): string {
  return `${group}/${resource}/${namespace ?? ''}`
}

/** As etcd orders keys: a namespace `a-b` comes before `a`, because `-` is before `/`. */
function byKey(one: string, other: string): number {
  const left = `${one}/`
  const right = `${other}/`
  if (left === right) return 0
  return left < right ? -1 : 1
}

function position(names: readonly string[], name: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((names[middle] ?? '') < name) low = middle + 1
    else high = middle
  }
  return low
}
