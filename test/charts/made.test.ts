import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { zoneFault } from '../../src/core/time-zone.ts'
import { madeFiles } from './made.ts'

const CHART = 'charts/semel-jobs'
const read = (file: string): string => readFileSync(path.join(CHART, file), 'utf8')

describe('charts/semel-jobs', () => {
  it.each(Object.entries(madeFiles(read)))('%s is up to date', (file, text) => {
    if (process.env['UPDATE'] === '1') writeFileSync(path.join(CHART, file), text)
    expect(read(file)).toBe(text)
  })

  it('knows the time zones that semel knows', () => {
    const [, names = ''] = /-\}\}\n([A-Z][^]*?)\n\{\{/.exec(read('templates/_zones.tpl')) ?? []
    const zones = names.split(/\s+/)
    expect(zones.length).toBeGreaterThan(500)
    expect(zones.filter((zone) => zoneFault(zone) !== undefined)).toEqual([])
  })
})
