import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import { resolvePlain } from './resolve.ts'

/**
 * Objects as a YAML stream, the same bytes for the same objects. Text stands without quotes only
 * where readers of YAML 1.1 and 1.2 all take it for itself; scripts stand as blocks.
 */
export function yamlStream(objects: readonly JsonObject[]): string {
  return objects.map((object) => `${mapping(object, 0)}\n`).join('---\n')
}

/** Lines of a mapping, without the indentation of the first one. */
function mapping(object: JsonObject, indent: number): string {
  const margin = ' '.repeat(indent)
  return Object.entries(object)
    .flatMap(([key, value]) =>
      value === undefined ? [] : [`${scalar(key)}:${behindKey(value, indent)}`],
    )
    .join(`\n${margin}`)
}

function behindKey(value: Json, indent: number): string {
  if (isList(value)) {
    if (value.length === 0) return ' []'
    const margin = ' '.repeat(indent)
    return value.map((item) => `\n${margin}- ${inList(item, indent + 2)}`).join('')
  }
  if (isObject(value)) {
    if (Object.keys(value).length === 0) return ' {}'
    return `\n${' '.repeat(indent + 2)}${mapping(value, indent + 2)}`
  }
  return ` ${leaf(value, indent + 2)}`
}

function inList(item: Json, indent: number): string {
  if (isObject(item)) return Object.keys(item).length === 0 ? '{}' : mapping(item, indent)
  if (!isList(item)) return leaf(item, indent)
  if (item.length === 0) return '[]'
  return item.map((inner) => `- ${inList(inner, indent + 2)}`).join(`\n${' '.repeat(indent)}`)
}

/** `indent` is that of the lines of a block. */
function leaf(value: null | boolean | number | bigint | string, indent: number): string {
  if (typeof value !== 'string') return String(value)
  return mayBeBlock(value) ? block(value, indent) : scalar(value)
}

function block(text: string, indent: number): string {
  const isEnded = text.endsWith('\n')
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n')
  const margin = ' '.repeat(indent)
  const rows = lines.map((line) => (line === '' ? '' : margin + line))
  return [isEnded ? '|' : '|-', ...rows].join('\n')
}

/** More than one line, and nothing that a block cannot hold or readers disagree about. */
function mayBeBlock(text: string): boolean {
  if (!/[^\n]\n/.test(text) || /^[\s]|[ \t]$|[ \t]\n|\n\n$/.test(text)) return false
  return !UNSAFE_IN_BLOCK.test(text)
}

// eslint-disable-next-line no-control-regex
const UNSAFE_IN_BLOCK = /[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/

function scalar(text: string): string {
  return isPlain(text) ? text : quoted(text)
}

/** As JSON, with what JSON leaves as it is and YAML does not escaped too. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/**
 * Begins with a letter, digit or a sign that means nothing there, has no sign that ends a scalar
 * or starts a comment, and no reader takes it for anything but text: the two of Kubernetes, and
 * those of YAML 1.1 and 1.2 elsewhere.
 */
function isPlain(text: string): boolean {
  if (!/^[A-Za-z0-9_./-][\w ./@+=,:*()$~^;|<>-]*$/.test(text)) return false
  if (/^-(?: |$)|: |:$| $|^---|^\.\.\./.test(text)) return false
  if (LOOKS_LIKE_OTHER.test(text)) return false
  return resolvePlain(text, 'kubernetes') === text && resolvePlain(text, 'kustomize') === text
}

/** Numbers, dates and words of the YAML types, in any spelling that some reader may know. */
const LOOKS_LIKE_OTHER =
  /^[-+.,:_\deE]*$|^[-+]?0[xob]|^\d{1,4}-\d{1,2}-\d{1,2}|^[-+]?\.(?:inf|nan)$|^(?:y|n|yes|no|on|off|true|false|null)$/i
