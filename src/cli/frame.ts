import type { Place } from '../core/source.ts'
import type { Lines } from './lines.ts'
import type { Paint } from './paint.ts'
import { printable, widthOf } from './words.ts'

/**
 * The line of a place with a mark below, and the line before for orientation:
 *
 *     6 |   backoffLimit: 0
 *     7 |   ttlSecondsAfterFinished: 3600
 *       |                            ^^^^
 *
 * Lines wider than the terminal are cut around the mark.
 */
export function codeFrame(place: Place, lines: Lines, options: FrameOptions): readonly string[] {
  const { paint, width, indent } = options
  const { source } = place
  const { start, end } = lines.region(place)
  const text = lines.text(source, start.line)
  if (text === undefined) return []
  const before = start.line > 1 ? lines.text(source, start.line - 1) : undefined
  const digits = String(start.line).length
  const room = Math.max(20, width - indent - digits - 3)
  const from = start.column - 1
  const to = end.line === start.line ? Math.max(from + 1, end.column - 1) : text.length
  const shown = cutAround(text, from, to, room)
  const margin = ' '.repeat(indent)
  const row = (number: string, line: string): string =>
    `${margin}${paint.faint(`${number.padStart(digits)} |`)}${line === '' ? '' : ` ${line}`}`
  const rows = [
    row(String(start.line), shown.line),
    row('', `${' '.repeat(shown.markAt)}${options.mark('^'.repeat(shown.markWidth))}`),
  ]
  if (before !== undefined && before.trim() !== '' && !before.startsWith('---')) {
    const cut = cutAround(before, 0, 0, room)
    rows.unshift(row(String(start.line - 1), paint.faint(cut.line)))
  }
  return rows
}

export interface FrameOptions {
  readonly paint: Paint
  readonly mark: (text: string) => string
  readonly width: number
  readonly indent: number
}

function cutAround(
  line: string,
  from: number,
  to: number,
  room: number,
): { readonly line: string; readonly markAt: number; readonly markWidth: number } {
  const lead = printable(line.slice(0, from))
  const marked = printable(line.slice(from, Math.max(from, to)))
  const rest = printable(line.slice(Math.max(from, to)))
  let head = lead
  if (widthOf(lead) + Math.min(widthOf(marked), room / 2) > room) {
    const keep = Math.max(8, Math.floor(room / 3))
    head = `…${lead.slice(Math.max(0, lead.length - keep))}`
  }
  const whole = `${head}${marked}${rest}`
  const fits = widthOf(whole) <= room
  const shown = fits ? whole : `${takeWidth(whole, room - 1)}…`
  const markAt = widthOf(head)
  const markWidth = Math.max(1, Math.min(widthOf(marked), room - markAt))
  return { line: shown.trimEnd(), markAt, markWidth }
}

function takeWidth(text: string, width: number): string {
  let taken = ''
  let room = width
  for (const sign of text) {
    room -= widthOf(sign)
    if (room < 0) break
    taken += sign
  }
  return taken
}
