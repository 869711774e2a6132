import type { Json, Path } from '../json.ts'
import type { Source, Span } from '../source.ts'
import { DASH, DOT, PLUS, TILDE } from './bytes.ts'
import type {
  AmbiguousScalar,
  DuplicateKey,
  Location,
  Reading,
  TreeScalar,
  YamlDocument,
} from './document.ts'
import { mayResolve, resolveKey, resolvePlain, resolveScalar } from './resolve.ts'
import { ScalarReader } from './scalar-text.ts'
import {
  CELLS,
  END,
  JSON_NUMBER,
  JSON_STRING,
  JSON_WORD,
  KEY,
  KIND,
  KIND_MASK,
  LIST,
  MAP,
  MERGED,
  NEXT,
  PLAIN,
  START,
  TEXT,
  EXTRA,
  type Tape,
} from './tape.ts'

export interface TapeDocumentInit {
  readonly source: Source
  readonly span: Span
  readonly index: number
  readonly parser: YamlDocument['parser']
  readonly tape: Tape
  /** Given when each byte of the span is one character. */
  readonly ascii?: Span
  /** Of a template: its bytes with masked actions, and the actions. */
  readonly shape?: Uint8Array
  readonly actions?: readonly Span[]
}

/** A value or key that the readers refuse although it is good YAML. */
export interface Unresolved {
  readonly span: Span
  readonly what: string
}

/** A document over a tape. Values are made when first asked for, and kept. */
export class TapeDocument implements YamlDocument {
  readonly source: Source
  readonly span: Span
  readonly index: number
  readonly parser: YamlDocument['parser']
  readonly tape: Tape
  private readonly actions: readonly Span[] | undefined
  private readonly reader: ScalarReader
  private readonly values: { kubernetes?: Json; kustomize?: Json } = {}
  private duplicates: readonly DuplicateKey[] | undefined
  private ambiguous: readonly AmbiguousScalar[] | undefined

  constructor(init: TapeDocumentInit) {
    const { source, span, index, parser, tape, actions, ascii, shape } = init
    this.reader = new ScalarReader(source.bytes, shape ?? source.bytes, tape, ascii)
    this.source = source
    this.span = span
    this.index = index
    this.parser = parser
    this.tape = tape
    this.actions = actions
  }

  value(reading: Reading = 'kubernetes'): Json {
    return (this.values[reading] ??= this.build(0, reading))
  }

  get duplicateKeys(): readonly DuplicateKey[] {
    return (this.duplicates ??= this.findDuplicates())
  }

  ambiguousScalars(): readonly AmbiguousScalar[] {
    return (this.ambiguous ??= this.findAmbiguous())
  }

  locate(path: Path): Location | undefined {
    let at = 0
    let key = -1
    for (const step of path) {
      const kind = this.kindOf(at)
      if (typeof step === 'number') {
        if (kind !== LIST) return undefined
        at = this.itemAt(at, step)
        key = -1
      } else {
        if (kind !== MAP) return undefined
        key = this.keyAt(at, step)
        at = key < 0 ? -1 : key + CELLS
      }
      if (at < 0) return undefined
    }
    const value = this.spanOf(at)
    return key < 0 ? { value } : { key: this.spanOf(key), value }
  }

  /** Undefined where the readers refuse the key. */
  keyText(at: number, reading: Reading): string | undefined {
    const text = this.text(at)
    const kind = this.kindOf(at)
    if (kind === PLAIN) {
      return text !== '' && !mayResolve(text.charCodeAt(0))
        ? text
        : resolveKey(text, undefined, true, reading)
    }
    if (kind !== TEXT) return text
    const scalar = this.scalar(at)
    return resolveKey(text, scalar.tag, scalar.style === 'plain', reading)
  }

  kindOf(at: number): number {
    return this.cell(at + KIND) & KIND_MASK
  }

  spanOf(at: number): Span {
    return { start: this.cell(at + START), end: this.cell(at + END) }
  }

  nextOf(at: number): number {
    return this.cell(at + NEXT)
  }

  text(at: number): string {
    return this.reader.text(at)
  }

  /** The text of an entry of the root mapping; undefined when it is missing or no scalar. */
  rootText(key: string): string | undefined {
    if (this.kindOf(0) !== MAP) return undefined
    const found = this.keyAt(0, key)
    if (found < 0) return undefined
    const value = this.build(found + CELLS, 'kubernetes')
    return typeof value === 'string' ? value : undefined
  }

  /** The first scalar that has no JSON form, or no form as a key. */
  firstUnresolved(): Unresolved | undefined {
    const { cells } = this.tape
    for (let at = 0; at < cells.length; at += CELLS) {
      const kind = cells[at] as number
      if ((kind & KIND_MASK) === PLAIN && !this.mayFail(at)) continue
      if ((kind & KIND_MASK) !== PLAIN && (kind & KIND_MASK) !== TEXT) continue
      if ((kind & KEY) !== 0) {
        if (this.keyText(at, 'kubernetes') !== undefined) continue
        const what = `the key \`${this.text(at)}\` is no text, and Kubernetes cannot make one of it`
        return { span: this.spanOf(at), what }
      }
      if (this.resolved(at, 'kubernetes') === undefined) {
        return { span: this.spanOf(at), what: `\`${this.text(at)}\` has no form in JSON` }
      }
    }
    return undefined
  }

  /** Only words for null, signs, dots and digits may have no form as a key or value. */
  private mayFail(at: number): boolean {
    const start = this.cell(at + START)
    const first = start === this.cell(at + END) ? DOT : this.source.bytes[start]
    if (first === DOT || first === PLUS || first === DASH || first === TILDE) return true
    const isKey = (this.cell(at) & KEY) !== 0
    return isKey && first !== undefined && mayResolve(first)
  }

  private cell(at: number): number {
    return this.tape.cells[at] ?? 0
  }

  private scalar(at: number): TreeScalar {
    const scalar = this.tape.texts[this.cell(at + EXTRA)]
    if (scalar === undefined) throw new Error('bug in semel: a text cell without its scalar')
    return scalar
  }

  private scalarValue(at: number, reading: Reading): Json {
    return this.resolved(at, reading) ?? null
  }

  /** Undefined where there is no JSON form; such documents are reported and not handed on. */
  private resolved(at: number, reading: Reading): Json | undefined {
    const kind = this.kindOf(at)
    const text = this.text(at)
    if (kind === PLAIN) return resolvePlain(text, reading)
    if (kind === JSON_STRING) return text
    if (kind === JSON_NUMBER) return resolvePlain(text, 'kubernetes')
    if (kind === JSON_WORD) return text === 'null' ? null : text === 'true'
    if (kind !== TEXT) return text
    const scalar = this.scalar(at)
    return resolveScalar(text, scalar.tag, scalar.style === 'plain', reading)
  }

  private build(at: number, reading: Reading): Json {
    const kind = this.kindOf(at)
    if (kind === MAP) return this.buildMap(at, reading)
    if (kind !== LIST) return this.scalarValue(at, reading)
    const items: Json[] = []
    const stop = this.nextOf(at)
    for (let item = at + CELLS; item < stop; item = this.nextOf(item)) {
      items.push(this.build(item, reading))
    }
    return items
  }

  private buildMap(at: number, reading: Reading): Json {
    const object: { [key: string]: Json } = {}
    const stop = this.nextOf(at)
    for (let key = at + CELLS; key < stop; key = this.nextOf(key + CELLS)) {
      const name = this.keyText(key, reading)
      if (name === undefined) continue
      if (this.losesToOwn(at, key, name, reading)) continue
      const value = this.build(key + CELLS, reading)
      if (name === '__proto__') defineEntry(object, name, value)
      else object[name] = value
    }
    return object
  }

  /** Kubernetes lets the later entry win, merged or not; kustomize lets the map's own entry win. */
  private losesToOwn(map: number, key: number, name: string, reading: Reading): boolean {
    if (reading === 'kubernetes' || !this.isMerged(key)) return false
    const stop = this.nextOf(map)
    for (let other = map + CELLS; other < stop; other = this.nextOf(other + CELLS)) {
      if (!this.isMerged(other) && this.keyText(other, reading) === name) return true
    }
    return false
  }

  private isMerged(key: number): boolean {
    return (this.cell(key + KIND) & MERGED) !== 0
  }

  private itemAt(list: number, index: number): number {
    const stop = this.nextOf(list)
    let left = index
    for (let item = list + CELLS; item < stop; item = this.nextOf(item)) {
      if (left === 0) return item
      left -= 1
    }
    return -1
  }

  /** The entry that wins under Kubernetes, else the one that kustomize would take. */
  private keyAt(map: number, name: string): number {
    const found = this.lastKey(map, name, 'kubernetes')
    return found >= 0 ? found : this.lastKey(map, name, 'kustomize')
  }

  private lastKey(map: number, name: string, reading: Reading): number {
    const stop = this.nextOf(map)
    let found = -1
    for (let key = map + CELLS; key < stop; key = this.nextOf(key + CELLS)) {
      if (this.keyText(key, reading) === name) found = key
    }
    return found
  }

  private findDuplicates(): readonly DuplicateKey[] {
    const found: DuplicateKey[] = []
    this.walk(0, [], (map, path) => {
      const first = new Map<string, number>()
      const stop = this.nextOf(map)
      for (let key = map + CELLS; key < stop; key = this.nextOf(key + CELLS)) {
        const name = this.keyText(key, 'kubernetes')
        if (name === undefined || this.isMerged(key)) continue
        const before = first.get(name)
        if (before === undefined) {
          first.set(name, key)
        } else if (!this.actionBetween(before, key)) {
          found.push({ path, key: name, first: this.spanOf(before), again: this.spanOf(key) })
        }
      }
    })
    return found
  }

  private actionBetween(first: number, again: number): boolean {
    if (this.actions === undefined) return false
    const from = this.spanOf(first).end
    const to = this.spanOf(again).start
    return this.actions.some(({ start, end }) => start >= from && end <= to)
  }

  private findAmbiguous(): readonly AmbiguousScalar[] {
    const found: AmbiguousScalar[] = []
    this.walk(0, [], (map, path) => {
      const stop = this.nextOf(map)
      for (let key = map + CELLS; key < stop; key = this.nextOf(key + CELLS)) {
        const kubernetes = this.keyText(key, 'kubernetes')
        const kustomize = this.keyText(key, 'kustomize')
        if (kubernetes === undefined || kubernetes === kustomize || kustomize === undefined)
          continue
        const span = this.spanOf(key)
        const text = this.text(key)
        found.push({ path, span, isKey: true, text, kubernetes, kustomize })
      }
    })
    this.walkScalars(0, [], (at, path) => {
      const kubernetes = this.scalarValue(at, 'kubernetes')
      const kustomize = this.scalarValue(at, 'kustomize')
      if (kubernetes === kustomize) return
      const span = this.spanOf(at)
      found.push({ path, span, isKey: false, text: this.text(at), kubernetes, kustomize })
    })
    return found.sort((one, other) => one.span.start - other.span.start)
  }

  /** Calls `visit` for each mapping. */
  private walk(at: number, path: Path, visit: (map: number, path: Path) => void): void {
    const kind = this.kindOf(at)
    if (kind === MAP) visit(at, path)
    if (kind === MAP || kind === LIST) {
      this.children(at, path, (child, childPath) => {
        this.walk(child, childPath, visit)
      })
    }
  }

  private walkScalars(at: number, path: Path, visit: (at: number, path: Path) => void): void {
    const kind = this.kindOf(at)
    if (kind === MAP || kind === LIST) {
      this.children(at, path, (child, childPath) => {
        this.walkScalars(child, childPath, visit)
      })
    } else if (kind === PLAIN || kind === TEXT) {
      visit(at, path)
    }
  }

  private children(at: number, path: Path, visit: (child: number, path: Path) => void): void {
    const stop = this.nextOf(at)
    if (this.kindOf(at) === LIST) {
      let index = 0
      for (let item = at + CELLS; item < stop; item = this.nextOf(item)) {
        visit(item, [...path, index])
        index += 1
      }
      return
    }
    for (let key = at + CELLS; key < stop; key = this.nextOf(key + CELLS)) {
      visit(key + CELLS, [...path, this.keyText(key, 'kubernetes') ?? this.text(key)])
    }
  }
}

/** `__proto__` as an ordinary entry; plain assignment would change the object's prototype. */
function defineEntry(object: { [key: string]: Json }, name: string, value: Json): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}
