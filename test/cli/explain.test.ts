import { describe, expect, it } from 'vitest'
import { FAULTS } from '../../src/core/faults.ts'
import { allRules } from '../../src/cli/judge.ts'
import { semel } from './cli.ts'
import { golden } from './golden.ts'

describe('semel explain', () => {
  it('lists every rule in one line each', async () => {
    const { code, out } = await semel('explain', { columns: 200 })
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(allRules.map(({ id }) => id).toSorted())
    expect(out).toMatch(/^ttl-contract +off /m)
    expect(code).toBe(0)
  })

  it.each(allRules.map(({ id }) => id))('has a page for %s', async (id) => {
    const { code, out } = await semel(`explain ${id}`)
    expect(out).toMatch(new RegExp(`^# ${id}\n`))
    expect(out.split('\n').length).toBeGreaterThan(10)
    expect(code).toBe(0)
  })

  it.each(Object.keys(FAULTS))('has a section for %s', async (code) => {
    const { out } = await semel(`explain ${code}`)
    expect(out).toMatch(new RegExp(`^## ${code}\n\n\\S`))
    expect(out.match(/^## /gm)).toHaveLength(1)
  })

  it('is good to read on a terminal', async () => {
    const world = { columns: 80, isTerminal: true, env: { NO_COLOR: '1' } }
    await golden('explain', 'explain suppression-invalid', world)
  })
})
