import { expect, it } from 'vitest'
import { applyEdits, pieceBytes, sortEdits, type Edit } from './edits.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (made: Uint8Array): string => new TextDecoder().decode(made)

const EDITS: readonly Edit[] = [
  { start: 4, end: 4, text: '-é' },
  { start: 0, end: 1, text: '' },
  { start: 4, end: 6, text: '🙂' },
]

it('makes the edits in the order of the bytes, and pieces say the same', () => {
  const edits = sortEdits(EDITS)
  const whole = applyEdits(bytes('abcdefgh'), edits)
  expect(text(whole)).toBe('bcd-é🙂gh')
  const pieces = [...pieceBytes(bytes('abcdefgh'), edits)]
  expect(pieces.map(text).join('')).toBe('bcd-é🙂gh')
})

it('hands the bytes back when there is nothing to do', () => {
  const same = bytes('a')
  expect(applyEdits(same, [])).toBe(same)
  expect([...pieceBytes(same, [])]).toEqual([same])
})

it.each([
  [
    'overlap',
    [
      { start: 0, end: 3, text: '' },
      { start: 2, end: 4, text: '' },
    ],
  ],
  ['go beyond the end', [{ start: 0, end: 99, text: '' }]],
  ['are not sorted', [...EDITS]],
])('refuses edits that %s', (_, edits) => {
  expect(() => applyEdits(bytes('abcdefgh'), edits)).toThrow('bug in semel')
  expect(() => [...pieceBytes(bytes('abcdefgh'), edits)]).toThrow('bug in semel')
})
