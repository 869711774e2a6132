/**
 * Finds out whether bytes hold one of many names as a word of its own, at one look per byte: a
 * name is made of a-z, 0-9, `-` and `.`. A word is made text only when its hash is a name's.
 */
export class NameFinder {
  private readonly names: ReadonlySet<string>
  private readonly hashes: Uint8Array = new Uint8Array(1 << BITS)

  constructor(names: ReadonlySet<string>) {
    this.names = names
    for (const name of names) {
      let hash = 0
      for (let at = 0; at < name.length; at += 1) hash = step(hash, name.charCodeAt(at))
      this.hashes[hash >>> (32 - BITS)] = 1
    }
  }

  isIn(bytes: Uint8Array): boolean {
    const { hashes } = this
    const end = bytes.length
    let at = 0
    while (at < end) {
      if (NAME_BYTE[bytes[at] as number] === 0) {
        at += 1
        continue
      }
      const start = at
      let hash = 0
      // Of the word without the dashes and dots at its end, as at the end of a sentence.
      let shorterHash = 0
      for (; at < end; at += 1) {
        const code = bytes[at] as number
        const kind = NAME_BYTE[code]
        if (kind === 0) break
        hash = step(hash, code)
        if (kind === LETTER) shorterHash = hash
      }
      const isCandidate =
        hashes[hash >>> (32 - BITS)] === 1 || hashes[shorterHash >>> (32 - BITS)] === 1
      if (isCandidate && this.has(bytes, start, at)) return true
    }
    return false
  }

  private has(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start > LONGEST_NAME) return false
    const word = String.fromCharCode(...bytes.subarray(start, end))
    return this.names.has(word) || this.names.has(word.replace(/[-.]+$/, ''))
  }
}

const LONGEST_NAME = 300
const BITS = 18
const LETTER = 1

function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x9e3779b1)
}

/** 1 for letters and digits, 2 for what may stand between them. */
const NAME_BYTE = nameBytes()

function nameBytes(): Uint8Array {
  const table = new Uint8Array(256)
  table.fill(LETTER, 48, 58)
  table.fill(LETTER, 97, 123)
  for (const sign of '-.') table[sign.charCodeAt(0)] = 2
  return table
}
