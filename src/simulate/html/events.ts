import type { Happening, HappeningKind } from '../history/history.ts'
import { escapeHtml } from './escape.ts'
import { count, dateTime, duration, offset } from './format.ts'
import { strengthOfEvent } from './marks.ts'
import { clusters } from './merge.ts'
import { fraction, percent, type View } from './scale.ts'
import type { Canvas } from './lane.ts'
import type { EventRow } from './groups.ts'

export const EVENT_HEIGHT = 28

const SIGN = 14
const TOP: number = (EVENT_HEIGHT - SIGN) / 2
const ROOM: number = SIGN + 3
/** Rounds are strokes; nearer than this they become one block. */
const STROKE_ROOM = 4

/** The inside of an event row's `<svg>`: rounds as strokes, outages as spans, the rest as signs. */
export function eventsSvg(row: EventRow, at: number, canvas: Canvas): string {
  const rounds: number[] = []
  const signs: number[] = []
  const spans: number[] = []
  for (const [place, { kind, until }] of row.happenings.entries()) {
    if (kind === 'round' && until === undefined) rounds.push(place)
    else if (until !== undefined) spans.push(place)
    else signs.push(place)
  }
  return (
    spans.map((place) => span(row, at, place, canvas)).join('') +
    strokes(row, rounds, canvas) +
    signMarks(row, at, signs, canvas)
  )
}

function span(row: EventRow, rowAt: number, at: number, { view, start }: Canvas): string {
  const one = row.happenings[at]
  if (one === undefined) return ''
  const from = fraction(view, one.at)
  const to = fraction(view, one.until ?? one.at)
  if (to < 0 || from > 1) return ''
  const box = `x="${percent(from)}" width="${percent(Math.max(to - from, 0.002))}" y="${TOP}" height="${SIGN}" rx="3"`
  if (one.kind === 'round') return `<rect class="block" ${box}/>`
  return (
    `<g ${attributes(rowAt, at, at)} class="sig e-${one.kind}" aria-label="${escapeHtml(eventLabel(one, start))}">` +
    `<rect class="span" ${box}/><rect class="hatch" ${box}/><rect class="ring" ${box}/></g>`
  )
}

function strokes(row: EventRow, list: readonly number[], { view, width }: Canvas): string {
  const places = list.map((at) => fraction(view, row.happenings[at]?.at ?? 0) * width)
  return clusters(places, STROKE_ROOM, width)
    .map(({ from, to }) => {
      if (to - from < 1) {
        const x = percent(from / width)
        return `<line class="round" x1="${x}" x2="${x}" y1="${TOP + 2}" y2="${TOP + SIGN - 2}"/>`
      }
      const box = `x="${percent(from / width)}" width="${percent((to - from) / width)}"`
      return `<rect class="block" ${box} y="${TOP + 2}" height="${SIGN - 4}"/>`
    })
    .join('')
}

function signMarks(row: EventRow, rowAt: number, list: readonly number[], canvas: Canvas): string {
  const { view, width, start } = canvas
  const places = list.map((at) => fraction(view, row.happenings[at]?.at ?? 0) * width)
  return clusters(places, ROOM, width)
    .map(({ first, last, from, to }) => {
      const members = list.slice(first, last + 1).flatMap((at) => row.happenings[at] ?? [])
      const kind = strongestKind(members)
      const [one] = members
      if (one === undefined) return ''
      const isOne = members.length === 1
      const label = isOne ? eventLabel(one, start) : crowdLabel(members, start)
      const x = percent(from / width)
      const block =
        isOne || to - from < 2
          ? ''
          : `<rect class="stretch" x="${x}" width="${percent((to - from) / width)}" y="${TOP}" height="${SIGN}" rx="4"/>`
      const number = isOne ? '' : `<text class="number" x="11" y="11">${members.length}</text>`
      return (
        `<g ${attributes(rowAt, list[first] ?? 0, list[last] ?? 0)} class="sig e-${kind}" aria-label="${escapeHtml(label)}">` +
        `${block}<svg class="badge" x="${x}" y="${TOP}"><rect class="ring" x="-10" y="-3" width="20" height="20" rx="7"/>` +
        `<use class="sign" href="#e-${kind}" x="-7"/>${number}</svg></g>`
      )
    })
    .join('')
}

function strongestKind(members: readonly Happening[]): HappeningKind {
  return members.reduce<HappeningKind>(
    (kind, one) => (strengthOfEvent(one.kind) > strengthOfEvent(kind) ? one.kind : kind),
    members[0]?.kind ?? 'note',
  )
}

function attributes(rowAt: number, first: number, last: number): string {
  return `role="button" tabindex="-1" data-row="${rowAt}" data-first="${first}" data-last="${last}"`
}

function eventLabel({ at, until, kind, words }: Happening, start: number): string {
  const lasted = until === undefined ? '' : `, for ${duration(until - at)}`
  return `${kind}: ${words}, ${dateTime(at)} (${offset(at, start)})${lasted}`
}

function crowdLabel(members: readonly Happening[], start: number): string {
  const [first, last] = [members[0]?.at ?? 0, members.at(-1)?.at ?? 0]
  return `${count(members.length, 'event')} from ${dateTime(first)} (${offset(first, start)}) to ${dateTime(last)}`
}

/** Outages lie behind everything: what did not happen meanwhile is explained at a glance. */
export function outageBands(
  happenings: readonly Happening[],
  view: View,
): readonly { readonly left: string; readonly width: string; readonly words: string }[] {
  return happenings.flatMap(({ kind, at, until, words }) => {
    if (kind !== 'outage' || until === undefined) return []
    const from = Math.max(fraction(view, at), 0)
    const to = Math.min(fraction(view, until), 1)
    return to <= from ? [] : [{ left: percent(from), width: percent(to - from), words }]
  })
}
