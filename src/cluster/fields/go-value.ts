import { isList, isObject, type Json } from '../../core/json.ts'

/** Go's %v of parsed JSON: `map[a:1 b:[x y]]`, as some messages show it. */
export function goValue(value: Json | undefined): string {
  if (value === null || value === undefined) return '<nil>'
  if (isList(value)) return `[${value.map(goValue).join(' ')}]`
  if (!isObject(value)) return String(value)
  const keys = Object.keys(value).filter((key) => value[key] !== undefined)
  return `map[${keys
    .sort()
    .map((key) => `${key}:${goValue(value[key])}`)
    .join(' ')}]`
}

/** Go's %#v of parsed JSON: `map[string]interface {}{"a":"b"}`. */
export function goSyntax(value: Json | undefined): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (typeof value === 'string') return JSON.stringify(value)
  if (!isObject(value)) return String(value)
  const keys = Object.keys(value).filter((key) => value[key] !== undefined)
  const members = keys.sort().map((key) => `${JSON.stringify(key)}:${goSyntax(value[key])}`)
  return `map[string]interface {}{${members.join(', ')}}`
}

/** The type that Go gives to parsed JSON. */
export function goTypeOf(value: Json | undefined): string {
  if (value === null || value === undefined) return '%!s(<nil>)'
  if (isList(value)) return '[]interface {}'
  if (isObject(value)) return 'map[string]interface {}'
  return goKindOf(value)
}

/** Its reflect.Kind. */
export function goKindOf(value: Json): string {
  if (isList(value)) return 'slice'
  if (isObject(value)) return 'map'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64'
}
