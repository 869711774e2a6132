import type { Json } from '../json.ts'
import type { Span } from '../source.ts'
import { actionsWithin } from './actions.ts'
import { DASH, DOT, NINE, PLUS, TILDE, ZERO } from './bytes.ts'
import type { AmbiguousScalar, DuplicateKey } from './document.ts'
import { mayResolve } from './resolve.ts'
import type { TapeNodes } from './tape-nodes.ts'
import { CELLS, END, KEY, KIND_MASK, LIST, MAP, PLAIN, START, TEXT } from './tape.ts'

/** Keys that stand twice in one mapping; in a template not those with an action between them. */
export function duplicateKeys(nodes: TapeNodes): readonly DuplicateKey[] {
  const found: DuplicateKey[] = []
  nodes.walk(0, [], (map, trail) => {
    if (nodes.kindOf(map) !== MAP) return
    for (const repeat of repeatsIn(nodes, map)) found.push({ path: nodes.pathOf(trail), ...repeat })
  })
  return found
}

function repeatsIn(nodes: TapeNodes, map: number): readonly Omit<DuplicateKey, 'path'>[] {
  const found: Omit<DuplicateKey, 'path'>[] = []
  const firsts = new Map<string, number>()
  const stop = nodes.nextOf(map)
  for (let key = map + CELLS; key < stop; key = nodes.nextOf(key + CELLS)) {
    const name = nodes.keyText(key, 'kubernetes')
    if (name === undefined || nodes.isMerged(key)) continue
    const earlier = firsts.get(name)
    // In a template each branch has a first key of its own.
    if (earlier === undefined || nodes.actions !== undefined) firsts.set(name, key)
    if (earlier === undefined) continue
    const first = nodes.spanOf(earlier)
    const again = nodes.spanOf(key)
    if (!controlBetween(nodes, first.start, again.end)) found.push({ key: name, first, again })
  }
  return found
}

/** An `else` or the like between two keys: at most one of them is rendered. */
function controlBetween({ actions = [] }: TapeNodes, start: number, end: number): boolean {
  for (const action of actionsWithin(actions, { start, end })) {
    if (!action.isOutput && action.start >= start && action.end <= end) return true
  }
  return false
}

/** Plain scalars, values and keys, that the two readings take for different things. */
export function ambiguousScalars(nodes: TapeNodes, bytes: Uint8Array): readonly AmbiguousScalar[] {
  const found: AmbiguousScalar[] = []
  if (!holdsDoubt(nodes, bytes)) return found
  nodes.walk(0, [], (at, trail) => {
    const kind = nodes.kindOf(at)
    if (kind === MAP) {
      const stop = nodes.nextOf(at)
      for (let key = at + CELLS; key < stop; key = nodes.nextOf(key + CELLS)) {
        if (!mayDiffer(nodes, bytes, key)) continue
        const kubernetes = nodes.keyText(key, 'kubernetes')
        const kustomize = nodes.keyText(key, 'kustomize')
        add(found, nodes, { at: key, trail, isKey: true, kubernetes, kustomize })
      }
    } else if (kind !== LIST && mayDiffer(nodes, bytes, at)) {
      const kubernetes = nodes.scalarValue(at, 'kubernetes')
      const kustomize = nodes.scalarValue(at, 'kustomize')
      add(found, nodes, { at, trail, isKey: false, kubernetes, kustomize })
    }
  })
  return found.sort((one, other) => one.span.start - other.span.start)
}

/** Most documents hold no scalar in doubt, and one look along the tape tells so. */
function holdsDoubt(nodes: TapeNodes, bytes: Uint8Array): boolean {
  const { length } = nodes.tape.cells
  for (let at = 0; at < length; at += CELLS) if (mayDiffer(nodes, bytes, at)) return true
  return false
}

function mayDiffer(nodes: TapeNodes, bytes: Uint8Array, at: number): boolean {
  const kind = nodes.kindOf(at)
  if (kind !== PLAIN) return kind === TEXT
  const start = nodes.cell(at + START)
  const end = nodes.cell(at + END)
  const first = bytes[start] as number
  if (!mayResolve(first)) return false
  return first > NINE ? end - start <= LONGEST_WORD : !isShortDecimal(bytes, start, end)
}

/** `false`, the longest of the words that are no text. */
const LONGEST_WORD = 5

/** Digits that every reader takes for the same number, as value and as key. */
function isShortDecimal(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > 15 || (bytes[start] === ZERO && end - start > 1)) return false
  for (let at = start; at < end; at += 1) {
    const code = bytes[at] as number
    if (code < ZERO || code > NINE) return false
  }
  return true
}

interface Readings {
  readonly at: number
  readonly trail: readonly number[]
  readonly isKey: boolean
  readonly kubernetes: Json | undefined
  readonly kustomize: Json | undefined
}

function add(found: AmbiguousScalar[], nodes: TapeNodes, readings: Readings): void {
  const { at, trail, isKey, kubernetes, kustomize } = readings
  if (kubernetes === undefined || kustomize === undefined || kubernetes === kustomize) return
  const path = nodes.pathOf(trail)
  found.push({ path, span: nodes.spanOf(at), isKey, text: nodes.text(at), kubernetes, kustomize })
}

/** A value or key that the readers refuse although it is good YAML. */
export interface Unresolved {
  readonly span: Span
  readonly what: string
}

/** The first scalar that has no JSON form, or no form as a key. */
export function firstUnresolved(nodes: TapeNodes, bytes: Uint8Array): Unresolved | undefined {
  const { cells } = nodes.tape
  for (let at = 0; at < cells.length; at += CELLS) {
    const cell = cells[at] as number
    const kind = cell & KIND_MASK
    const isKey = (cell & KEY) !== 0
    if (kind === PLAIN ? !mayFail(nodes, bytes, at, isKey) : kind !== TEXT) continue
    const value = isKey ? nodes.keyText(at, 'kubernetes') : nodes.scalarValue(at, 'kubernetes')
    if (value !== undefined) continue
    const text = nodes.text(at)
    const what = isKey
      ? `the key \`${text}\` is no text, and Kubernetes cannot make one of it`
      : `\`${text}\` has no form in JSON`
    return { span: nodes.spanOf(at), what }
  }
  return undefined
}

/** Only signs, dots and what may be null or a number as a key can have no form. */
function mayFail(nodes: TapeNodes, bytes: Uint8Array, at: number, isKey: boolean): boolean {
  const start = nodes.cell(at + START)
  if (start === nodes.cell(at + END)) return isKey
  const first = bytes[start] as number
  if (first === DOT || first === PLUS || first === DASH || first === TILDE) return true
  return isKey && mayResolve(first) && !startsOrdinaryWord(bytes, start)
}

/** Of the words that mean something, only those for nothing (`null`) are no key. */
function startsOrdinaryWord(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] as number
  if (first <= NINE) return false
  const second = bytes[start + 1]
  const isNull = (first === 0x6e || first === 0x4e) && (second === 0x75 || second === 0x55)
  return !isNull
}
