import type { Span } from '../source.ts'
import { findBytes } from './bytes.ts'
import type { OddCharacter } from './characters.ts'
import type { ReadError } from './document.ts'
import { HELM } from './actions.ts'

type Code = ReadError['code']

/** Reasons and remedies that do not depend on the place, by code. */
const WORDS: Readonly<Record<Code, { readonly why: string; readonly remedy: string }>> = {
  YAML_INVALID: {
    why: 'kubectl and the GitOps engines refuse this document, so nothing in it is applied',
    remedy: 'correct the YAML at this place',
  },
  YAML_SEPARATOR: {
    why: 'kubectl and kustomize refuse a file in which anything but a comment follows `---`',
    remedy: 'start the document on the line after `---`, and write exactly three dashes',
  },
  YAML_ALIAS_BOMB: {
    why: 'a few aliases can stand for gigabytes, so readers refuse such documents',
    remedy: 'write the repeated parts out, or split the document',
  },
  YAML_TOO_DEEP: {
    why: 'reading it could exhaust memory, and no Kubernetes object is nested like this',
    remedy: 'look for a runaway generator, or raise the limit',
  },
  YAML_NO_JSON_FORM: {
    why: 'Kubernetes turns YAML into JSON, which cannot say this, and refuses the document',
    remedy: 'quote the value, or write another one',
  },
  JSON_INVALID: {
    why: 'kubectl reads a file that starts with `{` as JSON and refuses this one',
    remedy: 'correct the JSON at this place',
  },
  FILE_NOT_TEXT: {
    why: 'manifests are UTF-8 text',
    remedy: 'save the file as UTF-8, or leave it out with an ignore entry',
  },
  FILE_TOO_MANY_DOCUMENTS: {
    why: 'the limit guards against runaway generators',
    remedy: 'split the file, or raise the limit',
  },
}

export function readError(
  code: Code,
  span: Span,
  what: string,
  words: { readonly why?: string; readonly remedy?: string } = {},
): ReadError {
  return { code, span, what, ...WORDS[code], ...words }
}

export function tooDeep(at: number, depth: number): ReadError {
  const what = `more than ${depth} lists and mappings stand inside each other`
  return readError('YAML_TOO_DEEP', { start: at, end: at + 1 }, what)
}

export function directive(at: number): ReadError {
  const what = 'Kubernetes reads no `%` directives: it splits the file at the `---` after them'
  return readError('YAML_INVALID', { start: at, end: at + 1 }, what, { remedy: 'delete the line' })
}

export function templateAction(bytes: Uint8Array, from: number): ReadError {
  const at = findBytes(bytes, HELM.open, from)
  const span = { start: at, end: at + 2 }
  return readError('YAML_INVALID', span, 'a template action `{{` stands outside quotes')
}

export function oddCharacter({ at, fault, code }: OddCharacter): ReadError {
  const span = { start: at, end: at + 1 }
  const hex = code.toString(16).toUpperCase()
  if (fault === 'not-utf8') {
    return readError('FILE_NOT_TEXT', span, `the byte 0x${hex} is no part of UTF-8 text`)
  }
  const what = `the control character U+${hex.padStart(4, '0')} stands in the text`
  return readError('YAML_INVALID', span, what, { remedy: 'delete it, or write it as an escape' })
}
