import type { Path } from '../json.ts'
import type { OpenPlace, YamlDocument } from './document.ts'
import { TapeDocument } from './tape-document.ts'
import { CELLS, LIST, MAP } from './tape.ts'

/**
 * The paths of a template document to which rendering may add entries: mappings and lists that an
 * open place stands in, missing values that it may fill, and values that are one action.
 */
export function openPaths(
  document: YamlDocument,
  openPlaces: readonly OpenPlace[],
): readonly Path[] {
  if (!(document instanceof TapeDocument)) return []
  const { start, end } = document.span
  const inside = openPlaces.filter(({ offset }) => offset >= start && offset < end)
  return [...inside.map((place) => pathOfPlace(document, place)), ...document.actionValues()]
}

/** Whether rendering may add an entry at `path` or make it a mapping of its own. */
export function openAt(
  document: YamlDocument,
  openPlaces: readonly OpenPlace[],
): (path: Path) => boolean {
  const open = new Set(openPaths(document, openPlaces).map((path) => JSON.stringify(path)))
  return (path) => {
    if (open.size === 0) return false
    let length = path.length
    while (length > 0 && document.locate(path.slice(0, length)) === undefined) length -= 1
    return open.has(JSON.stringify(path.slice(0, length)))
  }
}

/** From the root along the last entries before the place, as long as they stand left of it. */
function pathOfPlace(document: TapeDocument, { offset, indent }: OpenPlace): Path {
  const path: (string | number)[] = []
  let at = 0
  for (;;) {
    const kind = document.nodes.kindOf(at)
    if (kind !== MAP && kind !== LIST) return path
    const isMap = kind === MAP
    const last = lastBefore(document, at, isMap, offset)
    if (last === undefined) return path
    // Items of a list stand behind its dashes.
    const column = columnOf(document, document.nodes.spanOf(isMap ? last.at : at).start)
    if (column >= indent) return path
    path.push(isMap ? (document.nodes.keyText(last.at, 'kubernetes') ?? '') : last.index)
    at = isMap ? last.at + CELLS : last.at
  }
}

function lastBefore(
  document: TapeDocument,
  collection: number,
  isMap: boolean,
  offset: number,
): { readonly at: number; readonly index: number } | undefined {
  let found: { readonly at: number; readonly index: number } | undefined
  const stop = document.nodes.nextOf(collection)
  let index = 0
  for (let at = collection + CELLS; at < stop; index += 1) {
    if (document.nodes.spanOf(at).start >= offset) break
    found = { at, index }
    at = document.nodes.nextOf(isMap ? at + CELLS : at)
  }
  return found
}

function columnOf(document: TapeDocument, offset: number): number {
  return offset - (document.source.bytes.subarray(0, offset).lastIndexOf(10) + 1)
}
