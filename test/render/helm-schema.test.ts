import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { helm3Path, helm4Path, oraclesMissing, runOracle } from '../oracles.ts'

/** Helm checks values against the schema of a chart: it must take and refuse what we do. */
describe.skipIf(oraclesMissing !== undefined)(
  `values.schema.json as Helm reads it${oraclesMissing === undefined ? '' : ` (${oraclesMissing})`}`,
  () => {
    let folder = ''
    let helms: readonly string[] = []
    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'semel-helm-schema-'))
      writeFileSync(
        path.join(folder, 'Chart.yaml'),
        'apiVersion: v2\nname: probe\nversion: 0.1.0\n',
      )
      mkdirSync(path.join(folder, 'templates'))
      writeFileSync(path.join(folder, 'templates/a.yaml'), 'a: b\n')
      cpSync('schema/values.schema.json', path.join(folder, 'values.schema.json'))
      helms = [await helm3Path(), await helm4Path()]
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    async function isTaken(values: string): Promise<readonly boolean[]> {
      const asked = helms.map(async (helm) => {
        try {
          await runOracle(helm, ['template', 'probe', folder, '-f', path.resolve(values)])
          return true
        } catch {
          return false
        }
      })
      return Promise.all(asked)
    }

    it.each(readdirSync('fixtures/render'))('takes fixtures/render/%s', async (name) => {
      expect(await isTaken(`fixtures/render/${name}/values.yaml`)).toEqual([true, true])
    })

    /** What one value alone can tell; the rest needs more than a schema can say. */
    const ALONE = new Set(['JG100', 'JG102', 'JG103', 'JG104', 'JG116', 'JG117'])

    it.each(readdirSync('fixtures/render-problems'))('judges the values of %s', async (code) => {
      const taken = !ALONE.has(code)
      const values = `fixtures/render-problems/${code}/values.yaml`
      expect(await isTaken(values)).toEqual([taken, taken])
    })
  },
)
