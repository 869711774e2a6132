import { canonicalJson } from '../canonical-json.ts'
import { sha8 } from '../hash.ts'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'

/** Parts that are digested piece by piece, as long as everything around them is one of these. */
const OPENED: ReadonlySet<string> = new Set([
  'annotations',
  'config',
  'containers',
  'env',
  'initContainers',
  'jobTemplate',
  'labels',
  'metadata',
  'spec',
  'template',
  'volumes',
])

/**
 * Short digests of the parts of a covered value, by field path. Items of lists are named by their
 * names (`containers[migrate].env[REGION]`), and the path of the list itself stands for their
 * order. Two values have the same digests exactly when they are equal, but for collisions.
 */
export function fieldDigests(covered: JsonObject): Readonly<Record<string, string>> {
  const digests = new Map<string, string>()
  const put = (path: string, value: Json): void => {
    digests.set(path, sha8(canonicalJson(value)))
  }
  const open = (value: JsonObject, path: string): void => {
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue
      const here = join(path, key)
      if (OPENED.has(key) && isObject(item) && Object.keys(item).length > 0) open(item, here)
      else if (OPENED.has(key) && isList(item) && item.every(isObject)) openList(item, key, here)
      else put(here, item)
    }
  }
  const openList = (list: readonly JsonObject[], key: string, path: string): void => {
    const names = list.map((item) => item['name'] ?? null)
    put(path, names)
    for (const [index, item] of list.entries()) {
      const name = names[index] ?? null
      if (names.indexOf(name) < index) continue
      const here = `${path}[${typeof name === 'string' ? bare(name) : `#${index}`}]`
      const same = list.filter((other) => (other['name'] ?? null) === name)
      if (same.length > 1) put(here, same)
      else if (key === 'env' || key === 'volumes') put(here, item)
      else open(typeof name === 'string' ? { ...item, name: undefined } : item, here)
    }
  }
  open(covered, '')
  return Object.fromEntries([...digests].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function join(path: string, key: string): string {
  const plain = /^[A-Za-z0-9_-]+$/.test(key)
  if (!plain) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

function bare(name: string): string {
  return /^[A-Za-z0-9_.-]+$/.test(name) ? name : JSON.stringify(name)
}
