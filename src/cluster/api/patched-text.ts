import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { TypeRef } from '../fields/contract.ts'
import { escapeHtml } from './go-text.ts'

/**
 * A patched object as the server shows it where it cannot read it: what the patch went through has
 * its keys in order, everything else stands in the order of Go's types.
 */
export function patchedText(object: JsonObject, type: TypeRef, touched: Touched): string {
  return escapeHtml(text(object, type, touched))
}

/** The ways that a patch went: true, or what it went through below. */
export type Touched = ReadonlyMap<string, Touched>

const NOTHING: Touched = new Map()

export function touchedByMerge(patch: Json): Touched {
  if (isList(patch)) {
    return new Map(patch.map((item, at) => [String(at), touchedByMerge(item)] as const))
  }
  if (!isObject(patch)) return NOTHING
  return new Map(
    Object.entries(patch).map(([key, value]) => [key, touchedByMerge(value ?? null)] as const),
  )
}

export function touchedByJson(operations: Json): Touched {
  const root = new Map<string, Touched>()
  for (const operation of isList(operations) ? operations : []) {
    if (!isObject(operation)) continue
    for (const pointer of [operation['path'], operation['from']]) {
      if (typeof pointer === 'string') mark(root, pointer.split('/').slice(1))
    }
  }
  return root
}

function mark(root: Map<string, Touched>, steps: readonly string[]): void {
  let here = root
  for (const step of steps) {
    const known = here.get(step)
    const next = known instanceof Map ? known : new Map<string, Touched>()
    here.set(step, next)
    here = next
  }
}

function text(value: Json, type: TypeRef | undefined, touched: Touched | undefined): string {
  if (isList(value)) {
    const items = value.map((item, at) => text(item, type?.items, touched?.get(String(at))))
    return `[${items.join(',')}]`
  }
  if (!isObject(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  const keys = touched === undefined ? inOrderOfType(value, type) : Object.keys(value).sort()
  const members: string[] = []
  for (const key of keys) {
    const member = value[key]
    if (member === undefined) continue
    const inner = type?.fields?.get(key) ?? type?.items
    members.push(`${JSON.stringify(key)}:${text(member, inner, touched?.get(key))}`)
  }
  return `{${members.join(',')}}`
}

function inOrderOfType(value: JsonObject, type: TypeRef | undefined): readonly string[] {
  const keys = Object.keys(value).sort()
  if (type?.kind !== 'object' || type.fields === undefined) return keys
  const order = [...type.fields.keys()]
  const place = (key: string): number => {
    const at = order.indexOf(key)
    return at < 0 ? order.length : at
  }
  return keys.sort((one, other) => place(one) - place(other))
}

/** Go's %+v of what JSON holds. */
export function goValue(value: Json | undefined): string {
  if (value === null || value === undefined) return '<nil>'
  if (isList(value)) return `[${value.map(goValue).join(' ')}]`
  if (!isObject(value)) return String(value)
  const keys = Object.keys(value).sort()
  return `map[${keys.map((key) => `${key}:${goValue(value[key])}`).join(' ')}]`
}

/** A strategic merge patch is converted, not decoded: the same faults in other words. */
export function conversionFault(message: string): string {
  const match = /^json: cannot unmarshal (\w+) into Go struct field \S+ of type (.+)$/.exec(message)
  if (match === null) return message
  const [, what = '', wanted = ''] = match
  const is = what === 'number' ? 'int64' : what
  if (wanted.startsWith('[]')) return `cannot restore slice from ${is}`
  if (wanted.startsWith('map[')) return `cannot restore map from ${is}`
  if (wanted.includes('.') && /\.[A-Z]\w*(Spec|Status|Template|Source|Meta)\b/.test(wanted)) {
    return `cannot restore struct from: ${is}`
  }
  return `cannot convert ${is} to ${wanted}`
}
