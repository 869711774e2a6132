import type { Files } from './stage.ts'

/**
 * The files after a diff (`--- a/job.yaml`, `+++ b/job.yaml`, lines with `-` and `+`); hunk headers
 * may be left out, because lines are found by their text. Undefined when a line is not there.
 */
export function patched(files: Files, diff: string): Files | undefined {
  const next: { [path: string]: string } = { ...files }
  for (const { from, to, lines } of partsOf(diff)) {
    const before = from === undefined ? [] : next[from]?.split('\n')
    if (before === undefined) return undefined
    const after = applied(before, lines)
    if (after === undefined) return undefined
    if (from !== undefined && from !== to) delete next[from]
    if (to !== undefined) next[to] = after.join('\n')
  }
  return next
}

interface Part {
  /** Undefined: the file is new. */
  readonly from: string | undefined
  /** Undefined: it is deleted. */
  readonly to: string | undefined
  readonly lines: string[]
}

function partsOf(diff: string): readonly Part[] {
  const parts: Part[] = []
  const lines = diff.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const next = lines[at + 1] ?? ''
    if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      parts.push({ from: pathOf(line), to: pathOf(next), lines: [] })
      at += 1
    } else if (/^[-+ ]/.test(line)) parts.at(-1)?.lines.push(line)
  }
  return parts
}

function pathOf(header: string): string | undefined {
  const path = header.slice(4).split('\t')[0]?.trim() ?? ''
  return path === '/dev/null' ? undefined : path.replace(/^[ab]\//, '')
}

/** What stands behind an added line begins a new place, so that lines in between may be left out. */
function applied(before: readonly string[], lines: readonly string[]): string[] | undefined {
  const after = [...before]
  let cursor = 0
  for (const { old, fresh } of placesOf(lines)) {
    const at = old.length === 0 ? cursor : find(after, old, cursor)
    if (at === undefined) return undefined
    after.splice(at, old.length, ...fresh)
    cursor = at + fresh.length
  }
  return after
}

interface Place {
  readonly old: string[]
  readonly fresh: string[]
  hasAdded: boolean
}

function placesOf(lines: readonly string[]): readonly Place[] {
  const places: Place[] = []
  for (const line of lines) {
    const mark = line[0]
    const text = line.slice(1)
    let place = places.at(-1)
    if (place === undefined || (place.hasAdded && mark !== '+')) {
      place = { old: [], fresh: [], hasAdded: false }
      places.push(place)
    }
    if (mark !== '+') place.old.push(text)
    if (mark !== '-') place.fresh.push(text)
    if (mark === '+') place.hasAdded = true
  }
  return places
}

function find(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
): number | undefined {
  for (let at = from; at + wanted.length <= lines.length; at += 1) {
    if (wanted.every((line, offset) => lines[at + offset] === line)) return at
  }
  return undefined
}
