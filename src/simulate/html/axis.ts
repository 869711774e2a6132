import type { Lane } from '../history/history.ts'
import { escapeHtml } from './escape.ts'
import { clock, day } from './format.ts'
import { placeOf, type Canvas } from './lane.ts'
import { strongest } from './merge.ts'
import { strengthOfOutcome } from './marks.ts'
import { fraction, percent, wholeView } from './scale.ts'
import { ticks } from './ticks.ts'

export const AXIS_HEIGHT = 40
export const OVERVIEW_HEIGHT = 34

/** The inside of the axis' `<svg>`: wall clock above, distance from the start below. */
export function axisSvg(canvas: Canvas): string {
  const { view } = canvas
  return ticks(canvas)
    .map(({ at, label, offset, isMajor }) => {
      const part = fraction(view, at)
      const x = percent(part)
      const anchor = part < 0.04 ? 'start' : part > 0.96 ? 'end' : 'middle'
      return (
        `<line class="tick${isMajor ? ' major' : ''}" x1="${x}" x2="${x}" y1="34" y2="${AXIS_HEIGHT}"/>` +
        `<text class="when${isMajor ? ' major' : ''}" x="${x}" y="14" text-anchor="${anchor}">${escapeHtml(label)}</text>` +
        `<text class="offset" x="${x}" y="29" text-anchor="${anchor}">${escapeHtml(offset)}</text>`
      )
    })
    .join('')
}

/** Upright lines at the same instants, behind lanes and events. */
export function gridSvg(canvas: Canvas): string {
  const { view } = canvas
  return ticks(canvas)
    .map(({ at, isMajor }) => {
      const x = percent(fraction(view, at))
      return `<line class="grid${isMajor ? ' major' : ''}" x1="${x}" x2="${x}" y1="0" y2="100%"/>`
    })
    .join('')
}

/** What is in view, in the corner above the names. */
export function viewText({ view, start, end }: Canvas): string {
  const from = Math.max(Math.round(view.from), start)
  const to = Math.min(Math.round(view.to), end)
  const text = (at: number): string => `${day(at)} ${clock(Math.round(at / 1000) * 1000)}`
  return `${text(from)} – ${text(to)}`
}

/** All runs of all lanes in one strip, under the brush. */
export function overviewSvg(lanes: readonly Lane[], { start, end, width }: Canvas): string {
  const whole = wholeView({ start, end })
  const bins = Math.max(40, Math.min(Math.round(width / 5), 240))
  const items = lanes.flatMap(({ lives }) =>
    lives.map((life) => ({ part: fraction(whole, placeOf(life)), value: life.outcome })),
  )
  const heights = Array.from({ length: bins }, () => 0)
  for (const { part } of items) {
    const at = Math.min(Math.max(Math.floor(part * bins), 0), bins - 1)
    heights[at] = (heights[at] ?? 0) + 1
  }
  const most = heights.reduce((one, other) => Math.max(one, other), 1)
  return strongest(items, bins, strengthOfOutcome)
    .flatMap(({ from, to, value }) => {
      const first = Math.round(from * bins)
      return heights.slice(first, Math.round(to * bins)).map((number, at) => {
        // A failure is as tall as can be, not only of another colour.
        const height = value === 'failed' ? 28 : 5 + (16 * number) / most
        const x = percent((first + at) / bins)
        return `<rect class="bin o-${value}" x="${x}" width="${percent(0.8 / bins)}" y="${(OVERVIEW_HEIGHT - 4 - height).toFixed(1)}" height="${height.toFixed(1)}" rx="1"/>`
      })
    })
    .join('')
}
