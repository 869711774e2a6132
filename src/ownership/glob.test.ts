import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { globToRegExp } from './glob.ts'

test.each([
  ['apps/*', 'apps/a', true, true],
  ['apps/*', 'apps/a/b', false, true],
  ['apps/**', 'apps/a/b', true, true],
  ['**/config.json', 'config.json', true, true],
  ['**/config.json', 'a/b/config.json', true, true],
  ['**/config.json', 'a/xconfig.json', false, false],
  ['a?c', 'abc', true, true],
  ['a?c', 'a/c', false, true],
  ['{*.yaml,*.yml}', 'a.yml', true, true],
  ['{*.yaml,*.yml}', 'a.json', false, false],
  ['[ab].yaml', 'a.yaml', true, true],
  ['[!ab].yaml', 'a.yaml', false, false],
  ['a.b', 'aXb', false, false],
  ['a+(b)', 'a+(b)', true, true],
  ['}a', '}a', true, true],
])('%s and %s: %s in one folder, %s across folders', (pattern, path, inside, across) => {
  expect(globToRegExp(pattern, { crossing: false })?.test(path)).toBe(inside)
  expect(globToRegExp(pattern, { crossing: true })?.test(path)).toBe(across)
})

test('a pattern that cannot be read gives no expression', () => {
  expect(globToRegExp('[b-a]', { crossing: false })).toBeUndefined()
  expect(globToRegExp('{a', { crossing: false })).toBeUndefined()
})

test('never throws, and a name without signs matches itself only', () => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^[a-z/.]{1,8}$/), (pattern, name) => {
      globToRegExp(pattern, { crossing: true })
      expect(globToRegExp(name, { crossing: false })?.test(name)).toBe(true)
      expect(globToRegExp(name, { crossing: false })?.test(`${name}x`)).toBe(false)
    }),
  )
})
