import type { Reader } from '../actor.ts'
import type { KubeObject, ResourceId } from '../object.ts'
import { CowMap } from './cow-map.ts'
import type { WatchEvent } from './request.ts'
import { SharedManagers } from './shared-managers.ts'
import { Table, type Row } from './table.ts'

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
  /** By name of the resource: one for each group that has one of that name. */
  #tables = new CowMap<string, readonly Table[]>()
  #byUid = new CowMap<string, Row>()
  #byOwner = new CowMap<string, CowMap<string, true>>()

  constructor(windowSize: number) {
    this.#windowSize = windowSize
  }

  get version(): number {
    return this.#version
  }

  get(resource: ResourceId, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#table(resource)?.get(namespace, name)
  }

  list(resource: ResourceId, namespace?: string): readonly KubeObject[] {
    return this.#table(resource)?.list(namespace) ?? NO_OBJECTS
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
    const { uid } = stored.metadata
    const row = this.#ownTable(resource).put(stored)
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
    const { uid } = before.metadata
    const table = this.#ownTable(resource)
    table.remove(before)
    this.#byUid.delete(uid)
    this.#index(uid, before, undefined)
    this.#happened({ type: 'DELETED', resource: table.resource, object: gone, before })
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
      if (!isSame(of, resource)) continue
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
    twin.#tables = this.#tables.copy()
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

  #table(resource: ResourceId): Table | undefined {
    const tables = this.#tables.get(resource.resource)
    return tables?.find((table) => isSame(table.resource, resource))
  }

  /** The table of a resource, made this store's own before it is changed. */
  #ownTable(resource: ResourceId): Table {
    const tables = this.#tables.own(resource.resource, (shared) => shared.map((one) => one.copy()))
    const found = tables?.find((table) => isSame(table.resource, resource))
    if (found !== undefined) return found
    const table = new Table(resource)
    this.#tables.set(resource.resource, [...(tables ?? []), table])
    return table
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

/** Versions of a resource are one resource in the store. */
function isSame(one: ResourceId, other: ResourceId): boolean {
  return one.resource === other.resource && one.group === other.group
}

const NO_EVENTS: readonly WatchEvent[] = []
const NO_OBJECTS: readonly KubeObject[] = []

function versionOf(object: KubeObject): number {
  return Number(object.metadata.resourceVersion)
}

/** `namespace/name`: the order of keys. */
function placeOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}
