import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Source } from '../core/source.ts'
import { codeFrame } from './frame.ts'
import { Lines } from './lines.ts'
import { paintFor } from './paint.ts'
import { widthOf } from './words.ts'

const source = (text: string): Source => ({ path: 'x', bytes: new TextEncoder().encode(text) })
const plain = { write: () => {}, isTerminal: false, columns: undefined }

function frame(text: string, marked: string, width = 80, indent = 0): readonly string[] {
  const bytes = new TextEncoder()
  const start = bytes.encode(text.slice(0, text.indexOf(marked))).length
  const end = start + bytes.encode(marked).length
  const place = { source: source(text), span: { start, end } }
  const paint = paintFor(plain, 'never', {})
  return codeFrame(place, new Lines(), { paint, mark: (mark) => mark, width, indent })
}

describe('a code frame', () => {
  it('marks a value below its line, with the line before', () => {
    expect(frame('a: 1\nb: two\n', 'two')).toEqual(['1 | a: 1', '2 | b: two', '  |    ^^^'])
  })

  it('leaves out a line before that says nothing', () => {
    expect(frame('---\nb: two', 'two')).toEqual(['2 | b: two', '  |    ^^^'])
    expect(frame('\nb: two', 'two')).toEqual(['2 | b: two', '  |    ^^^'])
  })

  it('marks only the first line of what is longer', () => {
    expect(frame('b: |\n  x\n  y\n', '|\n  x')).toEqual(['1 | b: |', '  |    ^'])
  })

  it('marks one column of what has no length', () => {
    const place = { source: source('a: 1\n'), span: { start: 0, end: 0 } }
    const paint = paintFor(plain, 'never', {})
    const options = { paint, mark: (mark: string) => mark, width: 80, indent: 0 }
    expect(codeFrame(place, new Lines(), options)).toEqual(['1 | a: 1', '  | ^'])
  })

  it('stays in line after wide signs, tabs and a byte order mark', () => {
    expect(frame('日本: two', 'two')[1]).toBe('  |       ^^^')
    expect(frame('\ta: two', 'two')).toEqual(['1 |  a: two', '  |     ^^^'])
    expect(frame('\uFEFFa: two', 'two')).toEqual(['1 | a: two', '  |    ^^^'])
  })

  it('leaves out the line end of Windows', () => {
    expect(frame('a: 1\r\nb: two\r\n', 'two')).toEqual(['1 | a: 1', '2 | b: two', '  |    ^^^'])
  })

  it('never is wider than the terminal, and its mark stands below what it marks', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'é', '日') })
    fc.assert(
      fc.property(
        part,
        part,
        part,
        fc.integer({ min: 40, max: 120 }),
        (before, inside, after, width) => {
          const marked = `<${inside}>`
          const rows = frame(`${before}${marked}${after}`, marked, width)
          for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(width)
          const mark = rows.at(-1) ?? ''
          const line = rows.at(-2) ?? ''
          const column = widthOf(mark.slice(0, mark.indexOf('^')))
          let seen = 0
          for (const sign of line) {
            if (seen === column) {
              expect(sign).toBe('<')
              return
            }
            seen += widthOf(sign)
          }
          expect.unreachable('the mark stands below nothing')
        },
      ),
    )
  })
})
