import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'
import { describe, expect, it } from 'vitest'
import { adr012Policy } from '../../src/core/policies/adr-012.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import { problemLine } from '../../src/render/problems.ts'
import { yamlStream } from '../../src/core/yaml/write-stream.ts'
import { renderText, SHOP } from './harness.ts'

/** fixtures/render/CASE: values.yaml, options.json if any, and what is made of them. */
const FOLDER = 'fixtures/render'
const cases = readdirSync(FOLDER).filter((name) => existsSync(`${FOLDER}/${name}/values.yaml`))

describe.each(cases)('fixtures/render/%s', (name) => {
  const read = (file: string): string => {
    const full = path.join(FOLDER, name, file)
    return existsSync(full) ? readFileSync(full, 'utf8') : ''
  }
  const options = {
    ...SHOP,
    ...(JSON.parse(read('options.json') || '{}') as Partial<RenderOptions>),
  }
  const result = renderText(read('values.yaml'), options)
  const stream = yamlStream([...result.configMaps, ...result.objects.map(({ object }) => object)])
  const problems = result.problems.map((one) => `${problemLine(one)}\n  remedy: ${one.remedy}\n`)

  it('gives the recorded objects and problems', () => {
    for (const [file, text] of [
      ['expected.yaml', stream],
      ['expected.txt', problems.join('')],
    ] as const) {
      if (process.env['UPDATE'] === '1') writeFileSync(path.join(FOLDER, name, file), text)
      expect(text).toBe(read(file))
    }
  })

  it('is read back by another reader as it was made', () => {
    const documents = parseAllDocuments(stream, { version: '1.1' }).map(
      (one) => one.toJS() as unknown,
    )
    const made = [...result.configMaps, ...result.objects.map(({ object }) => object)]
    expect(documents).toEqual(made.length === 0 ? [] : JSON.parse(JSON.stringify(made)))
  })

  it('has names that end in the first digits of the intent', () => {
    for (const { kind, name: object, intent, isAdopted } of result.objects) {
      expect(intent.policy).toBe(adr012Policy.id)
      if (kind === 'Job' && !isAdopted && !name.includes('without-a-hash')) {
        expect(object.endsWith(`-${intent.digest.slice(0, 8)}`)).toBe(true)
      }
    }
  })
})
