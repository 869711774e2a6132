import { Fault } from './faults.ts'
import { fieldPath, type Json, type Path } from './json.ts'

const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * The one text of a value, by RFC 8785: no white space, keys in the order of their UTF-16 code
 * units, strings and numbers as ECMAScript writes them. A bigint is written in full; a member that
 * is undefined is left out, as in JSON.stringify.
 * Refused with VALUE_NOT_CANONICAL and the field path: whatever has no JSON form that every reader
 * would take for the same value (NaN, Infinity, half a surrogate pair, undefined in a list, and
 * instances of classes, of which JSON.stringify would make `{}` or a string without a word).
 */
export function canonicalJson(value: Json): string {
  return write(value, [])
}

/** `path` is the way to `value`; each call leaves it as it was. */
function write(value: unknown, path: (string | number)[]): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') {
    return String(value)
  }
  if (typeof value === 'string') return writeString(value, path)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refusal(String(value), path)
    return String(value)
  }
  if (typeof value !== 'object') throw refusal(typeof value, path)
  return Array.isArray(value) ? writeList(value, path) : writeObject(value, path)
}

function writeString(text: string, path: Path): string {
  if (LONE_SURROGATE.test(text)) throw refusal('text with half a surrogate pair', path)
  return JSON.stringify(text)
}

function writeList(list: readonly unknown[], path: (string | number)[]): string {
  const items: string[] = []
  // By index: holes of a sparse list are undefined too, and map() would skip them.
  for (let index = 0; index < list.length; index += 1) {
    path.push(index)
    items.push(write(list[index], path))
    path.pop()
  }
  return `[${items.join(',')}]`
}

function writeObject(object: object, path: (string | number)[]): string {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) {
    throw refusal(`an instance of ${object.constructor.name}`, path)
  }
  const members: string[] = []
  // The default order of sort() is that of UTF-16 code units, which the RFC asks for.
  for (const key of Object.keys(object).sort()) {
    const value = (object as Record<string, unknown>)[key]
    if (value === undefined) continue
    const name = writeString(key, path)
    path.push(key)
    members.push(`${name}:${write(value, path)}`)
    path.pop()
  }
  return `{${members.join(',')}}`
}

function refusal(found: string, path: Path): Fault {
  const where = path.length === 0 ? 'the value' : fieldPath(path)
  return new Fault('VALUE_NOT_CANONICAL', {
    what: `${where} is ${found}`,
    why: 'it has no JSON form that every reader takes for the same value, so it cannot be hashed',
    remedy: 'write it as plain JSON data: text, a finite number, true, false, null, list or map',
  })
}
