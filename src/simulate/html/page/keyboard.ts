import { placeOf } from '../lane.ts'
import { fraction, panned, revealing } from '../scale.ts'
import { placeOfMark, zoomInto } from './cards.ts'
import { drawRow, markAt, type Place, type Report } from './report.ts'

/**
 * Arrows go from mark to mark, Enter pins, + - 0 zoom. While the frame itself has the focus, left
 * and right move the view; Tab goes on to the current mark.
 */
export function watchKeys(report: Report): void {
  const { frame, cards } = report
  frame.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof Element && event.target.closest('.card') !== null) {
      if (event.key === 'Escape') closeCard(report, event)
      return
    }
    const mark = event.target instanceof SVGElement ? event.target : undefined
    if (handle(report, event, mark)) event.preventDefault()
  })
  frame.addEventListener('focusin', (event) => {
    const mark = event.target
    if (!(mark instanceof SVGElement) || mark.dataset['first'] === undefined) return
    setCurrent(report, placeOfMark(mark))
    if (cards.isPinned) cards.pin(mark)
    else cards.open(mark)
  })
  frame.addEventListener('focusout', (event) => {
    const next = event.relatedTarget
    if (next instanceof Node && frame.contains(next)) return
    if (!cards.isPinned && next !== null) cards.hide()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && cards.isPinned) closeCard(report, event)
  })
}

function closeCard(report: Report, event: Event): void {
  report.cards.hide()
  if (report.current !== undefined) focusPlace(report, report.current, false)
  report.cards.hide()
  event.preventDefault()
}

function handle(report: Report, event: KeyboardEvent, mark: SVGElement | undefined): boolean {
  const { cards } = report
  const zoom = { '+': 'in', '=': 'in', '-': 'out', '0': 'all' }[event.key]
  if (zoom !== undefined) {
    cards.act(zoom, partOf(report, mark))
    return true
  }
  if (event.key === 'Escape') {
    cards.hide()
    return true
  }
  const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (sideways !== undefined && (event.shiftKey || mark === undefined)) {
    report.show(panned(report.view, report.whole, sideways / 4))
    return true
  }
  const upDown = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (mark?.dataset['first'] === undefined) {
    const isBack = upDown !== undefined || event.key === 'Home' || event.key === 'End'
    if (!isBack || report.current === undefined || event.target !== report.frame) return false
    return upDown === undefined
      ? goToEnd(report, report.current, event.key)
      : focusPlace(report, report.current)
  }
  if (event.key === 'Enter' || event.key === ' ') {
    press(report, mark)
    return true
  }
  if (sideways !== undefined) return goSideways(report, mark, sideways)
  if (upDown !== undefined) return goToRow(report, mark, upDown)
  if (event.key === 'Home' || event.key === 'End')
    return goToEnd(report, placeOfMark(mark), event.key)
  return false
}

/** Where in the view a mark stands, so that zoom does not lose it. */
function partOf(report: Report, mark: SVGElement | undefined): number | undefined {
  if (mark?.dataset['first'] === undefined) return undefined
  const part = fraction(report.view, instantOf(report, placeOfMark(mark)))
  return Math.min(Math.max(part, 0), 1)
}

/** A crowd opens, a single mark keeps its card. */
export function press(report: Report, mark: SVGElement, x?: number): void {
  const { lane, first, last } = mark.dataset
  if (lane !== undefined && first !== last) zoomInto(report, mark, x)
  else report.cards.pin(mark)
}

function goSideways(report: Report, mark: SVGElement, step: number): boolean {
  const { first, last } = mark.dataset
  const here = placeOfMark(mark)
  let at = step < 0 ? Number(first) - 1 : Number(last) + 1
  if (here.kind === 'row') {
    const list = report.eventRows[here.row]?.happenings ?? []
    while (list[at]?.kind === 'round') at += step
  }
  return focusPlace(report, { ...here, at })
}

function goToEnd(report: Report, here: Place, key: string): boolean {
  const list =
    here.kind === 'lane'
      ? report.history.lanes[here.row]?.lives
      : report.eventRows[here.row]?.happenings
  return focusPlace(report, { ...here, at: key === 'Home' ? 0 : (list?.length ?? 1) - 1 })
}

/** The next row that is shown and has marks; there, the mark nearest in time. */
function goToRow(report: Report, mark: SVGElement, step: number): boolean {
  const rows = [...report.frame.querySelectorAll<HTMLElement>('.row.lane,.row.event')].filter(
    (row) => row.offsetParent !== null,
  )
  const here = rows.indexOf(mark.closest<HTMLElement>('.row') ?? report.frame)
  const at = instantOf(report, placeOfMark(mark))
  for (let next = here + step; rows[next] !== undefined; next += step) {
    const place = nearest(report, rows[next], at)
    if (place !== undefined) return focusPlace(report, place)
  }
  return true
}

function nearest(report: Report, row: HTMLElement | undefined, instant: number): Place | undefined {
  const { lane, row: eventRow } = row?.dataset ?? {}
  const kind = lane === undefined ? 'row' : 'lane'
  const rowAt = Number(lane ?? eventRow)
  const instants =
    kind === 'lane'
      ? (report.history.lanes[rowAt]?.lives ?? []).map(placeOf)
      : (report.eventRows[rowAt]?.happenings ?? []).map(({ kind, at }) =>
          kind === 'round' ? Number.NaN : at,
        )
  let best: number | undefined
  for (const [at, one] of instants.entries()) {
    if (Number.isNaN(one)) continue
    const other = best === undefined ? Number.POSITIVE_INFINITY : (instants[best] ?? 0)
    if (Math.abs(one - instant) < Math.abs(other - instant)) best = at
  }
  return best === undefined ? undefined : { kind, row: rowAt, at: best }
}

function instantOf({ history, eventRows }: Report, { kind, row, at }: Place): number {
  const life = history.lanes[row]?.lives[at]
  if (kind === 'row') return eventRows[row]?.happenings[at]?.at ?? history.start
  return life === undefined ? history.start : placeOf(life)
}

/** Brings a place into sight and gives it the focus; false where there is no such place. */
export function focusPlace(report: Report, place: Place, isMoving: boolean = true): boolean {
  const { kind, row: rowAt, at } = place
  const list =
    kind === 'lane' ? report.history.lanes[rowAt]?.lives : report.eventRows[rowAt]?.happenings
  const row = report.frame.querySelector<HTMLElement>(`.row[data-${kind}="${rowAt}"]`)
  if (list?.[at] === undefined || row === null) return true
  const group = row.closest('details')
  if (group !== null) group.open = true
  if (isMoving) {
    report.view = revealing(report.view, report.whole, instantOf(report, place))
    row.scrollIntoView({ block: 'nearest' })
  }
  setCurrent(report, place)
  report.drawNow()
  drawRow(report, row)
  const mark = markAt(report, place)
  if (mark instanceof SVGElement) mark.focus({ preventScroll: true })
  return true
}

function setCurrent(report: Report, place: Place): void {
  for (const other of report.frame.querySelectorAll('[data-first][tabindex="0"]')) {
    other.setAttribute('tabindex', '-1')
  }
  report.current = place
  markAt(report, place)?.setAttribute('tabindex', '0')
}
