import { expect, test } from 'vitest'
import { unifiedDiff } from './unified-diff.ts'

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at}`)

function text(changes: { readonly [at: number]: string | undefined }): string {
  return LINES.map((line, at) => (at in changes ? changes[at] : line))
    .filter((line) => line !== undefined)
    .join('\n')
}

test('a change comes with three lines around it', () => {
  expect(unifiedDiff(text({}), text({ 10: 'new' }))).toBe(
    [
      '@@ -8,7 +8,7 @@',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+new',
      ' line 11',
      ' line 12',
      ' line 13',
      '',
    ].join('\n'),
  )
})

test('changes far apart make two groups, near ones make one', () => {
  const groups = (diff: string): number => diff.split('@@ -').length - 1
  expect(groups(unifiedDiff(text({}), text({ 2: 'new', 15: 'new' })))).toBe(2)
  expect(groups(unifiedDiff(text({}), text({ 8: 'new', 12: 'new' })))).toBe(1)
})

test('a line that is gone, and one at the beginning', () => {
  const gone = '@@ -17,4 +17,3 @@\n line 16\n line 17\n line 18\n-line 19\n'
  expect(unifiedDiff(text({}), text({ 19: undefined }))).toBe(gone)
  const first = '@@ -1,4 +1,4 @@\n-line 0\n+new\n line 1\n line 2\n line 3\n'
  expect(unifiedDiff(text({}), text({ 0: 'new' }))).toBe(first)
})

test('equal texts give nothing', () => {
  expect(unifiedDiff(text({}), text({}))).toBe('')
})
