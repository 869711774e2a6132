import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patched } from './diff.ts'

const CASES = path.join(import.meta.dirname, '../../../fixtures/cases')

describe('patched', () => {
  it('changes single lines without hunk headers, in several files', () => {
    const diff = [
      '--- a/job.yaml',
      '+++ b/job.yaml',
      '-image: a:1',
      '+image: a:2',
      '-tail: x',
      '+tail: y',
      '--- a/web.yaml',
      '+++ b/web.yaml',
      '-replicas: 1',
      '+replicas: 2',
      '',
    ].join('\n')
    const files = { 'job.yaml': 'image: a:1\nbetween\ntail: x\n', 'web.yaml': 'replicas: 1\n' }
    expect(patched(files, diff)).toEqual({
      'job.yaml': 'image: a:2\nbetween\ntail: y\n',
      'web.yaml': 'replicas: 2\n',
    })
  })

  it('reads hunk headers and context as git writes them, new and deleted files too', () => {
    const diff = [
      'diff --git a/a b/a',
      'index 1..2 100644',
      '--- a/a',
      '+++ b/a',
      '@@ -1,3 +1,3 @@',
      ' one',
      '-two',
      '+2',
      ' three',
      '--- /dev/null',
      '+++ b/new/file',
      '@@ -0,0 +1 @@',
      '+hello',
      '--- a/gone',
      '+++ /dev/null',
      '-bye',
    ].join('\n')
    expect(patched({ a: 'one\ntwo\nthree', gone: 'bye' }, diff)).toEqual({
      a: 'one\n2\nthree',
      'new/file': 'hello',
    })
  })

  it('is undefined when a line or a file is not there', () => {
    expect(patched({ a: 'x' }, '--- a/a\n+++ b/a\n-y\n+z')).toBeUndefined()
    expect(patched({}, '--- a/a\n+++ b/a\n-y\n+z')).toBeUndefined()
  })

  it.each([
    ['030-flux-immutable-blocks-dependents', 'commits/020h.diff', 'migrate/job.yaml', ':0.3.0'],
    ['033-flux-script-in-configmap', 'commits/015h.diff', 'radio/all.yaml', 'ha-two'],
    ['034-kustomize-config-hash-immutable', 'commits/015h.diff', 'atest/kustomization.yaml', '60s'],
  ])('takes the diff of case %s', (name, diff, file, words) => {
    const read = (one: string): string => readFileSync(path.join(CASES, name, one), 'utf8')
    const files: Record<string, string> = { [file]: read(file) }
    if (name.startsWith('030')) files['app/web.yaml'] = read('app/web.yaml')
    expect(patched(files, read(diff))?.[file]).toContain(words)
  })

  it('makes any text of any other', () => {
    const line = fc.stringMatching(/^[a-c]{0,3}$/)
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (before, after) => {
        const diff = [
          '--- a/f',
          '+++ b/f',
          ...before.map((one) => `-${one}`),
          ...after.map((one) => `+${one}`),
        ].join('\n')
        const files = { f: before.join('\n') }
        const wanted = after.join('\n')
        if (before.length > 0) expect(patched(files, diff)).toEqual({ f: wanted })
      }),
    )
  })
})
