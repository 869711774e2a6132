import { isList, isObject, type Json } from '../../core/json.ts'
import { compareText } from '../../core/text.ts'
import type { ManagedFieldsEntry } from '../object.ts'
import { instantOf } from '../time.ts'
import { union, type FieldSet } from './set.ts'

/** One manager and what it owns; the form in which managedFields are worked on. */
export interface Manager {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource?: string
  readonly time?: string
  readonly set: FieldSet
  /** As it was read, so that an untouched entry is written back as the same object. */
  readonly entry?: ManagedFieldsEntry
}

/** By their identity, in the order of their entries. */
export type Managers = ReadonlyMap<string, Manager>

const MAX_UPDATE_MANAGERS = 10
const ANCIENT = 'ancient-changes'

/**
 * Who a manager is: for appliers without the version, so that one who applies another version
 * stays the same. In the server's own form, which decides the order of messages.
 */
export function identityOf(who: Omit<Manager, 'set'>): string {
  const version = who.operation === 'Apply' ? '' : `,"apiVersion":${JSON.stringify(who.apiVersion)}`
  const sub =
    who.subresource === undefined ? '' : `,"subresource":${JSON.stringify(who.subresource)}`
  return `{"manager":${JSON.stringify(who.manager)},"operation":"${who.operation}"${version}${sub}}`
}

const READ = new WeakMap<readonly Json[], Managers>()

/** Undefined when an entry cannot be read: the server then forgets all of them. */
export function readManagers(entries: Json | undefined): Managers | undefined {
  const known = isList(entries) ? READ.get(entries) : undefined
  if (known !== undefined) return known
  const managers = managersIn(entries)
  if (isList(entries) && managers !== undefined) READ.set(entries, managers)
  return managers
}

function managersIn(entries: Json | undefined): Managers | undefined {
  const managers = new Map<string, Manager>()
  if (!isList(entries)) return managers
  for (const entry of entries) {
    if (!isObject(entry)) return undefined
    const { operation, apiVersion, fieldsType, fieldsV1, subresource, time } = entry
    if (operation !== 'Apply' && operation !== 'Update') return undefined
    if (typeof apiVersion !== 'string' || apiVersion === '') return undefined
    if (fieldsType !== 'FieldsV1') return undefined
    const manager: Manager = {
      manager: typeof entry['manager'] === 'string' ? entry['manager'] : '',
      operation,
      apiVersion,
      ...(typeof subresource === 'string' && subresource !== '' ? { subresource } : {}),
      ...(typeof time === 'string' ? { time } : {}),
      set: (isObject(fieldsV1) ? fieldsV1 : {}) as FieldSet,
      entry: entry as ManagedFieldsEntry,
    }
    managers.set(identityOf(manager), manager)
  }
  return managers
}

/** Appliers first, then by time and name, as the server lists them. */
export function writeManagers(managers: Managers): readonly ManagedFieldsEntry[] {
  return [...managers.values()].sort(order).map(written)
}

function order(one: Manager, other: Manager): number {
  return (
    compareText(one.operation, other.operation) ||
    secondsOf(one) - secondsOf(other) ||
    compareText(one.manager, other.manager) ||
    compareText(one.apiVersion, other.apiVersion) ||
    compareText(one.subresource ?? '', other.subresource ?? '')
  )
}

function secondsOf({ time }: Manager): number {
  return time === undefined ? 0 : Math.floor(instantOf(time) / 1000)
}

function written(who: Manager): ManagedFieldsEntry {
  const { manager, operation, apiVersion, subresource, time, set, entry } = who
  if (
    entry !== undefined &&
    entry.fieldsV1 === set &&
    entry.time === time &&
    entry.apiVersion === apiVersion
  ) {
    return entry
  }
  return {
    manager,
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: set,
    ...(subresource === undefined ? {} : { subresource }),
  }
}

/** At most ten managers by updates: the oldest are merged into one of no name, by version. */
export function capped(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update')
  if (updaters.length <= MAX_UPDATE_MANAGERS) return managers
  updaters.sort(([one, a], [other, b]) => secondsOf(a) - secondsOf(b) || compareText(one, other))
  const next = new Map(managers)
  const firstOfVersion = new Map<string, string>()
  let count = updaters.length
  for (const [id, updater] of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) break
    const { apiVersion, time } = updater
    const first = firstOfVersion.get(apiVersion)
    if (first === undefined) {
      firstOfVersion.set(apiVersion, id)
      continue
    }
    const bucket = identityOf({ manager: ANCIENT, operation: 'Update', apiVersion })
    const old = next.get(bucket) ?? next.get(first)
    if (!next.has(bucket)) next.delete(first)
    next.delete(id)
    next.set(bucket, {
      manager: ANCIENT,
      operation: 'Update',
      apiVersion,
      ...(time === undefined ? {} : { time }),
      set: union(updater.set, old?.set ?? {}),
    })
    count -= 1
  }
  return next
}
