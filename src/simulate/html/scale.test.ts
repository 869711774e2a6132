import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fraction, instantAt, panned, revealing, wholeView, zoomed, type View } from './scale.ts'

const whole = wholeView({ start: 0, end: 1_000_000 })
const views = fc
  .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([size, part]): View => zoomed(whole, whole, Math.max(size, 0.002), part))
const parts = fc.double({ min: 0, max: 1, noNaN: true })

function isInside({ from, to }: View): boolean {
  return from >= whole.from - 1e-6 && to <= whole.to + 1e-6 && to > from
}

describe('the view', () => {
  it('never leaves the span, whatever is zoomed or moved', () => {
    fc.assert(
      fc.property(
        views,
        parts,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (view, part, factor) => {
          expect(isInside(zoomed(view, whole, factor, part))).toBe(true)
          expect(isInside(panned(view, whole, part * 4 - 2))).toBe(true)
        },
      ),
    )
  })

  it('keeps the instant under the pointer where it is while zooming in', () => {
    const view = { from: 200_000, to: 600_000 }
    fc.assert(
      fc.property(parts, (part) => {
        const at = instantAt(view, part)
        expect(fraction(zoomed(view, whole, 0.5, part), at)).toBeCloseTo(part, 6)
      }),
    )
  })

  it('is the whole again after zooming out far enough', () => {
    fc.assert(
      fc.property(views, parts, (view, part) => {
        const { from, to } = zoomed(view, whole, 1e6, part)
        expect(from).toBeCloseTo(whole.from, 3)
        expect(to).toBeCloseTo(whole.to, 3)
      }),
    )
  })

  it('does not move for what is in it, and moves to what is not', () => {
    const view = { from: 100_000, to: 200_000 }
    expect(revealing(view, whole, 150_000)).toBe(view)
    const moved = revealing(view, whole, 900_000)
    expect(fraction(moved, 900_000)).toBeCloseTo(0.5)
    expect(moved.to - moved.from).toBeCloseTo(100_000)
  })

  it('has room for a mark before the start and behind the end', () => {
    expect(fraction(whole, 0)).toBeGreaterThan(0.01)
    expect(fraction(whole, 1_000_000)).toBeLessThan(0.98)
  })

  it('shows a span of no length', () => {
    const empty = wholeView({ start: 5, end: 5 })
    expect(empty.to).toBeGreaterThan(empty.from)
  })
})
