import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { count, listed, pad, printable, shorten, widthOf, wrap } from './words.ts'

describe('words', () => {
  it.each([
    ['abc', 3],
    ['größe', 5],
    ['日本語', 6],
    ['🚀', 2],
    ['e\u0301', 1],
    ['', 0],
  ])('"%s" is %i columns wide', (text, width) => expect(widthOf(text)).toBe(width))

  it.each([
    ['migrate-5d1e77aa', 16, 'migrate-5d1e77aa'],
    ['migrate-5d1e77aa', 15, 'migrate…d1e77aa'],
    ['migrate-5d1e77aa', 9, 'migr…77aa'],
    ['migrate', 1, '…'],
    ['migrate', 0, ''],
    ['日本語日本語', 7, '日…本語'],
  ])('"%s" in %i columns is "%s"', (text, width, shown) => {
    expect(shorten(text, width)).toBe(shown)
  })

  it('a shortened text fits, and begins and ends as the whole does', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.nat(30), (text, width) => {
        const shown = shorten(text, width)
        expect(widthOf(shown)).toBeLessThanOrEqual(Math.max(width, 0))
        if (shown !== text && width > 2) expect(shown).toContain('…')
      }),
    )
  })

  it('wrapped lines fit and hold the same words', () => {
    const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/\s/.test(text))
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 12, max: 60 }), (words, width) => {
        const lines = wrap(words.join(' '), width)
        expect(
          lines
            .join(' ')
            .split(' ')
            .filter((text) => text !== ''),
        ).toEqual(words)
        for (const line of lines) {
          if (line.includes(' ')) expect(widthOf(line)).toBeLessThanOrEqual(width)
        }
      }),
    )
  })

  it('pads to a width, never cuts', () => {
    expect(pad('ab', 4)).toBe('ab  ')
    expect(pad('abcde', 4)).toBe('abcde')
  })

  it('counts and lists', () => {
    expect(count(1, 'Job')).toBe('1 Job')
    expect(count(0, 'Job')).toBe('0 Jobs')
    expect(listed([])).toBe('')
    expect(listed(['a'])).toBe('a')
    expect(listed(['a', 'b', 'c'])).toBe('a, b and c')
  })

  it('shows what a terminal would obey', () => {
    expect(printable('a\u001b[2Jb\u0007\tc\u202ed\r\n')).toBe(
      'a\\u001b[2Jb\\u0007 c\\u202ed\\u000d\\u000a',
    )
  })
})
