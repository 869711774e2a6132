import { firstAt } from '../links.ts'
import { between, instantAt, panned, zoomed, type View } from '../scale.ts'
import { press } from './keyboard.ts'
import type { Report } from './report.ts'

/** Nearer than this to a stroke, the pointer is on it. */
const NEAR = 6

/** Less than this is a click, not a drag. */
const DRAG = 4

export function watchPointer(report: Report): void {
  const { frame } = report
  watchHover(report)
  watchDrag(report)
  watchBrush(report)
  frame.addEventListener(
    'wheel',
    (event) => {
      if (!(event.target instanceof Element) || event.target.closest('.card') !== null) return
      const { left, width } = trackBox(report)
      const part = Math.min(Math.max((event.clientX - left) / width, 0), 1)
      if (event.ctrlKey || event.metaKey || event.altKey) {
        report.show(zoomed(report.view, report.whole, Math.exp(event.deltaY * 0.002), part))
      } else {
        const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
        if (Math.abs(sideways) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return
        report.show(panned(report.view, report.whole, sideways / width))
      }
      event.preventDefault()
    },
    { passive: false },
  )
}

function trackBox({ frame }: Report): { readonly left: number; readonly width: number } {
  const box = frame.querySelector('.row.axis .track')?.getBoundingClientRect()
  return { left: box?.left ?? 0, width: Math.max(box?.width ?? 1, 1) }
}

function markOf(target: EventTarget | null): SVGElement | undefined {
  const mark = target instanceof Element ? target.closest('[data-first]') : null
  return mark instanceof SVGElement ? mark : undefined
}

function watchHover(report: Report): void {
  const { frame, cards } = report
  frame.addEventListener('pointerover', (event) => {
    const mark = markOf(event.target)
    if (mark !== undefined && event.pointerType !== 'touch') cards.open(mark, event.clientX)
  })
  frame.addEventListener('pointermove', (event) => {
    if (event.buttons !== 0 || markOf(event.target) !== undefined) return
    const row = event.target instanceof Element ? event.target.closest('.row.event') : null
    const isTrack = event.target instanceof Element && event.target.closest('.track') !== null
    if (row instanceof HTMLElement && isTrack) hoverRound(report, Number(row.dataset['row']), event)
  })
  frame.addEventListener('pointerout', (event) => {
    const next = event.relatedTarget
    if (next instanceof Element && markOf(next) !== undefined && frame.contains(next)) return
    const focused = markOf(document.activeElement)
    if (cards.isPinned) return
    if (focused !== undefined && frame.contains(focused) && focused.matches(':focus-visible')) {
      cards.open(focused)
    } else cards.hide()
  })
}

function hoverRound(report: Report, row: number, event: PointerEvent): void {
  const { left, width } = trackBox(report)
  const at = instantAt(report.view, (event.clientX - left) / width)
  const near = ((report.view.to - report.view.from) * NEAR) / width
  const list = report.eventRows[row]?.happenings ?? []
  let best: number | undefined
  for (
    let place = firstAt(list, at - near);
    (list[place]?.at ?? Infinity) <= at + near;
    place += 1
  ) {
    const distance = Math.abs((list[place]?.at ?? 0) - at)
    const other = best === undefined ? Infinity : Math.abs((list[best]?.at ?? 0) - at)
    if (distance < other) best = place
  }
  if (best === undefined) report.cards.hide()
  else report.cards.openRound(row, best, event.clientX, event.clientY)
}

/** A drag moves the view; a click on a mark presses it, one beside lets the pinned card go. */
function watchDrag(report: Report): void {
  const { frame, cards } = report
  let drag: { readonly x: number; readonly view: View; isMoved: boolean } | undefined
  frame.addEventListener('pointerdown', (event) => {
    const target = event.target instanceof Element ? event.target : undefined
    if (event.button !== 0 || target?.closest('.pane .row:not(summary) .track') == null) return
    drag = { x: event.clientX, view: report.view, isMoved: false }
  })
  window.addEventListener('pointermove', (event) => {
    if (drag === undefined) return
    const moved = event.clientX - drag.x
    if (!drag.isMoved && Math.abs(moved) < DRAG) return
    if (!drag.isMoved) {
      drag.isMoved = true
      cards.hide()
      frame.classList.add('dragging')
    }
    report.show(panned(drag.view, report.whole, -moved / trackBox(report).width))
  })
  const end = (): void => {
    drag = undefined
    frame.classList.remove('dragging')
  }
  window.addEventListener('pointercancel', end)
  window.addEventListener('pointerup', (event) => {
    const wasMoved = drag?.isMoved === true
    const wasDown = drag !== undefined
    end()
    if (wasMoved || !wasDown) return
    const mark = markOf(event.target)
    if (mark === undefined) cards.hide()
    else press(report, mark, event.clientX)
  })
  frame.addEventListener('dblclick', (event) => {
    if (markOf(event.target) !== undefined) return
    if (!(event.target instanceof Element) || event.target.closest('.pane .track') === null) return
    const { left, width } = trackBox(report)
    const part = (event.clientX - left) / width
    report.show(zoomed(report.view, report.whole, 0.4, part))
  })
}

/** The strip below: the frame moves, its edges stretch, and elsewhere a new one is drawn. */
function watchBrush(report: Report): void {
  const track = report.frame.querySelector<HTMLElement>('.overview .track')
  const brush = report.frame.querySelector<HTMLElement>('.brush')
  if (track === null || brush === null) return
  const [leftEdge, rightEdge] = brush.querySelectorAll('i')
  let move: ((at: number) => View) | undefined
  const instantOf = (event: PointerEvent): number => {
    const { left, width } = track.getBoundingClientRect()
    return instantAt(report.whole, (event.clientX - left) / width)
  }
  track.addEventListener('pointerdown', (event) => {
    const { view, whole } = report
    const begin = instantOf(event)
    const isWhole = view.to - view.from >= (whole.to - whole.from) * 0.999
    if (event.target === leftEdge) move = (at) => between(at, view.to, whole)
    else if (event.target === rightEdge) move = (at) => between(view.from, at, whole)
    else if (event.target === brush && !isWhole) {
      move = (at) => panned(view, whole, (at - begin) / (view.to - view.from))
    } else move = (at) => between(begin, at, whole)
    report.cards.hide()
    track.setPointerCapture(event.pointerId)
    event.preventDefault()
  })
  track.addEventListener('pointermove', (event) => {
    if (move !== undefined) report.show(move(instantOf(event)))
  })
  const end = (): void => {
    move = undefined
  }
  track.addEventListener('pointerup', end)
  track.addEventListener('pointercancel', end)
}
