import type { Span } from '../source.ts'
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  COLON,
  DOUBLE_QUOTE,
  LINE_FEED,
  SINGLE_QUOTE,
  SPACE,
  bytesOf,
  findBytes,
  startsWithAt,
} from './bytes.ts'

/**
 * Which documents somebody wants: those of a kind, of an API group, or of both, and every `List`
 * that mentions one. Other documents are not parsed, and their faults not reported.
 */
export interface Wanted {
  /** Everything: for files that are known by their name, such as kustomization.yaml. */
  readonly all?: boolean
  readonly needles: readonly Needle[]
  /** Leaves out documents of a YAML stream whose bytes hold none of these texts. */
  readonly texts?: readonly Uint8Array[]
}

export interface Needle {
  readonly kind?: string
  readonly group?: string
}

/** What to look for in the bytes. */
export interface Search {
  /** Kinds, without those that contain another one. */
  readonly words: readonly Uint8Array[]
  /** Groups of needles without a kind, each with its slash. */
  readonly groups: readonly Uint8Array[]
  readonly needles: readonly { readonly kind?: Uint8Array; readonly group?: Uint8Array }[]
}

export function searchFor({ needles }: Wanted): Search {
  const kinds = [...new Set(needles.flatMap(({ kind }) => kind ?? []))]
  const words = kinds.filter((word) =>
    kinds.every((other) => other === word || !word.includes(other)),
  )
  const groups = needles.flatMap(({ kind, group }) => (kind === undefined ? (group ?? []) : []))
  return {
    words: words.map(bytesOf),
    groups: groups.map((group) => bytesOf(`${group}/`)),
    needles: needles.map(({ kind, group }) => ({
      ...(kind !== undefined && { kind: bytesOf(kind) }),
      ...(group !== undefined && { group: bytesOf(`${group}/`) }),
    })),
  }
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

/** Whether the span holds one of the texts that somebody asks for, if any are asked for. */
export function mentions({ texts }: Wanted, bytes: Uint8Array, { start, end }: Span): boolean {
  if (texts === undefined) return true
  const part = start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end)
  return texts.some((text) => text.length > 0 && findBytes(part, text, 0) >= 0)
}

/** The same for a kind and an apiVersion that still are bytes. */
export function matchesBytes(
  { needles }: Search,
  bytes: Uint8Array,
  kind: Span,
  apiVersion: Span | undefined,
): boolean {
  if (startsWithAt(bytes, LIST, kind.end - LIST.length)) return true
  const version = apiVersion?.start ?? bytes.length
  return needles.some(
    (needle) =>
      (needle.kind === undefined ||
        (needle.kind.length === kind.end - kind.start &&
          startsWithAt(bytes, needle.kind, kind.start))) &&
      (needle.group === undefined || startsWithAt(bytes, needle.group, version)),
  )
}

const LIST = bytesOf('List')

/**
 * Walks over a file from hit to hit. What may make a document wanted: the word of a kind, an
 * apiVersion of a group (or one that is written in an odd form), and the escapes and the tag that
 * could spell any of them in disguise. Each is searched again only when its last hit has been
 * passed, so the whole walk reads the file once for each.
 */
export class HitFinder {
  private readonly bytes: Uint8Array
  private readonly finders: readonly Finder[]
  /** Of each finder: the next hit at or after the last question. */
  private readonly next: number[]

  constructor(bytes: Uint8Array, { words, groups }: Search, from: number) {
    this.bytes = bytes
    const finders: Finder[] = words.map((word) => (bytes, from) => findBytes(bytes, word, from))
    if (groups.length > 0) finders.push((bytes, from) => findGroup(bytes, groups, from))
    finders.push(findEscape, findBinaryTag)
    this.finders = finders
    this.next = finders.map((find) => orNever(find(bytes, from)))
  }

  /** Start of the first hit in the file; Infinity when there is none. */
  first(): number {
    return Math.min(...this.next)
  }

  /** Whether there is a hit in the span. Spans are asked for in file order. */
  hits(start: number, end: number): boolean {
    let isHit = false
    const { finders, next } = this
    for (let index = 0; index < next.length; index += 1) {
      let at = next[index] as number
      if (at < start) {
        at = orNever((finders[index] as Finder)(this.bytes, start))
        next[index] = at
      }
      if (at < end) isHit = true
    }
    return isHit
  }
}

type Finder = (bytes: Uint8Array, from: number) => number

function orNever(at: number): number {
  return at < 0 ? Infinity : at
}

/** The rare letter makes it quick to find. */
const VERSION = bytesOf('Version')
const API = bytesOf('api')
const BINARY_TAG = bytesOf('!!binary')

function findBinaryTag(bytes: Uint8Array, from: number): number {
  return findBytes(bytes, BINARY_TAG, from)
}

function findGroup(bytes: Uint8Array, groups: readonly Uint8Array[], from: number): number {
  let at = findBytes(bytes, VERSION, from)
  while (at >= 0) {
    const isApiVersion = at >= 3 && startsWithAt(bytes, API, at - 3)
    if (isApiVersion && mayHoldGroup(bytes, groups, at + VERSION.length)) return at
    at = findBytes(bytes, VERSION, at + 1)
  }
  return -1
}

/**
 * Behind the word `apiVersion`: false when it is a key with a plain or quoted value of another
 * group, or with a mapping (as in the schema of a CRD). Anything else may be a group.
 */
function mayHoldGroup(bytes: Uint8Array, groups: readonly Uint8Array[], from: number): boolean {
  let at = from
  if (bytes[at] === DOUBLE_QUOTE) at += 1
  if (bytes[at] !== COLON) return true
  at += 1
  while (bytes[at] === SPACE) at += 1
  if (bytes[at] === LINE_FEED) return !startsMapping(bytes, at + 1)
  if (bytes[at] === DOUBLE_QUOTE || bytes[at] === SINGLE_QUOTE) at += 1
  if (groups.some((group) => startsWithAt(bytes, group, at))) return true
  const code = bytes[at] as number
  return !isLowercase(code)
}

/** A key on the next line. */
function startsMapping(bytes: Uint8Array, line: number): boolean {
  let at = line
  while (bytes[at] === SPACE) at += 1
  const start = at
  while (isLowercase(bytes[at] as number)) at += 1
  return at > start && bytes[at] === COLON
}

/** Groups and versions start with one. */
function isLowercase(code: number): boolean {
  return code >= 97 && code <= 122
}

/** `\x`, `\u`, `\U` and a backslash at the end of a line can spell any word. */
function findEscape(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(BACKSLASH, from); at >= 0; at = bytes.indexOf(BACKSLASH, at + 1)) {
    const next = bytes[at + 1]
    if (next === 0x78 || next === 0x75 || next === 0x55 || next === LINE_FEED) return at
    if (next === CARRIAGE_RETURN && bytes[at + 2] === LINE_FEED) return at
  }
  return -1
}
