import { describe, expect, it } from 'vitest'
import { bytesOf } from './bytes.ts'
import { tooDeepAt } from './nesting.ts'

function deepAt(text: string, limit: number): number {
  const bytes = bytesOf(text)
  return tooDeepAt(bytes, 0, bytes.length, limit)
}

describe('the deepest nesting a text can have', () => {
  it.each([
    ['braces', 'a: [[{b: 1}]]', 4, 3],
    ['indentation', 'a:\n  b:\n    c:\n', 3, 2],
    ['dashes on one line', '- - - a', 4, 3],
    ['question marks', '? ? a', 3, 2],
  ])('%s', (_name, text, enough, tooFew) => {
    expect(deepAt(text, enough)).toBe(-1)
    expect(deepAt(text, tooFew)).toBeGreaterThan(0)
  })

  it('does not add up what stands side by side', () => {
    expect(deepAt('a: [1]\nb:\n  c: {d: 1}\n'.repeat(100), 4)).toBe(-1)
  })
})
