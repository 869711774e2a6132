import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { PatchFault } from './contract.ts'
import { equal } from './equal.ts'

/** RFC 6902, with the texts of the API server. Shares what stays. */
export function jsonPatch(target: JsonObject, operations: Json): JsonObject | PatchFault {
  if (!isList(operations))
    return unreadable('json: cannot unmarshal object into Go value of type jsonpatch.Patch')
  let next: Json | undefined = target
  for (const operation of operations) {
    if (!isObject(operation)) return unreadable('an operation is no object')
    const result = step(next, operation)
    if ('message' in result) return result
    next = result.value
  }
  return isObject(next) ? next : unreadable('the result is no object')
}

function unreadable(message: string): PatchFault {
  return { code: 400, reason: 'BadRequest', message }
}

function invalid(message: string): PatchFault {
  return { code: 422, reason: 'Invalid', message }
}

type Stepped = { readonly value: Json | undefined } | PatchFault

function step(root: Json | undefined, operation: JsonObject): Stepped {
  const path = pointer(operation['path'])
  const from = pointer(operation['from'])
  const op = operation['op']
  if (path === undefined) return invalid('the path is missing')
  if (op === 'add') return put(root, path, operation['value'] ?? null, 'add')
  if (op === 'replace') return put(root, path, operation['value'] ?? null, 'replace')
  if (op === 'remove') return put(root, path, undefined, 'remove')
  if (op === 'test') {
    return equal(read(root, path) ?? null, operation['value'] ?? null)
      ? { value: root }
      : invalid('testing value failed')
  }
  if (from === undefined) return invalid(`Unexpected kind: ${String(op)}`)
  const moved = read(root, from)
  if (moved === undefined) return invalid('the from path does not exist')
  if (op === 'copy') return put(root, path, moved, 'add')
  const without = put(root, from, undefined, 'remove')
  return 'message' in without ? without : put(without.value, path, moved, 'add')
}

function pointer(text: Json | undefined): readonly string[] | undefined {
  if (typeof text !== 'string') return undefined
  const parts = text.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function read(root: Json | undefined, path: readonly string[]): Json | undefined {
  let here = root
  for (const key of path) {
    if (isList(here)) here = here[Number(key)]
    else if (isObject(here)) here = Object.hasOwn(here, key) ? here[key] : undefined
    else return undefined
  }
  return here
}

function put(
  root: Json | undefined,
  path: readonly string[],
  value: Json | undefined,
  how: 'add' | 'replace' | 'remove',
): Stepped {
  const [key, ...rest] = path
  if (key === undefined) return { value }
  const missing = invalid(`the path ${path.join('/')} does not exist`)
  if (isList(root)) {
    const at = key === '-' ? root.length : Number(key)
    if (!Number.isInteger(at) || at < 0 || at > root.length) return missing
    if (rest.length === 0) {
      if (how !== 'add' && at >= root.length) return missing
      const next = [...root]
      if (value === undefined) next.splice(at, 1)
      else next.splice(at, how === 'add' ? 0 : 1, value)
      return { value: next }
    }
    const inner = put(root[at], rest, value, how)
    if ('message' in inner) return inner
    return { value: root.map((item, index) => (index === at ? (inner.value ?? null) : item)) }
  }
  if (!isObject(root)) return missing
  if (rest.length === 0) {
    if (how !== 'add' && root[key] === undefined) return missing
    const next: { [key: string]: Json | undefined } = { ...root, [key]: value }
    if (value === undefined) delete next[key]
    return { value: next }
  }
  const inner = put(root[key], rest, value, how)
  if ('message' in inner) return inner
  return { value: { ...root, [key]: inner.value } }
}
