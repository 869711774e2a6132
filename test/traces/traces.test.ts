import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createCel } from '../../src/adapters/cel.ts'
import { loadTrace } from '../../src/cli/simulate/load-trace.ts'
import { judgeTrace, type Verdict } from '../../src/simulate/trace/judge.ts'
import { tracePlayers } from '../../src/simulate/trace/players/index.ts'
import { root } from '../cli/cli.ts'
import { known } from './known.ts'

const folder = path.join(root, 'fixtures/traces')
const engines = readdirSync(folder).sort()
const all = engines.flatMap((engine) =>
  readdirSync(path.join(folder, engine))
    .sort()
    .map((file) => `${engine}/${file.replace(/\.json$/, '')}`),
)
const tools = { cel: createCel() }
let agreed = 0

afterAll(() => {
  process.stdout.write(`traces: ${agreed} of ${all.length}\n`)
})

describe('the model tells what real controllers were recorded doing', () => {
  it.each(all)('%s', (name) => {
    const verdict = verdictOf(name)
    if (verdict.agreed) agreed += 1
    const reason = known[name]
    if (reason === undefined) expect(firstOf(verdict)).toBe('agreed')
    else expect(verdict.agreed, `${name} is listed as: ${reason}`).toBe(false)
  })

  it('knows no difference of a trace that is not here', () => {
    expect(Object.keys(known).filter((name) => !all.includes(name))).toEqual([])
  })
})

function verdictOf(name: string): Verdict {
  const absolute = path.join(folder, `${name}.json`)
  const trace = loadTrace({ path: `${name}.json`, absolute, isNamed: true })
  if (!('format' in trace)) throw new Error(trace.map(({ what }) => what).join('\n'))
  return judgeTrace(trace, tracePlayers, tools)
}

function firstOf({ agreed: isAgreed, differences: [first] }: Verdict): string {
  if (isAgreed || first === undefined) return 'agreed'
  return `${first.where}: recorded ${first.recorded}, model ${first.model}`
}
