import { sha256Hex } from '../../core/hash.ts'
import type { History, Lane } from '../history/history.ts'
import { escapeHtml, scriptJson } from './escape.ts'
import { DAY, count, duration } from './format.ts'
import { placeOf } from './lane.ts'
import { pack } from './pack.ts'
import { pageScript } from './script.generated.ts'
import { pageStyles } from './styles.ts'
import {
  enginesText,
  numbersHtml,
  sentencesHtml,
  spanText,
  timingText,
  warningsHtml,
} from './summary.ts'
import { SYMBOLS } from './symbols.ts'
import { tableHtml, tableRows } from './table.ts'
import { timelineHtml } from './timeline.ts'

export interface HtmlOptions {
  /** One sentence about one Job: `runs now, then every 25 h: 7 runs in 7 days, because ...`. */
  readonly sentences: (lane: Lane, history: History) => string
  /** Where the rule pages are; relative to the report, or a whole address. `docs/` if absent. */
  readonly docs?: string
  /** What the whole report is about; that of the first history if absent. */
  readonly title?: string
  /** `semel 0.1.0`. */
  readonly version?: string
}

/** One way in which the simulated time went: a variant of a scenario, or the only one. */
export interface TitledHistory {
  readonly title: string
  readonly history: History
}

/**
 * A report as one HTML file that asks for nothing from anywhere. Without its script it is complete
 * and still; the script adds zoom, cards, sorting and search.
 */
export function renderHtml(histories: readonly TitledHistory[], options: HtmlOptions): string {
  const ordered = histories.map(({ title, history }) => ({
    title: title === '' && histories.length > 1 ? 'as it is' : title,
    history: inOrder(history),
  }))
  const title = titleOf(ordered, options)
  const docs = options.docs ?? 'docs/'
  const reports = ordered.map((one, at) => reportHtml(one, at, { ...options, docs }))
  return [
    '<!doctype html>',
    '<html lang="en" class="no-script">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${sha256Base64(pageScript)}'; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(title)} · semel simulate</title>`,
    `<style>${pageStyles}</style>`,
    '</head>',
    `<body data-docs="${escapeHtml(docs)}">`,
    SYMBOLS,
    headerHtml(title, options),
    histories.length > 1 ? tabsHtml(ordered) : '',
    `<main${histories.length > 1 ? ' class="several"' : ''}>${reports.join('')}</main>`,
    '<footer>Made by <b>semel simulate</b> from a model of Kubernetes and of the engines that apply Jobs. Times are UTC. The page loads nothing.</footer>',
    `<script>${pageScript}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** The reader's own title, or what is in it: one Job's name, or how many there are. */
function titleOf(histories: readonly TitledHistory[], { title }: HtmlOptions): string {
  const [first] = histories
  const own = title ?? (histories.length === 1 ? first?.title : undefined) ?? ''
  if (own !== '' || first === undefined) return own === '' ? 'Simulation' : own
  const { lanes, start, end } = first.history
  const [only] = lanes
  const what = only !== undefined && lanes.length === 1 ? only.name : count(lanes.length, 'Job')
  return `${what} in ${longDuration(end - start)}`
}

/** Marks are drawn from left to right: by the first pod, or by the creation where there is none. */
function inOrder(history: History): History {
  const { lanes, happenings } = history
  return {
    ...history,
    lanes: lanes.map((lane) => ({
      ...lane,
      lives: [...lane.lives].sort((one, other) => placeOf(one) - placeOf(other)),
    })),
    happenings: [...happenings].sort((one, other) => one.at - other.at),
  }
}

function headerHtml(title: string, { version }: HtmlOptions): string {
  return (
    '<header><div class="brand"><b>semel</b> simulate' +
    `${version === undefined ? '' : ` <span>${escapeHtml(version.replace(/^semel /, ''))}</span>`}</div>` +
    '<div class="theme needs-script" role="group" aria-label="Colours">' +
    '<button type="button" data-theme-to="auto" aria-pressed="true">Auto</button>' +
    '<button type="button" data-theme-to="light" aria-pressed="false">Light</button>' +
    '<button type="button" data-theme-to="dark" aria-pressed="false">Dark</button></div>' +
    `<h1>${escapeHtml(title)}</h1></header>`
  )
}

function tabsHtml(histories: readonly TitledHistory[]): string {
  const tabs = histories.map(
    ({ title, history }, at) =>
      `<a href="#report-${at}" id="tab-${at}">${escapeHtml(title)} <span>${count(runsIn(history), 'run')}</span></a>`,
  )
  return `<nav class="tabs" aria-label="Variants">${tabs.join('')}</nav>`
}

function longDuration(milliseconds: number): string {
  const days = milliseconds / DAY
  return Number.isInteger(days) ? count(days, 'day') : duration(milliseconds)
}

function runsIn({ lanes, end }: History): number {
  return lanes.reduce(
    (sum, { lives }) =>
      sum + lives.filter(({ startedAt }) => startedAt !== undefined && startedAt < end).length,
    0,
  )
}

function reportHtml(
  { title, history }: TitledHistory,
  at: number,
  { sentences, docs }: HtmlOptions & { readonly docs: string },
): string {
  const engines = enginesText(history)
  const meta = [
    `<span><b>${longDuration(history.end - history.start)}</b> ${escapeHtml(spanText(history))}</span>`,
    engines === '' ? '' : `<span>${escapeHtml(engines)}</span>`,
    `<span>${escapeHtml(timingText(history.timing))}</span>`,
  ].join('')
  return (
    `<section class="report" id="report-${at}" aria-label="${escapeHtml(title)}">` +
    `<h2 class="variant">${escapeHtml(title)}</h2><p class="meta">${meta}</p>` +
    warningsHtml(history) +
    numbersHtml(history) +
    sentencesHtml(history, sentences, at) +
    `<h2>Timeline</h2>${timelineHtml(history, at)}` +
    `<h2>Every run</h2><div class="runs" tabindex="-1">${tableHtml(tableRows(history), { history, docs, reportAt: at })}</div>` +
    `<script type="application/json" id="history-${at}">${scriptJson(pack(history))}</script>` +
    '</section>'
  )
}

/** As a content security policy spells it. */
function sha256Base64(text: string): string {
  const bytes = (sha256Hex(text).match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16))
  return btoa(String.fromCharCode(...bytes))
}
