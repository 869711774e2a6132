import { at, isObject, type Path } from '../core/json.ts'
import type { Span } from '../core/source.ts'
import { isBlank } from '../core/yaml/bytes.ts'
import type { YamlDocument } from '../core/yaml/document.ts'

/** The last byte that is no blank; a value may end behind its last line. */
export function lastSign(bytes: Uint8Array, { start, end }: Span): number {
  let last = end - 1
  while (last > start && isBlank(bytes[last])) last -= 1
  return last
}

/** Blanks and line ends, or nothing. */
export function isWhite(bytes: Uint8Array, start: number, end: number): boolean {
  for (let byte = start; byte < end; byte += 1) if (!isBlank(bytes[byte])) return false
  return true
}

/** Of the entries of a mapping, as its readers take them, in the order of the file. */
export function startsOf(document: YamlDocument, path: Path): readonly number[] {
  const around = document.locate(path)?.value
  const value = at(document.value(), path)
  if (around === undefined || !isObject(value)) return []
  return Object.keys(value)
    .flatMap((key) => document.locate([...path, key])?.key?.start ?? [])
    .filter((start) => start >= around.start && start < around.end)
    .sort((one, other) => one - other)
}
