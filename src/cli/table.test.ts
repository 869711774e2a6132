import { describe, expect, it } from 'vitest'
import { table } from './table.ts'

const columns = [{ title: 'NAME', flexible: true }, { title: 'BY', flexible: true }, { title: 'N' }]
const rows = [
  ['shop/migrate-database-5d1e77aa', 'Flux shop-database', '12'],
  ['seed', 'Argo CD', '3'],
]
const options = { width: 80, paintTitle: (text: string) => text }

describe('a table', () => {
  it('is as wide as it needs to be', () => {
    expect(table(columns, rows, options)).toEqual([
      '  NAME                            BY                  N',
      '  shop/migrate-database-5d1e77aa  Flux shop-database  12',
      '  seed                            Argo CD             3',
    ])
  })

  it('cuts the middle of what is widest when there is no room', () => {
    const shown = table(columns, rows, { ...options, width: 40 })
    for (const row of shown) expect(row.length).toBeLessThanOrEqual(40)
    expect(shown[1]).toMatch(/^ {2}shop\S*…\S*77aa {2}Flux.*…\S*base {2}12$/)
  })

  it('cuts in the way that a column asks for', () => {
    const own = [{ title: 'NAME', flexible: true, shorten: () => 'cut' }, { title: 'N' }]
    const shown = table(own, [['x'.repeat(30), '1']], { ...options, width: 20 })
    expect(shown[1]).toBe('  cut              1')
  })

  it('keeps ten columns of each flexible one, whatever the width', () => {
    const shown = table(columns, rows, { ...options, width: 5 })
    expect(shown[2]).toBe('  seed        Argo CD     3')
  })
})
