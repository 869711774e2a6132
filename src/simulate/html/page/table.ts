import {
  PAGE_ROWS,
  moreText,
  rowsHtml,
  sortedRows,
  tableRows,
  type Column,
  type TableRow,
} from '../table.ts'
import { focusPlace } from './keyboard.ts'
import type { Report } from './report.ts'
import { FILTER_EVENT } from './search.ts'

/** The list of runs: sorted by its heads, a page at a time, and joined with the timeline. */
export function openTable(report: Report): void {
  const { section, history } = report
  const body = section.querySelector('.runs tbody')
  const more = section.querySelector('.more')
  if (body === null || more === null) return
  const number = history.lanes.reduce((sum, { lives }) => sum + lives.length, 0)
  let all: readonly TableRow[] | undefined
  let rows: readonly TableRow[] | undefined
  // Sorting many thousands takes time that nobody should wait for before the page is there.
  const allRows = (): readonly TableRow[] => (all ??= tableRows(history))
  const chosen = (): readonly TableRow[] => rows ?? allRows()
  let shown = PAGE_ROWS
  let found: readonly boolean[] | undefined
  let order: { readonly column: Column; readonly isDescending: boolean } = {
    column: 'when',
    isDescending: false,
  }
  const draw = (): void => {
    body.innerHTML = rowsHtml(chosen().slice(0, shown), report)
    drawMore()
  }
  const drawMore = (): void => {
    const length = rows?.length ?? number
    more.textContent = moreText(Math.min(shown, length), length)
    if (shown >= length) return
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = `Show ${Math.min(PAGE_ROWS, length - shown)} more`
    button.addEventListener('click', () => {
      const before = shown
      shown += PAGE_ROWS
      body.insertAdjacentHTML('beforeend', rowsHtml(chosen().slice(before, shown), report))
      drawMore()
    })
    more.append(button)
  }
  const choose = (): void => {
    const kept =
      found === undefined ? allRows() : allRows().filter(({ laneAt }) => found?.[laneAt] === true)
    rows = sortedRows(kept, order.column, order.isDescending)
    shown = PAGE_ROWS
    draw()
  }
  for (const head of section.querySelectorAll<HTMLElement>('.runs th[data-column]')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = head.textContent
    head.replaceChildren(button)
    button.addEventListener('click', () => {
      const isDescending = head.getAttribute('aria-sort') === 'ascending'
      for (const other of section.querySelectorAll('.runs th')) other.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending')
      order = { column: head.dataset['column'] as Column, isDescending }
      choose()
    })
  }
  section.addEventListener(FILTER_EVENT, (event) => {
    found = (event as CustomEvent<readonly boolean[]>).detail
    choose()
  })
  drawMore()
  watchLinks(report)
}

/** A name in the sentences or the list leads to its mark in the timeline. */
function watchLinks(report: Report): void {
  report.section.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#lane-"]') : null
    if (link === null) return
    event.preventDefault()
    const lane = Number(/\d+$/.exec(link.getAttribute('href') ?? '')?.[0])
    const at = Number(link.closest('tr')?.dataset['first'] ?? 0)
    report.frame.scrollIntoView({ block: 'nearest' })
    const row = report.frame.querySelector(`.row[data-lane="${lane}"]`)
    const group = row?.closest('details')
    if (group != null) group.open = true
    row?.scrollIntoView({ block: 'nearest' })
    focusPlace(report, { kind: 'lane', row: lane, at })
  })
}
