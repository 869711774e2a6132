import type { Instant } from '../../cluster/time.ts'

/**
 * What part of the span is shown. All positions are percent of a track's width, so that the same
 * drawing fits a narrow window, a wide one and paper.
 */
export interface View {
  readonly from: Instant
  readonly to: Instant
}

/** Marks at the very start and end must not be cut: a run's lies to the right of its instant. */
const MARGIN = { before: 0.012, after: 0.024 }

const SHORTEST_MS = 1000

export function wholeView({ start, end }: { start: Instant; end: Instant }): View {
  const span = Math.max(end - start, SHORTEST_MS)
  return { from: start - span * MARGIN.before, to: start + span * (1 + MARGIN.after) }
}

/** 0 at the left edge, 1 at the right one; outside of both for what is not in view. */
export function fraction({ from, to }: View, at: Instant): number {
  return (at - from) / (to - from)
}

export function instantAt({ from, to }: View, part: number): Instant {
  return from + part * (to - from)
}

/** Percent with as many digits as a screen can show. */
export function percent(part: number): string {
  return `${Math.round(part * 1e5) / 1e3}%`
}

/** `factor` below 1 shows less; what stands at `part` of the width stays where it is. */
export function zoomed(view: View, whole: View, factor: number, part: number): View {
  const span = clamp((view.to - view.from) * factor, SHORTEST_MS, whole.to - whole.from)
  const anchor = instantAt(view, part)
  return within({ from: anchor - part * span, to: anchor + (1 - part) * span }, whole)
}

/** Moved by a part of what is shown: 0.25 is a quarter to the right. */
export function panned(view: View, whole: View, part: number): View {
  const step = (view.to - view.from) * part
  return within({ from: view.from + step, to: view.to + step }, whole)
}

/** The same width, moved only as far as needed for `at` to be well inside. */
export function revealing(view: View, whole: View, at: Instant): View {
  const part = fraction(view, at)
  if (part >= 0.02 && part <= 0.98) return view
  const half = (view.to - view.from) / 2
  return within({ from: at - half, to: at + half }, whole)
}

/** Between two instants, in whichever order they come. */
export function between(one: Instant, other: Instant, whole: View): View {
  const from = Math.min(one, other)
  return within({ from, to: Math.max(one, other, from + SHORTEST_MS) }, whole)
}

/** As far as the edges of the span, with the same share of room beyond them at every zoom. */
function within({ from, to }: View, whole: View): View {
  const all = whole.to - whole.from
  const span = Math.min(to - from, all)
  const rest = (all - span) / (1 + MARGIN.before + MARGIN.after)
  const least = whole.from + rest * MARGIN.before
  const start = clamp(from, least, whole.to - rest * MARGIN.after - span)
  return { from: start, to: start + span }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
