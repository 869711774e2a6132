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
  | { readonly kind: 'template'; readonly name: string; readonly pipe: Pipe | undefined }
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
  readonly operands: readonly Operand[]
}

export type Operand =
  | { readonly kind: 'value'; readonly value: null | boolean | number | bigint | string }
  /** `.a.b`: fields of the dot. */
  | { readonly kind: 'field'; readonly names: readonly string[] }
  /** `$x.a.b`; `$` alone is the data of the whole template. */
  | { readonly kind: 'variable'; readonly name: string; readonly names: readonly string[] }
  | { readonly kind: 'function'; readonly name: string }
  /** `(pipe).a.b`. */
  | { readonly kind: 'pipe'; readonly pipe: Pipe; readonly names: readonly string[] }

export interface Template {
  readonly name: string
  readonly nodes: readonly Node[]
}

/** A template that cannot be read or run; `at` is an offset into its text. */
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
