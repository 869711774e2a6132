import { describe, expect, it } from 'vitest'
import { CAUSES, OUTCOMES } from './marks.ts'
import { DARK, LIGHT, pageStyles } from './styles.ts'

function coloursOf(theme: string): ReadonlyMap<string, string> {
  const pairs = [...theme.matchAll(/--([\w-]+):(#[0-9a-f]{3,6});/g)]
  return new Map(pairs.map(([, name = '', value = '']) => [name, value]))
}

/** As WCAG 2 computes it. */
function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const themes = [
  ['light', coloursOf(LIGHT)],
  ['dark', coloursOf(DARK)],
] as const
const marks = [...OUTCOMES, ...CAUSES].map(({ id }) => id)
const texts: readonly (readonly [string, string])[] = [
  ...['ground', 'panel', 'soft'].flatMap((under) => [
    ['ink', under] as const,
    ['muted', under] as const,
  ]),
  ['accent', 'panel'],
  ['accent', 'ground'],
  ['on', 'accent'],
  ['ink', 'crowd'],
  ['ink', 'warn-ground'],
  ['muted', 'warn-ground'],
  ['warn', 'warn-ground'],
  ['odd', 'ground'],
  ['failed', 'ground'],
]

describe.each(themes)('the %s colours', (_, colours) => {
  it.each([
    ...texts,
    ...marks.map((id) => ['on', id] as const),
    ...marks.map((id) => [id, 'panel'] as const),
  ])('let %s be read on %s (4.5 to 1)', (text, under) => {
    expect(contrast(colours.get(text) ?? '', colours.get(under) ?? '')).toBeGreaterThanOrEqual(4.5)
  })

  it('let lines of existence be seen (2.4 to 1; nothing is told by them alone)', () => {
    expect(contrast(colours.get('life') ?? '', colours.get('panel') ?? '')).toBeGreaterThanOrEqual(
      2.4,
    )
  })

  it('name the same things', () => {
    expect([...colours.keys()].sort()).toEqual([...coloursOf(LIGHT).keys()].sort())
  })
})

describe('the style sheet', () => {
  it('loads nothing', () => {
    expect(pageStyles).not.toMatch(/@import|url\((?!#)/)
  })

  it('cannot close its own element', () => {
    expect(pageStyles).not.toContain('</')
  })
})
