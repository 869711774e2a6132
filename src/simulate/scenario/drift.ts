import { isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import type { DriftEvent, ObjectRef } from '../world/world.ts'
import { withField } from './fields.ts'

type Drift = Pick<DriftEvent, 'object' | 'action' | 'words'>

/**
 * What somebody does to a live object: `{object: Job/shop/migrate, delete: true}`,
 * `{object: Deployment/shop/web, change: {spec.replicas: 5}}`, `{create: <manifest>}`, or in words
 * as kubectl has them: `delete Job/shop/migrate`. Undefined when it cannot be understood.
 */
export function driftOf(value: Json | undefined): Drift | undefined {
  if (typeof value === 'string') return driftOfWords(value)
  if (!isObject(value)) return undefined
  const { create } = value
  if (isObject(create)) {
    const kind = stringAt(create, ['kind'])
    const name = stringAt(create, ['metadata', 'name'])
    if (kind === undefined || name === undefined) return undefined
    const namespace = stringAt(create, ['metadata', 'namespace'])
    const object = { kind, name, ...(namespace === undefined ? {} : { namespace }) }
    return { object, action: { do: 'create', body: create }, words: `created ${shown(object)}` }
  }
  const object = refOf(value)
  if (object === undefined) return undefined
  const deleted = value['delete']
  if (deleted === true || stringAt(value, ['action']) === 'delete') {
    return { object, action: { do: 'delete' }, words: `deleted ${shown(object)}` }
  }
  const change = value['change'] ?? value['set'] ?? value['fields'] ?? fieldsOf(value)
  if (!isObject(change) || Object.keys(change).length === 0) return undefined
  return changed(object, change)
}

function changed(object: ObjectRef, change: JsonObject): Drift {
  const body = Object.entries(change).reduce<JsonObject>(
    (made, [path, value]) => withField(made, path.split('.'), value),
    {},
  )
  const fields = Object.entries(change).map(([path, value]) => `${path}=${JSON.stringify(value)}`)
  return {
    object,
    action: { do: 'patch', body },
    words: `set ${fields.join(', ')} of ${shown(object)}`,
  }
}

/** Keys with a dot or a slash are fields of the object itself. */
function fieldsOf(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => /^(?:spec|metadata|data)\./.test(key)),
  )
}

const SHORT: Readonly<Record<string, string>> = {
  job: 'Job',
  cronjob: 'CronJob',
  deployment: 'Deployment',
  configmap: 'ConfigMap',
  secret: 'Secret',
  pod: 'Pod',
}

function refOf(value: JsonObject): ObjectRef | undefined {
  const object = value['object']
  if (typeof object === 'string') return parseRef(object)
  if (isObject(object)) {
    const kind = stringAt(object, ['kind'])
    const name = stringAt(object, ['name'])
    const namespace = stringAt(object, ['namespace'])
    if (kind === undefined || name === undefined) return undefined
    return { kind, name, ...(namespace === undefined ? {} : { namespace }) }
  }
  for (const [key, kind] of Object.entries(SHORT)) {
    const name = value[key]
    if (typeof name === 'string') return parseRef(`${kind}/${name}`)
  }
  return undefined
}

/** `Kind/namespace/name`, `Kind namespace/name`, `kind/name`. */
export function parseRef(text: string): ObjectRef | undefined {
  const [kind = '', ...rest] = text.trim().split(/[\s/]+/)
  const [first, second] = rest
  if (kind === '' || first === undefined || rest.length > 2) return undefined
  const known = SHORT[kind.toLowerCase()] ?? kind
  return second === undefined
    ? { kind: known, name: first }
    : { kind: known, namespace: first, name: second }
}

function driftOfWords(text: string): Drift | undefined {
  const plain = text.replace(/^kubectl\s+/, '')
  const deletion = /^deletes?d?\s+(\S+(?:\s+\S+)?)(?:\s+-n\s+(\S+))?$/.exec(plain)
  if (deletion !== null) {
    const parsed = parseRef(deletion[1] ?? '')
    if (parsed === undefined) return undefined
    const namespace = deletion[2] ?? parsed.namespace
    const object = { ...parsed, ...(namespace === undefined ? {} : { namespace }) }
    return { object, action: { do: 'delete' }, words: `deleted ${shown(object)}` }
  }
  const setting = /^(\S+)\s+((?:spec|metadata|data)\.\S+?)\s*(?:=|:|->|to)\s*(\S+)$/.exec(plain)
  if (setting === null) return undefined
  const object = parseRef(setting[1] ?? '')
  const [, , field = '', raw = ''] = setting
  return object === undefined ? undefined : changed(object, { [field]: valueOf(raw) })
}

function valueOf(text: string): Json {
  if (/^-?\d+$/.test(text)) return Number(text)
  if (text === 'true' || text === 'false') return text === 'true'
  return text
}

function shown({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`
}
