import { actionWithin, type Action } from './actions.ts'
import type { TreeNode, TreeScalar } from './document.ts'

/**
 * A parsed document as a flat row of numbers, in document order. Each node takes CELLS cells; the
 * nodes inside a collection follow it, in a mapping as key, value, key, value. Scalars stay bytes
 * of the source until somebody asks for them.
 */
export interface Tape {
  readonly cells: Int32Array
  /** Scalars of the full parser, which have no simple form in the bytes. */
  readonly texts: readonly TreeScalar[]
}

export const CELLS = 5
export const KIND = 0
export const START = 1
export const END = 2
/** Cell index of the node after this one and all that it holds. */
export const NEXT = 3
/** Block scalars: indentation and chomping; TEXT: place in `texts`; collections: the parent. */
export const EXTRA = 4

export const MAP = 1
export const LIST = 2
/** One line without quotes; empty for a missing value. */
export const PLAIN = 3
export const SINGLE = 4
export const DOUBLE = 5
export const LITERAL = 6
export const FOLDED = 7
export const JSON_STRING = 8
export const JSON_NUMBER = 9
/** true, false or null. */
export const JSON_WORD = 10
export const TEXT = 11
/** One line without quotes that the tag `!!str` makes a text, whatever it looks like. */
export const PLAIN_TEXT = 12
/** Added to the kind of a key that a merge key brought. */
export const MERGED = 16
/** Added to the kind of every key. */
export const KEY = 32
export const KIND_MASK = 15

const SLAB_CELLS = 1 << 14

/** A growable row of cells, reused for many documents; `copy` keeps what was written. */
export class TapeWriter {
  cells: Int32Array = new Int32Array(CELLS * 256)
  length = 0
  private slab: Int32Array = new Int32Array(0)
  private slabUsed = 0

  reset(): void {
    this.length = 0
  }

  /** Returns the cell index of the new node. */
  add(kind: number, start: number, end: number, extra: number): number {
    const at = this.length
    const next = at + CELLS
    if (next > this.cells.length) this.grow()
    const cells = this.cells
    cells[at] = kind
    cells[at + START] = start
    cells[at + END] = end
    cells[at + NEXT] = next
    cells[at + EXTRA] = extra
    this.length = next
    return at
  }

  /** Ends a collection: all nodes written since belong to it. */
  close(at: number, end: number): void {
    this.cells[at + END] = end
    this.cells[at + NEXT] = this.length
  }

  /** A mapping whose only content turned out to be a scalar becomes that scalar. */
  becomeScalar(at: number): void {
    const { cells } = this
    cells.copyWithin(at, at + CELLS, at + CELLS * 2)
    cells[at + NEXT] = at + CELLS
    this.length = at + CELLS
  }

  /** Writes the node at `at`, which is complete, once more. */
  repeat(at: number): void {
    const end = this.cells[at + NEXT] as number
    const shift = this.length - at
    while (this.length + end - at > this.cells.length) this.grow()
    const { cells } = this
    cells.copyWithin(this.length, at, end)
    for (let from = at; from < end; from += CELLS) {
      cells[from + shift + NEXT] = (cells[from + NEXT] as number) + shift
    }
    this.length += end - at
  }

  markKey(at: number): void {
    this.cells[at] = (this.cells[at] ?? 0) | KEY
  }

  /** Many small tapes share one larger piece of memory: less to allocate, and to collect. */
  copy(): Int32Array {
    const { length } = this
    if (length > SLAB_CELLS / 4) return this.cells.slice(0, length)
    if (this.slabUsed + length > this.slab.length) {
      this.slab = new Int32Array(SLAB_CELLS)
      this.slabUsed = 0
    }
    const start = this.slabUsed
    this.slabUsed += length
    this.slab.set(this.cells.subarray(0, length), start)
    return this.slab.subarray(start, this.slabUsed)
  }

  private grow(): void {
    const wider = new Int32Array(this.cells.length * 2)
    wider.set(this.cells)
    this.cells = wider
  }
}

/**
 * What the full parser hands over, as a tape. In a template it saw masked text: scalars that hold
 * an action are taken from the bytes again.
 */
export function tapeOfTree(root: TreeNode, actions: readonly Action[] = []): Tape {
  const maker = new TreeTape(actions)
  maker.add(root)
  return { cells: maker.writer.copy(), texts: maker.texts }
}

class TreeTape {
  readonly writer: TapeWriter = new TapeWriter()
  readonly texts: TreeScalar[] = []
  private readonly actions: readonly Action[]

  constructor(actions: readonly Action[]) {
    this.actions = actions
  }

  add(node: TreeNode): void {
    if (node.kind === 'scalar') {
      this.addScalar(node, 0)
      return
    }
    const kind = node.kind === 'map' ? MAP : LIST
    const at = this.writer.add(kind, node.span.start, node.span.end, 0)
    if (node.kind === 'list') {
      for (const item of node.items) this.add(item)
    } else {
      for (const { key, value, merged } of node.entries) {
        this.addScalar(key, merged ? KEY | MERGED : KEY)
        this.add(value)
      }
    }
    this.writer.close(at, node.span.end)
  }

  private addScalar(scalar: TreeScalar, flags: number): void {
    const { start, end } = scalar.span
    if (actionWithin(this.actions, scalar.span) !== undefined) {
      this.writer.add(PLAIN | flags, start, end, 0)
    } else {
      this.writer.add(TEXT | flags, start, end, this.texts.length)
      this.texts.push(scalar)
    }
  }
}
