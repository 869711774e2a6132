import type { Functions } from './exec.ts'
import { int } from './sprig-numbers.ts'
import { deepEqual, isNil, itemsOf, truth, typeOf, type Value } from './value.ts'

/** Longer lists are refused: a template may not fill memory. */
const MOST_ITEMS = 100_000

/** A function of one list under its two names: `first`, `mustFirst`. */
function both(name: string, of: (list: readonly Value[], ...rest: Value[]) => Value): Functions {
  const called = (value: Value, ...rest: Value[]): Value => of(listIn(value, name), ...rest)
  return { [name]: called, [`must${name.charAt(0).toUpperCase()}${name.slice(1)}`]: called }
}

function listIn(value: Value, name: string): readonly Value[] {
  if (isNil(value))
    throw new Error('runtime error: invalid memory address or nil pointer dereference')
  const items = itemsOf(value)
  if (items === undefined) throw new Error(`Cannot find ${name} on type ${kindWord(value)}`)
  return items
}

function kindWord(value: Value): string {
  return typeof value === 'object' ? 'map' : typeOf(value)
}

function limited(list: readonly Value[]): readonly Value[] {
  if (list.length > MOST_ITEMS) throw new Error(`the list is longer than ${MOST_ITEMS}`)
  return list
}

function unique(list: readonly Value[]): readonly Value[] {
  const found: Value[] = []
  const plain = new Set<Value>()
  for (const item of list) {
    if (typeof item === 'object' && item !== null) {
      if (found.some((one) => deepEqual(one, item))) continue
    } else if (plain.has(item)) continue
    plain.add(item)
    found.push(item)
  }
  return found
}

function has(item: Value, list: Value): boolean {
  if (isNil(list)) return false
  return listIn(list, 'has').some((one) => deepEqual(one, item))
}

function sliced(list: readonly Value[], from: Value, to: Value): Value {
  const start = from === undefined ? 0 : Number(int(from))
  const end = to === undefined ? list.length : Number(int(to))
  if (list.length === 0) return undefined
  if (start < 0 || end > list.length || start > end) {
    throw new Error('runtime error: slice bounds out of range')
  }
  return list.slice(start, end)
}

function chunks(size: Value, list: Value): Value {
  const count = Number(size)
  const items = listIn(list, 'chunk')
  if (count <= 0) throw new Error('chunk size must be positive')
  return Array.from({ length: Math.ceil(items.length / count) }, (_, at) =>
    items.slice(at * count, (at + 1) * count),
  )
}

function upTo(from: bigint, to: bigint, step: bigint): bigint[] {
  if (step === 0n || (to < from ? step > 0n : step < 0n)) return []
  const items: bigint[] = []
  for (let at = from; step > 0n ? at < to : at > to; at += step) {
    if (items.length >= MOST_ITEMS) throw new Error(`the list is longer than ${MOST_ITEMS}`)
    items.push(at)
  }
  return items
}

function sequence(values: readonly Value[]): string {
  const [one = 0n, two = 0n, three = 0n] = values.map(int)
  if (values.length === 0 || values.length > 3) return ''
  const [start, step, end] =
    values.length === 1
      ? [1n, one < 1n ? -1n : 1n, one]
      : values.length === 2
        ? [one, two < one ? -1n : 1n, two]
        : [one, two, three]
  if (values.length === 3 && (end < start ? step > 0n : step < 0n)) return ''
  return upTo(start, end + (step < 0n ? -1n : 1n), step).join(' ')
}

export const lists: Functions = {
  list: (...values) => values,
  tuple: (...values) => values,
  ...both('first', (list) => list[0]),
  ...both('last', (list) => list.at(-1)),
  ...both('rest', (list) => (list.length === 0 ? undefined : list.slice(1))),
  ...both('initial', (list) => (list.length === 0 ? undefined : list.slice(0, -1))),
  ...both('append', (list, item) => limited([...list, item])),
  ...both('push', (list, item) => limited([...list, item])),
  ...both('prepend', (list, item) => limited([item, ...list])),
  ...both('reverse', (list) => list.toReversed()),
  ...both('uniq', unique),
  ...both('without', (list, ...cut) =>
    list.filter((item) => !cut.some((one) => deepEqual(one, item))),
  ),
  ...both('compact', (list) => list.filter(truth)),
  ...both('slice', (list, from, to) => sliced(list, from, to)),
  has,
  mustHas: has,
  chunk: chunks,
  mustChunk: chunks,
  concat: (...values) => limited(values.flatMap((value) => [...listIn(value, 'concat')])),
  until: (end) => upTo(0n, int(end), int(end) < 0n ? -1n : 1n),
  untilStep: (from, to, step) => upTo(int(from), int(to), int(step)),
  seq: (...values) => sequence(values),
}
