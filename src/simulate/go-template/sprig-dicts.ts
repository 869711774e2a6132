import type { Functions } from './exec.ts'
import { asMap } from './functions.ts'
import { text } from './sprig-texts.ts'
import { isMap, isNil, own, put, truth, typeOf, type Value, type ValueMap } from './value.ts'

function only(map: ValueMap, wants: (key: string) => boolean): ValueMap {
  const kept: { [key: string]: Value } = {}
  for (const key of Object.keys(map)) if (wants(key)) put(kept, key, map[key])
  return kept
}

/** As mergo: what is empty is filled, maps deep; `wins`: what is there is replaced. */
function mergeInto(target: ValueMap, others: readonly Value[], wins: boolean): Value {
  for (const other of others) {
    for (const [key, value] of Object.entries(asMap(other))) {
      const there = own(target, key)
      if (isNil(value)) {
        if (wins || !Object.hasOwn(target, key)) put(target, key, value)
      } else if (isMap(there) && isMap(value) && truth(there)) mergeInto(there, [value], wins)
      else if (wins || !truth(there)) put(target, key, value)
    }
  }
  return target
}

function merged(wins: boolean): (target: Value, ...others: Value[]) => Value {
  return (target, ...others) => {
    if (isNil(target)) throw new Error('assignment to entry in nil map')
    return mergeInto(asMap(target), others, wins)
  }
}

function dig(...values: Value[]): Value {
  if (values.length < 3) throw new Error('dig needs at least three arguments')
  let here: Value = values.at(-1)
  if (!isMap(here)) throw new Error(notAMap(here))
  for (const key of values.slice(0, -2)) {
    if (!isMap(here)) throw new Error(notAMap(here))
    if (!Object.hasOwn(here, text(key))) return values.at(-2)
    here = here[text(key)]
  }
  return here
}

function notAMap(value: Value): string {
  const got = isNil(value) ? 'nil' : typeOf(value)
  return `interface conversion: interface {} is ${got}, not map[string]interface {}`
}

export const dicts: Functions = {
  dict: (...values) => {
    const made: { [key: string]: Value } = {}
    for (let at = 0; at < values.length; at += 2) {
      put(made, text(values[at]), at + 1 < values.length ? values[at + 1] : '')
    }
    return made
  },
  get: (map, key) => (Object.hasOwn(asMap(map), text(key)) ? own(asMap(map), text(key)) : ''),
  set: (map, key, value) => {
    if (isNil(map)) throw new Error('assignment to entry in nil map')
    put(asMap(map), text(key), value)
    return map
  },
  unset: (map, key) => {
    Reflect.deleteProperty(asMap(map), text(key))
    return map
  },
  hasKey: (map, key) => Object.hasOwn(asMap(map), text(key)),
  pluck: (key, ...maps) =>
    maps.flatMap((map) =>
      Object.hasOwn(asMap(map), text(key)) ? [own(asMap(map), text(key))] : [],
    ),
  keys: (...maps) => maps.flatMap((map) => Object.keys(asMap(map)).sort()),
  values: (map) =>
    Object.keys(asMap(map))
      .sort()
      .map((key) => own(asMap(map), key)),
  pick: (map, ...keys) => only(asMap(map), (key) => keys.some((one) => text(one) === key)),
  omit: (map, ...keys) => only(asMap(map), (key) => !keys.some((one) => text(one) === key)),
  merge: merged(false),
  mustMerge: merged(false),
  mergeOverwrite: merged(true),
  mustMergeOverwrite: merged(true),
  dig,
}
