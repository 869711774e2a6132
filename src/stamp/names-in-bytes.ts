/**
 * Finds out whether bytes hold one of many names as a word of its own, at one look per byte: a
 * name is made of a-z, 0-9, `-` and `.`.
 */
export class NameFinder {
  private readonly names: ReadonlySet<string>
  /** By the first two bytes of a word. */
  private readonly starts: Uint8Array = new Uint8Array(1 << 16)

  constructor(names: ReadonlySet<string>) {
    this.names = names
    for (const name of names) {
      const first = name.charCodeAt(0) << 8
      if (name.length > 1) this.starts[first | name.charCodeAt(1)] = 1
      else this.starts.fill(1, first, first | 0xff)
    }
  }

  isIn(bytes: Uint8Array): boolean {
    const { starts } = this
    const end = bytes.length
    let at = 0
    while (at < end) {
      if (NAME_BYTE[bytes[at] as number] === 0) {
        at += 1
        continue
      }
      const start = at
      while (at < end && NAME_BYTE[bytes[at] as number] === 1) at += 1
      const first = bytes[start] as number
      const second = start + 1 < at ? (bytes[start + 1] as number) : 0
      if (starts[(first << 8) | second] === 1 && this.has(bytes, start, at)) return true
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

const NAME_BYTE = nameBytes()

function nameBytes(): Uint8Array {
  const table = new Uint8Array(256)
  table.fill(1, 48, 58)
  table.fill(1, 97, 123)
  for (const sign of '-.') table[sign.charCodeAt(0)] = 1
  return table
}
