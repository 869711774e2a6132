/** Byte values that YAML gives a meaning. */
export const TAB = 9
export const LINE_FEED = 10
export const CARRIAGE_RETURN = 13
export const SPACE = 32
export const EXCLAMATION = 33
export const DOUBLE_QUOTE = 34
export const HASH = 35
export const PERCENT = 37
export const AMPERSAND = 38
export const SINGLE_QUOTE = 39
export const ASTERISK = 42
export const PLUS = 43
export const COMMA = 44
export const DASH = 45
export const DOT = 46
export const ZERO = 48
export const NINE = 57
export const COLON = 58
export const GREATER = 62
export const QUESTION = 63
export const OPEN_LIST = 91
export const BACKSLASH = 92
export const CLOSE_LIST = 93
export const OPEN_MAP = 123
export const PIPE = 124
export const CLOSE_MAP = 125
export const TILDE = 126

export function isBlank(code: number | undefined): boolean {
  return code === SPACE || code === LINE_FEED || code === TAB || code === CARRIAGE_RETURN
}

/** Start of the line after the one that holds `at`. */
export function lineEnd(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(LINE_FEED, at)
  return end < 0 ? bytes.length : end + 1
}

/** The first byte that is no blank, line end or comment; `end` when there is none. */
export function firstContent(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end) {
    const code = bytes[at]
    if (code === HASH) at = Math.min(lineEnd(bytes, at), end)
    else if (isBlank(code)) at += 1
    else return at
  }
  return end
}

const encoder = new TextEncoder()

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Where `needle` (not empty) stands at or after `from`; -1 when nowhere. */
export function findBytes(bytes: Uint8Array, needle: Uint8Array, from: number): number {
  return hasNativeSearch(bytes) ? bytes.indexOf(needle, from) : plainSearch(bytes, needle, from)
}

/** Bytes below 128 as text. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  return hasNativeSearch(bytes) ? bytes.latin1Slice(start, end) : decode(bytes, start, end)
}

/** Node's Buffer looks for a row of bytes at the speed of memory; plain byte arrays cannot. */
interface NativeSearch {
  indexOf(needle: Uint8Array | number, from?: number): number
  latin1Slice(start: number, end: number): string
}

function hasNativeSearch(bytes: Uint8Array): bytes is Uint8Array & NativeSearch {
  return 'latin1Slice' in bytes
}

function plainSearch(bytes: Uint8Array, needle: Uint8Array, from: number): number {
  const first = needle[0] ?? 0
  const last = bytes.length - needle.length
  for (
    let at = bytes.indexOf(first, from);
    at >= 0 && at <= last;
    at = bytes.indexOf(first, at + 1)
  ) {
    if (startsWithAt(bytes, needle, at)) return at
  }
  return -1
}

export function startsWithAt(bytes: Uint8Array, needle: Uint8Array, at: number): boolean {
  for (let step = 0; step < needle.length; step += 1) {
    if (bytes[at + step] !== needle[step]) return false
  }
  return true
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function decode(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end))
}
