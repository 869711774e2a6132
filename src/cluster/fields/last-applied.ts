import { isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'
import { compare } from './compare.ts'
import { fieldSetOf } from './own.ts'
import { difference, type FieldSet } from './set.ts'

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration'

/** What client-side apply said last, as far as the live object still has it so. */
export function allowedByLastApplied(live: JsonObject, type: TypeRef): FieldSet | undefined {
  const text = stringAt(live, ['metadata', 'annotations', ANNOTATION])
  if (text === undefined || text === '') return undefined
  const last = parsed(text)
  if (!isObject(last) || last['apiVersion'] !== live['apiVersion']) return undefined
  const { added, modified, removed } = compare(last, live, type)
  return difference(difference(difference(fieldSetOf(last, type), modified), added), removed)
}

/** kubectl's apply keeps the annotation of client-side apply, where there is one, up to date. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const { metadata } = object
  if (!isObject(metadata) || !isObject(metadata['annotations'])) return object
  if ((stringAt(metadata, ['annotations', ANNOTATION]) ?? '') === '') return object
  const annotations = { ...metadata['annotations'], [ANNOTATION]: `${written(config)}\n` }
  return { ...object, metadata: { ...metadata, annotations } }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** JSON with sorted keys, as Go writes maps, without the annotation itself. */
function written(config: JsonObject): string {
  const metadata = config['metadata']
  if (!isObject(metadata) || !isObject(metadata['annotations'])) return text(config)
  const { [ANNOTATION]: _, ...annotations } = metadata['annotations']
  const { annotations: __, ...rest } = metadata
  const left = Object.keys(annotations).length === 0 ? rest : { ...rest, annotations }
  return text({ ...config, metadata: left })
}

function text(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => text(item)).join(',')}]`
  if (isObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${text(key)}:${text(value[key])}`)
    return `{${members.join(',')}}`
  }
  if (typeof value === 'bigint') return value.toString()
  return JSON.stringify(value ?? null).replaceAll(/[<>&]/g, (found) => {
    return `\\u00${found.charCodeAt(0).toString(16)}`
  })
}
