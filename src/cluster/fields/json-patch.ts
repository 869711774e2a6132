import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { PatchFault } from './contract.ts'
import { jsonKind } from './decode-scalar.ts'
import { equal } from './equal.ts'

/**
 * RFC 6902 as the API server applies it. Whatever an operation lacks, the answer is one and the
 * same: the server keeps its reasons to itself. Shares what stays.
 */
export function jsonPatch(target: JsonObject, operations: Json): JsonObject | PatchFault {
  if (operations === null) return target
  if (!isList(operations)) return unreadable(operations, '[]handlers.jsonPatchOp')
  for (const operation of operations) {
    if (operation === null) continue
    if (!isObject(operation)) return unreadable(operation, 'handlers.jsonPatchOp')
    for (const key of ['op', 'path', 'from']) {
      const value = operation[key] ?? null
      if (value !== null && typeof value !== 'string') {
        return unreadable(value, 'string', `jsonPatchOp.${key}`)
      }
    }
  }
  if (operations.length > MAX_OPERATIONS) return REJECTED
  let next: Json = target
  for (const operation of operations) {
    const done: Done = isObject(operation) ? perform(next, operation) : undefined
    if (done === undefined) return REJECTED
    next = done.value
  }
  return isObject(next) ? next : REJECTED
}

const MAX_OPERATIONS = 10000

const REJECTED: PatchFault = {
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
}

function unreadable(value: Json, type: string, field?: string): PatchFault {
  const into = field === undefined ? `Go value` : `Go struct field ${field}`
  const message = `error decoding patch: json: cannot unmarshal ${jsonKind(value)} into ${into} of type ${type}`
  return { code: 400, reason: 'BadRequest', message }
}

/** Undefined: the operation cannot be done. */
type Done = { readonly value: Json } | undefined

function perform(root: Json, operation: JsonObject): Done {
  const { path, from } = operation
  const op = typeof operation['op'] === 'string' ? operation['op'] : ''
  if (typeof path !== 'string') return undefined
  const value = operation['value'] ?? null
  switch (op) {
    case 'add':
      return at(root, path, (parent, key) => added(parent, key, value))
    case 'remove':
      return at(root, path, removed)
    case 'replace':
      if (path === '') return isObject(value) || isList(value) ? { value } : undefined
      return at(root, path, (parent, key) => replaced(parent, key, value))
    case 'test':
      return tested(root, path, value)
    case 'move':
    case 'copy': {
      const found = typeof from === 'string' ? valueAt(root, from) : undefined
      if (found === undefined || typeof from !== 'string') return undefined
      if (op === 'copy') return at(root, path, (parent, key) => added(parent, key, found.value))
      const without = at(root, from, removed)
      return without && at(without.value, path, (parent, key) => added(parent, key, found.value))
    }
    default:
      return undefined
  }
}

function tested(root: Json, path: string, value: Json): Done {
  const found = path === '' ? { value: root } : valueAt(root, path)
  return found !== undefined && equal(found.value, value) ? { value: root } : undefined
}

type Parent = JsonObject | readonly Json[]

function stepsOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Changes the parent of the last step of a path, and all above it. */
function at(root: Json, path: string, change: (parent: Parent, key: string) => Done): Done {
  return inside(root, stepsOf(path), change)
}

function inside(
  here: Json | undefined,
  steps: readonly string[],
  change: (parent: Parent, key: string) => Done,
): Done {
  const [key, ...rest] = steps
  if (key === undefined || !(isObject(here) || isList(here))) return undefined
  if (rest.length === 0) return change(here, key)
  if (isList(here)) {
    const index = indexOf(key, here.length)
    if (index === undefined || index >= here.length) return undefined
    const inner = inside(here[index], rest, change)
    return inner && { value: here.map((item, place) => (place === index ? inner.value : item)) }
  }
  const inner = inside(Object.hasOwn(here, key) ? here[key] : undefined, rest, change)
  return inner && { value: { ...here, [key]: inner.value } }
}

/** The value at a path; in an object whatever is not there is null. */
function valueAt(root: Json, path: string): Done {
  const steps = stepsOf(path)
  let here: Json | undefined = root
  for (const [place, key] of steps.entries()) {
    const isLast = place === steps.length - 1
    if (isList(here)) {
      const index = indexOf(key, here.length)
      if (index === undefined || index >= here.length) return undefined
      here = here[index]
    } else if (isObject(here)) {
      here = Object.hasOwn(here, key) ? here[key] : undefined
      if (here === undefined && !isLast) return undefined
    } else return undefined
  }
  return steps.length === 0 ? undefined : { value: here ?? null }
}

/** Negative positions count from the end. */
function indexOf(key: string, length: number): number | undefined {
  if (!/^[+-]?\d+$/.test(key)) return undefined
  const index = Number(key)
  const place = index < 0 ? index + length : index
  return place < 0 ? undefined : place
}

function added(parent: Parent, key: string, value: Json): Done {
  if (!isList(parent)) return { value: { ...parent, [key]: value } }
  if (key === '-') return { value: [...parent, value] }
  const index = indexOf(key, parent.length + 1)
  if (index === undefined || index > parent.length) return undefined
  return { value: [...parent.slice(0, index), value, ...parent.slice(index)] }
}

function replaced(parent: Parent, key: string, value: Json): Done {
  if (!isList(parent)) return { value: { ...parent, [key]: value } }
  const index = indexOf(key, parent.length)
  if (index === undefined || index >= parent.length) return undefined
  return { value: parent.map((item, place) => (place === index ? value : item)) }
}

function removed(parent: Parent, key: string): Done {
  if (isList(parent)) {
    const index = indexOf(key, parent.length)
    if (index === undefined || index >= parent.length) return undefined
    return { value: parent.filter((_, place) => place !== index) }
  }
  if (!isObject(parent) || parent[key] === undefined) return undefined
  const { [key]: _, ...rest } = parent
  return { value: rest }
}
