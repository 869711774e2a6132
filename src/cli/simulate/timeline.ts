import type { Instant } from '../../cluster/time.ts'
import {
  runsOf,
  type Happening,
  type History,
  type JobLife,
  type Lane,
} from '../../simulate/history/history.ts'
import { grouped } from '../../simulate/tell/spans.ts'
import type { Io } from '../io.ts'
import type { Paint } from '../paint.ts'
import { pad, printable, shorten, widthOf } from '../words.ts'
import { axis, type Scale } from './timeline-axis.ts'
import { drawn, KIND_SIGNS, legend, type Cell, type Sign } from './timeline-signs.ts'

export interface TimelineContext {
  readonly paint: Paint
  readonly width: number
  /** Only the signs that every terminal has. */
  readonly ascii: boolean
}

/** A terminal that says it knows no more than ASCII. One that says nothing knows UTF-8. */
export function wantsAscii(env: Io['env']): boolean {
  if (env['TERM'] === 'dumb') return true
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (value) => value !== undefined && value !== '',
  )
  return locale !== undefined && !/utf-?8/i.test(locale)
}

/**
 * One row of signs for each lane, the time running from left to right, and below it what else
 * happened. Where several fall into one column, the worst outcome is shown; runs that all complete
 * are shown by their number.
 */
export function timeline(history: History, context: TimelineContext): readonly string[] {
  const lanes = history.lanes.slice(0, MOST_LANES)
  const rows = rowsOf(history)
  const shownRows = rows.slice(0, MOST_ROWS)
  const labels = [...lanes.map(({ name }) => name), ...shownRows.map(([row]) => row)]
  const widest = Math.max(MIN_LABEL, ...labels.map(widthOf))
  const left = Math.min(widest, Math.max(MIN_LABEL, Math.floor(context.width / 3)))
  const counts = lanes.map((lane) => grouped(runsOf(lane, history).length))
  const number = Math.max(1, ...counts.map(widthOf))
  const before = INDENT + left + GAP + number + GAP
  const scale: Scale = {
    start: history.start,
    end: Math.max(history.end, history.start + 1),
    columns: Math.max(MIN_COLUMNS, context.width - before),
  }
  const laneCells = lanes.map((lane) => cellsOfLane(lane, scale))
  const rowCells = shownRows.map(([, happenings]) => cellsOfRow(happenings, scale))
  const line = (label: string, count: string, cells: readonly (Cell | undefined)[]): string => {
    const head = ' '.repeat(INDENT) + pad(cut(printable(label), left, context.ascii), left)
    const middle = ' '.repeat(GAP) + count.padStart(number) + ' '.repeat(GAP)
    return (head + middle + drawn(cells, context)).trimEnd()
  }
  return [
    ...lanes.map(({ name }, at) => line(name, counts[at] ?? '', laneCells[at] ?? [])),
    ...more(history.lanes.length - lanes.length, 'more Jobs', context),
    ...shownRows.map(([row], at) => line(row, '', rowCells[at] ?? [])),
    ...more(rows.length - shownRows.length, 'more rows of events', context),
    ...axis(scale, context.ascii).map((text) =>
      context.paint.faint((' '.repeat(before) + text).trimEnd()),
    ),
    ...legend([...laneCells, ...rowCells].flat(), context),
  ]
}

const MOST_LANES = 40
const MOST_ROWS = 12
const MIN_LABEL = 8
const MIN_COLUMNS = 20
const GAP = 2
const INDENT = 2

function columnOf(at: Instant, { start, end, columns }: Scale): number {
  const column = Math.floor(((at - start) / (end - start)) * columns)
  return Math.max(0, Math.min(columns - 1, column))
}

/**
 * The namespace goes before the kind, the kind before any part of the name, and the middle of what
 * is still too long.
 */
function cut(label: string, width: number, ascii: boolean): string {
  if (widthOf(label) <= width) return label
  const own = label.slice(label.lastIndexOf('/') + 1)
  const kind = label.slice(0, label.indexOf(' ') + 1)
  const short =
    [`${kind}…/${own}`, `…/${own}`].find((one) => widthOf(one) <= width) ?? shorten(own, width)
  return ascii ? short.replaceAll('…', '~') : short
}

function more(count: number, what: string, { paint, ascii }: TimelineContext): readonly string[] {
  if (count <= 0) return []
  return [paint.faint(`  ${ascii ? '...' : '…'} ${grouped(count)} ${what}: -o json has all`)]
}

/** First what each life draws behind the marks, then the marks. */
function cellsOfLane({ lives }: Lane, scale: Scale): readonly (Cell | undefined)[] {
  const cells: (Cell | undefined)[] = Array.from({ length: scale.columns })
  const seen = lives.filter(({ createdAt }) => createdAt < scale.end)
  for (const life of seen) {
    const ended = life.endedAt ?? life.deletedAt ?? scale.end
    const gone = life.deletedAt ?? scale.end
    // What begins at the end of a column's time does not reach into that column.
    fill(cells, 'kept', [columnOf(ended, scale), columnOf(gone - 1, scale)])
    if (life.startedAt === undefined) continue
    fill(cells, 'going', [columnOf(life.startedAt, scale), columnOf(ended - 1, scale)])
  }
  for (const life of seen) {
    const at = columnOf(life.startedAt ?? life.createdAt, scale)
    cells[at] = joined(cells[at], markOf(life, scale.end))
  }
  return cells
}

function fill(
  cells: (Cell | undefined)[],
  sign: 'kept' | 'going',
  [from, to]: readonly [number, number],
): void {
  for (let at = from; at <= to; at += 1) {
    if (sign === 'going' || cells[at] === undefined) cells[at] = { sign, count: 0 }
  }
}

/** What is decided only after the end has not happened yet. */
function markOf({ startedAt, endedAt, outcome }: JobLife, end: Instant): Sign {
  if (startedAt === undefined || startedAt >= end) return 'waiting'
  return (endedAt ?? -Infinity) >= end ? 'running' : outcome
}

function joined(cell: Cell | undefined, sign: Sign): Cell {
  if (cell === undefined || cell.sign === 'kept' || cell.sign === 'going') return { sign, count: 1 }
  const count = cell.count + 1
  const both = [cell.sign === 'crowd' ? 'complete' : cell.sign, sign]
  const worst = WORST.find((one) => both.includes(one)) ?? sign
  return { sign: worst === 'complete' ? 'crowd' : worst, count }
}

const WORST: readonly Sign[] = ['failed', 'gone', 'waiting', 'running', 'complete']

/** What people and the world do first, then each engine's own objects. */
function rowsOf({ happenings }: History): readonly (readonly [string, readonly Happening[]])[] {
  const rows = new Map<string, Happening[]>()
  for (const happening of happenings) {
    // The lane itself shows it.
    if (happening.kind === 'failed' && /^(?:Cron)?Job /.test(happening.row)) continue
    const known = rows.get(happening.row)
    if (known === undefined) rows.set(happening.row, [happening])
    else known.push(happening)
  }
  const rank = ([row, [first]]: readonly [string, readonly Happening[]]): number => {
    if (row === 'Git') return 0
    return first?.kind === 'round' ? 2 : 1
  }
  return [...rows].sort((one, other) => rank(one) - rank(other))
}

function cellsOfRow(happenings: readonly Happening[], scale: Scale): readonly (Cell | undefined)[] {
  const cells: (Cell | undefined)[] = Array.from({ length: scale.columns })
  for (const { at, until, kind } of happenings) {
    if (at >= scale.end) continue
    const sign = KIND_SIGNS[kind]
    const from = columnOf(at, scale)
    const to = until === undefined ? from : columnOf(until - 1, scale)
    for (let column = from; column <= Math.max(from, to); column += 1) {
      const there = cells[column]
      const count = (there?.count ?? 0) + 1
      const isAbove = there === undefined || URGENCY.indexOf(sign) < URGENCY.indexOf(there.sign)
      cells[column] = { sign: isAbove ? sign : there.sign, count }
    }
  }
  return cells
}

/** Of several in one column the first of these is shown. */
const URGENCY: readonly Sign[] = [
  'refused',
  'failed-round',
  'outage',
  'drift',
  'pruned',
  'commit',
  'request',
  'sync',
  'deleted',
  'created',
  'note',
  'round',
]
