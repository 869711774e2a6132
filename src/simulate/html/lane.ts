import type { Instant } from '../../cluster/time.ts'
import type { JobLife, Lane, Outcome, RunCause } from '../history/history.ts'
import { escapeHtml } from './escape.ts'
import { count, dateTime, duration, grouped, offset } from './format.ts'
import { causeMark, outcomeMark, strengthOfCause, strengthOfOutcome, workedFor } from './marks.ts'
import { clusters, strongest, type Cluster } from './merge.ts'
import { fraction, percent, type View } from './scale.ts'

export const LANE_HEIGHT = 40

/** Side of the square that stands for a run, however short it is. */
const BADGE = 18
const TOP: number = (LANE_HEIGHT - BADGE) / 2
const MIDDLE: number = LANE_HEIGHT / 2
/** Two badges never touch. */
const ROOM: number = BADGE + 2
/** A part of the stripe below a merged mark. */
const BIN = 4

/** What a lane's drawing needs to know of the whole. */
export interface Canvas {
  readonly view: View
  /** Pixels that the track is wide, or is taken to be where nobody can measure. */
  readonly width: number
  readonly start: Instant
  readonly end: Instant
}

/** Where a life's mark stands: its run, or its creation where it never ran. */
export function placeOf({ startedAt, createdAt }: JobLife): Instant {
  return startedAt ?? createdAt
}

/** The marks of one lane, from left to right, for drawing and for the arrow keys. */
export function laneClusters(
  lane: Lane,
  { view, width }: Pick<Canvas, 'view' | 'width'>,
): readonly Cluster[] {
  const places = lane.lives.map((life) => fraction(view, placeOf(life)) * width)
  return clusters(places, ROOM).filter(({ first, last, from, to }) => {
    if (from > width + ROOM) return false
    if (to > -ROOM) return true
    // What began before the view may reach into it.
    const { createdAt = view.from, deletedAt = view.to } = lane.lives[last] ?? {}
    return Math.max(deletedAt, lane.lives[first]?.createdAt ?? createdAt) >= view.from
  })
}

/** The inside of a lane's `<svg>`: existence thin, runs thick, crowds merged. */
export function laneSvg(lane: Lane, at: number, canvas: Canvas): string {
  const found = laneClusters(lane, canvas)
  const lines = found.map((cluster) => existence(lane, cluster, canvas))
  const marks = found.map((cluster) =>
    cluster.first === cluster.last
      ? single(lane, at, cluster.first, canvas)
      : crowd(lane, at, cluster, canvas),
  )
  const empty = marks.length === 0 ? emptyText(lane) : ''
  return suspensions(lane, canvas) + lines.join('') + marks.join('') + empty
}

/** While a CronJob was suspended, it could start nothing. */
function suspensions({ suspended = [] }: Lane, { view, end }: Canvas): string {
  return suspended
    .map(({ from, until = end }) => {
      const [left, right] = [fraction(view, from), fraction(view, until)].map((part) =>
        Math.min(Math.max(part, 0), 1),
      )
      if (left === undefined || right === undefined || right <= left) return ''
      return `<rect class="suspended" x="${percent(left)}" width="${percent(right - left)}" y="5" height="${LANE_HEIGHT - 10}"><title>suspended</title></rect>`
    })
    .join('')
}

/** One thin line from creation to deletion; the deletion is a small upright stroke. */
function existence({ lives }: Lane, { first, last }: Cluster, canvas: Canvas): string {
  const { view, end } = canvas
  const from = lives[first]?.createdAt ?? canvas.start
  const to = lives[last]?.deletedAt
  const right = percent(fraction(view, to ?? end))
  const line = `<line class="life" x1="${percent(fraction(view, from))}" x2="${right}" y1="${MIDDLE}" y2="${MIDDLE}"/>`
  if (to === undefined || to >= end) return line
  return `${line}<line class="life end" x1="${right}" x2="${right}" y1="${MIDDLE - 5}" y2="${MIDDLE + 5}"/>`
}

function single(lane: Lane, laneAt: number, at: number, canvas: Canvas): string {
  const life = lane.lives[at]
  if (life === undefined) return ''
  const { view, width, end } = canvas
  const { outcome, cause } = life
  const from = fraction(view, placeOf(life))
  const until = life.startedAt === undefined ? placeOf(life) : (endOf(life) ?? end)
  const to = fraction(view, until)
  const isWide = (to - from) * width > BADGE
  const bar = isWide
    ? `<rect class="bar" x="${percent(from)}" width="${percent(to - from)}" y="${TOP}" height="${BADGE}" rx="4"/>${
        outcome === 'failed'
          ? `<rect class="hatch" x="${percent(from)}" width="${percent(to - from)}" y="${TOP}" height="${BADGE}" rx="4"/>`
          : ''
      }`
    : ''
  return (
    `<g ${attributes(laneAt, at, at)} class="mark o-${outcome} c-${cause}" aria-label="${escapeHtml(runLabel(lane, at, canvas))}">` +
    `${bar}<svg class="badge" x="${percent(from)}" y="${TOP}">` +
    `<rect class="ring" x="-3" y="-3" width="24" height="24" rx="8"/>` +
    `<rect class="face" width="${BADGE}" height="${BADGE}" rx="5"/>` +
    `<use class="sign" href="#o-${outcome}"/>` +
    `<text class="letter" x="9" y="13">${causeMark(cause).letter}</text>` +
    `${outcome === 'failed' ? '<circle class="flaw" cx="17" cy="1" r="4.5"/>' : ''}</svg></g>`
  )
}

function crowd(lane: Lane, laneAt: number, cluster: Cluster, canvas: Canvas): string {
  const { view, width } = canvas
  const { first, last } = cluster
  const lives = lane.lives.slice(first, last + 1)
  const box = `x="${percent(cluster.from / width)}" width="${percent((cluster.to - cluster.from + BADGE) / width)}"`
  // A long crowd may lie mostly outside: what is said in it is about the piece in sight.
  const from = Math.max(cluster.from, -BADGE)
  const pixels = Math.max(Math.min(cluster.to, width) + BADGE - from, 1)
  const parts = lives
    .map((life) => ({ life, part: (fraction(view, placeOf(life)) * width - from) / pixels }))
    .filter(({ part }) => part >= 0 && part <= 1)
  const left = Math.max(cluster.from, 0)
  const middle = (left + Math.min(cluster.to + BADGE, width)) / 2 / width
  return (
    `<g ${attributes(laneAt, first, last)} class="mark crowd" aria-label="${escapeHtml(crowdLabel(lane, cluster, canvas))}">` +
    `<rect class="face" ${box} y="${TOP}" height="${BADGE}" rx="5"/>` +
    stripe(parts, { from: from / width, width: pixels / width, pixels }) +
    `<rect class="ring" ${box} y="${TOP - 2}" height="${BADGE + 4}" rx="7"/>` +
    `<text class="number" x="${percent(middle)}" y="${TOP + 11}">${crowdText(parts.length, lives.length, pixels)}</text></g>`
  )
}

/** Below the number: where in the crowd which outcomes and causes are; a failure stands out. */
function stripe(
  parts: readonly { readonly life: JobLife; readonly part: number }[],
  { from, width, pixels }: { from: number; width: number; pixels: number },
): string {
  const bins = Math.max(1, Math.min(Math.round(pixels / BIN), 400))
  const draw = (of: string, list: readonly { from: number; to: number; value: string }[]): string =>
    list
      .map((stretch) => {
        const x = percent(from + stretch.from * width)
        const w = percent((stretch.to - stretch.from) * width)
        const height = stretch.value === 'failed' ? 9 : 5
        return `<rect class="bin ${of}-${stretch.value}" x="${x}" width="${w}" y="${TOP + BADGE - height}" height="${height}"/>`
      })
      .join('')
  const outcomes = parts.map(({ life, part }) => ({ part, value: life.outcome }))
  const causes = parts.map(({ life, part }) => ({ part, value: life.cause }))
  return (
    `<g class="bins outcomes">${draw('o', strongest<Outcome>(outcomes, bins, strengthOfOutcome))}</g>` +
    `<g class="bins causes">${draw('c', strongest<RunCause>(causes, bins, strengthOfCause))}</g>`
  )
}

function crowdText(inSight: number, all: number, pixels: number): string {
  if (inSight < all && pixels > 140) return `${grouped(inSight)} of ${count(all, 'run')}`
  if (pixels > 90) return count(all, 'run')
  return pixels > 34 || all < 100 ? grouped(all) : '99+'
}

function attributes(laneAt: number, first: number, last: number): string {
  return `role="button" tabindex="-1" data-lane="${laneAt}" data-first="${first}" data-last="${last}"`
}

function emptyText(lane: Lane): string {
  const text =
    lane.unknown !== undefined
      ? `cannot be told: ${lane.unknown}`
      : lane.lives.length === 0
        ? `does not run in this span${lane.held === undefined ? '' : `: it ${lane.held}`}`
        : ''
  return text === '' ? '' : `<text class="empty" x="8" y="${MIDDLE + 4}">${escapeHtml(text)}</text>`
}

/** Up to when a run worked, as far as that was seen. */
function endOf({ endedAt, deletedAt }: JobLife): Instant | undefined {
  return endedAt ?? deletedAt
}

/** One run in a sentence, for those who hear the page. */
function runLabel(lane: Lane, at: number, { start }: Pick<Canvas, 'start'>): string {
  const life = lane.lives[at]
  if (life === undefined) return ''
  const { startedAt, createdAt, outcome, cause } = life
  const worked = workedFor(life)
  const began =
    startedAt === undefined
      ? `created ${dateTime(createdAt)} (${offset(createdAt, start)}), no pod`
      : `started ${dateTime(startedAt)} (${offset(startedAt, start)})`
  const took = worked === undefined ? '' : `, took ${duration(worked)}`
  return `${lane.name}, ${at + 1} of ${lane.lives.length}: ${outcomeMark(outcome).name}, ${causeMark(cause).name}, ${began}${took}`
}

function crowdLabel(lane: Lane, { first, last }: Cluster, { start }: Canvas): string {
  const lives = lane.lives.slice(first, last + 1)
  const failed = lives.filter(({ outcome }) => outcome === 'failed').length
  const [from, to] = [lives[0], lives.at(-1)].map((life) =>
    life === undefined ? '' : `${dateTime(placeOf(life))} (${offset(placeOf(life), start)})`,
  )
  return `${lane.name}: ${count(lives.length, 'run')}, ${failed} failed, from ${from} to ${to}; Enter shows them apart`
}
