import { createHash } from 'node:crypto'

/** sha256 over the UTF-8 bytes of `text`, in 64 hex digits. */
export function sha256Hex(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The first eight hex digits: what names and field digests carry. */
export function sha8(text: string): string {
  return sha256Hex(text).slice(0, 8)
}
