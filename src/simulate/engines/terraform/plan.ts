import { canonicalJson } from '../../../core/canonical-json.ts'
import { at, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import type { JobResource } from './config.ts'
import type { Stored } from './state.ts'

/** Fields whose change makes another Job (ForceNew); the name and its kin do so, too. */
const REPLACING = [
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'generateName'],
  ['spec', 'template'],
  ['spec', 'completions'],
  ['spec', 'completionMode'],
  ['spec', 'selector'],
  ['spec', 'backoffLimitPerIndex'],
  ['spec', 'podFailurePolicy'],
] as const

/** Fields that the provider sends in place. */
const PATCHED = ['activeDeadlineSeconds', 'backoffLimit', 'manualSelector', 'parallelism'] as const

/** Fields that are shown as a change and never sent (T-6). */
const SHOWN = ['ttlSecondsAfterFinished', 'maxFailedIndexes'] as const

/** T-5: the object has to be another one. */
export function mustReplace({ object }: JobResource, stored: Stored): boolean {
  if (stored.isTainted) return true
  return REPLACING.some((path) => differs(at(object, path), at(stored.object, path)))
}

/** T-6: what differs from the live object, as a JSON patch; undefined when nothing does. */
export function patchOf(
  { object }: JobResource,
  stored: Stored,
  live: JsonObject | undefined,
): readonly JsonObject[] | undefined {
  const read = live ?? stored.object
  const isOther = (path: readonly string[]): boolean => {
    const wanted = at(object, path)
    return wanted !== undefined && differs(wanted, at(read, path))
  }
  const patched = PATCHED.filter((field) => isOther(['spec', field]))
  const shown = SHOWN.filter((field) => isOther(['spec', field]))
  const metadata = metadataPatch(object, stored, read)
  if (patched.length + shown.length + metadata.length === 0) return undefined
  const fields = patched.map((field) => ({
    op: 'replace',
    path: `/spec/${field}`,
    value: at(object, ['spec', field]) ?? null,
  }))
  return [...metadata, ...fields]
}

/** Labels and annotations that were written here; those of others stay. */
function metadataPatch(
  object: JsonObject,
  stored: Stored,
  read: JsonObject,
): readonly JsonObject[] {
  const ops: JsonObject[] = []
  for (const part of ['labels', 'annotations'] as const) {
    const wanted = (at(object, ['metadata', part]) ?? {}) as JsonObject
    const before = (at(stored.object, ['metadata', part]) ?? {}) as JsonObject
    const there = at(read, ['metadata', part]) as JsonObject | undefined
    const own: readonly (readonly [string, Json | undefined])[] = Object.entries(wanted)
    const changed = own.filter(([key, value]) => there?.[key] !== value)
    const gone = Object.keys(before).filter((key) => !(key in wanted) && there?.[key] !== undefined)
    if (there === undefined && changed.length > 0) {
      ops.push({ op: 'add', path: `/metadata/${part}`, value: wanted })
      continue
    }
    for (const [key, value] of changed) {
      ops.push({ op: 'add', path: `/metadata/${part}/${escaped(key)}`, value: value ?? null })
    }
    for (const key of gone) ops.push({ op: 'remove', path: `/metadata/${part}/${escaped(key)}` })
  }
  return ops
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function differs(one: Json | undefined, other: Json | undefined): boolean {
  return canonicalJson(one ?? null) !== canonicalJson(other ?? null)
}

export function storedOf(resource: JobResource, name: string, isTainted: boolean): Stored {
  return {
    namespace: stringAt(resource.object, ['metadata', 'namespace']) ?? 'default',
    name,
    object: resource.object,
    isTainted,
    deleteMs: resource.timeouts.deleteMs,
  }
}
