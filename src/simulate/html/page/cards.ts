import { crowdCard, eventCard, runCard } from '../card.ts'
import { placeOf } from '../lane.ts'
import { linksOf } from '../links.ts'
import { between, fraction, panned, zoomed } from '../scale.ts'
import { markAt, type Place, type Report } from './report.ts'

/** The card beside a mark, and the lines from what caused a run to the run. */
export interface Cards {
  /** `x` is where the pointer is, for marks that are wide. */
  open(mark: SVGElement, x?: number): void
  /** Rounds are too many for elements: they are found by where the pointer is. */
  openRound(row: number, at: number, x: number, y: number): void
  pin(mark: SVGElement): void
  hide(): void
  readonly isPinned: boolean
  /** After drawing: the card goes where its mark went. */
  follow(): void
  /** What buttons and keys do to the view; zoom keeps what stands at `part` of it. */
  act(action: string, part?: number): void
}

export function createCards(reportOf: () => Report): Cards {
  let isPinned = false
  let place: Place | undefined
  const card = (): HTMLElement | null => reportOf().frame.querySelector('.card')

  const fill = (mark: SVGElement, x?: number): void => {
    const report = reportOf()
    const element = card()
    if (element === null) return
    place = placeOfMark(mark)
    element.innerHTML = `<button type="button" class="close" aria-label="Close">×</button>${contentOf(report, mark)}`
    element.hidden = false
    element.classList.toggle('pinned', isPinned)
    for (const other of report.frame.querySelectorAll('.on')) other.classList.remove('on')
    mark.classList.add('on')
    put(report, element, boxOf(mark, x))
    drawLinks(report, mark)
  }
  const cards: Cards = {
    get isPinned() {
      return isPinned
    },
    open(mark, x) {
      if (!isPinned) fill(mark, x)
    },
    openRound(row, at, x, y) {
      const report = reportOf()
      const element = card()
      const found = report.eventRows[row]
      const one = found?.happenings[at]
      if (isPinned || element === null || found === undefined || one === undefined) return
      place = undefined
      element.innerHTML = eventCard(found.name, [one], report)
      element.hidden = false
      put(report, element, { left: x - 4, right: x + 4, top: y - 8, bottom: y + 8 })
      clearLinks(report)
    },
    pin(mark) {
      isPinned = true
      fill(mark)
      const element = card()
      element?.querySelector('.close')?.addEventListener('click', () => {
        const back = place
        cards.hide()
        const mark = back === undefined ? undefined : markAt(reportOf(), back)
        if (mark instanceof SVGElement) mark.focus()
      })
    },
    hide() {
      const report = reportOf()
      const element = card()
      isPinned = false
      place = undefined
      if (element !== null) element.hidden = true
      element?.classList.remove('pinned')
      for (const other of report.frame.querySelectorAll('.on')) other.classList.remove('on')
      clearLinks(report)
    },
    follow() {
      const element = card()
      if (element === null || element.hidden || place === undefined) return
      const mark = markAt(reportOf(), place)
      if (!(mark instanceof SVGElement)) return cards.hide()
      mark.classList.add('on')
      put(reportOf(), element, boxOf(mark))
      drawLinks(reportOf(), mark)
    },
    act(action, part = 0.5) {
      const report = reportOf()
      const { view, whole } = report
      if (action === 'in') report.show(zoomed(view, whole, 0.5, part))
      if (action === 'out') report.show(zoomed(view, whole, 2, part))
      if (action === 'left') report.show(panned(view, whole, -0.25))
      if (action === 'right') report.show(panned(view, whole, 0.25))
      if (action === 'all') report.show(whole)
    },
  }
  return cards
}

export function placeOfMark(mark: SVGElement): Place {
  const { lane, row, first } = mark.dataset
  return lane === undefined
    ? { kind: 'row', row: Number(row), at: Number(first) }
    : { kind: 'lane', row: Number(lane), at: Number(first) }
}

/** Shows what a crowd is made of: its own stretch, with a little on both sides. */
export function zoomInto(report: Report, mark: SVGElement, x?: number): void {
  const { lane, first, last } = mark.dataset
  const row = report.history.lanes[Number(lane)]
  const from = row?.lives[Number(first)]
  const to = row?.lives[Number(last)]
  if (from === undefined || to === undefined) return
  const { view, whole } = report
  const margin = Math.max((placeOf(to) - placeOf(from)) * 0.06, 500)
  const next = between(placeOf(from) - margin, placeOf(to) + margin, whole)
  if (next.to - next.from <= (view.to - view.from) * 0.7) return report.show(next)
  // A crowd that fills the view is opened where the pointer is, or from its beginning.
  const track = mark.closest('.track')?.getBoundingClientRect()
  const pointed = x === undefined || track === undefined ? 0 : (x - track.left) / track.width
  const part = x === undefined ? fraction(view, Math.max(placeOf(from), view.from)) : pointed
  report.show(zoomed(view, whole, 0.12, part))
}

function contentOf(report: Report, mark: SVGElement): string {
  const { lane, row, first, last } = mark.dataset
  if (lane !== undefined) {
    const found = report.history.lanes[Number(lane)]
    if (found === undefined) return ''
    return first === last
      ? runCard(found, Number(first), report)
      : crowdCard(found, Number(first), Number(last), report)
  }
  const found = report.eventRows[Number(row)]
  if (found === undefined) return ''
  const isOne = first === last
  const members = found.happenings
    .slice(Number(first), Number(last) + 1)
    .filter(({ kind, until }) => isOne || (kind !== 'round' && until === undefined))
  return eventCard(found.name, members, report)
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** In the window. Of a wide mark only the piece under the pointer, or its middle in sight. */
function boxOf(mark: SVGElement, x?: number): Box {
  const face = mark.querySelector('.ring') ?? mark
  const { left, right, top, bottom } = face.getBoundingClientRect()
  if (right - left < 60) return { left, right, top, bottom }
  const track = mark.closest('.track')?.getBoundingClientRect()
  const seenLeft = Math.max(left, track?.left ?? left)
  const seenRight = Math.min(right, track?.right ?? right)
  const middle = x ?? (seenLeft + seenRight) / 2
  return { left: middle - 12, right: middle + 12, top, bottom }
}

const GAP = 14

/**
 * Beside the mark, so that the lines up and down from it stay in sight; on whichever side has room,
 * and inside of the window as far as it can be.
 */
function put({ frame }: Report, card: HTMLElement, box: Box): void {
  const outer = frame.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = card
  const room = document.documentElement.clientWidth
  const isRight = box.right + GAP + width <= room - 8
  const isLeft = box.left - GAP - width >= 8
  const left = isRight ? box.right + GAP : isLeft ? box.left - GAP - width : (room - width) / 2
  const isBeside = isRight || isLeft
  const wished = isBeside ? box.top - 26 : box.bottom + 8
  const lowest = Math.max(document.documentElement.clientHeight - height - 8, 8)
  card.style.left = `${left - outer.left}px`
  card.style.top = `${Math.max(Math.min(wished, lowest), 8) - outer.top}px`
}

function clearLinks({ frame }: Report): void {
  const svg = frame.querySelector('.links')
  if (svg !== null) svg.innerHTML = ''
}

/** Thin lines from the events of the cause chain, and from the end of the life before. */
function drawLinks(report: Report, mark: SVGElement): void {
  clearLinks(report)
  const { frame, history, view } = report
  const svg = frame.querySelector('.links')
  const { lane: laneAt, first, last } = mark.dataset
  const lane = history.lanes[Number(laneAt)]
  const life = lane?.lives[Number(first)]
  if (svg === null || laneAt === undefined || lane === undefined || life === undefined) return
  if (first !== last) return
  const outer = frame.getBoundingClientRect()
  const track = mark.closest('.track')?.getBoundingClientRect()
  if (track === undefined) return
  const xOf = (at: number): number => track.left - outer.left + fraction(view, at) * track.width
  const x = xOf(placeOf(life))
  if (fraction(view, placeOf(life)) < 0) return
  const y = track.top - outer.top + track.height / 2
  const links = linksOf(lane, Number(first), history)
  const parts = links.happenings.flatMap(({ at, row }) => {
    const rowAt = report.eventRows.findIndex(({ sources }) => sources.has(row))
    const box = frame.querySelector(`.row[data-row="${rowAt}"] .track`)?.getBoundingClientRect()
    if (box === undefined || fraction(view, at) < 0) return []
    const pane = frame.querySelector('.pane.events')?.getBoundingClientRect()
    if (pane !== undefined && (box.bottom < pane.top || box.top > pane.bottom)) return []
    return [line(xOf(at), box.top - outer.top + box.height / 2, x, y + 9)]
  })
  const before = links.before === undefined ? undefined : lane.lives[links.before]?.deletedAt
  if (before !== undefined && fraction(view, before) >= 0 && x - xOf(before) > 24)
    parts.push(arc(xOf(before), x, y))
  svg.innerHTML = parts.join('')
}

function line(fromX: number, fromY: number, toX: number, toY: number): string {
  const bend = (fromY - toY) / 2
  return `<path d="M${fromX} ${fromY}C${fromX} ${fromY - bend} ${toX} ${toY + bend} ${toX} ${toY}"/><circle cx="${fromX}" cy="${fromY}" r="3"/>`
}

function arc(fromX: number, toX: number, y: number): string {
  return `<path d="M${fromX} ${y - 6}C${fromX} ${y - 20} ${toX} ${y - 22} ${toX + 4} ${y - 10}"/><circle cx="${fromX}" cy="${y - 6}" r="2.4"/>`
}
