import { at, stringAt, type JsonObject } from '../../../core/json.ts'

/** A kustomize selector: anchored patterns, all of which must match; labels as `key=value`. */
export function isSelected(target: JsonObject | undefined, object: JsonObject): boolean {
  if (target === undefined) return true
  const [, group = '', version = ''] =
    /^(?:(.*)\/)?(.*)$/.exec(stringAt(object, ['apiVersion']) ?? '') ?? []
  const values: { readonly [key: string]: string } = {
    group,
    version,
    kind: stringAt(object, ['kind']) ?? '',
    name: stringAt(object, ['metadata', 'name']) ?? '',
    namespace: stringAt(object, ['metadata', 'namespace']) ?? '',
  }
  const fields = Object.entries(values).every(([key, value]) => {
    const pattern = stringAt(target, [key]) ?? ''
    return pattern === '' || isMatch(pattern, value)
  })
  if (!fields) return false
  return (['label', 'annotation'] as const).every((word) => {
    const selector = stringAt(target, [`${word}Selector`]) ?? ''
    return selector.split(',').every((part) => hasPair(object, `${word}s`, part.trim()))
  })
}

function hasPair(object: JsonObject, part: string, pair: string): boolean {
  if (pair === '') return true
  const [key = '', value] = pair.split(/==?/)
  const there = at(object, ['metadata', part, key.trim()])
  return value === undefined ? there !== undefined : there === value.trim()
}

/** Go's patterns take linear time, ours do not: odd ones count as no match. */
function isMatch(pattern: string, value: string): boolean {
  if (pattern === value) return true
  if ((pattern.match(/[*+]/g)?.length ?? 0) > 3 || !/^[\w.|*+-]+$/.test(pattern)) return false
  try {
    return new RegExp(`^(?:${pattern})$`).test(value)
  } catch {
    return false
  }
}
