import type { History } from '../../history/history.ts'
import { axisSvg, gridSvg, overviewSvg, viewText } from '../axis.ts'
import { eventsSvg } from '../events.ts'
import { eventRowsOf, type EventRow } from '../groups.ts'
import { laneSvg, type Canvas } from '../lane.ts'
import { unpack, type Packed } from '../pack.ts'
import { fraction, percent, wholeView, type View } from '../scale.ts'
import { backdropHtml, groupSvg } from '../timeline.ts'
import { createCards, type Cards } from './cards.ts'
import { watchKeys } from './keyboard.ts'
import { watchPointer } from './pointer.ts'
import { watchSearch } from './search.ts'
import { openTable } from './table.ts'

/** One history in the page: its data, what of it is shown, and who draws it. */
export interface Report {
  readonly section: HTMLElement
  readonly reportAt: number
  readonly frame: HTMLElement
  readonly history: History
  readonly eventRows: readonly EventRow[]
  readonly docs: string
  readonly whole: View
  readonly cards: Cards
  view: View
  /** The one mark that Tab reaches; arrows go on from it. */
  current: Place | undefined
  /** At the next frame. */
  draw(): void
  /** Now, for those who need to find a mark in it. */
  drawNow(): void
  show(view: View): void
  canvas(): Canvas
}

/** A mark by what it stands for, because drawing makes its element anew. */
export interface Place {
  readonly kind: 'lane' | 'row'
  readonly row: number
  /** A life of the lane, or a happening of the event row. */
  readonly at: number
}

export function openReport(section: HTMLElement, at: number): Report {
  const packed = JSON.parse(document.querySelector(`#history-${at}`)?.textContent ?? '') as Packed
  const history = unpack(packed)
  const frame = section.querySelector<HTMLElement>('.frame') ?? section
  const whole = wholeView(history)
  const seen = new Set<Element>()
  let isPlanned = false
  const report: Report = {
    section,
    reportAt: at,
    frame,
    history,
    eventRows: eventRowsOf(history),
    docs: document.body.dataset['docs'] ?? 'docs/',
    whole,
    view: whole,
    current: firstPlace(history),
    cards: createCards(() => report),
    canvas() {
      const width = frame.querySelector('.row.axis .track')?.clientWidth ?? 0
      return {
        view: report.view,
        width: Math.max(width, 200),
        start: history.start,
        end: history.end,
      }
    },
    draw() {
      if (isPlanned) return
      isPlanned = true
      requestAnimationFrame(() => {
        isPlanned = false
        report.drawNow()
      })
    },
    drawNow() {
      if (section.hidden) return
      drawFrame(report)
      for (const row of frame.querySelectorAll('.pane .row')) row.classList.add('stale')
      for (const row of seen) drawRow(report, row)
      report.cards.follow()
    },
    show(view) {
      report.view = view
      report.draw()
    },
  }
  watchRows(report, seen)
  watchTools(report)
  watchKeys(report)
  watchPointer(report)
  watchSearch(report)
  openTable(report)
  watchPrint(report)
  return report
}

function firstPlace({ lanes }: History): Place | undefined {
  const row = lanes.findIndex(({ lives }) => lives.length > 0)
  return row < 0 ? undefined : { kind: 'lane', row, at: 0 }
}

/** What is not in a row: axis, lines, overview and brush. */
function drawFrame(report: Report): void {
  const { frame, history, view, whole } = report
  const now = report.canvas()
  setInside(frame, '.row.axis .track', axisSvg(now))
  const corner = frame.querySelector('.corner')
  if (corner !== null) corner.textContent = viewText(now)
  for (const backdrop of frame.querySelectorAll('.backdrop')) {
    const made = document.createElement('template')
    made.innerHTML = backdropHtml(history, now)
    backdrop.innerHTML = made.content.firstElementChild?.innerHTML ?? gridSvg(now)
  }
  const overview = frame.querySelector('.overview svg')
  if (overview !== null && overview.getAttribute('data-width') !== String(now.width)) {
    overview.innerHTML = overviewSvg(history.lanes, now)
    overview.setAttribute('data-width', String(now.width))
  }
  const brush = frame.querySelector<HTMLElement>('.brush')
  if (brush === null) return
  const isWhole = view.to - view.from > (whole.to - whole.from) * 0.999
  brush.classList.toggle('whole', isWhole)
  const from = fraction(whole, view.from)
  brush.style.left = percent(from)
  brush.style.width = percent(fraction(whole, view.to) - from)
}

/** Redraws a row and gives focus back to the mark that had it. */
export function drawRow(report: Report, row: Element): void {
  const track = row.querySelector('.track')
  if (track === null) return
  row.classList.remove('stale')
  const hadFocus = track.contains(document.activeElement)
  track.innerHTML = insideOf(report, row as HTMLElement)
  const { current } = report
  const mark = current === undefined ? undefined : markIn(row, current)
  mark?.setAttribute('tabindex', '0')
  // Moved out of sight with the focus on it: the keys must go on somewhere.
  if (hadFocus) (mark ?? report.frame).focus({ preventScroll: true })
}

function insideOf(report: Report, row: HTMLElement): string {
  const { history, eventRows } = report
  const { lane, row: eventRow } = row.dataset
  if (lane !== undefined) {
    const at = Number(lane)
    const found = history.lanes[at]
    return found === undefined ? '' : laneSvg(found, at, report.canvas())
  }
  if (eventRow !== undefined) {
    const at = Number(eventRow)
    const found = eventRows[at]
    return found === undefined ? '' : eventsSvg(found, at, report.canvas())
  }
  const places = (row.parentElement?.dataset['lanes'] ?? '').split(' ').map(Number)
  return groupSvg(
    places.flatMap((at) => history.lanes[at] ?? []),
    report.canvas(),
  )
}

/** The element of a place, if its row is drawn and it is in view. */
export function markAt({ frame }: Report, place: Place): Element | undefined {
  const row = frame.querySelector(`.row[data-${place.kind}="${place.row}"]`)
  return row === null ? undefined : markIn(row, place)
}

function markIn(row: Element, { kind, row: rowAt, at }: Place): SVGElement | undefined {
  for (const mark of row.querySelectorAll<SVGElement>('[data-first]')) {
    const { first, last } = mark.dataset
    if (mark.dataset[kind] !== String(rowAt)) continue
    if (Number(first) <= at && at <= Number(last)) return mark
  }
  return undefined
}

/** Only rows that somebody can see are drawn: a thousand lanes cost no more than twenty. */
function watchRows(report: Report, seen: Set<Element>): void {
  const { frame } = report
  for (const pane of frame.querySelectorAll('.pane')) {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target)
          else seen.delete(target)
          if (isIntersecting && target.classList.contains('stale')) drawRow(report, target)
        }
      },
      { root: pane, rootMargin: '200px 0px' },
    )
    for (const row of pane.querySelectorAll('.row')) observer.observe(row)
  }
  new ResizeObserver(() => report.draw()).observe(frame)
}

function watchTools(report: Report): void {
  const timeline = report.section.querySelector('.timeline')
  for (const button of report.section.querySelectorAll<HTMLButtonElement>('[data-do]')) {
    button.addEventListener('click', () => {
      const action = button.dataset['do'] ?? ''
      if (action.startsWith('by-')) {
        timeline?.classList.toggle('by-outcome', action === 'by-outcome')
        timeline?.classList.toggle('by-cause', action === 'by-cause')
        for (const one of report.section.querySelectorAll('[data-do^="by-"]')) {
          one.setAttribute('aria-pressed', String(one === button))
        }
      } else report.cards.act(action)
    })
  }
}

/** On paper everything is shown, unless that would be a book. */
const MOST_ON_PAPER = 300

function watchPrint(report: Report): void {
  const { frame, history } = report
  let before: { readonly view: View; readonly closed: readonly HTMLDetailsElement[] } | undefined
  window.addEventListener('beforeprint', () => {
    const isSmall = history.lanes.length <= MOST_ON_PAPER
    const closed = isSmall
      ? [...frame.querySelectorAll<HTMLDetailsElement>('.group:not([open])')]
      : []
    before = { view: report.view, closed }
    for (const group of closed) group.open = true
    report.view = report.whole
    report.cards.hide()
    drawFrame(report)
    if (isSmall) for (const row of frame.querySelectorAll('.pane .row')) drawRow(report, row)
  })
  window.addEventListener('afterprint', () => {
    if (before === undefined) return
    for (const group of before.closed) group.open = false
    report.show(before.view)
  })
}

function setInside(frame: HTMLElement, selector: string, markup: string): void {
  const element = frame.querySelector(selector)
  if (element !== null) element.innerHTML = markup
}
