/**
 * What a value may be. One table of shapes checks the values, makes values.schema.json and the
 * reference page, so that the three cannot disagree. Null is allowed for every key: it takes away
 * what would be inherited.
 */
export type Shape =
  | { readonly is: 'text'; readonly oneOf?: readonly string[] }
  | { readonly is: 'integer'; readonly least?: number }
  | { readonly is: 'boolean' }
  /** A shell script or a list of words. */
  | { readonly is: 'command' }
  /** A list of texts, or several texts with commas between them. */
  | { readonly is: 'textList'; readonly orText?: true }
  /** A whole number, or one written as text. */
  | { readonly is: 'wave' }
  | { readonly is: 'flags' }
  | { readonly is: 'env' }
  | { readonly is: 'map'; readonly of: Shape; readonly dnsNames?: true }
  | { readonly is: 'fields'; readonly fields: Fields; readonly open?: true }
  /** A shape of the Kubernetes API, which checks it itself. */
  | { readonly is: 'kubernetes'; readonly type: 'object' | 'list'; readonly without?: string }

export type Fields = Readonly<Record<string, Field>>

export interface Field {
  readonly shape: Shape
  /** As the reference shows it; nothing means unset. */
  readonly standard?: string
  /** What it does, as half a sentence. */
  readonly about: string
  /** How root, group and job come together. */
  readonly rule?: string
}

export const TEXT: Shape = { is: 'text' }
export const BOOLEAN: Shape = { is: 'boolean' }
export const TEXT_LIST: Shape = { is: 'textList' }
export const TEXT_MAP: Shape = { is: 'map', of: TEXT }
export const OBJECT: Shape = { is: 'kubernetes', type: 'object' }
export const LIST: Shape = { is: 'kubernetes', type: 'list' }

export function oneOf(...values: readonly string[]): Shape {
  return { is: 'text', oneOf: values }
}

export function integer(least?: number): Shape {
  return least === undefined ? { is: 'integer' } : { is: 'integer', least }
}

/** What a shape asks for, for a sentence: `a whole number of 1 or more`. */
export function wanted(shape: Shape): string {
  switch (shape.is) {
    case 'text':
      return shape.oneOf === undefined ? 'text' : `one of ${shape.oneOf.join(', ')}`
    case 'integer':
      return shape.least === undefined ? 'a whole number' : `a whole number, ${shape.least} or more`
    case 'boolean':
      return 'true or false'
    case 'command':
      return 'text or a list of texts'
    case 'textList':
      return shape.orText === true ? 'text or a list of texts' : 'a list of texts'
    case 'wave':
      return 'a whole number'
    case 'flags':
      return 'true, false, or a mapping of names to true and false'
    case 'kubernetes':
      return shape.type === 'list' ? 'a list of mappings' : 'a mapping'
    case 'env':
    case 'fields':
    case 'map':
    default:
      return 'a mapping'
  }
}
