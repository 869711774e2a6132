import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineText, positionOf, type Source } from '../core/source.ts'
import { Lines } from './lines.ts'

const sourceOf = (text: string): Source => ({ path: 'a', bytes: new TextEncoder().encode(text) })

/** Also line ends of Windows, a byte order mark, letters of more than one byte and long lines. */
const texts = fc
  .array(fc.constantFrom('a', 'ä', '🙂', '\n', '\r\n', ': ', 'x'.repeat(5000)), { maxLength: 200 })
  .chain((parts) => fc.constantFrom(parts.join(''), `\uFEFF${parts.join('')}`))

describe('lines', () => {
  it('gives the positions that counting from the start gives, in whatever order they are asked', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 20 }), (text, wishes) => {
        const source = sourceOf(text)
        const lines = new Lines()
        for (const wish of wishes) {
          // A mark is no place of anything.
          const offset = Math.max(
            wish % (source.bytes.length + 2),
            text.startsWith('\uFEFF') ? 3 : 0,
          )
          expect(lines.position(source, offset)).toEqual(positionOf(source, offset))
        }
      }),
    )
  })

  it('gives the text of each line, and nothing after the last one', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const source = sourceOf(text)
        const lines = new Lines()
        const count = text.split('\n').length
        for (let line = count; line > 1; line -= 1) {
          expect(lines.text(source, line)).toBe(lineText(source, line))
        }
        expect(lines.text(source, count + 1)).toBeUndefined()
      }),
      { numRuns: 30 },
    )
  })

  it('counts columns in units of UTF-16', () => {
    const source = sourceOf('ä🙂b\nc')
    expect(new Lines().region({ source, span: { start: 6, end: 8 } })).toEqual({
      path: 'a',
      start: { line: 1, column: 4 },
      end: { line: 2, column: 1 },
    })
  })
})
