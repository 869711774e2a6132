import type { Chance } from '../../../src/cluster/chance.ts'
import { isObject, type Json, type JsonObject } from '../../../src/core/json.ts'
import { pick } from './pick.ts'

const VALUES: readonly Json[] = [
  null,
  '',
  'x',
  'A b',
  'x'.repeat(64),
  0,
  -1,
  1.5,
  2147483647,
  2147483648,
  true,
  false,
  [],
  {},
  ['x'],
  { a: 'b' },
  'true',
  '1',
]

/** One fault somewhere: a value of another kind, a key too many or one too few, an item twice. */
export function mutated(chance: Chance, object: JsonObject): JsonObject {
  const paths = pathsOf(object).filter((path) => !isIdentity(path))
  if (paths.length === 0) return object
  return changedAt(object, pick(chance, paths), chance) as JsonObject
}

function isIdentity(path: readonly (string | number)[]): boolean {
  const [first, second] = path
  return path.length === 1 &&
    first !== undefined &&
    ['kind', 'apiVersion', 'metadata'].includes(String(first))
    ? true
    : first === 'metadata' && second === 'name'
}

function pathsOf(value: Json, at: readonly (string | number)[] = []): (string | number)[][] {
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((item, index) => {
      const path = [...at, index]
      return [path, ...pathsOf(item, path)]
    })
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const path = [...at, key]
    return item === undefined ? [] : [path, ...pathsOf(item, path)]
  })
}

function changedAt(value: Json, path: readonly (string | number)[], chance: Chance): Json {
  const [step, ...rest] = path
  if (Array.isArray(value) && typeof step === 'number') {
    const list = [...(value as readonly Json[])]
    const item = list[step] as Json
    if (rest.length > 0) list[step] = changedAt(item, rest, chance)
    else {
      const at = chance.next()
      if (at < 0.4) list.splice(step, 1)
      else if (at < 0.6) list.push(item)
      else list[step] = pick(chance, VALUES)
    }
    return list
  }
  if (!isObject(value) || typeof step !== 'string') return value
  const { [step]: item = null, ...others } = value
  if (rest.length > 0) return { ...value, [step]: changedAt(item, rest, chance) }
  const at = chance.next()
  if (at < 0.25) return others
  if (at < 0.35) return { ...others, [`${step}x`]: item }
  return { ...value, [step]: pick(chance, VALUES) }
}
