import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiDurationSeconds, durationText, goDurationSeconds, positiveSeconds } from './duration.ts'

describe('durations as Go reads them', () => {
  it.each([
    ['1h30m', 5400],
    ['90s', 90],
    ['1.5h', 5400],
    ['.5m', 30],
    ['1.m', 60],
    ['250ms', 0.25],
    ['1h0m0s', 3600],
    ['0', 0],
    ['-0', 0],
    ['+10s', 10],
    ['-30s', -30],
    ['5us', 5e-6],
    ['5µs', 5e-6],
    ['2562047h', 9_223_369_200],
  ])('reads %s as %d s', (text, seconds) => {
    expect(goDurationSeconds(text)).toBeCloseTo(seconds, 9)
  })

  it.each([
    '',
    '1d',
    '1w',
    '10',
    '1.',
    '.s',
    's',
    '1h-30m',
    '1 h',
    '1hh',
    '3mm',
    'abc',
    '2562048h',
  ])('refuses %j', (text) => {
    expect(goDurationSeconds(text)).toBeUndefined()
  })
})

describe('durations as the Flux API takes them', () => {
  it.each([
    ['10m', 600],
    ['1h30m', 5400],
    ['1.5h', 5400],
    ['500ms', 0.5],
  ])('reads %s', (text, seconds) => {
    expect(apiDurationSeconds(text)).toBe(seconds)
  })

  it.each(['1d', '-5m', '+5m', '.5h', '1.h', '0', '10', '5us', '${interval}', '', null, 600, true])(
    'refuses %j, which the API server would not store',
    (value) => {
      expect(apiDurationSeconds(value)).toBeUndefined()
    },
  )

  it('is stricter than Go: what it reads, Go reads alike', () => {
    const part = fc
      .tuple(fc.nat(500), fc.option(fc.nat(99)), fc.constantFrom('ms', 's', 'm', 'h'))
      .map(([whole, rest, unit]) => `${whole}${rest === null ? '' : `.${rest}`}${unit}`)
    const text = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (duration) => {
        expect(apiDurationSeconds(duration)).toBe(goDurationSeconds(duration))
      }),
    )
  })
})

it('writes whole seconds so that they are read back', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), (seconds) => {
      expect(goDurationSeconds(durationText(seconds))).toBe(seconds)
    }),
  )
})

it.each([
  [0, '0s'],
  [45, '45s'],
  [3600, '1h'],
  [5400, '1h30m'],
  [570, '9m30s'],
])('writes %d s as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

it('takes no period from an interval that never comes', () => {
  expect([0, -1, undefined, 10].map(positiveSeconds)).toEqual([undefined, undefined, undefined, 10])
})
