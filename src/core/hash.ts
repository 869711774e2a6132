import { createHash, createHmac } from 'node:crypto'

/** sha256 over the UTF-8 bytes of `text`, in 64 hex digits. */
export function sha256Hex(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The first eight hex digits: what names and field digests carry. */
export function sha8(text: string): string {
  return sha256Hex(text).slice(0, 8)
}

/** The same with a key, without which nobody can tell whether a guessed text is the one. */
export function hmacSha256Hex(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}
