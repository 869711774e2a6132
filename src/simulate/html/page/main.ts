import { openReport, type Report } from './report.ts'

/**
 * The script of the report. Everything that it draws comes from the functions that drew the page in
 * the first place; it adds time: zoom, cards, sorting, search.
 */
function main(): void {
  document.documentElement.classList.remove('no-script')
  watchTheme()
  const reports = [...document.querySelectorAll<HTMLElement>('.report')].map(openReport)
  if (reports.length > 1) watchTabs(reports)
  for (const report of reports) report.draw()
}

function watchTheme(): void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-theme-to]')]
  for (const button of buttons) {
    button.addEventListener('click', () => {
      const { themeTo } = button.dataset
      if (themeTo === 'auto') delete document.documentElement.dataset['theme']
      else document.documentElement.dataset['theme'] = themeTo ?? ''
      for (const one of buttons) one.setAttribute('aria-pressed', String(one === button))
    })
  }
}

/** Links to the variants become tabs; without the script they stand one below the other. */
function watchTabs(reports: readonly Report[]): void {
  const nav = document.querySelector('.tabs')
  const tabs = [...document.querySelectorAll<HTMLAnchorElement>('.tabs a')]
  if (nav === null) return
  nav.setAttribute('role', 'tablist')
  const select = (at: number): void => {
    for (const [place, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(place === at))
      tab.tabIndex = place === at ? 0 : -1
      const section = reports[place]?.section
      if (section !== undefined) section.hidden = place !== at
    }
    reports[at]?.draw()
  }
  for (const [at, tab] of tabs.entries()) {
    tab.setAttribute('role', 'tab')
    tab.setAttribute('aria-controls', `report-${at}`)
    reports[at]?.section.setAttribute('role', 'tabpanel')
    reports[at]?.section.setAttribute('aria-labelledby', tab.id)
    tab.addEventListener('click', (event) => {
      event.preventDefault()
      select(at)
    })
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (step === undefined) return
      const next = (at + step + tabs.length) % tabs.length
      select(next)
      tabs[next]?.focus()
      event.preventDefault()
    })
  }
  select(0)
}

main()
