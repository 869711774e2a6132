import type { Json } from '../../core/json.ts'

const ESCAPES: { readonly [character: string]: string } = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
}

/** Go's %q of a string: what Go calls printable stands as it is. */
export function goQuote(text: string): string {
  return `"${text.replaceAll(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escapeCharacter)}"`
}

function escapeCharacter(character: string): string {
  const known = ESCAPES[character]
  if (known !== undefined) return known
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`
  const hex = code.toString(16)
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

/** A string in Go's JSON. */
export function goStringJson(text: string): string {
  return escapeHtml(JSON.stringify(text))
}

/** JSON as Go's encoder writes it: keys in order, and <, >, & escaped. */
export function goJson(value: Json): string {
  return escapeHtml(JSON.stringify(value, (_, found: unknown) => sorted(found)))
}

/** <, > and & as Go's JSON writes them. */
export function escapeHtml(json: string): string {
  return json.replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function sorted(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
