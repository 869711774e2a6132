import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { allRules } from '../../src/cli/judge.ts'
import { PAGE_MARK, pageHead, withHead } from '../../src/cli/rule-page.ts'
import type { Rule } from '../../src/lint/rule.ts'

/** The front of each page comes from its rule. `npm run docs` rewrites those that are stale. */
const FOLDER = path.join(import.meta.dirname, '../../docs/rules')

describe('the front of the page of', () => {
  it.each(allRules.map((rule) => ({ id: rule.id, rule })))('$id', ({ id, rule }) => {
    const file = path.join(FOLDER, `${id}.md`)
    const page = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (process.env['UPDATE'] === '1' && page !== '') writeFileSync(file, withHead(page, rule))
    const now = existsSync(file) ? readFileSync(file, 'utf8') : ''
    expect(now.slice(0, now.indexOf(PAGE_MARK)), 'stale: run npm run docs').toBe(
      pageHead(rule).slice(0, pageHead(rule).indexOf(PAGE_MARK)),
    )
  })
})

describe('withHead', () => {
  const rule: Rule = {
    id: 'some-rule',
    severity: 'error',
    summary: 'Something is wrong.',
    kinds: ['Job', 'CronJob'],
    fixes: ['safe', 'unsafe'],
  }

  it('says what the rule says of itself', () => {
    expect(pageHead(rule)).toBe(`# some-rule

Something is wrong.

| | |
|---|---|
| level | error |
| on | by default |
| judges | Jobs and CronJobs |
| fix | safe (\`semel lint --fix\`), unsafe (\`semel lint --fix --unsafe\`) |

${PAGE_MARK}
`)
    expect(pageHead({ ...rule, kinds: [], offByDefault: true })).toContain(
      '| on | only when semel.yaml switches it on |\n| fix |',
    )
  })

  it('takes the place of heading and summary, and leaves the rest as it is', () => {
    const prose = 'Level: error; a warning there.\n\n## Fault\n\nLong text.\n'
    const page = withHead(`# some-rule\n\nOld summary\nin two lines.\n\n${prose}`, rule)
    expect(page).toBe(`${pageHead(rule)}\n${prose}`)
    expect(withHead(page, rule)).toBe(page)
    const other = { ...rule, severity: 'warning' as const }
    expect(withHead(page, other)).toBe(`${pageHead(other)}\n${prose}`)
  })
})
