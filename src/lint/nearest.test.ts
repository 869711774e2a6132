import { describe, expect, it } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

const words = ['ttl-contract', 'ttl-causes-rerun', 'mutable-tag', 'no-deadline']

describe('nearest', () => {
  it.each([
    ['mutabel-tag', 'mutable-tag'],
    ['mutable_tag', 'mutable-tag'],
    ['MUTABLE-TAG', 'mutable-tag'],
    ['ttl-cause-rerun', 'ttl-causes-rerun'],
    ['no-dead', 'no-deadline'],
    ['nodeadline', 'no-deadline'],
  ])('%s was meant as %s', (word, expected) => {
    expect(nearest(word, words)).toBe(expected)
  })

  it.each(['', 'x', 'zz', 'ttl', 'something-else', 'x'.repeat(100_000)])(
    'has no guess for a word that is far from all',
    (word) => expect(nearest(word, words)).toBeUndefined(),
  )

  it('makes a sentence of its guess, or nothing', () => {
    expect(didYouMean('mutable-tags', words)).toBe(' Did you mean mutable-tag?')
    expect(didYouMean('zzz', words)).toBe('')
  })
})
