/** By UTF-16 code units, whatever the language of the machine: output must be the same everywhere. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** As Kubernetes counts names: bytes of UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
