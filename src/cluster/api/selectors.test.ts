import { describe, expect, test } from 'vitest'
import { parseLabelSelector } from './selectors.ts'
import { Refusal } from './status.ts'

function matches(
  selector: string,
  labels: { readonly [key: string]: string },
): boolean | undefined {
  const parsed = parseLabelSelector(selector)
  if (parsed instanceof Refusal) throw new Error(parsed.status.message)
  return parsed?.(labels)
}

function faultOf(selector: string): string | undefined {
  const parsed = parseLabelSelector(selector)
  return parsed instanceof Refusal ? parsed.status.message : undefined
}

describe('a label selector', () => {
  test.each([
    ['a=1', { a: '1' }, true],
    ['a==1', { a: '2' }, false],
    ['a!=1', {}, true],
    ['a!=1', { a: '1' }, false],
    ['a in (1,2)', { a: '2' }, true],
    ['a in (1, 2)', { b: '2' }, false],
    ['a in ()', { a: '' }, true],
    ['a in (,1)', { a: '' }, true],
    ['a notin (1)', {}, true],
    ['a notin (1)', { a: '1' }, false],
    ['a', { a: '' }, true],
    ['!a', { a: '' }, false],
    ['!a', { b: '' }, true],
    ['a>4', { a: '5' }, true],
    ['a<4', { a: '5' }, false],
    ['a>4', { a: 'x' }, false],
    ['a=', { a: '' }, true],
    ['in=1', { in: '1' }, true],
    ['a=1,b', { a: '1' }, false],
    ['x.y/z=1', { 'x.y/z': '1' }, true],
  ])('%s on %o is %s', (selector, labels, wanted) => {
    expect(matches(selector, labels)).toBe(wanted)
  })

  test('an empty one matches everything', () => {
    expect(parseLabelSelector(' ')).toBeUndefined()
  })

  test.each([
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=b,', "found '', expected: identifier after ','"],
    ['(a)', "found '(', expected: !, identifier, or 'end of string'"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
  ])('%s is refused as the server does: %s', (selector, message) => {
    expect(faultOf(selector)).toBe(message)
  })
})
