import { describe, expect, it } from 'vitest'
import { allRules } from '../../src/cli/judge.ts'
import { semel } from './cli.ts'

describe('semel rules', () => {
  it('lists every rule once, in alphabetical order, with its level and its fixes', async () => {
    const { code, out } = await semel('rules', { columns: 1000 })
    const rows = out.trimEnd().split('\n')
    const ids = rows.map((row) => row.split(' ')[0])
    expect(ids).toEqual(allRules.map(({ id }) => id).toSorted())
    expect(rows.find((row) => row.startsWith('ttl-contract '))).toMatch(/^ttl-contract +off +\S/)
    expect(rows.find((row) => row.startsWith('ttl-causes-rerun '))).toMatch(
      /^ttl-causes-rerun +error +The TTL .*\[fix: unsafe\]$/,
    )
    expect(code).toBe(0)
  })

  it('keeps to the width of the terminal', async () => {
    const { out } = await semel('rules', { columns: 80, isTerminal: true, env: { NO_COLOR: '1' } })
    expect(Math.max(...out.split('\n').map((row) => row.length))).toBeLessThanOrEqual(80)
  })

  it('gives the same to programs', async () => {
    const { out } = await semel('rules -o json')
    const { format, rules } = JSON.parse(out)
    expect(format).toBe('semel.dev/rules/v1')
    expect(rules).toHaveLength(allRules.length)
    expect(rules.find(({ id }: { id: string }) => id === 'ambiguous-scalar')).toEqual({
      id: 'ambiguous-scalar',
      severity: 'warning',
      on: true,
      kinds: ['Job', 'CronJob'],
      fixes: ['safe', 'unsafe'],
      summary: 'A value that kubectl and kustomize read differently.',
      page: 'docs/rules/ambiguous-scalar.md',
    })
  })

  it('says the same as explain without a name', async () => {
    expect((await semel('explain')).out).toBe((await semel('rules')).out)
  })

  it('refuses other formats and arguments', async () => {
    expect((await semel('rules -o yaml')).err).toContain('Allowed choices are text, json')
    expect((await semel('rules mutable-tag')).code).toBe(2)
  })
})
