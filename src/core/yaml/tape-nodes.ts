import type { Json, Path } from '../json.ts'
import type { Span } from '../source.ts'
import type { Reading, TreeScalar } from './document.ts'
import { actionWithin, type Action } from './actions.ts'
import { SPACE } from './bytes.ts'
import { mayResolve, resolveKey, resolvePlain, resolveScalar } from './resolve.ts'
import { ScalarReader } from './scalar-text.ts'
import {
  CELLS,
  END,
  EXTRA,
  JSON_NUMBER,
  JSON_WORD,
  KIND_MASK,
  LIST,
  MAP,
  MERGED,
  NEXT,
  PLAIN,
  START,
  TEXT,
  type Tape,
} from './tape.ts'

export interface TapeText {
  readonly bytes: Uint8Array
  /** Given when each byte of the span is one character. */
  readonly ascii?: Span
  /** Of a template: its bytes with masked actions, and the actions. */
  readonly shape?: Uint8Array
  readonly actions?: readonly Action[]
}

/** Ways over a tape. A node is named by the index of its first cell, the root by 0, none by -1. */
export class TapeNodes {
  readonly tape: Tape
  readonly actions: readonly Action[] | undefined
  private readonly bytes: Uint8Array
  private readonly reader: ScalarReader

  constructor(tape: Tape, { bytes, ascii, shape, actions }: TapeText) {
    this.tape = tape
    this.bytes = bytes
    this.actions = actions
    this.reader = new ScalarReader(bytes, shape ?? bytes, tape, ascii)
  }

  cell(at: number): number {
    return this.tape.cells[at] ?? 0
  }

  kindOf(at: number): number {
    return this.cell(at) & KIND_MASK
  }

  spanOf(at: number): Span {
    return { start: this.cell(at + START), end: this.cell(at + END) }
  }

  nextOf(at: number): number {
    return this.cell(at + NEXT)
  }

  isMerged(key: number): boolean {
    return (this.cell(key) & MERGED) !== 0
  }

  /** Of a scalar, after unquoting and folding. */
  text(at: number, reading: Reading = 'kubernetes'): string {
    return this.reader.text(at, reading)
  }

  /** Undefined where the readers refuse the key. */
  keyText(at: number, reading: Reading): string | undefined {
    const kind = this.kindOf(at)
    const text = this.actions === undefined ? this.text(at) : this.withoutControls(at, this.actions)
    if (kind === PLAIN) {
      return text !== '' && !mayResolve(text.charCodeAt(0))
        ? text
        : resolveKey(text, undefined, true, reading)
    }
    if (kind !== TEXT) return text
    const scalar = this.scalar(at)
    return resolveKey(text, scalar.tag, scalar.style === 'plain', reading)
  }

  /** Undefined where a scalar has no JSON form; such documents are reported, not handed on. */
  scalarValue(at: number, reading: Reading): Json | undefined {
    const text = this.text(at, reading)
    switch (this.kindOf(at)) {
      case PLAIN:
        return resolvePlain(text, reading)
      case JSON_NUMBER:
        return resolvePlain(text, 'kubernetes')
      case JSON_WORD:
        return text === 'null' ? null : text === 'true'
      case TEXT: {
        const scalar = this.scalar(at)
        return resolveScalar(text, scalar.tag, scalar.style === 'plain', reading)
      }
      default:
        return text
    }
  }

  /** The node at a path, and its key when it is an entry. */
  find(path: Path): { readonly at: number; readonly key: number } {
    let at = 0
    let key = -1
    for (const step of path) {
      const kind = this.kindOf(at)
      if (typeof step === 'number') {
        key = -1
        at = kind === LIST ? this.itemAt(at, step) : -1
      } else {
        key = kind === MAP ? this.keyAt(at, step) : -1
        at = key < 0 ? -1 : key + CELLS
      }
      if (at < 0) return { at: -1, key: -1 }
    }
    return { at, key }
  }

  /** The entry that wins under Kubernetes, else the one that kustomize would take. */
  keyAt(map: number, name: string): number {
    const found = this.lastKey(map, name, 'kubernetes')
    return found >= 0 ? found : this.lastKey(map, name, 'kustomize')
  }

  /**
   * Calls `visit` for this node and all below it, but not for keys. `trail` is good only during
   * the call; `pathOf` makes a path of it.
   */
  walk(at: number, trail: number[], visit: (at: number, trail: readonly number[]) => void): void {
    visit(at, trail)
    const kind = this.kindOf(at)
    const stop = this.nextOf(at)
    if (kind === LIST) {
      let index = 0
      for (let item = at + CELLS; item < stop; item = this.nextOf(item)) {
        trail.push(-1 - index)
        this.walk(item, trail, visit)
        trail.pop()
        index += 1
      }
    } else if (kind === MAP) {
      for (let key = at + CELLS; key < stop; key = this.nextOf(key + CELLS)) {
        trail.push(key)
        this.walk(key + CELLS, trail, visit)
        trail.pop()
      }
    }
  }

  pathOf(trail: readonly number[]): Path {
    return trail.map((step) =>
      step < 0 ? -1 - step : (this.keyText(step, 'kubernetes') ?? this.text(step)),
    )
  }

  private scalar(at: number): TreeScalar {
    const scalar = this.tape.texts[this.cell(at + EXTRA)]
    if (scalar === undefined) throw new Error('bug in semel: a text cell without its scalar')
    return scalar
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

  private lastKey(map: number, name: string, reading: Reading): number {
    const stop = this.nextOf(map)
    let found = -1
    for (let key = map + CELLS; key < stop; key = this.nextOf(key + CELLS)) {
      if (this.mayBeKey(key, name) && this.keyText(key, reading) === name) found = key
    }
    return found
  }

  /** False only for an ordinary key with another first letter: most of them, without a decoding. */
  private mayBeKey(key: number, name: string): boolean {
    if (this.actions !== undefined || this.kindOf(key) !== PLAIN) return true
    const first = this.bytes[this.cell(key + START)] as number
    return first === name.charCodeAt(0) || first >= 128 || mayResolve(first)
  }

  /** `{{ if .x }}name: ...` on one line: the key is `name`. */
  private withoutControls(at: number, actions: readonly Action[]): string {
    const { start, end } = this.spanOf(at)
    if (actionWithin(actions, { start, end: start + 1 }) === undefined) return this.text(at)
    let from = start
    for (const action of actions) {
      if (action.start !== from || action.isOutput || action.end >= end) continue
      from = action.end
      while (this.bytes[from] === SPACE) from += 1
    }
    return from === start ? this.text(at) : new TextDecoder().decode(this.bytes.subarray(from, end))
  }
}
