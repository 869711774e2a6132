import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFiles } from '../../src/adapters/files.ts'
import { judgeCase, loadCase } from '../../src/cli/simulate/run-cases.ts'
import { root } from '../cli/cli.ts'

const folder = path.join(root, 'fixtures/scenarios')

describe('scenarios with an expectation of their own', () => {
  it.each(readdirSync(folder).sort())('%s comes out as it says', { timeout: 120_000 }, (name) => {
    const { entries } = listFiles({ cwd: folder, paths: [name], gitignore: false })
    const files = entries.map((entry) => {
      return { ...entry, path: path.relative(path.join(folder, name), entry.absolute) }
    })
    const loaded = loadCase(name, files)
    if (!('scenario' in loaded)) throw new Error(loaded.map(({ what }) => what).join('\n'))
    const { misses, played } = judgeCase(name, loaded)
    expect(misses).toEqual([])
    expect(Object.keys(loaded.expect)).not.toEqual([])
    expect(played.length).toBeGreaterThan(0)
  })
})
