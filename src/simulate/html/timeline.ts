import type { History, JobLife, Lane } from '../history/history.ts'
import { AXIS_HEIGHT, OVERVIEW_HEIGHT, axisSvg, gridSvg, overviewSvg, viewText } from './axis.ts'
import { escapeHtml } from './escape.ts'
import { EVENT_HEIGHT, eventsSvg, outageBands } from './events.ts'
import { count } from './format.ts'
import { carrierOf, countsOf, eventRowsOf, groupsOf, type EventRow, type Group } from './groups.ts'
import { LANE_HEIGHT, laneSvg, placeOf, type Canvas } from './lane.ts'
import { legendHtml } from './legend.ts'
import { strengthOfOutcome } from './marks.ts'
import { strongest } from './merge.ts'
import { fraction, percent, wholeView } from './scale.ts'
import { kindsText, rhythmText } from './summary.ts'

/** Where nobody can measure (before the script runs, or without it), tracks are taken to be so wide. */
const USUAL_WIDTH = 900

/** Up to so many bytes of marks stand in the page itself; the script draws the rest when seen. */
const DRAWN_BYTES = 400_000

/** With more Jobs than this there is a field to search for one. */
const MANY_LANES = 12

/** The whole timeline as it stands in the page, readable without any script. */
export function timelineHtml(history: History, reportAt: number): string {
  const { start, end } = history
  const canvas: Canvas = { view: wholeView(history), width: USUAL_WIDTH, start, end }
  const budget = { left: DRAWN_BYTES }
  const groups = groupsOf(history).map((group) =>
    groupHtml(group, { history, reportAt, canvas, budget, namesCarrier: group.isHeadless }),
  )
  const rows = eventRowsOf(history).map((row, at) => eventRowHtml(row, at, canvas, budget))
  const backdrop = backdropHtml(history, canvas)
  return (
    `<div class="timeline by-outcome">${toolbarHtml(history, reportAt)}${legendHtml(history)}` +
    `<div class="frame" role="group" tabindex="0" aria-label="${escapeHtml(helpText())}">` +
    `<div class="row axis"><div class="label corner">${escapeHtml(viewText(canvas))}</div>` +
    `<svg class="track" height="${AXIS_HEIGHT}" aria-hidden="true">${axisSvg(canvas)}</svg></div>` +
    `<div class="pane lanes"><div class="rows">${backdrop}${groups.join('')}</div></div>` +
    (rows.length === 0
      ? ''
      : `<div class="pane events"><div class="rows">${backdrop}${rows.join('')}</div></div>`) +
    `<div class="row overview needs-script"><div class="label">All of it</div><div class="track">` +
    `<svg width="100%" height="${OVERVIEW_HEIGHT}" aria-hidden="true">${overviewSvg(history.lanes, canvas)}</svg>` +
    '<div class="brush"><i></i><i></i></div></div></div>' +
    '<svg class="links" aria-hidden="true"></svg>' +
    '<div class="card" role="dialog" aria-label="Details" hidden></div></div></div>'
  )
}

function helpText(): string {
  return 'Timeline. Arrow keys left and right go from run to run, up and down to other Jobs, Enter keeps the card open, Escape closes it, plus and minus zoom, 0 shows all, Shift with arrows moves the view.'
}

function toolbarHtml({ lanes }: History, reportAt: number): string {
  const search =
    lanes.length <= MANY_LANES
      ? ''
      : `<label class="search"><span>Find</span><input type="search" placeholder="name of a Job, engine, failed, again" aria-controls="report-${reportAt}"></label><output class="matches"></output>`
  return (
    `<div class="toolbar needs-script" role="group" aria-label="Timeline controls">` +
    '<div class="segmented" role="group" aria-label="Colour by"><span>Colour by</span>' +
    '<button type="button" data-do="by-outcome" aria-pressed="true">outcome</button>' +
    '<button type="button" data-do="by-cause" aria-pressed="false">cause</button></div>' +
    search +
    '<span class="keys">Ctrl and wheel zoom, a drag moves, arrow keys go from run to run</span>' +
    '<div class="buttons" role="group" aria-label="View">' +
    '<button type="button" data-do="left" title="Earlier (Shift and arrow left)" aria-label="Earlier">←</button>' +
    '<button type="button" data-do="right" title="Later (Shift and arrow right)" aria-label="Later">→</button>' +
    '<button type="button" data-do="out" title="Show more (-)" aria-label="Zoom out">−</button>' +
    '<button type="button" data-do="in" title="Show less (+)" aria-label="Zoom in">+</button>' +
    '<button type="button" data-do="all" title="Show all (0)">All</button></div></div>'
  )
}

interface Drawing {
  readonly history: History
  readonly reportAt: number
  readonly canvas: Canvas
  readonly budget: { left: number }
  /** There is no head above that would say who applies it. */
  readonly namesCarrier: boolean
}

function groupHtml(group: Group, drawing: Drawing): string {
  const { history, canvas, budget } = drawing
  const lanes = group.lanes.flatMap((at) => history.lanes[at] ?? [])
  const counts = lanes.map((lane) => countsOf(lane, history))
  const runs = counts.reduce((sum, one) => sum + one.runs, 0)
  const failed = counts.reduce((sum, one) => sum + one.failed, 0)
  const note = `${lanes.length} ${kindsText(lanes)}, ${count(runs, 'run')}${failed > 0 ? `, ${failed} failed` : ''}`
  const rows = group.lanes.map((at) => laneHtml(at, drawing))
  return (
    `<details class="group${group.isHeadless ? ' headless' : ''}"${group.isOpen ? ' open' : ''} data-lanes="${group.lanes.join(' ')}">` +
    `<summary class="row"><div class="label"><span class="name">${escapeHtml(group.name)}</span><span class="note">${note}</span></div>` +
    `<svg class="track" height="22" aria-hidden="true">${spend(budget, groupSvg(lanes, canvas))}</svg></summary>` +
    `${rows.join('')}</details>`
  )
}

/** Seen while the group is closed: where in the span its Jobs ran, and what came of it. */
export function groupSvg(lanes: readonly Lane[], { view, width }: Canvas): string {
  const items = lanes
    .flatMap(({ lives }): readonly JobLife[] => lives)
    .map((life) => ({ part: fraction(view, placeOf(life)), value: life.outcome }))
    .filter(({ part }) => part >= 0 && part < 1)
  const bins = Math.max(20, Math.round(width / 6))
  return strongest(items, bins, strengthOfOutcome)
    .map(
      ({ from, to, value }) =>
        `<rect class="bin o-${value}" x="${percent(from)}" width="${percent(to - from)}" ${value === 'failed' ? 'y="3" height="16"' : 'y="8" height="6"'} rx="1.5"/>`,
    )
    .join('')
}

function laneHtml(
  at: number,
  { history, reportAt, canvas, budget, namesCarrier }: Drawing,
): string {
  const lane = history.lanes[at]
  if (lane === undefined) return ''
  const { name, kind } = lane
  const carrier = namesCarrier ? carrierOf(lane) : undefined
  const note = [laneNote(lane, history), ...(carrier === undefined ? [] : [carrier])].join(' · ')
  return (
    `<div class="row lane" id="lane-${reportAt}-${at}" data-lane="${at}">` +
    `<div class="label" title="${escapeHtml(`${kind} ${name}: ${note}`)}"><span class="name">${escapeHtml(name)}</span><span class="note">${escapeHtml(note)}</span></div>` +
    `<svg class="track" height="${LANE_HEIGHT}" role="group" aria-label="${escapeHtml(`${name}, ${note}`)}">${spend(budget, laneSvg(lane, at, canvas))}</svg></div>`
  )
}

function laneNote(lane: Lane, history: History): string {
  const { runs, failed } = countsOf(lane, history)
  const { schedule, ttlSeconds } = lane
  return [
    lane.kind === 'CronJob' ? (schedule === undefined ? 'CronJob' : `CronJob ${schedule}`) : '',
    count(runs, 'run'),
    failed > 0 ? `${failed} failed` : '',
    rhythmText(lane, history),
    ttlSeconds === undefined ? '' : `TTL ${ttlSeconds} s`,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

function eventRowHtml(row: EventRow, at: number, canvas: Canvas, budget: { left: number }): string {
  const name = escapeHtml(row.name)
  return (
    `<div class="row event" data-row="${at}"><div class="label" title="${name}"><span class="name">${name}</span></div>` +
    `<svg class="track" height="${EVENT_HEIGHT}" role="group" aria-label="${name}, ${count(row.happenings.length, 'event')}">${spend(budget, eventsSvg(row, at, canvas))}</svg></div>`
  )
}

/** What lies behind all rows of a pane: lines of the axis, and outages as hatched bands. */
export function backdropHtml(history: History, canvas: Canvas): string {
  const bands = outageBands(history.happenings, canvas.view)
    .slice(0, 200)
    .map(
      ({ left, width }) =>
        `<rect class="band" x="${left}" width="${width}" height="100%"/><rect class="bands" x="${left}" width="${width}" height="100%"/>`,
    )
  return `<svg class="backdrop" aria-hidden="true">${bands.join('')}${gridSvg(canvas)}</svg>`
}

function spend(budget: { left: number }, svg: string): string {
  if (budget.left < svg.length) return ''
  budget.left -= svg.length
  return svg
}
