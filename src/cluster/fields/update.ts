import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { timestamp } from '../time.ts'
import type { ManagedFieldsEntry } from '../object.ts'
import type { TypeRef, UpdateInput } from './contract.ts'
import { compare, type Comparison } from './compare.ts'
import {
  capped,
  identityOf,
  readManagers,
  writeManagers,
  type Manager,
  type Managers,
} from './managers.ts'
import { resetFields, withoutReset } from './reset.ts'
import { difference, intersection, isEmpty, union, type FieldSet } from './set.ts'

/**
 * The managers after a write that is not an apply: who writes owns what changed, and everybody else
 * loses it. A write that changes nothing changes no manager, and no time. Objects that nobody ever
 * tracked (no managers, though created long ago) stay so until the first apply.
 */
export function updateManagers(input: UpdateInput): readonly ManagedFieldsEntry[] {
  const { before, after, type, manager, subresource } = input
  const live = before?.metadata.managedFields
  const managers = managersOf(input)
  if (managers.size === 0 && before !== undefined) return []
  const apiVersion = textOf(after['apiVersion'])
  const kind = textOf(after['kind'])
  const reset = resetFields(apiVersion, kind, input)
  const changes = changesOf(before ?? emptyObject(type), after, type, reset)
  const who: Omit<Manager, 'set'> = {
    manager: manager === '' ? 'unknown' : manager,
    operation: 'Update',
    apiVersion,
    ...(subresource === undefined ? {} : { subresource }),
  }
  const next = capped(updated(managers, changes, { who, time: timestamp(input.now) }))
  const unchanged =
    next === managers && live !== undefined && after['metadata'] === before?.metadata
  return unchanged ? live : writeManagers(next)
}

/** What the server compares a new object with: of a Go type, a struct without any value. */
export function emptyObject(type: TypeRef): JsonObject {
  return type.zero ?? {}
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Clients may write managedFields themselves through the main door; an empty list forgets all of
 * them, what cannot be read counts as not written.
 */
function managersOf({ before, after, subresource }: UpdateInput): Managers {
  const live = before?.metadata.managedFields
  const metadata = after['metadata']
  const sent = isObject(metadata) ? metadata['managedFields'] : undefined
  if (sent !== live && subresource === undefined && isList(sent)) {
    const [only] = sent
    const isReset = sent.length === 0 || (sent.length === 1 && isObject(only) && isBlank(only))
    if (isReset) return new Map()
    const managers = readManagers(sent)
    if (managers !== undefined && managers.size > 0) return managers
  }
  return readManagers(live) ?? new Map()
}

function isBlank(entry: JsonObject): boolean {
  return Object.values(entry).every((value) => value === undefined || value === '')
}

export function changesOf(
  before: JsonObject,
  after: JsonObject,
  type: TypeRef,
  reset: FieldSet,
): Comparison {
  const { added, modified, removed } = compare(before, after, type)
  return {
    added: withoutReset(added, reset),
    modified: withoutReset(modified, reset),
    removed: withoutReset(removed, reset),
  }
}

function updated(
  managers: Managers,
  { added, modified, removed }: Comparison,
  { who, time }: { readonly who: Omit<Manager, 'set'>; readonly time: string },
): Managers {
  const taken = union(modified, added)
  if (isEmpty(taken) && isEmpty(removed)) return managers
  const next = new Map<string, Manager>()
  for (const [id, other] of managers) {
    const set = difference(difference(other.set, intersection(other.set, taken)), removed)
    if (set === other.set) next.set(id, other)
    else if (!isEmpty(set)) next.set(id, { ...other, set })
  }
  if (isEmpty(taken)) return next
  const id = identityOf(who)
  const previous = next.get(id)?.set
  next.set(id, { ...who, time, set: previous === undefined ? taken : union(taken, previous) })
  return next
}
