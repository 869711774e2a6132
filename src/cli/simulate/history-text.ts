import { runsOf, type History, type Warning } from '../../simulate/history/history.ts'
import { rowsOf, type Row } from '../../simulate/tell/rows.ts'
import { sentenceTeller } from '../../simulate/tell/sentence.ts'
import { listed, many, spanWords, wallTime } from '../../simulate/tell/spans.ts'
import { table, type Column } from '../table.ts'
import { pad, printable, shorten, widthOf, wrap } from '../words.ts'
import { timeline, type TimelineContext } from './timeline.ts'

/**
 * A history for a terminal: what is to be known first, then a sentence for each Job, the table, the
 * timeline, and how to go on.
 */
export function historyText(history: History, context: TimelineContext): string {
  const { paint } = context
  const parts = [
    paint.strong(title(history)),
    '',
    ...sentences(history, context),
    '',
    ...(history.lanes.length === 0 ? [] : [...rowTable(history, context), '']),
    ...(history.lanes.length === 0 ? [] : [...timeline(history, context), '']),
    ...history.warnings.flatMap((warning) => [...warningRows(warning, context), '']),
    ...next(history),
  ]
  const text = `${parts.join('\n').trimEnd()}\n`
  return context.ascii ? text.replaceAll('…', '~') : text
}

function title({ start, end, timing, lanes }: History): string {
  const how =
    timing.mode === 'idealised' ? 'idealised timing' : `realistic timing, seed ${timing.seed}`
  const kinds = (['Job', 'CronJob'] as const).flatMap((kind) => {
    const count = lanes.filter((lane) => lane.kind === kind).length
    return count === 0 ? [] : [many(count, kind)]
  })
  const jobs = kinds.length === 0 ? 'no Job' : listed(kinds)
  return `${spanWords(end - start)} from ${wallTime(start)}, ${how}: ${jobs}`
}

/** Readable lines, however wide the terminal is. */
const READING = 100
/** More than these nobody reads; the table has all of them. */
const MOST_SENTENCES = 25

function sentences(history: History, { paint, width }: TimelineContext): readonly string[] {
  if (history.lanes.length === 0) return ['No Job or CronJob is declared, and none was created.']
  const say = sentenceTeller()
  const shown = history.lanes.slice(0, MOST_SENTENCES)
  const left = history.lanes.length - shown.length
  const rows = shown.flatMap((lane) => {
    const words = wrap(printable(say(lane, history)), Math.min(width, READING) - 4)
    return [paint.strong(printable(lane.name)), ...words.map((row) => `  ${row}`)]
  })
  return left === 0 ? rows : [...rows, paint.faint(`${many(left, 'more Job')} below`)]
}

/** From here on there is room for the reasons, which the sentences have too. */
const WIDE = 120
/** Below this only the columns stay that nobody can do without. */
const NARROW = 72

function rowTable(history: History, { paint, width }: TimelineContext): readonly string[] {
  const rows = rowsOf(history)
  const columns: readonly (Column & { readonly cell: (row: Row) => string })[] = [
    { title: 'NAME', flexible: true, shorten: shortenName, cell: ({ name }) => name },
    ...(width < NARROW
      ? []
      : [{ title: 'APPLIED BY', flexible: true, cell: ({ appliedBy }: Row) => appliedBy }]),
    {
      title: 'RUNS',
      cell: ({ runs }) => runs,
      paint: (shown, at) => (isLoud(rows[at], history) ? paint.warning(shown) : shown),
    },
    ...(width < NARROW ? [] : [{ title: 'FIRST', cell: ({ first }: Row) => first }]),
    { title: 'EVERY', cell: ({ every }) => every },
    {
      title: 'OUTCOMES',
      cell: ({ outcomes }) => outcomes,
      paint: (shown) => (shown.includes('failed') ? paint.error(shown) : shown),
    },
    ...(width < WIDE
      ? []
      : [
          {
            title: 'WHY',
            flexible: true,
            shorten: shortenEnd,
            cell: ({ why }: Row) => why,
            paint: (shown: string) => paint.faint(shown),
          },
        ]),
  ]
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))))
  return table(columns, cells, { width, paintTitle: paint.faint })
}

/** A Job that runs more than once, though no schedule and no person asked for it. */
function isLoud(row: Row | undefined, history: History): boolean {
  if (row === undefined || row.lane.kind === 'CronJob') return false
  return runsOf(row.lane, history).some(({ cause }) => cause === 'restored' || cause === 'replaced')
}

/** The namespace goes before any part of the name does. */
function shortenName(name: string, width: number): string {
  const own = name.slice(name.indexOf('/') + 1)
  return widthOf(own) + 2 <= width ? `…/${own}` : shorten(own, width)
}

/** A sentence is read from its beginning. */
function shortenEnd(text: string, width: number): string {
  let cut = ''
  for (const sign of text) {
    if (widthOf(cut + sign) > width - 1) break
    cut += sign
  }
  return `${cut.trimEnd()}…`
}

function warningRows(
  { id, lanes, what, why, remedy }: Warning,
  { paint, width }: TimelineContext,
): readonly string[] {
  const room = Math.min(width, READING) - 4
  const field = (name: string, text: string | undefined): readonly string[] =>
    text === undefined
      ? []
      : wrap(printable(text), room - FIELD).map(
          (row, at) => `  ${paint.faint(pad(at === 0 ? name : '', FIELD))}${row}`,
        )
  const [only] = lanes
  const about = lanes.length > 1 ? many(lanes.length, 'Job') : only
  const head = [paint.warning('warning'), id, ...(about === undefined ? [] : [printable(about)])]
  return [head.join('  '), ...field('what', what), ...field('why', why), ...field('remedy', remedy)]
}

const FIELD = 8

/** The question that most people have next, about the Job that runs most often. */
function next(history: History): readonly string[] {
  const counted = history.lanes.map((lane) => ({ lane, runs: runsOf(lane, history) }))
  const [most] = counted.sort((one, other) => other.runs.length - one.runs.length)
  if (most === undefined || most.runs.length === 0) {
    const [lane] = history.lanes
    return lane === undefined
      ? []
      : [
          `Next: \`semel simulate --why-not ${printable(lane.name)}@0s\` says what would have to change`,
        ]
  }
  const target = `${printable(most.lane.name)}@#${Math.min(2, most.runs.length)}`
  return [`Next: \`semel simulate --why ${target}\` prints what led to that run`]
}
