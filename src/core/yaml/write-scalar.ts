import type { Json } from '../json.ts'
import { resolvePlain } from './resolve.ts'

/** Text that both readings take for itself without quotes, in a block. */
export function isPlainText(text: string): boolean {
  return PLAIN.test(text) && !text.endsWith(':') && readsAsItself(text)
}

const PLAIN = /^[A-Za-z0-9][\w./@+[\]=,:-]*$/

/** Plain text that is text for both readings, not a number, a date or a word like `yes`. */
export function readsAsItself(text: string): boolean {
  return resolvePlain(text, 'kubernetes') === text && resolvePlain(text, 'kustomize') === text
}

/** Undefined for text that only double quotes can hold. */
export function singleQuoted(text: string): string | undefined {
  return ODD.test(text) ? undefined : `'${text.replaceAll("'", "''")}'`
}

/** YAML takes every JSON string; what JSON leaves as it is and YAML does not is escaped too. */
export function doubleQuoted(text: string): string {
  return yamlJson(text)
}

/** JSON that every reader of YAML takes for the same. */
export function yamlJson(value: Json): string {
  return JSON.stringify(value).replaceAll(ODD_BUT_JSON, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

// eslint-disable-next-line no-control-regex
const ODD = /[^\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u
const ODD_BUT_JSON = /[\u007f-\u009f\u2028\u2029\ufeff]/g
