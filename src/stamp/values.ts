import { isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts'

/** A copy of a value with another one at `path`; missing mappings on the way are made. */
export function withValue(value: Json | undefined, path: Path, replacement: Json): Json {
  const [step, ...rest] = path
  if (step === undefined) return replacement
  if (typeof step === 'number') {
    const list = isList(value) ? value : []
    return list.map((item, index) => (index === step ? withValue(item, rest, replacement) : item))
  }
  const object: JsonObject = isObject(value) ? value : {}
  const before = Object.hasOwn(object, step) ? object[step] : undefined
  return { ...object, [step]: withValue(before, rest, replacement) }
}

export interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A text with some of its parts replaced. */
export function withParts(text: string, parts: readonly Replacement[]): string {
  let made = ''
  let at = 0
  for (const part of [...parts].sort((one, other) => one.start - other.start)) {
    made += text.slice(at, part.start) + part.text
    at = part.end
  }
  return made + text.slice(at)
}

/** Equal as JSON; the order of keys does not count. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (typeof one === 'number' && typeof other === 'number') return Object.is(one, other)
  if (isList(one)) {
    return (
      isList(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    )
  }
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  )
}
