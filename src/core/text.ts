/** By UTF-16 code units, whatever the language of the machine: output must be the same everywhere. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** As Kubernetes counts names: bytes of UTF-8. */
export function byteLength(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    bytes += code < 0x800 ? 1 : 2
    // A pair of surrogates is one character of four bytes.
    if (code >= 0xd800 && code < 0xdc00 && isTrailing(text.charCodeAt(at + 1))) at += 1
  }
  return bytes
}

function isTrailing(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}
