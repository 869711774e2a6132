import { describe, expect, it } from 'vitest'
import { judge, type Report } from './judge.mjs'

const file = (...statuses: readonly (readonly [status: string, fullName?: string])[]): Report => ({
  testResults: [
    {
      name: '/repo/src/a.test.ts',
      status: statuses.some(([status]) => status === 'failed') ? 'failed' : 'passed',
      assertionResults: statuses.map(([status, fullName = 'a test']) => ({ status, fullName })),
    },
  ],
})

describe('the count at the end of npm test', () => {
  it('is clean when every test passes', () => {
    expect(judge(file(['passed'], ['passed']), 0, '/repo')).toEqual({
      tests: { passed: 2, failed: 0, skipped: 0 },
      complaints: [],
    })
  })

  it('counts a failed test once, whatever the exit code adds', () => {
    expect(judge(file(['passed'], ['failed']), 1, '/repo')).toEqual({
      tests: { passed: 1, failed: 1, skipped: 0 },
      complaints: [],
    })
  })

  it('accepts a skipped test that says its reason', () => {
    const report = file(['passed'], ['skipped', 'oracles (not run: this is darwin) answer'])
    expect(judge(report, 0, '/repo')).toEqual({
      tests: { passed: 1, failed: 0, skipped: 1 },
      complaints: [],
    })
  })

  it.each<[string, Report | undefined, number, string]>([
    ['no report at all', undefined, 1, 'left no report'],
    ['no test', { testResults: [] }, 0, 'no test has run'],
    ['only skipped tests', file(['skipped', 'x (not run: y)']), 0, 'no test has run'],
    ['a skipped test without reason', file(['passed'], ['skipped', 'x']), 0, '"x" is skipped'],
    ['a todo', file(['passed'], ['todo', 'later']), 0, '"later" is skipped'],
    ['an error outside of the tests', file(['passed']), 1, 'an unhandled error?'],
    [
      'a file that cannot be loaded',
      {
        testResults: [
          ...file(['passed']).testResults,
          {
            name: '/repo/src/b.test.ts',
            status: 'failed',
            message: '\nCannot find module x\n  at y',
            assertionResults: [],
          },
        ],
      },
      1,
      'src/b.test.ts could not be run as a whole: Cannot find module x',
    ],
  ])('complains about %s', (_name, report, code, complaint) => {
    const { complaints } = judge(report, code, '/repo')
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toContain(complaint)
  })
})
