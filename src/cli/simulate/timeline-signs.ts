import type { HappeningKind, Outcome } from '../../simulate/history/history.ts'
import type { Paint } from '../paint.ts'
import { widthOf } from '../words.ts'

/** What stands in one column of a timeline. */
export type Sign =
  | Outcome
  | 'crowd'
  | 'going'
  | 'kept'
  | 'failed-round'
  | Exclude<HappeningKind, 'failed'>

interface Form {
  readonly sign: string
  readonly ascii: string
  readonly brush: keyof Paint
  readonly words: string
}

/** In the order of the legend. The forms differ, so that no colour is needed to read them. */
const SIGNS: Readonly<Record<Sign, Form>> = {
  complete: { sign: '●', ascii: '*', brush: 'good', words: 'run that completes' },
  failed: { sign: '✗', ascii: 'x', brush: 'error', words: 'run that fails' },
  running: { sign: '▶', ascii: '>', brush: 'info', words: 'run that goes on at the end' },
  gone: { sign: '○', ascii: 'o', brush: 'warning', words: 'run whose Job is deleted' },
  waiting: { sign: '?', ascii: '?', brush: 'warning', words: 'Job without a pod' },
  crowd: { sign: '2', ascii: '2', brush: 'good', words: 'so many runs that complete' },
  going: { sign: '─', ascii: '=', brush: 'good', words: 'runs' },
  kept: { sign: '·', ascii: '.', brush: 'faint', words: 'the ended Job still exists' },
  commit: { sign: 'C', ascii: 'C', brush: 'info', words: 'commit' },
  request: { sign: 'A', ascii: 'A', brush: 'info', words: 'somebody asks' },
  sync: { sign: 'S', ascii: 'S', brush: 'info', words: 'sync' },
  refused: { sign: 'R', ascii: 'R', brush: 'error', words: 'refused' },
  'failed-round': { sign: 'F', ascii: 'F', brush: 'error', words: 'failed' },
  outage: { sign: '▒', ascii: '#', brush: 'warning', words: 'outage' },
  drift: { sign: 'D', ascii: 'D', brush: 'warning', words: 'changed by hand' },
  pruned: { sign: 'P', ascii: 'P', brush: 'warning', words: 'pruned' },
  deleted: { sign: '-', ascii: '-', brush: 'faint', words: 'deleted' },
  created: { sign: '+', ascii: '+', brush: 'faint', words: 'created' },
  note: { sign: 'n', ascii: 'n', brush: 'faint', words: 'note' },
  round: { sign: '╷', ascii: "'", brush: 'faint', words: 'round of work' },
}

export const KIND_SIGNS: Readonly<Record<HappeningKind, Sign>> = {
  commit: 'commit',
  round: 'round',
  sync: 'sync',
  refused: 'refused',
  failed: 'failed-round',
  created: 'created',
  deleted: 'deleted',
  pruned: 'pruned',
  outage: 'outage',
  drift: 'drift',
  request: 'request',
  note: 'note',
}

/** One column. A crowd says how many runs it merges. */
export interface Cell {
  readonly sign: Sign
  readonly count: number
}

/** Neighbours of one colour are coloured together. */
export function drawn(
  cells: readonly (Cell | undefined)[],
  { ascii, paint }: { readonly ascii: boolean; readonly paint: Paint },
): string {
  let text = ''
  for (let at = 0; at < cells.length;) {
    const brush = brushOf(cells[at])
    let run = ''
    for (; at < cells.length && brushOf(cells[at]) === brush; at += 1)
      run += shown(cells[at], ascii)
    text += brush === undefined ? run : paint[brush](run)
  }
  return text
}

function brushOf(cell: Cell | undefined): keyof Paint | undefined {
  return cell === undefined ? undefined : SIGNS[cell.sign].brush
}

function shown(cell: Cell | undefined, ascii: boolean): string {
  if (cell === undefined) return ' '
  if (cell.sign === 'crowd') return cell.count > 9 ? '+' : String(cell.count)
  const { sign, ascii: plain } = SIGNS[cell.sign]
  return ascii ? plain : sign
}

/** Only what was drawn. */
export function legend(
  cells: Iterable<Cell | undefined>,
  options: { readonly ascii: boolean; readonly paint: Paint; readonly width: number },
): readonly string[] {
  const used = new Set<Sign>()
  let most = 0
  for (const cell of cells) {
    if (cell === undefined) continue
    used.add(cell.sign)
    if (cell.sign === 'crowd') most = Math.max(most, cell.count)
  }
  const { ascii, paint, width } = options
  const parts = (Object.keys(SIGNS) as Sign[])
    .filter((sign) => used.has(sign))
    .map((sign) => {
      const digits = most > 9 ? '2-9, + for more' : most > 2 ? `2-${most}` : '2'
      const form = sign === 'crowd' ? digits : shown({ sign, count: 1 }, ascii)
      return `${form} ${SIGNS[sign].words}`
    })
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    const longer = last === undefined ? undefined : `${last}   ${part}`
    if (longer === undefined || widthOf(longer) > width - INDENT) lines.push(part)
    else lines[lines.length - 1] = longer
  }
  return lines.map((line) => ' '.repeat(INDENT) + paint.faint(line))
}

const INDENT = 2
