const LETTERS_64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const LETTERS_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function base64(value: string): string {
  return encoded(value, LETTERS_64, 6, 4)
}

/** Text that is no base64 gives Go's complaint as text, as sprig has it. */
export function unbase64(value: string): string {
  return decoded(value, LETTERS_64, { bits: 6, group: 4, name: 'base64' })
}

export function base32(value: string): string {
  return encoded(value, LETTERS_32, 5, 8)
}

export function unbase32(value: string): string {
  return decoded(value, LETTERS_32, { bits: 5, group: 8, name: 'base32' })
}

function encoded(value: string, letters: string, bits: number, group: number): string {
  let out = ''
  let held = 0
  let buffer = 0
  for (const byte of new TextEncoder().encode(value)) {
    buffer = (buffer << 8) | byte
    held += 8
    while (held >= bits) {
      held -= bits
      out += letters.charAt((buffer >> held) & (2 ** bits - 1))
    }
    buffer &= 2 ** held - 1
  }
  if (held > 0) out += letters.charAt((buffer << (bits - held)) & (2 ** bits - 1))
  return out.padEnd(Math.ceil(out.length / group) * group, '=')
}

function decoded(
  value: string,
  letters: string,
  { bits, group, name }: { readonly bits: number; readonly group: number; readonly name: string },
): string {
  const plain = value.replaceAll(/[\r\n]/g, '')
  const bytes: number[] = []
  let buffer = 0
  let held = 0
  const end = plain.replace(/=+$/, '').length
  for (let at = 0; at < end; at += 1) {
    const found = letters.indexOf(plain.charAt(at))
    if (found < 0) return `illegal ${name} data at input byte ${at}`
    buffer = (buffer << bits) | found
    held += bits
    if (held < 8) continue
    held -= 8
    bytes.push((buffer >> held) & 255)
    buffer &= 2 ** held - 1
  }
  if (plain.length % group !== 0 || plain.length - end >= group) {
    return `illegal ${name} data at input byte ${end - (end % group === 0 ? 0 : end % group)}`
  }
  return new TextDecoder().decode(new Uint8Array(bytes))
}
