import type { History } from '../history/history.ts'
import { CAUSES, EVENTS, OUTCOMES } from './marks.ts'

/** Only what occurs, so that nobody learns signs that are not there. */
export function legendHtml(history: History): string {
  const lives = history.lanes.flatMap((lane) => lane.lives)
  const outcomes = new Set(lives.map(({ outcome }) => outcome))
  const causes = new Set(lives.map(({ cause }) => cause))
  const kinds = new Set(history.happenings.map(({ kind }) => kind))
  const hasSuspensions = history.lanes.some(({ suspended = [] }) => suspended.length > 0)
  const outcomeItems = OUTCOMES.filter(({ id }) => outcomes.has(id)).map(
    ({ id, name, meaning }) =>
      `<li title="${meaning}"><svg class="key o-${id}" width="18" height="18" aria-hidden="true"><rect class="face" width="18" height="18" rx="5"/><use class="sign" href="#o-${id}"/></svg>${name}</li>`,
  )
  const causeItems = CAUSES.filter(({ id }) => causes.has(id)).map(
    ({ id, letter, name, meaning }) =>
      `<li title="${meaning}"><svg class="key c-${id}" width="18" height="18" aria-hidden="true"><rect class="face" width="18" height="18" rx="5"/><text class="letter" x="9" y="13">${letter}</text></svg>${name}</li>`,
  )
  const eventItems = EVENTS.filter(({ id }) => kinds.has(id)).map(
    ({ id, name, meaning }) =>
      `<li title="${meaning}"><svg class="key e-${id}" width="14" height="14" aria-hidden="true"><use class="sign" href="#e-${id}"/></svg>${name}</li>`,
  )
  return (
    '<div class="legend" aria-label="Legend">' +
    `<ul class="outcomes" aria-label="Outcomes">${outcomeItems.join('')}</ul>` +
    `<ul class="causes" aria-label="Causes">${causeItems.join('')}</ul>` +
    `<ul class="lines" aria-label="Lines"><li><svg class="key" width="30" height="18" aria-hidden="true"><line class="life" x1="1" x2="28" y1="9" y2="9"/><line class="life end" x1="28" x2="28" y1="4" y2="14"/></svg>the Job exists, until deleted</li>${hasSuspensions ? '<li><svg class="key" width="18" height="18" aria-hidden="true"><rect class="suspended" x="1" y="1" width="16" height="16"/></svg>suspended</li>' : ''}</ul>` +
    `<ul class="events" aria-label="Events">${eventItems.join('')}</ul></div>`
  )
}
