/** What a template is made of. Positions are offsets into the text, for errors. */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipe: Pipe }
  | {
      readonly kind: 'if' | 'with'
      readonly pipe: Pipe
      readonly body: readonly Node[]
      readonly otherwise: readonly Node[]
    }
  | {
      readonly kind: 'range'
      readonly pipe: Pipe
      readonly body: readonly Node[]
      readonly otherwise: readonly Node[]
    }
  | {
      readonly kind: 'template'
      readonly at: number
      readonly name: string
      readonly pipe: Pipe | undefined
    }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }

/** `$a, $b := cmd | cmd`. */
export interface Pipe {
  readonly at: number
  readonly variables: readonly string[]
  readonly isAssign: boolean
  readonly commands: readonly Command[]
}

export interface Command {
  readonly at: number
  /** Behind its last sign. */
  readonly end: number
  readonly operands: readonly Operand[]
}

export type Operand =
  | { readonly kind: 'value'; readonly value: null | boolean | number | bigint | string }
  /** `.a.b`: fields of the dot. */
  | { readonly kind: 'field'; readonly at: number; readonly names: readonly string[] }
  /** `$x.a.b`; `$` alone is the data of the whole template. */
  | {
      readonly kind: 'variable'
      readonly at: number
      readonly name: string
      readonly names: readonly string[]
    }
  | { readonly kind: 'function'; readonly at: number; readonly name: string }
  /** `(pipe).a.b`. */
  | {
      readonly kind: 'pipe'
      readonly at: number
      readonly pipe: Pipe
      readonly names: readonly string[]
    }

export interface Template {
  readonly name: string
  readonly nodes: readonly Node[]
  readonly source: Source
}

/** The text that a template was read from. */
export interface Source {
  readonly name: string
  readonly text: string
}

/**
 * A template that cannot be read or run; `at` is an offset into its text. `template` is the file,
 * with line and column where they are known.
 */
export class TemplateError extends Error {
  readonly template: string
  readonly at: number | undefined

  constructor(template: string, message: string, at?: number) {
    super(message)
    this.name = 'TemplateError'
    this.template = template
    this.at = at
  }
}

/** `file.yaml:3:14`, as Go counts: lines from 1, columns from 0. */
export function placeIn({ name, text }: Source, at: number | undefined): string {
  if (at === undefined) return name
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return `${name}:${line}:${at - (before.lastIndexOf('\n') + 1)}`
}
