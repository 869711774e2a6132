import type { Json, Path } from '../json.ts'
import type { Source, Span } from '../source.ts'
import type { AmbiguousScalar, DuplicateKey, Location, Reading, YamlDocument } from './document.ts'
import { ambiguousScalars, duplicateKeys, firstUnresolved, type Unresolved } from './tape-checks.ts'
import { TapeNodes, type TapeText } from './tape-nodes.ts'
import { CELLS, LIST, MAP, PLAIN, PLAIN_TEXT, type Tape } from './tape.ts'

export interface TapeDocumentInit extends Omit<TapeText, 'bytes'> {
  readonly source: Source
  readonly span: Span
  readonly index: number
  readonly parser: YamlDocument['parser']
  readonly tape: Tape
}

/** A document over a tape. Values are made when first asked for, and kept. */
export class TapeDocument implements YamlDocument {
  readonly source: Source
  readonly span: Span
  readonly index: number
  readonly parser: YamlDocument['parser']
  readonly nodes: TapeNodes
  private readonly values: { kubernetes?: Json; kustomize?: Json } = {}
  /** Whether building the value met a key twice in one mapping. */
  private hasRepeats = false
  private duplicates: readonly DuplicateKey[] | undefined
  private ambiguous: readonly AmbiguousScalar[] | undefined

  constructor({ source, span, index, parser, tape, ...text }: TapeDocumentInit) {
    this.source = source
    this.span = span
    this.index = index
    this.parser = parser
    this.nodes = new TapeNodes(tape, { bytes: source.bytes, ...text })
  }

  value(reading: Reading = 'kubernetes'): Json {
    return (this.values[reading] ??= this.build(0, reading))
  }

  locate(path: Path): Location | undefined {
    const { nodes } = this
    const { at, key } = nodes.find(path)
    if (at < 0) return undefined
    const value = nodes.spanOf(at)
    return key < 0 ? { value } : { key: nodes.spanOf(key), value }
  }

  get duplicateKeys(): readonly DuplicateKey[] {
    if (this.duplicates === undefined) {
      this.value()
      this.duplicates = this.hasRepeats ? duplicateKeys(this.nodes) : []
    }
    return this.duplicates
  }

  ambiguousScalars(): readonly AmbiguousScalar[] {
    return (this.ambiguous ??= ambiguousScalars(this.nodes, this.source.bytes))
  }

  firstUnresolved(): Unresolved | undefined {
    return firstUnresolved(this.nodes, this.source.bytes)
  }

  /** The text at a path; undefined where none stands. */
  textAt(path: Path): string | undefined {
    const { at } = this.nodes.find(path)
    if (at < 0) return undefined
    const kind = this.nodes.kindOf(at)
    if (kind === MAP || kind === LIST) return undefined
    const value = this.nodes.scalarValue(at, 'kubernetes')
    return typeof value === 'string' ? value : undefined
  }

  /** Of a template: the values that start with an action, which may print anything. */
  actionValues(): readonly Path[] {
    const { nodes } = this
    const { actions } = nodes
    if (actions === undefined) return []
    const starts = new Set(actions.map(({ start }) => start))
    const found: Path[] = []
    nodes.walk(0, [], (at, trail) => {
      const kind = nodes.kindOf(at)
      const isPlain = kind === PLAIN || kind === PLAIN_TEXT
      if (isPlain && starts.has(nodes.spanOf(at).start)) found.push(nodes.pathOf(trail))
    })
    return found
  }

  private build(at: number, reading: Reading): Json {
    const { nodes } = this
    const kind = nodes.kindOf(at)
    if (kind === MAP) return this.buildMap(at, reading)
    if (kind !== LIST) return nodes.scalarValue(at, reading) ?? null
    const items: Json[] = []
    const stop = nodes.nextOf(at)
    for (let item = at + CELLS; item < stop; item = nodes.nextOf(item)) {
      items.push(this.build(item, reading))
    }
    return items
  }

  private buildMap(at: number, reading: Reading): Json {
    const { nodes } = this
    const object: { [key: string]: Json } = {}
    const stop = nodes.nextOf(at)
    for (let key = at + CELLS; key < stop; key = nodes.nextOf(key + CELLS)) {
      const name = nodes.keyText(key, reading)
      if (name === undefined || this.losesToOwn(at, key, name, reading)) continue
      const value = this.build(key + CELLS, reading)
      // What is undefined is not there, which is quicker to ask, and nearly always so.
      if (object[name] !== undefined && Object.hasOwn(object, name)) this.hasRepeats = true
      if (name === '__proto__') defineEntry(object, name, value)
      else object[name] = value
    }
    return object
  }

  /** Kubernetes lets the later entry win, merged or not; kustomize lets the map's own entry win. */
  private losesToOwn(map: number, key: number, name: string, reading: Reading): boolean {
    const { nodes } = this
    if (reading === 'kubernetes' || !nodes.isMerged(key)) return false
    const stop = nodes.nextOf(map)
    for (let other = map + CELLS; other < stop; other = nodes.nextOf(other + CELLS)) {
      if (!nodes.isMerged(other) && nodes.keyText(other, reading) === name) return true
    }
    return false
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
