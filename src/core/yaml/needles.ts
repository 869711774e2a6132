import { BACKSLASH, LINE_FEED, bytesOf, findBytes } from './bytes.ts'

/**
 * Which documents somebody wants: those of a kind, of an API group, or of both, and every `List`
 * that mentions one. Other documents are not parsed, and their faults not reported.
 */
export interface Wanted {
  /** Everything: for files that are known by their name, such as kustomization.yaml. */
  readonly all?: boolean
  readonly needles: readonly Needle[]
}

export interface Needle {
  readonly kind?: string
  readonly group?: string
}

/** The words of the needles, without those that contain another one. */
export function needleWords({ needles }: Wanted): readonly Uint8Array[] {
  const words = new Set(needles.map(({ kind, group }) => kind ?? group ?? ''))
  const shortest = [...words].filter(
    (word) => ![...words].some((other) => other !== word && word.includes(other)),
  )
  return shortest.map(bytesOf)
}

/** Whether an object with this kind and API group is wanted. */
export function matchesNeedles(wanted: Wanted, kind: string, apiVersion: string): boolean {
  if (kind.endsWith('List')) return true
  const slash = apiVersion.indexOf('/')
  const group = slash < 0 ? '' : apiVersion.slice(0, slash)
  return wanted.needles.some(
    (needle) =>
      (needle.kind === undefined || needle.kind === kind) &&
      (needle.group === undefined || needle.group === group),
  )
}

/**
 * Walks over a file from hit to hit. Each needle is searched again only when its last hit has been
 * passed, so the whole walk reads the file once per needle.
 */
export class HitFinder {
  private readonly bytes: Uint8Array
  private readonly words: readonly Uint8Array[]
  /** Of each word, then of the escapes: the next hit at or after the last question. */
  private readonly next: number[]

  constructor(bytes: Uint8Array, words: readonly Uint8Array[], from: number) {
    this.bytes = bytes
    this.words = words
    this.next = words.map((word) => findHit(bytes, word, from))
    this.next.push(findEscape(bytes, from), findHit(bytes, BINARY_TAG, from))
  }

  /** Start of the first hit in the file; Infinity when there is none. */
  first(): number {
    return Math.min(...this.next)
  }

  /** Whether a word that is wanted, or one that may spell it in disguise, lies in the span. */
  hits(start: number, end: number): boolean {
    let isHit = false
    for (let index = 0; index < this.next.length; index += 1) {
      let at = this.next[index] as number
      if (at < start) {
        at = this.search(index, start)
        this.next[index] = at
      }
      if (at < end) isHit = true
    }
    return isHit
  }

  private search(index: number, from: number): number {
    const word = this.words[index]
    if (word !== undefined) return findHit(this.bytes, word, from)
    return index === this.words.length
      ? findEscape(this.bytes, from)
      : findHit(this.bytes, BINARY_TAG, from)
  }
}

const BINARY_TAG = bytesOf('!!binary')

function findHit(bytes: Uint8Array, word: Uint8Array, from: number): number {
  const at = findBytes(bytes, word, from)
  return at < 0 ? Infinity : at
}

/** `\x`, `\u`, `\U` and a backslash at the end of a line can spell any word. */
function findEscape(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(BACKSLASH, from); at >= 0; at = bytes.indexOf(BACKSLASH, at + 1)) {
    const next = bytes[at + 1]
    if (next === 0x78 || next === 0x75 || next === 0x55 || next === LINE_FEED) return at
    if (next === 13 && bytes[at + 2] === LINE_FEED) return at
  }
  return Infinity
}
