import { isList, isObject, type Json } from '../../core/json.ts'
import { compareText } from '../../core/text.ts'
import type { TypeRef } from './contract.ts'
import { zeroValue } from './schema.ts'

/**
 * Elements of field paths, as FieldsV1 spells them: `f:name`, `k:{"name":"a"}`, `v:"x"`; and as
 * messages spell them: `.name`, `[name="a"]`, `[="x"]`.
 */
export type Element = string

/** An element, or why the item can have none. */
export type Elementary = { readonly element: Element } | { readonly fault: string }

export function fieldElement(name: string): Element {
  return `f:${name}`
}

/** The element of an item of a set or a keyed list. */
export function itemElement(item: Json | undefined, type: TypeRef): Elementary {
  const keys = type.mapKeys ?? []
  if (keys.length === 0) return setElement(item)
  if (item === null || item === undefined) {
    return { fault: 'associative list with keys may not have a null element' }
  }
  if (!isObject(item)) {
    return { fault: 'associative list with keys may not have non-map elements' }
  }
  const parts: string[] = []
  for (const key of keys.length > 1 ? [...keys].sort(compareText) : keys) {
    const value = item[key] ?? (Object.hasOwn(item, key) ? item[key] : undefined)
    const used = value === undefined ? defaultOf(type.items?.fields?.get(key)) : value
    if (used !== undefined) parts.push(`${JSON.stringify(key)}:${escaped(used)}`)
  }
  if (parts.length === 0) {
    const names = `[${keys.map((key) => `"${key}"`).join(' ')}]`
    return {
      fault:
        `associative list with keys has an element that omits all key fields ${names} ` +
        `(and doesn't have default values for any key fields)`,
    }
  }
  return { element: `k:{${parts.join(',')}}` }
}

/** A field that Go always writes has its zero value for a default. */
function defaultOf(type: TypeRef | undefined): Json | undefined {
  if (type === undefined || type.default !== undefined) return type?.default
  const isAlways = type.goType !== undefined && type.omitEmpty !== true && type.pointer !== true
  return isAlways ? zeroValue(type) : undefined
}

function setElement(item: Json | undefined): Elementary {
  if (isObject(item)) {
    return { fault: `associative list without keys has an element that's a map type` }
  }
  if (isList(item)) return { fault: 'not supported: associative list with lists as elements' }
  if (item === null || item === undefined) {
    return { fault: `associative list without keys has an element that's an explicit null` }
  }
  return { element: `v:${escaped(item)}` }
}

/** JSON as Go writes it: safe inside HTML. */
function escaped(value: Json): string {
  if (typeof value === 'bigint') return value.toString()
  const text = JSON.stringify(value)
  return /[<>&\u2028\u2029]/.test(text)
    ? text.replaceAll(/[<>&\u2028\u2029]/g, (found) => {
        return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
      })
    : text
}

const RANKS: Readonly<Record<string, number>> = { '.': 0, f: 1, k: 2, v: 3, i: 4 }

/** Fields before keys before values; fields by name, the others by what they hold. */
export function compareElements(one: Element, other: Element): number {
  if (one === other) return 0
  const rank = one[0] ?? ''
  const ranks = (RANKS[rank] ?? 9) - (RANKS[other[0] ?? ''] ?? 9)
  if (ranks !== 0) return ranks
  if (rank !== 'k' && rank !== 'v') return compareText(one, other)
  const [mine, theirs] = [held(one), held(other)]
  return rank === 'v' ? compareValues(mine, theirs) : compareKeys(mine, theirs)
}

function held(element: Element): Json {
  try {
    return JSON.parse(element.slice(2)) as Json
  } catch {
    return element
  }
}

function compareKeys(one: Json, other: Json): number {
  if (!isObject(one) || !isObject(other)) return compareValues(one, other)
  const mine = Object.entries(one)
  const theirs = Object.entries(other)
  for (let at = 0; ; at += 1) {
    const [left, right] = [mine[at], theirs[at]]
    if (left === undefined || right === undefined) return mine.length - theirs.length
    const names = compareText(left[0], right[0])
    if (names !== 0) return names
    const values = compareValues(left[1] ?? null, right[1] ?? null)
    if (values !== 0) return values
  }
}

/** Numbers before text before booleans, as the server sorts values of unlike types. */
function compareValues(one: Json, other: Json): number {
  const rank = (value: Json): number =>
    ['number', 'string', 'boolean', 'object'].indexOf(typeof value)
  const ranks = rank(one) - rank(other)
  if (ranks !== 0) return ranks
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other)
  return Number(one) - Number(other)
}

/** `.spec.template.spec.containers[name="main"].image` */
export function pathText(path: readonly Element[]): string {
  return path.map(elementText).join('')
}

export function elementText(element: Element): string {
  if (element.startsWith('f:')) return `.${element.slice(2)}`
  const value = held(element)
  if (element.startsWith('v:')) return `[=${valueText(value)}]`
  if (!isObject(value)) return `[${element.slice(2)}]`
  const parts = Object.entries(value).map(([name, at]) => {
    return `${name}=${valueText(at ?? null)}`
  })
  return `[${parts.join(',')}]`
}

function valueText(value: Json): string {
  if (isList(value)) return `[${value.map(valueText).join(',')}]`
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, member]) => `${name}=${valueText(member ?? null)}`)
      .join('')
  }
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}
