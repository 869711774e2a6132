import { isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { compareText } from '../../core/text.ts'
import { timestamp } from '../time.ts'
import type { Applied, ApplyInput, Conflict, PatchFault, TypeRef } from './contract.ts'
import { UNOWNED } from './compare.ts'
import { decodeMerged } from './decode.ts'
import { pathText } from './element.ts'
import { equal } from './equal.ts'
import { allowedByLastApplied, withLastApplied } from './last-applied.ts'
import { identityOf, readManagers, writeManagers, type Manager, type Managers } from './managers.ts'
import { merge, remove } from './merge.ts'
import { fieldSetOf, withNamedParents } from './own.ts'
import { resetFields, withoutReset } from './reset.ts'
import { difference, forEach, intersection, isEmpty, union, type FieldSet } from './set.ts'
import { changesOf, emptyObject, textOf } from './update.ts'
import { configFaults, faultsText } from './validate-config.ts'

/**
 * Server-side apply: lays a configuration over the live object. The applier owns what it says,
 * loses what it no longer says (which goes away unless somebody else owns it), and is refused what
 * others own with another value, unless it forces.
 */
export function apply(input: ApplyInput): Applied {
  const { live, config, type, manager } = input
  const fault = unreadable(input)
  if (fault !== undefined) return { fault }
  const target = live ?? withTypeOf(config, emptyObject(type))
  const managers = trackedManagers(input)
  if (managers === undefined) {
    return { fault: { code: 500, message: 'failed to decode managed fields' } }
  }
  const attempt: Attempt = { input, target, managers, force: input.force }
  let result = applied(attempt)
  if ('conflicts' in result && manager === 'kubectl') {
    const allowed = allowedByLastApplied(target, type)
    if (allowed !== undefined) result = withAllowed(attempt, result.conflicts, allowed)
  }
  if ('conflicts' in result) return { conflicts: sorted(result.conflicts) }
  if ('fault' in result) return result
  const { object, managedFields } = result
  return manager === 'kubectl' ? { object: withLastApplied(object, config), managedFields } : result
}

function unreadable({ config, type, live }: ApplyInput): PatchFault | undefined {
  const metadata = config['metadata']
  if (isObject(metadata) && (metadata['managedFields'] ?? null) !== null) {
    return { code: 400, reason: 'BadRequest', message: 'metadata.managedFields must be nil' }
  }
  const faults = configFaults(config, type)
  if (faults.length === 0) return undefined
  const message = `failed to create typed patch object (${named(config, live)}): ${faultsText(faults)}`
  return { code: 500, message }
}

/** `default/a; batch/v1, Kind=Job` */
function named(config: JsonObject, live: JsonObject | undefined): string {
  const name = stringAt(config, ['metadata', 'name']) ?? stringAt(live, ['metadata', 'name']) ?? ''
  const namespace = stringAt(config, ['metadata', 'namespace']) ?? ''
  return `${namespace}/${name}; ${versionedKind(config)}`
}

/** `batch/v1, Kind=Job` */
function versionedKind(config: JsonObject): string {
  const apiVersion = textOf(config['apiVersion'])
  const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
  return `${version}, Kind=${textOf(config['kind'])}`
}

function withTypeOf(config: JsonObject, empty: JsonObject): JsonObject {
  return { apiVersion: config['apiVersion'], kind: config['kind'], ...empty }
}

/** On objects that nobody tracked, all there is belongs to a manager of before the first apply. */
function trackedManagers(input: ApplyInput): Managers | undefined {
  const { live, config, type, subresource, now } = input
  const managers = readManagers(live?.metadata.managedFields)
  if (managers === undefined || managers.size > 0 || live === undefined) return managers
  const apiVersion = textOf(config['apiVersion'])
  const reset = resetFields(apiVersion, live.kind, input)
  const { added, modified } = changesOf(emptyObject(type), live, type, reset)
  const before: Manager = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion,
    ...(subresource === undefined ? {} : { subresource }),
    time: timestamp(now),
    set: union(modified, added),
  }
  return isEmpty(before.set) ? managers : new Map([[identityOf(before), before]])
}

interface Attempt {
  readonly input: ApplyInput
  readonly target: JsonObject
  readonly managers: Managers
  readonly force: boolean
}

type Attempted =
  | Exclude<Applied, { readonly conflicts: unknown }>
  | { readonly conflicts: readonly Found[] }

interface Found extends Conflict {
  readonly id: string
  readonly path: readonly string[]
}

function applied({ input, target, managers, force }: Attempt): Attempted {
  const { config, type, manager, subresource, now, live } = input
  const apiVersion = textOf(config['apiVersion'])
  const reset = resetFields(apiVersion, textOf(config['kind']), input)
  const said = withoutReset(fieldSetOf(config, type), reset)
  const set = difference(said, UNOWNED)
  const me: Manager = {
    manager,
    operation: 'Apply',
    apiVersion,
    ...(subresource === undefined ? {} : { subresource }),
    set,
  }
  const id = identityOf(me)
  const last = managers.get(id)
  const next = new Map(managers)
  if (last?.entry !== undefined && last.apiVersion === apiVersion && equal(last.set, set)) {
    next.set(id, { ...last })
  } else next.set(id, { ...me, ...(last?.time === undefined ? {} : { time: last.time }) })
  const merged = asObject(merge(target, config, type))
  const pruned = asObject(prune(merged, { type, last: last?.set, said, managers: next }))
  const changes = changesOf(target, pruned, type, reset)
  const conflicts = takeFrom(next, id, changes)
  if (!force && conflicts.length > 0) return { conflicts }
  const mine = next.get(id)
  if (mine !== undefined && isEmpty(mine.set)) next.delete(id)
  if (equal(target, pruned)) {
    return { object: live ?? target, managedFields: writeManagers(next) }
  }
  const decoded = decodeMerged(pruned, type)
  if ('message' in decoded) {
    return { fault: { code: 500, message: conversion(config, live, decoded.message) } }
  }
  if (next.has(id)) next.set(id, { ...me, time: timestamp(now) })
  return { object: decoded.object, managedFields: writeManagers(next) }
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function conversion(config: JsonObject, live: JsonObject | undefined, why: string): string {
  const target = versionedKind(config)
  const failed = `failed to convert new object (${named(config, live)}) to proper version`
  return `${failed}: unable to convert unstructured object to ${target}: ${why}`
}

/** Everybody but the applier loses what changes; what they lose by a change is a conflict. */
function takeFrom(
  managers: Map<string, Manager>,
  me: string,
  changes: ReturnType<typeof changesOf>,
): Found[] {
  const taken = union(changes.modified, changes.added)
  const conflicts: Found[] = []
  for (const [id, other] of managers) {
    if (id === me) continue
    const lost = intersection(other.set, taken)
    forEach(lost, (path) => {
      conflicts.push({ id, owner: ownerText(other), field: pathText(path), path: [...path] })
    })
    const set = difference(difference(other.set, lost), changes.removed)
    if (set === other.set) continue
    if (isEmpty(set)) managers.delete(id)
    else managers.set(id, { ...other, set })
  }
  return conflicts
}

/** `"kubectl-client-side-apply" using batch/v1` */
function ownerText({ manager, operation, apiVersion, subresource }: Manager): string {
  const sub = subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`
  const using = operation === 'Update' ? ` using ${apiVersion}` : ''
  return `${JSON.stringify(manager)}${sub}${using}`
}

interface Pruning {
  readonly type: TypeRef
  readonly last: FieldSet | undefined
  /** All that the configuration says, owned or not: the name keeps the metadata in place. */
  readonly said: FieldSet
  readonly managers: Managers
}

/**
 * Takes away what the applier said last time and no longer says, unless another manager owns it.
 * In three steps, as the server does it: all that was said goes, what anybody owns comes back with
 * what it stands in, and so does what the applier never owned.
 */
function prune(merged: JsonObject, { type, last, said, managers }: Pruning): Json {
  if (last === undefined || isEmpty(last)) return merged
  let owned = said
  for (const { set } of managers.values()) owned = union(owned, set)
  if (isEmpty(difference(last, owned))) return merged
  const lastNamed = withNamedParents(last, type)
  const without = remove(merged, lastNamed, type)
  const mergedSet = withNamedParents(fieldSetOf(merged, type), type)
  const withoutSet = withNamedParents(fieldSetOf(without, type), type)
  const kept = union(withoutSet, withNamedParents(owned, type))
  const pruned = remove(merged, difference(mergedSet, kept), type)
  const prunedSet = withNamedParents(fieldSetOf(pruned, type), type)
  return remove(merged, intersection(difference(mergedSet, prunedSet), lastNamed), type)
}

/**
 * kubectl's own way from client-side apply: what the last-applied annotation says, and still is so,
 * it may take without force.
 */
function withAllowed(attempt: Attempt, conflicts: readonly Found[], allowed: FieldSet): Attempted {
  const left = conflicts.filter(({ path }) => !isAllowed(allowed, path))
  return left.length > 0 ? { conflicts: left } : applied({ ...attempt, force: true })
}

function isAllowed(allowed: FieldSet, path: readonly string[]): boolean {
  let here: FieldSet | undefined = allowed
  for (const element of path) here = here?.[element]
  return here !== undefined && (Object.keys(here).length === 0 || here['.'] !== undefined)
}

/** By owner, in the order in which the server names them. */
function sorted(found: readonly Found[]): readonly Conflict[] {
  return [...found]
    .sort((one, other) => compareText(one.id, other.id))
    .map(({ owner, field }) => ({ owner, field }))
}
