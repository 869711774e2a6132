import type { History, JobLife, Lane } from '../history/history.ts'
import { ruleHtml, type CardContext } from './card.ts'
import { escapeHtml } from './escape.ts'
import { duration, offset, shortDateTime } from './format.ts'
import { placeOf } from './lane.ts'
import { causeMark, outcomeMark, workedFor } from './marks.ts'

/** One row of the list of runs. */
export interface TableRow {
  readonly lane: Lane
  readonly laneAt: number
  readonly at: number
  readonly life: JobLife
}

export interface TableContext extends CardContext {
  /** Which of the page's histories: names lead to its lanes. */
  readonly reportAt: number
}

export type Column = 'job' | 'when' | 'took' | 'outcome' | 'cause' | 'deleted'

/** So many rows stand in the page and are shown at a time. */
export const PAGE_ROWS = 200

const COLUMNS: readonly { readonly id?: Column; readonly name: string }[] = [
  { id: 'when', name: 'Started (UTC)' },
  { id: 'job', name: 'Job' },
  { id: 'took', name: 'Took' },
  { id: 'outcome', name: 'Outcome' },
  { id: 'cause', name: 'Cause' },
  { name: 'Why' },
  { id: 'deleted', name: 'Deleted' },
]

export function tableRows({ lanes }: History): readonly TableRow[] {
  const rows = lanes.flatMap((lane, laneAt) =>
    lane.lives.map((life, at) => ({ lane, laneAt, at, life })),
  )
  return sortedRows(rows, 'when', false)
}

export function sortedRows(
  rows: readonly TableRow[],
  column: Column,
  isDescending: boolean,
): readonly TableRow[] {
  const sign = isDescending ? -1 : 1
  return [...rows].sort((one, other) => {
    const by = compare(KEYS[column](one), KEYS[column](other))
    return by === 0 ? placeOf(one.life) - placeOf(other.life) : sign * by
  })
}

const KEYS: { readonly [Key in Column]: (row: TableRow) => string | number } = {
  job: ({ lane }) => lane.name,
  when: ({ life }) => placeOf(life),
  took: ({ life }) => workedFor(life) ?? -1,
  outcome: ({ life }) => life.outcome,
  cause: ({ life }) => life.cause,
  deleted: ({ life }) => life.deletedAt ?? Number.POSITIVE_INFINITY,
}

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0
}

export function tableHtml(rows: readonly TableRow[], context: TableContext): string {
  const heads = COLUMNS.map(({ id, name }) =>
    id === undefined
      ? `<th scope="col">${name}</th>`
      : `<th scope="col" data-column="${id}"${id === 'when' ? ' aria-sort="ascending"' : ''}>${name}</th>`,
  )
  return (
    `<table><thead><tr>${heads.join('')}</tr></thead>` +
    `<tbody>${rowsHtml(rows.slice(0, PAGE_ROWS), context)}</tbody></table>` +
    `<p class="more">${moreText(Math.min(rows.length, PAGE_ROWS), rows.length)}</p>`
  )
}

export function moreText(shown: number, all: number): string {
  return shown >= all ? '' : `${shown} of ${all} runs are listed here.`
}

export function rowsHtml(rows: readonly TableRow[], context: TableContext): string {
  return rows.map((row) => rowHtml(row, context)).join('')
}

function rowHtml({ lane, laneAt, at, life }: TableRow, context: TableContext): string {
  const { docs, reportAt } = context
  const { start } = context.history
  const { outcome, cause, startedAt, createdAt, deletedAt } = life
  const worked = workedFor(life)
  const when = startedAt ?? createdAt
  const mark = causeMark(cause)
  return (
    `<tr data-lane="${laneAt}" data-first="${at}"><td class="nowrap"><span class="time">${shortDateTime(when)}</span>` +
    ` <span class="offset">${offset(when, start)}</span></td>` +
    `<th scope="row"><a class="name" href="#lane-${reportAt}-${laneAt}">${escapeHtml(lane.name)}</a></th>` +
    `<td class="nowrap">${worked === undefined ? '' : duration(worked)}</td>` +
    `<td class="nowrap"><span class="tag o-${outcome}"><svg class="sign" width="14" height="14" viewBox="0 0 18 18" aria-hidden="true"><use href="#o-${outcome}"/></svg>${outcomeMark(outcome).name}</span></td>` +
    `<td class="nowrap"><span class="tag c-${cause}"><b>${mark.letter}</b>${mark.name}</span></td>` +
    `<td class="why">${whyHtml(life, docs)}</td>` +
    `<td class="nowrap">${deletedAt === undefined ? 'no' : offset(deletedAt, start)}</td></tr>`
  )
}

function whyHtml({ created }: JobLife, docs: string): string {
  return created
    .map((step) => `<span class="link">${escapeHtml(step.words)}${ruleHtml(step, docs)}</span>`)
    .join(' ')
}
