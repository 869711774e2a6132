import { isList, isObject, type Json, type Path } from '../core/json.ts'

/** Every string below `value`, with the way to it. */
export function stringsBelow(
  value: Json | undefined,
  path: Path = [],
): readonly { readonly path: Path; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (isList(value)) return value.flatMap((item, index) => stringsBelow(item, [...path, index]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => stringsBelow(item, [...path, key]))
}

/** Whether a string below `value` matches; much cheaper than looking at all of them. */
export function holdsText(value: Json | undefined, wanted: RegExp): boolean {
  if (typeof value === 'string') return wanted.test(value)
  if (isList(value)) return value.some((item) => holdsText(item, wanted))
  if (!isObject(value)) return false
  for (const key in value) if (holdsText(value[key], wanted)) return true
  return false
}
