export function adler32(value: string): number {
  let [a, b] = [1, 0]
  for (const byte of new TextEncoder().encode(value)) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  return b * 65_536 + a
}

export function sha1Hex(value: string): string {
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
  const words = new Uint32Array(80)
  const bytes = padded(new TextEncoder().encode(value), 64)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 80; i += 1) {
      words[i] =
        i < 16
          ? view.getUint32(at + i * 4)
          : left(
              word(words, i - 3) ^ word(words, i - 8) ^ word(words, i - 14) ^ word(words, i - 16),
              1,
            )
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0] = state
    for (let i = 0; i < 80; i += 1) {
      const [mixed, constant] = roundOf(i, b, c, d)
      const next = (left(a, 5) + mixed + e + constant + word(words, i)) >>> 0
      e = d
      d = c
      c = left(b, 30)
      b = a
      a = next
    }
    for (const [i, part] of [a, b, c, d, e].entries()) state[i] = ((state[i] ?? 0) + part) >>> 0
  }
  return state.map((part) => part.toString(16).padStart(8, '0')).join('')
}

function roundOf(i: number, b: number, c: number, d: number): readonly [number, number] {
  if (i < 20) return [(b & c) | (~b & d), 0x5a827999]
  if (i < 40) return [b ^ c ^ d, 0x6ed9eba1]
  return i < 60 ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc] : [b ^ c ^ d, 0xca62c1d6]
}

function word(words: Uint32Array, at: number): number {
  return words[at] ?? 0
}

function left(value: number, by: number): number {
  return ((value << by) | (value >>> (32 - by))) >>> 0
}

/** The end mark, zeros, and the length in bits in the last places of the last block. */
function padded(bytes: Uint8Array, block: number): Uint8Array<ArrayBuffer> {
  const room = block / 8 + 1
  const made = new Uint8Array(Math.ceil((bytes.length + room) / block) * block)
  made.set(bytes)
  made[bytes.length] = 0x80
  new DataView(made.buffer).setBigUint64(made.length - 8, BigInt(bytes.length) * 8n)
  return made
}

const ALL_BITS = (1n << 64n) - 1n

export function sha512Hex(value: string): string {
  const primes = firstPrimes(80)
  const constants = primes.map((prime) => root(BigInt(prime) << 192n, 3n) & ALL_BITS)
  const state = primes.slice(0, 8).map((prime) => root(BigInt(prime) << 128n, 2n) & ALL_BITS)
  const bytes = padded(new TextEncoder().encode(value), 128)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < bytes.length; at += 128) block512(view, at, state, constants)
  return state.map((part) => part.toString(16).padStart(16, '0')).join('')
}

function block512(view: DataView, at: number, state: bigint[], constants: readonly bigint[]): void {
  const words: bigint[] = []
  const of = (i: number): bigint => words[i] ?? 0n
  for (let i = 0; i < 80; i += 1) {
    const [x, y] = [of(i - 15), of(i - 2)]
    words.push(
      i < 16
        ? view.getBigUint64(at + i * 8)
        : (of(i - 16) +
            (right(x, 1n) ^ right(x, 8n) ^ (x >> 7n)) +
            of(i - 7) +
            (right(y, 19n) ^ right(y, 61n) ^ (y >> 6n))) &
            ALL_BITS,
    )
  }
  let [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = state
  for (let i = 0; i < 80; i += 1) {
    const high = right(e, 14n) ^ right(e, 18n) ^ right(e, 41n)
    const one = h + high + ((e & f) ^ (~e & ALL_BITS & g)) + (constants[i] ?? 0n) + of(i)
    const low = right(a, 28n) ^ right(a, 34n) ^ right(a, 39n)
    const two = low + ((a & b) ^ (a & c) ^ (b & c))
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & ALL_BITS, c, b, a, (one + two) & ALL_BITS]
  }
  for (const [i, part] of [a, b, c, d, e, f, g, h].entries()) {
    state[i] = ((state[i] ?? 0n) + part) & ALL_BITS
  }
}

function right(value: bigint, by: bigint): bigint {
  return ((value >> by) | (value << (64n - by))) & ALL_BITS
}

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let at = 2; primes.length < count; at += 1) {
    if (primes.every((prime) => at % prime !== 0)) primes.push(at)
  }
  return primes
}

/** The whole part of a root, by halving. */
function root(value: bigint, degree: bigint): bigint {
  let [low, high] = [0n, 1n << 100n]
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (middle ** degree <= value) low = middle
    else high = middle - 1n
  }
  return low
}
