import { describe, expect, it } from 'vitest'
import {
  helm3Path,
  helm4Path,
  kubectl32Path,
  kubectl35Path,
  oraclesMissing,
  runOracle,
} from './oracles.ts'

const oracles = [
  { name: 'kubectl 1.32', path: kubectl32Path, args: ['version', '--client'], says: 'v1.32.' },
  { name: 'kubectl 1.35', path: kubectl35Path, args: ['version', '--client'], says: 'v1.35.' },
  { name: 'Helm 3', path: helm3Path, args: ['version', '--short'], says: 'v3.17.' },
  { name: 'Helm 4', path: helm4Path, args: ['version', '--short'], says: 'v4.1.' },
]

const reason = oraclesMissing === undefined ? '' : ` (not run: ${oraclesMissing})`

describe.skipIf(oraclesMissing !== undefined)(`oracles${reason}`, () => {
  it.each(oracles)('$name answers with its version', async ({ path, args, says }) => {
    const { stdout } = await runOracle(await path(), args)
    expect(stdout).toContain(says)
  })

  it('gives every caller the same complete binary when many ask at once', async () => {
    const paths = await Promise.all([helm4Path(), helm4Path(), helm4Path()])
    expect(new Set(paths).size).toBe(1)
  })
})
