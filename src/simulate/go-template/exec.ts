import { HELM_DELIMITERS, type Delimiters } from './lexer.ts'
import {
  placeIn,
  TemplateError,
  type Command,
  type Node,
  type Operand,
  type Pipe,
  type Source,
  type Template,
} from './node.ts'
import { isBlank, parseTemplate } from './parser.ts'
import { ArgumentError, checkArguments, HELM_FUNCTIONS } from './signatures.ts'
import {
  entriesOf,
  isGoObject,
  isMap,
  isNil,
  itemsOf,
  own,
  printed,
  truth,
  typeOf,
  type Value,
} from './value.ts'

/** What templates can call. `and`, `or`, `include`, `tpl` need the run and are built in. */
export type Functions = { readonly [name: string]: (...values: Value[]) => Value }

/** How much templates may do: they come from people whom nobody checked. */
export interface Limits {
  readonly outputBytes: number
  readonly steps: number
  readonly depth: number
}

const LIMITS: Limits = { outputBytes: 32 << 20, steps: 5_000_000, depth: 200 }

/**
 * A set of templates as Go's text/template runs them, with missing keys as Helm has them (empty).
 * Pure: what a clock or chance would give is a function that the caller hands in.
 */
export class TemplateSet {
  readonly #templates = new Map<string, Template>()
  readonly #functions: Functions
  readonly #delimiters: Delimiters
  readonly #parsed = new Map<string, readonly Template[]>()
  /** What all runs of the set have used up together. */
  readonly #used = { steps: 0, bytes: 0 }

  constructor(functions: Functions, delimiters: Delimiters = HELM_DELIMITERS) {
    this.#functions = functions
    this.#delimiters = delimiters
  }

  /** Reads one file; later definitions of a name replace earlier ones. */
  add(name: string, text: string): void {
    for (const template of parseTemplate(name, text, this.#delimiters, knownTo(this.#functions))) {
      putTemplate(this.#templates, template)
    }
  }

  run(name: string, data: Value, limits: Limits = LIMITS): string {
    const run = new Run({
      templates: this.#templates,
      functions: this.#functions,
      delimiters: this.#delimiters,
      limits,
      used: this.#used,
      parsed: this.#parsed,
    })
    return withoutNoValue(run.template(name, data))
  }
}

/** What Helm knows is no fault of the text, even where it cannot be called here. */
function knownTo(functions: Functions): (name: string) => boolean {
  return (name) => Object.hasOwn(functions, name) || HELM_FUNCTIONS.has(name)
}

/** A definition that holds nothing but white space does not replace another one. */
function putTemplate(templates: Map<string, Template>, template: Template): void {
  if (isBlank(template.nodes) && templates.has(template.name)) return
  templates.set(template.name, template)
}

/** Helm's own: what is missing leaves nothing in the output. */
function withoutNoValue(text: string): string {
  return text.replaceAll('<no value>', '')
}

/** `break` and `continue` leave the body of their range. */
type Flow = 'on' | 'break' | 'continue'

/** Variables in scope; an inner one hides an outer one of its name. */
interface Scope {
  readonly name: string
  value: Value
  readonly outer: Scope | undefined
}

/** A dot and the variables around it. */
interface Frame {
  readonly dot: Value
  scope: Scope | undefined
}

interface Calling {
  readonly frame: Frame
  readonly piped: readonly Value[]
  readonly command: { readonly at: number; readonly end?: number }
}

interface RunParts {
  readonly templates: ReadonlyMap<string, Template>
  readonly functions: Functions
  readonly delimiters: Delimiters
  readonly limits: Limits
  readonly used: { steps: number; bytes: number }
  readonly parsed: Map<string, readonly Template[]>
}

class Run {
  readonly #parts: RunParts
  #templates: ReadonlyMap<string, Template>
  #current: Template | undefined
  #depth = 0

  constructor(parts: RunParts) {
    this.#parts = parts
    this.#templates = parts.templates
  }

  template(name: string, data: Value, at?: number): string {
    const template = this.#templates.get(name)
    if (template === undefined) {
      throw this.#error(`template ${JSON.stringify(name)} is not defined`, at)
    }
    return this.#execute(template, data)
  }

  #execute(template: Template, data: Value): string {
    if (this.#depth >= this.#parts.limits.depth) {
      throw new TemplateError(
        template.source.name,
        `templates include each other more than ${this.#parts.limits.depth} deep`,
      )
    }
    const before = this.#current
    this.#depth += 1
    this.#current = template
    const out: string[] = []
    this.#nodes(template.nodes, frameOf(data, { name: '$', value: data, outer: undefined }), out)
    this.#current = before
    this.#depth -= 1
    return out.join('')
  }

  #nodes(nodes: readonly Node[], frame: Frame, out: string[]): Flow {
    for (const node of nodes) {
      this.#step()
      const flow = this.#node(node, frame, out)
      if (flow !== 'on') return flow
    }
    return 'on'
  }

  #node(node: Node, frame: Frame, out: string[]): Flow {
    switch (node.kind) {
      case 'text':
        this.#write(node.text, out)
        return 'on'
      case 'action': {
        const value = this.#pipe(node.pipe, frame)
        if (node.pipe.variables.length === 0) this.#write(printed(value), out)
        return 'on'
      }
      case 'template': {
        const data = node.pipe && this.#pipe(node.pipe, inner(frame))
        this.#write(this.template(node.name, data, node.at), out)
        return 'on'
      }
      case 'if':
      case 'with': {
        const body = inner(frame)
        const value = this.#pipe(node.pipe, body)
        if (!truth(value)) return this.#nodes(node.otherwise, inner(body), out)
        return this.#nodes(node.body, node.kind === 'with' ? frameOf(value, body.scope) : body, out)
      }
      case 'range':
        return this.#range(node, frame, out)
      case 'break':
      case 'continue':
      default:
        return node.kind
    }
  }

  #range(node: Extract<Node, { kind: 'range' }>, frame: Frame, out: string[]): Flow {
    const { variables, isAssign, ...plain } = node.pipe
    const value = this.#pipe({ ...plain, variables: [], isAssign: false }, inner(frame))
    const entries = this.#entriesOf(value, node.pipe)
    const [first, second] = variables
    let isEmpty = true
    for (const [key, item] of entries) {
      isEmpty = false
      this.#step()
      const body = frameOf(item, frame.scope)
      const values = second === undefined ? [item] : [key, item]
      for (const [at, name] of [first, second].entries()) {
        if (name === undefined) continue
        if (isAssign) this.#assign(name, values[at], body, node.pipe.at)
        else body.scope = { name, value: values[at], outer: body.scope }
      }
      if (this.#nodes(node.body, body, out) === 'break') break
    }
    return isEmpty ? this.#nodes(node.otherwise, inner(frame), out) : 'on'
  }

  #entriesOf(value: Value, pipe: Pipe): Iterable<readonly [Value, Value]> {
    if (isNil(value)) return []
    const items = itemsOf(value)
    if (items !== undefined) return items.map((item, at) => [BigInt(at), item])
    const map = entriesOf(value)
    if (map !== undefined) {
      return Object.keys(map)
        .sort()
        .map((key) => [key, map[key]])
    }
    if (typeof value === 'bigint') return counted(value)
    throw this.#error(`range can't iterate over ${printed(value)}`, pipe.at)
  }

  #pipe(pipe: Pipe, frame: Frame): Value {
    let value: Value
    let isFirst = true
    for (const command of pipe.commands) {
      value = this.#command(command, frame, isFirst ? [] : [value]) ?? undefined
      isFirst = false
    }
    for (const name of pipe.variables) {
      if (pipe.isAssign) this.#assign(name, value, frame, pipe.at)
      else frame.scope = { name, value, outer: frame.scope }
    }
    return value
  }

  #assign(name: string, value: Value, frame: Frame, at: number): void {
    this.#variable(name, frame, at).value = value
  }

  #variable(name: string, { scope }: Frame, at: number): Scope {
    for (let here = scope; here !== undefined; here = here.outer) {
      if (here.name === name) return here
    }
    throw this.#error(`undefined variable ${name}`, at)
  }

  #command(command: Command, frame: Frame, piped: readonly Value[]): Value {
    this.#step()
    const [first, ...rest] = command.operands
    if (first === undefined) return undefined
    if (first.kind === 'function') {
      return this.#call(first.name, rest, { frame, piped, command })
    }
    if (rest.length === 0 && piped.length === 0) return this.#operand(first, frame)
    if (first.kind === 'value') {
      throw this.#error(`can't give argument to non-function ${printed(first.value)}`, command.at)
    }
    return this.#method(first, rest, { frame, piped, command })
  }

  #operand(operand: Operand, frame: Frame): Value {
    switch (operand.kind) {
      case 'value':
        return operand.value
      case 'function':
        return this.#call(operand.name, [], { frame, piped: [], command: operand })
      case 'field':
      case 'variable':
      case 'pipe':
      default:
        return this.#fields(this.#base(operand, frame), operand.names, operand.at)
    }
  }

  #base(operand: Exclude<Operand, { kind: 'value' | 'function' }>, frame: Frame): Value {
    if (operand.kind === 'field') return frame.dot
    if (operand.kind === 'variable') return this.#variable(operand.name, frame, operand.at).value
    return this.#pipe(operand.pipe, inner(frame))
  }

  /** `.Files.Get "x"`: the last name is a method that takes arguments. */
  #method(
    operand: Exclude<Operand, { kind: 'value' | 'function' }>,
    operands: readonly Operand[],
    { frame, piped, command }: Calling,
  ): Value {
    const name = operand.names.at(-1) ?? ''
    const base = this.#base(operand, frame)
    const owner = this.#fields(base, operand.names.slice(0, -1), operand.at)
    const method = isGoObject(owner) ? ownMethod(owner.methods, name) : undefined
    if (method === undefined) {
      const what = name === '' ? printed(base) : `.${name}`
      throw this.#error(`${what} is not a method but has arguments`, command.at, command.end)
    }
    const values = [...operands.map((one) => this.#operand(one, frame)), ...piped]
    return this.#guarded(name, command, () => method(...values))
  }

  /**
   * Undefined is what Go calls no value: its fields are no value either. Null is what a map or a
   * list holds or lacks: its fields are refused.
   */
  #fields(value: Value, names: readonly string[], at: number): Value {
    let here = value
    for (const name of names) {
      if (here === undefined) return undefined
      if (here === null) throw this.#error(`nil pointer evaluating interface {}.${name}`, at)
      if (isMap(here)) here = own(here, name) ?? null
      else if (!isGoObject(here)) {
        throw this.#error(`can't evaluate field ${name} in type ${typeOf(here)}`, at)
      } else {
        const method = ownMethod(here.methods, name)
        if (method !== undefined) here = this.#guarded(name, { at }, () => method())
        else if (Object.hasOwn(here.fields, name)) here = here.fields[name]
        else if (here.kind === 'map') here = null
        else throw this.#error(`can't evaluate field ${name} in type ${here.type}`, at)
      }
    }
    return here
  }

  #call(name: string, operands: readonly Operand[], calling: Calling): Value {
    const { frame, piped, command } = calling
    if (name === 'and' || name === 'or') return this.#shortCircuit(name, operands, calling)
    const values = [...operands.map((operand) => this.#operand(operand, frame)), ...piped]
    const called = Object.hasOwn(this.#parts.functions, name)
      ? this.#parts.functions[name]
      : undefined
    if (called === undefined && name !== 'include' && name !== 'tpl') {
      throw this.#error(`the function ${name} is not part of this model`, command.at)
    }
    return this.#guarded(name, command, () => {
      checkArguments(name, values, piped.length > 0)
      if (name === 'include') return this.template(printed(values[0]), values[1], command.at)
      if (name === 'tpl') return this.#tpl(printed(values[0]), values[1])
      return called?.(...values)
    })
  }

  #shortCircuit(name: 'and' | 'or', operands: readonly Operand[], calling: Calling): Value {
    const { frame, piped, command } = calling
    if (operands.length + piped.length === 0) {
      throw this.#error(`wrong number of args for ${name}: want at least 1 got 0`, command.at)
    }
    let value: Value
    for (const operand of operands) {
      value = this.#operand(operand, frame)
      if (truth(value) !== (name === 'and')) return value
    }
    return piped.length > 0 ? piped[0] : value
  }

  #guarded(name: string, { at, end }: { at: number; end?: number }, call: () => Value): Value {
    try {
      return call()
    } catch (error) {
      if (error instanceof TemplateError) throw error
      if (error instanceof ArgumentError) throw this.#error(error.message, at, end)
      const why = error instanceof Error ? error.message : String(error)
      throw this.#error(`error calling ${name}: ${why}`, at, end)
    }
  }

  /** A text of the values as a template, which sees all others; what it defines stays inside. */
  #tpl(text: string, data: Value): string {
    if (!text.includes(this.#parts.delimiters.open)) {
      this.#spend(text.length)
      return withoutNoValue(text)
    }
    const [own, ...defined] = this.#parsedText(text)
    if (own === undefined) return ''
    const before = this.#templates
    if (defined.length > 0) {
      const inside = new Map(before)
      for (const template of defined) putTemplate(inside, template)
      this.#templates = inside
    }
    const made = this.#execute(own, data)
    this.#templates = before
    return withoutNoValue(made)
  }

  #parsedText(text: string): readonly Template[] {
    const { parsed, delimiters, functions } = this.#parts
    const name = `${this.#current?.source.name ?? ''} (tpl)`.replace(/( \(tpl\))+$/, ' (tpl)')
    const key = `${name}\n${text}`
    const known = parsed.get(key) ?? parseTemplate(name, text, delimiters, knownTo(functions))
    parsed.set(key, known)
    return known
  }

  #write(text: string, out: string[]): void {
    this.#spend(text.length)
    out.push(text)
  }

  #spend(bytes: number): void {
    const { used, limits } = this.#parts
    used.bytes += bytes
    if (used.bytes > limits.outputBytes) {
      throw this.#error(`the output is larger than ${limits.outputBytes} bytes`)
    }
  }

  #step(): void {
    const { used, limits } = this.#parts
    used.steps += 1
    if (used.steps > limits.steps) {
      throw this.#error(`rendering takes more than ${limits.steps} steps`)
    }
  }

  #error(message: string, at?: number, end?: number): TemplateError {
    const { name, source } = this.#current ?? { name: '', source: NO_SOURCE }
    const place = placeIn(source, at)
    if (at === undefined) return new TemplateError(place, message)
    const words = source.text.slice(at, end ?? at).replaceAll(/\s+/g, ' ')
    const short = words.length > 60 ? `${words.slice(0, 60)}…` : words
    const where = short === '' ? '' : ` at <${short}>`
    return new TemplateError(place, `executing ${JSON.stringify(name)}${where}: ${message}`, at)
  }
}

const NO_SOURCE: Source = { name: '', text: '' }

function frameOf(dot: Value, scope: Scope | undefined): Frame {
  return { dot, scope }
}

/** What is declared inside is not seen outside; what is assigned is. */
function inner({ dot, scope }: Frame): Frame {
  return { dot, scope }
}

function ownMethod<Found>(
  methods: { readonly [name: string]: Found },
  name: string,
): Found | undefined {
  return Object.hasOwn(methods, name) ? methods[name] : undefined
}

function* counted(end: bigint): Iterable<readonly [Value, Value]> {
  for (let at = 0n; at < end; at += 1n) yield [at, at]
}
