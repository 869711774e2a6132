import type { Path } from '../../core/json.ts'
import type { Span } from '../../core/source.ts'
import { OPEN_MAP, bytesOf, findBytes } from '../../core/yaml/bytes.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { behindColon } from '../../core/yaml/layout.ts'
import { TapeDocument } from '../../core/yaml/tape-document.ts'
import { CELLS, END, KIND_MASK, LIST, MAP, MERGED, START } from '../../core/yaml/tape.ts'

/** A value of a document, as its bytes have it. */
export interface Place {
  readonly kind: 'map' | 'list' | 'scalar'
  /** Empty where the value is missing. */
  readonly span: Span
  /** Of an entry of a mapping. */
  readonly key: Span | undefined
  /** Behind the colon of the key. */
  readonly colonEnd: number
  /** In braces or brackets, as all of JSON is. */
  readonly isFlow: boolean
}

export interface MapPlace extends Place {
  /** Where the first entry begins, also a merge key; undefined where there is none. */
  readonly firstKey: Span | undefined
}

/** Why a place must not be written to: what is written there would be written elsewhere as well. */
export interface Shared {
  readonly span: Span
  readonly what: string
}

/** The bytes of a document as a tree. */
export class Tree {
  readonly bytes: Uint8Array
  private readonly document: TapeDocument

  constructor(document: TapeDocument) {
    this.document = document
    this.bytes = document.source.bytes
  }

  at(path: Path): MapPlace | undefined {
    const { nodes } = this.document
    const { at, key } = nodes.find(path)
    if (at < 0) return undefined
    const kind = nodes.kindOf(at)
    const keySpan = key < 0 ? undefined : nodes.spanOf(key)
    return {
      kind: kind === MAP ? 'map' : kind === LIST ? 'list' : 'scalar',
      span: nodes.spanOf(at),
      key: keySpan,
      colonEnd: keySpan === undefined ? 0 : (behindColon(this.bytes, keySpan.end) ?? keySpan.end),
      isFlow: this.isFlow(path),
      firstKey: kind === MAP ? this.firstKey(at) : undefined,
    }
  }

  /** Whether an anchor, an alias or a merge key makes the value at `path` stand elsewhere too. */
  sharedAt(path: Path): Shared | undefined {
    const { nodes, span: whole } = this.document
    const star = this.bytes.indexOf(ASTERISK, whole.start)
    if (star < 0 || star >= whole.end) return undefined
    let parent = nodes.spanOf(0)
    for (let length = 1; length <= path.length; length += 1) {
      const { at, key } = nodes.find(path.slice(0, length))
      if (at < 0) return undefined
      const span = nodes.spanOf(at)
      const from = key < 0 ? this.itemStart(path.slice(0, length), parent) : nodes.spanOf(key).end
      const isInside = from >= parent.start && span.start >= from && span.end <= parent.end
      const isMerged = key >= 0 && nodes.isMerged(key)
      if (!isInside || isMerged) {
        const shown = key < 0 || isMerged ? span : nodes.spanOf(key)
        return { span: shown, what: 'an alias or a merge key brings this value from another place' }
      }
      const anchor = this.anchorIn(from, span.start)
      if (anchor !== undefined) return anchor
      if (this.standsTwice(at))
        return { span, what: 'an alias repeats this value in another place' }
      parent = span
    }
    return undefined
  }

  /** Where what belongs to an item of a list begins. */
  private itemStart(path: Path, list: Span): number {
    const { nodes } = this.document
    const index = path.at(-1)
    if (typeof index !== 'number' || index === 0) return list.start
    const before = nodes.find([...path.slice(0, -1), index - 1]).at
    return before < 0 ? list.start : Math.max(list.start, nodes.spanOf(before).end)
  }

  /** Also a scalar in braces is in flow. */
  private isFlow(path: Path): boolean {
    const { nodes } = this.document
    for (let length = 0; length <= path.length; length += 1) {
      const { at } = nodes.find(path.slice(0, length))
      const kind = nodes.kindOf(at)
      const first = this.bytes[nodes.spanOf(at).start]
      if ((kind === MAP || kind === LIST) && (first === OPEN_MAP || first === 0x5b)) return true
    }
    return false
  }

  private firstKey(map: number): Span | undefined {
    const { nodes } = this.document
    const { start, end } = nodes.spanOf(map)
    const stop = nodes.nextOf(map)
    if (map + CELLS === stop) return undefined
    for (let key = map + CELLS; key < stop; key = nodes.nextOf(key + CELLS)) {
      const span = nodes.spanOf(key)
      if (!nodes.isMerged(key) && span.start >= start && span.end <= end) {
        // What stands before it can only be a merge key, which is on no tape.
        return this.bytes[start] === OPEN_MAP ? span : { start, end: span.end }
      }
    }
    const first = this.bytes[start] === OPEN_MAP ? start + 1 : start
    return { start: first, end: first }
  }

  /** `&name` before a value whose `*name` stands anywhere in the document. */
  private anchorIn(from: number, to: number): Shared | undefined {
    const { bytes } = this
    const { span } = this.document
    for (
      let at = bytes.indexOf(AMPERSAND, from);
      at >= 0 && at < to;
      at = bytes.indexOf(AMPERSAND, at + 1)
    ) {
      const match = /^[^\s,[\]{}]+/.exec(String.fromCharCode(...bytes.subarray(at + 1, to)))
      if (match === null) continue
      const alias = findBytes(bytes, bytesOf(`*${match[0]}`), span.start)
      if (alias < 0 || alias >= span.end) continue
      const end = at + 1 + match[0].length
      return { span: { start: at, end }, what: `other places repeat it as *${match[0]}` }
    }
    return undefined
  }

  /** The tape repeats what an alias or a merge key stands for, with the same bytes. */
  private standsTwice(at: number): boolean {
    const { cells } = this.document.nodes.tape
    const start = cells[at + START]
    const end = cells[at + END]
    if (start === end) return false
    const kind = (cells[at] ?? 0) & KIND_MASK
    for (let other = 0; other < cells.length; other += CELLS) {
      if (other === at || cells[other + START] !== start || cells[other + END] !== end) continue
      if (((cells[other] ?? 0) & KIND_MASK) === kind) return true
    }
    return this.document.nodes.kindOf(at) === MAP && this.holdsMergedFrom(at)
  }

  /** Whether a merge key elsewhere has brought an entry of this mapping. */
  private holdsMergedFrom(map: number): boolean {
    const { nodes } = this.document
    const { cells } = nodes.tape
    const { start, end } = nodes.spanOf(map)
    for (let other = 0; other < cells.length; other += CELLS) {
      const inside = (cells[other + START] ?? 0) >= start && (cells[other + END] ?? 0) <= end
      const isBelow = other > map && other < nodes.nextOf(map)
      if (((cells[other] ?? 0) & MERGED) !== 0 && inside && !isBelow) return true
    }
    return false
  }
}

const AMPERSAND = 38
const ASTERISK = 42

export function treeOf(document: YamlDocument): Tree | undefined {
  return document instanceof TapeDocument ? new Tree(document) : undefined
}
