import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { globProblem, globToRegExp } from './glob.ts'

describe('path patterns', () => {
  it.each([
    ['apps', 'apps'],
    ['apps', 'apps/shop/job.yaml'],
    ['apps/', 'apps/job.yaml'],
    ['./apps', 'apps/job.yaml'],
    ['.', 'apps/job.yaml'],
    ['**', 'apps/job.yaml'],
    ['*', 'apps/job.yaml'],
    ['*.yaml', 'job.yaml'],
    ['**/*.yaml', 'job.yaml'],
    ['**/*.yaml', 'a/b/job.yaml'],
    ['a/**/z', 'a/z'],
    ['a/**/z', 'a/b/c/z'],
    ['a/**/**/z', 'a/z'],
    ['a/**', 'a/b/c'],
    ['cluster-?/apps', 'cluster-1/apps/job.yaml'],
    ['cluster-[0-9]', 'cluster-7'],
    ['cluster-[!0-9]', 'cluster-x'],
    ['{prod,stage}/apps', 'stage/apps/job.yaml'],
    ['job-{a,b*}.yaml', 'job-bcd.yaml'],
    ['a+b(c).yaml', 'a+b(c).yaml'],
    ['a[b', 'a[b'],
    ['${KERNEL_TAG}.yaml', '$KERNEL_TAG.yaml'],
  ])('%s covers %s', (pattern, path) => {
    expect(globToRegExp(pattern).test(path)).toBe(true)
  })

  it.each([
    ['apps', 'apps2/job.yaml'],
    ['apps', 'shop/apps/job.yaml'],
    ['*.yaml', 'a/job.yaml'],
    ['a/*/z', 'a/b/c/z'],
    ['a/**/z', 'a/bz'],
    ['cluster-?', 'cluster-12'],
    ['cluster-?', 'cluster-/'],
    ['cluster-[!0-9]', 'cluster-7'],
    ['{prod,stage}/apps', 'test/apps/job.yaml'],
    ['a.yaml', 'aXyaml'],
    ['A', 'a'],
  ])('%s does not cover %s', (pattern, path) => {
    expect(globToRegExp(pattern).test(path)).toBe(false)
  })

  it.each([
    ['', 'it is empty'],
    ['/apps', 'it starts with /'],
    ['../apps', 'it leaves the folder'],
    ['a/../b', 'it leaves the folder'],
    ['a\\b', 'it holds a backslash'],
    ['{a,b', 'its braces do not pair up'],
    ['a}', 'its braces do not pair up'],
    ['{a,{b,c}}', 'its braces do not pair up'],
    ['[z-a]', 'a range in its [ ] runs backwards'],
  ])('refuses "%s"', (pattern, problem) => {
    expect(globProblem(pattern)).toContain(problem)
  })

  it('never fails on a pattern without a problem, and a plain path covers itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...SIGNS) }), (pattern) => {
        if (globProblem(pattern) === undefined) globToRegExp(pattern).test('a/b/ab.a')
      }),
    )
    const name = fc.stringMatching(/^[a-z0-9._+$()-]{1,8}$/).filter((text) => !/^\.+$/.test(text))
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const path = names.join('/')
        expect(globToRegExp(path).test(path)).toBe(true)
        expect(globToRegExp(path).test(`${path}/below`)).toBe(true)
        expect(globToRegExp(path).test(`${path}x`)).toBe(false)
      }),
    )
  })
})

const SIGNS = ['a', 'b', '/', '*', '?', '[', ']', '{', '}', ',', '!', '-', '.']
