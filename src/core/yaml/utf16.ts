import type { Source } from '../source.ts'

/**
 * Kubernetes' readers also take UTF-16 with a byte order mark. Such a file is read through a copy
 * in UTF-8, in which lines and columns are the same.
 */
export function asUtf8(source: Source): Source {
  const [first, second] = source.bytes
  if (first === 0xff && second === 0xfe) return transcoded(source, 'utf-16le')
  if (first === 0xfe && second === 0xff) return transcoded(source, 'utf-16be')
  return source
}

function transcoded(source: Source, encoding: string): Source {
  const text = new TextDecoder(encoding).decode(source.bytes)
  return { path: source.path, bytes: new TextEncoder().encode(text) }
}
