/** What no YAML reader takes, or what the readers do not agree on. */
export interface OddCharacter {
  readonly at: number
  readonly fault: 'not-utf8' | 'control' | 'disputed'
  readonly code: number
}

/**
 * The first byte from `start` that Go's readers refuse (no UTF-8, control characters), or that
 * YAML 1.1 and 1.2 take for different things.
 */
export function findOddCharacter(
  bytes: Uint8Array,
  start: number,
  end: number,
): OddCharacter | undefined {
  let at = start
  while (at < end) {
    const byte = bytes[at] as number
    if (byte < 0x80) {
      if (isControl(byte)) return { at, fault: 'control', code: byte }
      at += 1
      continue
    }
    const size = sequenceLength(byte)
    if (size === 0 || at + size > end) return { at, fault: 'not-utf8', code: byte }
    const code = codePoint(bytes, at, size)
    if (code < 0) return { at, fault: 'not-utf8', code: byte }
    if (DISPUTED.has(code)) return { at, fault: 'disputed', code }
    if (isForbidden(code)) return { at, fault: 'control', code }
    at += size
  }
  return undefined
}

function isControl(byte: number): boolean {
  return byte < 32 ? byte !== 9 && byte !== 10 && byte !== 13 : byte === 0x7f
}

function sequenceLength(byte: number): number {
  if (byte >= 0xc2 && byte < 0xe0) return 2
  if (byte >= 0xe0 && byte < 0xf0) return 3
  return byte >= 0xf0 && byte < 0xf5 ? 4 : 0
}

/** -1 when the bytes are no UTF-8. */
function codePoint(bytes: Uint8Array, at: number, size: number): number {
  const first = bytes[at] as number
  let code = size === 2 ? first & 0x1f : size === 3 ? first & 0x0f : first & 0x07
  for (let step = 1; step < size; step += 1) {
    const byte = bytes[at + step] as number
    if ((byte & 0xc0) !== 0x80) return -1
    code = (code << 6) | (byte & 0x3f)
  }
  const least = size === 2 ? 0x80 : size === 3 ? 0x800 : 0x10000
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  return code < least || code > 0x10ffff || isSurrogate ? -1 : code
}

/** The rest of what Go's scanner calls control characters. */
function isForbidden(code: number): boolean {
  return (code >= 0x80 && code < 0xa0) || code === 0xfffe || code === 0xffff
}

/** NEL, LS and PS, and the byte order mark inside a text. */
const DISPUTED = new Set([0x85, 0x2028, 0x2029, 0xfeff])
