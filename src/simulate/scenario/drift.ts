import { isList, isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import type { DriftEvent, ObjectRef } from '../world/world.ts'
import { keysOf } from './fields.ts'
import { isRemark } from './remarks.ts'
import { completed, kindOf, long, parseRef, refIn, settingIn, shownRef, valueOf } from './words.ts'

export { parseRef } from './words.ts'

export type Drift = Pick<DriftEvent, 'object' | 'action' | 'words'>

/**
 * What somebody does to live objects: `{object: Job/shop/migrate, delete: true}`, `{delete:
 * Job/shop/migrate}`, `{Deployment/shop/web: {spec.replicas: 5}}`, `{deployment: shop/web,
 * spec.replicas: 5}`, `{create: <manifest>}`, a list of these, or in words: `delete Job/shop/migrate`,
 * `kubectl -n shop scale deployment web --replicas=5`, `web replicas 2 -> 5`. `known`: the objects
 * of the folder, which complete a name; `other`: what the event says beside it. Undefined when it
 * cannot be understood.
 */
export function driftsOf(
  value: Json | undefined,
  known: readonly ObjectRef[] = [],
  other: JsonObject = {},
): readonly Drift[] | undefined {
  if (typeof value === 'string') return ofWords(value, known, other)
  if (isList(value)) return together(value.map((one) => driftsOf(one, known, other)))
  if (!isObject(value)) return undefined
  const { create } = value
  if (isObject(create)) return created(create)
  const deleted = refsOf(value['delete'] ?? value['deleted'] ?? value['remove'])
  if (deleted !== undefined) return deleted.map((ref) => deletion(completed(ref, known)))
  const named = Object.entries(value).filter(
    ([key]) => /^[A-Za-z.]+\/[\w./*-]+$/.test(key) && parseRef(key) !== undefined,
  )
  if (named.length > 0) {
    return together(named.map(([key, action]) => ofAction(parseRef(key), action, known)))
  }
  const object = refOf(value) ?? refOf(other)
  return ofAction(object, withoutRef(value), known)
}

function together(all: readonly (readonly Drift[] | undefined)[]): readonly Drift[] | undefined {
  const drifts = all.flatMap((one) => one ?? [])
  return all.includes(undefined) || drifts.length === 0 ? undefined : drifts
}

function created(body: JsonObject): readonly Drift[] | undefined {
  const kind = stringAt(body, ['kind'])
  const name = stringAt(body, ['metadata', 'name'])
  if (kind === undefined || name === undefined) return undefined
  const namespace = stringAt(body, ['metadata', 'namespace'])
  const object = { kind, name, ...(namespace === undefined ? {} : { namespace }) }
  return [{ object, action: { do: 'create', body }, words: `created ${shownRef(object)}` }]
}

function deletion(object: ObjectRef): Drift {
  return { object, action: { do: 'delete' }, words: `deleted ${shownRef(object)}` }
}

const DELETED = /^(?:deletes?|deleted|removed?|gone|absent|missing)$/

/** What is done to an object that is known: a word, or fields with their values. */
function ofAction(
  ref: ObjectRef | undefined,
  action: Json | undefined,
  known: readonly ObjectRef[],
): readonly Drift[] | undefined {
  if (ref === undefined) return undefined
  const object = completed(ref, known)
  if (action === null) return [deletion(object)]
  if (typeof action === 'string') {
    if (DELETED.test(action)) return [deletion(object)]
    const setting = settingIn(action, object)
    return setting === undefined
      ? undefined
      : changed(object, { [setting.field]: valueOf(setting.to) })
  }
  if (!isObject(action)) return undefined
  const said = action['action'] ?? action['do']
  const isDeletion =
    ['delete', 'deleted', 'remove', 'removed'].some((key) => action[key] === true) ||
    (typeof said === 'string' && DELETED.test(said))
  if (isDeletion) return [deletion(object)]
  const inner =
    action['change'] ?? action['set'] ?? action['fields'] ?? action['patch'] ?? action['edit']
  if (typeof inner === 'string') return ofAction(object, inner, known)
  if (isObject(inner)) return changed(object, inner)
  const { field, to } = action
  if (typeof field === 'string' && to !== undefined) return changed(object, { [field]: to })
  const { scale } = action
  if (typeof scale === 'number') return changed(object, { 'spec.replicas': scale })
  return changed(object, action)
}

function changed(object: ObjectRef, change: JsonObject): readonly Drift[] | undefined {
  const fields = Object.entries(change).flatMap(([path, value]) => {
    if (isRemark(path) || value === undefined) return []
    return [[long(path), value] as const]
  })
  if (fields.length === 0 || fields.some(([path]) => !isField(path))) return undefined
  const said = fields.map(([path, value]) => `${path}=${JSON.stringify(value)}`)
  return [
    {
      object,
      action: { do: 'set', fields: fields.map(([path, value]) => [pathOf(path, object), value]) },
      words: `set ${said.join(', ')} of ${shownRef(object)}`,
    },
  ]
}

function isField(path: string): boolean {
  return path === 'image' || /^(?:spec|metadata|data|stringData|status)(?:\.|\[|$)/.test(path)
}

/** The image of an object is that of its first container. */
function pathOf(path: string, { kind }: ObjectRef): readonly string[] {
  if (path !== 'image') return keysOf(path)
  return keysOf(
    `spec.${kind === 'CronJob' ? 'jobTemplate.spec.' : ''}template.spec.containers[0].image`,
  )
}

const REF_KEYS = ['object', 'target', 'resource', 'of'] as const

function refOf(value: JsonObject): ObjectRef | undefined {
  for (const key of REF_KEYS) {
    const named = value[key]
    if (typeof named === 'string') return parseRef(named)
    if (isObject(named)) return refOf(named)
  }
  const kind = stringAt(value, ['kind'])
  const name = stringAt(value, ['name'])
  if (kind !== undefined && name !== undefined) {
    const namespace = stringAt(value, ['namespace'])
    return { kind: kindOf(kind) ?? kind, name, ...(namespace === undefined ? {} : { namespace }) }
  }
  for (const [key, place] of Object.entries(value)) {
    const own = kindOf(key)
    if (own !== undefined && typeof place === 'string') return parseRef(`${own}/${place}`)
  }
  return undefined
}

function withoutRef(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([key, place]) =>
        !REF_KEYS.some((one) => one === key) &&
        !['kind', 'name', 'namespace'].includes(key) &&
        (kindOf(key) === undefined || typeof place !== 'string'),
    ),
  )
}

function refsOf(value: Json | undefined): readonly ObjectRef[] | undefined {
  const texts = isList(value) ? value : [value]
  const refs = texts.map((one) =>
    typeof one === 'string' ? parseRef(one) : isObject(one) ? refOf(one) : undefined,
  )
  return refs.some((ref) => ref === undefined) ? undefined : refs.filter((ref) => ref !== undefined)
}

function ofWords(
  text: string,
  known: readonly ObjectRef[],
  other: JsonObject,
): readonly Drift[] | undefined {
  const object = refIn(text, known) ?? refOf(other)
  if (object === undefined) return undefined
  if (/\b(?:deletes?|deleted|removes?|removed)\b/i.test(text))
    return [deletion(completed(object, known))]
  const setting = settingIn(text, object)
  if (setting === undefined) return undefined
  return changed(completed(object, known), { [setting.field]: valueOf(setting.to) })
}
