import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onlyStamped } from '../../src/stamp/only-stamped.ts'
import { kubectl32Path, kubectl35Path, oraclesMissing, runOracle } from '../oracles.ts'
import { fullParser } from './harness.ts'

/**
 * What real kubectl and kustomize read in the stamped fixtures: the same objects as before, but
 * for names, annotations, labels and references.
 */
const FOLDER = 'fixtures/stamp'
const fixtures = readdirSync(FOLDER).flatMap((name) => {
  const input = readdirSync(path.join(FOLDER, name)).find((file) => file.startsWith('input.'))
  if (input === undefined) return []
  const expected = input.replace('input', 'expected')
  if (!existsSync(path.join(FOLDER, name, expected))) return []
  return [
    { name, input: path.join(FOLDER, name, input), expected: path.join(FOLDER, name, expected) },
  ]
})

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'semel-stamp-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(oraclesMissing !== undefined)('kubectl label --local', () => {
  it.each(fixtures)('takes $name', async ({ input, expected }) => {
    for (const kubectl of [await kubectl32Path(), await kubectl35Path()]) {
      const [before, after] = await Promise.all(
        [input, expected].map((file) =>
          runOracle(kubectl, [
            'label',
            '--local',
            '--overwrite',
            '-o',
            'json',
            '-f',
            file,
            'seen=yes',
          ]),
        ),
      )
      expectOnlyStamped(before?.stdout, after?.stdout)
    }
  })
})

/** kustomize wants names, and no two objects of one. */
const NOT_FOR_KUSTOMIZE = new Set(['asked-for-all', 'left-alone', 'patch-beside-its-job'])

describe.skipIf(oraclesMissing !== undefined)('kubectl kustomize', () => {
  it.each(fixtures.filter(({ name }) => !NOT_FOR_KUSTOMIZE.has(name)))(
    'builds the same objects of $name',
    async ({ name, input, expected }) => {
      const built: string[] = []
      for (const [index, file] of [input, expected].entries()) {
        built.push(await build(`${name}-${index}`, file))
      }
      expectOnlyStamped(built[0], built[1])
    },
  )
})

async function build(name: string, file: string): Promise<string> {
  const target = mkdtempSync(path.join(folder, `${name}-`))
  const resource = `stream${path.extname(file)}`
  writeFileSync(path.join(target, resource), readFileSync(file))
  const lines = ['resources:', `- ${resource}`, 'sortOptions:', '  order: fifo', '']
  writeFileSync(path.join(target, 'kustomization.yaml'), lines.join('\n'))
  const { stdout } = await runOracle(await kubectl35Path(), ['kustomize', target])
  return stdout
}

function expectOnlyStamped(before: string | undefined, after: string | undefined): void {
  expect(before).toBeTruthy()
  const [one, other] = [before, after].map((text) => new TextEncoder().encode(text ?? ''))
  expect(onlyStamped(one ?? new Uint8Array(), other ?? new Uint8Array(), { fullParser })).toEqual(
    [],
  )
}
