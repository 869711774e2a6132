import type { Span } from '../source.ts'
import type { ReadError } from './document.ts'

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
