import { runsOf, type History, type Lane, type Timing, type Warning } from '../history/history.ts'
import { escapeHtml } from './escape.ts'
import { count, dateTime, duration, grouped } from './format.ts'
import { carrierOf, countsOf, type LaneCounts } from './groups.ts'

/** So many sentences are shown at once; the rest unfolds. */
const SENTENCES = 12

/** Likewise of warnings, and of what stands in one of them. */
const WARNINGS = 5
const WHATS = 6

export function spanText({ start, end }: History): string {
  return `${dateTime(start).replace(/ UTC$/, '')} to ${dateTime(end)}`
}

export function timingText(timing: Timing): string {
  return timing.mode === 'idealised'
    ? 'idealised timing: no jitter, no latency'
    : `realistic timing: jitter and latency drawn from seed ${timing.seed}`
}

/** `Flux Kustomization (2), Argo CD Application`: who applies what is shown. */
export function enginesText({ lanes }: History): string {
  const kinds = new Map<string, Set<string>>()
  for (const lane of lanes) {
    const appliedBy = carrierOf(lane)
    if (appliedBy === undefined) continue
    const kind = appliedBy.replace(/\s+\S+$/, '')
    kinds.set(kind, (kinds.get(kind) ?? new Set()).add(appliedBy))
  }
  return [...kinds]
    .map(([kind, carriers]) => (carriers.size === 1 ? kind : `${kind} (${carriers.size})`))
    .join(', ')
}

/** Warnings come before every number: they say how far the numbers can be believed. */
export function warningsHtml({ warnings }: History): string {
  if (warnings.length === 0) return ''
  const alike = new Map<string, Warning[]>()
  for (const warning of warnings) {
    const key = JSON.stringify([warning.id, warning.why, warning.remedy])
    const known = alike.get(key)
    if (known === undefined) alike.set(key, [warning])
    else known.push(warning)
  }
  const items = [...alike.values()].map(warningHtml)
  const rest = items.slice(WARNINGS)
  const more =
    rest.length === 0
      ? ''
      : `<details class="rest"><summary>${rest.length} more</summary><ul>${rest.join('')}</ul></details>`
  return `<section class="warnings" aria-label="Warnings"><h2>${count(warnings.length, 'warning')}</h2><ul>${items.slice(0, WARNINGS).join('')}</ul>${more}</section>`
}

/** Those with the same reason are told together, with the reason once. */
function warningHtml(alike: readonly Warning[]): string {
  const [first] = alike
  if (first === undefined) return ''
  const { id, why, remedy } = first
  const whats = [...new Set(alike.map(({ what }) => what))]
  const told = whats.slice(0, WHATS).map((what) => `<p class="what">${proseHtml(what)}</p>`)
  const untold = whats.length - told.length
  if (untold > 0) told.push(`<p class="what">and ${untold} more</p>`)
  const lanes = [...new Set(alike.flatMap((warning) => warning.lanes))]
  const about = lanes.slice(0, 4).map((name) => `<code>${escapeHtml(name)}</code>`)
  const rest = lanes.length - about.length
  const names = rest > 0 ? [...about, `and ${rest} more`] : about
  const advice = remedy === undefined ? '' : `. <span class="remedy">${proseHtml(remedy)}</span>`
  return (
    `<li>${told.join('')}<p>${proseHtml(why)}${advice}</p>` +
    `<p class="about"><span class="id">${escapeHtml(id)}</span> ${names.join(', ')}</p></li>`
  )
}

export function numbersHtml(history: History): string {
  const counts = history.lanes.map((lane) => countsOf(lane, history))
  const sum = (of: (one: LaneCounts) => number): number =>
    counts.reduce((total, one) => total + of(one), 0)
  const runs = sum((one) => one.runs)
  const failed = sum((one) => one.failed)
  const repeated = sum((one) => (one.isRepeated ? 1 : 0))
  const waiting = sum((one) => one.waiting)
  const never = sum((one) => (one.runs === 0 ? 1 : 0))
  const numbers: readonly (readonly [number, string, string])[] = [
    [history.lanes.length, kindsText(history.lanes), ''],
    [runs, runs === 1 ? 'run' : 'runs', ''],
    [failed, 'failed', failed > 0 ? 'bad' : ''],
    [
      repeated,
      repeated === 1 ? 'Job runs more than once' : 'Jobs run more than once',
      repeated > 0 ? 'odd' : '',
    ],
    ...(waiting > 0 ? [[waiting, 'created without a pod', ''] as const] : []),
    ...(never > 0 ? [[never, 'never ran', ''] as const] : []),
  ]
  const items = numbers.map(
    ([number, words, tone]) =>
      `<div class="number${tone === '' ? '' : ` ${tone}`}"><dt>${words}</dt><dd>${grouped(number)}</dd></div>`,
  )
  return `<dl class="numbers">${items.join('')}</dl>`
}

/** `Job`, `CronJobs`, `Jobs and CronJobs`: the noun behind their number. */
export function kindsText(lanes: readonly Lane[]): string {
  const jobs = lanes.filter(({ kind }) => kind === 'Job').length
  const cronJobs = lanes.length - jobs
  if (cronJobs === 0) return jobs === 1 ? 'Job' : 'Jobs'
  if (jobs === 0) return cronJobs === 1 ? 'CronJob' : 'CronJobs'
  return 'Jobs and CronJobs'
}

/** A sentence per Job, those that want attention first. */
export function sentencesHtml(
  history: History,
  sentenceOf: (lane: Lane, history: History) => string,
  reportAt: number,
): string {
  const ranked = history.lanes
    .map((lane, at) => ({ lane, at, level: levelOf(lane, history) }))
    .sort((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level))
  const items = ranked.map(
    ({ lane, at, level }) =>
      `<li class="${level}"><span class="flag" aria-hidden="true"></span><a class="name" href="#lane-${reportAt}-${at}">${escapeHtml(lane.name)}</a>` +
      `<span class="level">${LEVEL_WORDS[level]}</span> <span class="sentence">${escapeHtml(sentenceOf(lane, history))}</span></li>`,
  )
  const rest = items.slice(SENTENCES)
  const more =
    rest.length === 0
      ? ''
      : `<details class="rest"><summary>${count(rest.length, 'more Job')}</summary><ul class="sentences">${rest.join('')}</ul></details>`
  return `<ul class="sentences">${items.slice(0, SENTENCES).join('')}</ul>${more}`
}

type Level = 'failed' | 'again' | 'unknown' | 'fine' | 'never'

const LEVELS: readonly Level[] = ['failed', 'again', 'unknown', 'fine', 'never']

const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  failed: 'fails',
  again: 'runs again',
  unknown: 'cannot be told',
  fine: '',
  never: 'never ran',
}

function levelOf(lane: Lane, history: History): Level {
  const { failed, isRepeated, runs } = countsOf(lane, history)
  if (failed > 0) return 'failed'
  if (isRepeated) return 'again'
  if (lane.unknown !== undefined) return 'unknown'
  return runs === 0 ? 'never' : 'fine'
}

/** `every 25h`: the usual distance of a lane's runs, where there is one. */
export function rhythmText(lane: Lane, history: History): string {
  const starts = runsOf(lane, history).map(({ startedAt }) => startedAt)
  if (starts.length < 3) return ''
  const gaps = starts.slice(1).map((at, before) => at - (starts[before] ?? at))
  const usual = [...gaps].sort((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0
  const isSteady = gaps.every((gap) => Math.abs(gap - usual) <= usual * 0.02 + 1000)
  return isSteady && usual > 0 ? `every ${duration(usual)}` : ''
}

/** A message that begins a sentence; what stands in backticks is code. */
function proseHtml(text: string): string {
  const start = /^[a-z]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return escapeHtml(start).replace(/`([^`]+)`/g, '<code>$1</code>')
}
