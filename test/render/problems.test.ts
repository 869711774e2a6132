import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { JOB_GROUP_CODES } from '../../src/render/problems.ts'
import { semel } from '../cli/cli.ts'

/**
 * fixtures/render-problems/CODE: values that have this fault and no other, and what `semel render`
 * says: text, position and remedy. args.txt holds more words of the command line, if any.
 */
const FOLDER = 'fixtures/render-problems'
const cases = readdirSync(FOLDER)

describe.each(cases)('%s', (code) => {
  it('is told with its text, position and remedy', async () => {
    const cwd = path.resolve(FOLDER, code)
    const file = (name: string): string => path.join(cwd, name)
    const more = existsSync(file('args.txt')) ? readFileSync(file('args.txt'), 'utf8').trim() : ''
    const args = `render -f values.yaml --release shop ${more}`.trim()
    const { code: exit, out, err } = await semel(args, { cwd, columns: 100 })
    const said = `$ semel ${args}\n${err}`
    if (process.env['UPDATE'] === '1') writeFileSync(file('expected.txt'), said)
    expect(said).toBe(readFileSync(file('expected.txt'), 'utf8'))
    const told = new Set([...said.matchAll(/^(?:error|warning) (JG\d+): /gm)].map(([, one]) => one))
    expect([...told]).toEqual([code])
    expect(said).toMatch(/^ {2}values\.yaml:\d+:\d+$/m)
    expect(said).toMatch(/^ {2}remedy {2}\S/m)
    if (code < 'JG200') expect([exit, out]).toEqual([2, ''])
    else expect([exit, out]).toEqual([0, expect.stringContaining('kind: ')])
  })
})

it('every code of the specification has such a folder', () => {
  expect(cases).toEqual(Object.keys(JOB_GROUP_CODES))
})
