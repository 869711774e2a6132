import { matches } from '../filter.ts'
import type { Report } from './report.ts'

/** Told to whoever shows lanes elsewhere: the table. */
export const FILTER_EVENT = 'semel-filter'

/** Hides lanes that do not answer to the words, and opens the groups of those that do. */
export function watchSearch(report: Report): void {
  const { section, frame, history } = report
  const input = section.querySelector<HTMLInputElement>('.search input')
  const output = section.querySelector('.matches')
  if (input === null) return
  const groups = [...frame.querySelectorAll<HTMLDetailsElement>('.group')].map((group) => ({
    group,
    wasOpen: group.open,
  }))
  input.addEventListener('input', () => {
    const query = input.value
    const found = history.lanes.map((lane) => matches(lane, history, query))
    for (const { group, wasOpen } of groups) {
      const rows = [...group.querySelectorAll<HTMLElement>('.row.lane')]
      for (const row of rows) row.hidden = found[Number(row.dataset['lane'])] !== true
      const isEmpty = rows.every((row) => row.hidden)
      group.hidden = isEmpty
      group.open = query.trim() === '' ? wasOpen : !isEmpty
    }
    const number = found.filter(Boolean).length
    if (output !== null) {
      output.textContent = query.trim() === '' ? '' : `${number} of ${history.lanes.length}`
    }
    report.cards.hide()
    report.draw()
    section.dispatchEvent(new CustomEvent(FILTER_EVENT, { detail: found }))
  })
}
