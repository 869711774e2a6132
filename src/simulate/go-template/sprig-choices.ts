import type { Functions } from './exec.ts'
import { parseVersion, satisfies, versionObject } from './semver.ts'
import { text } from './sprig-texts.ts'
import {
  deepEqual,
  isMap,
  isNil,
  isSequence,
  kindOf,
  put,
  truth,
  typeOf,
  type Value,
} from './value.ts'

function deepCopy(value: Value): Value {
  if (isSequence(value)) return value.map(deepCopy)
  if (!isMap(value)) return value
  const copy: { [key: string]: Value } = {}
  for (const [key, item] of Object.entries(value)) put(copy, key, deepCopy(item))
  return copy
}

const copied = (value: Value): Value => {
  if (isNil(value)) throw new Error('reflect: call of reflect.Value.Type on zero Value')
  return deepCopy(value)
}

export const choices: Functions = {
  default: (fallback, ...values) => (truth(values[0]) ? values[0] : fallback),
  empty: (value) => !truth(value),
  coalesce: (...values) => values.find(truth),
  all: (...values) => values.every(truth),
  any: (...values) => values.some(truth),
  ternary: (yes, no, value) => (value === true ? yes : no),
  fail: (message) => {
    throw new Error(text(message))
  },
  required: (message, value) => {
    if (isNil(value) || value === '') throw new Error(text(message))
    return value
  },
  kindIs: (kind, value) => kindOf(value) === text(kind),
  kindOf,
  typeOf,
  typeIs: (type, value) => typeOf(value) === text(type),
  typeIsLike: (type, value) => [text(type), `*${text(type)}`].includes(typeOf(value)),
  deepEqual: (one, other) => deepEqual(one, other),
  deepCopy: copied,
  mustDeepCopy: copied,
  lookup: () => ({}),
  semver: (version) => versionObject(parseVersion(text(version))),
  semverCompare: (range, version) => satisfies(text(range), parseVersion(text(version))),
}
