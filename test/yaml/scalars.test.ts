import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { at, type Json } from '../../src/core/json.ts'
import type { Reading } from '../../src/core/yaml/document.ts'
import { readFile } from '../../src/core/yaml/read-file.ts'
import { resolveKey, resolvePlain } from '../../src/core/yaml/resolve.ts'
import { helm3Path, helm4Path, kubectl32Path, kubectl35Path, oraclesMissing } from '../oracles.ts'
import { helmReads, kubectlReads, kustomizeReads } from './oracle.ts'

/** A plain scalar and the JSON that it becomes; null where the reader refuses the document. */
interface Row {
  readonly text: string
  readonly kubernetes: string | null
  readonly kustomize: string | null
  /** As a key, under Kubernetes. */
  readonly key: string | null
}

const FIXTURE = new URL('../../fixtures/yaml/scalars.json', import.meta.url)
const rows = JSON.parse(readFileSync(FIXTURE, 'utf8')) as readonly Row[]

describe('plain scalars, as recorded from kubectl and kustomize', () => {
  it.each(rows)('$text is $kubernetes, for kustomize $kustomize', (row) => {
    expect(jsonText(resolvePlain(row.text, 'kubernetes'))).toBe(row.kubernetes)
    expect(jsonText(resolvePlain(row.text, 'kustomize'))).toBe(row.kustomize)
  })

  it.each(rows)('the key $text is $key', ({ text, key }) => {
    expect(resolveKey(text, undefined, true, 'kubernetes') ?? null).toBe(key)
  })

  it.each(rows)('a document with the value $text has it, or an error', (row) => {
    const bytes = new TextEncoder().encode(`a: ${row.text}\n`)
    const { documents, errors } = readFile(
      { path: 'scalar.yaml', bytes },
      { wanted: { all: true, needles: [] }, fullParser: undefined },
    )
    const [document] = documents
    if (row.kubernetes === null) {
      expect(errors.map(({ code }) => code)).toEqual(['YAML_NO_JSON_FORM'])
      return
    }
    const value = (reading: Reading): Json | undefined => at(document?.value(reading), ['a'])
    expect(jsonText(value('kubernetes'))).toBe(row.kubernetes)
    expect(jsonText(value('kustomize'))).toBe(row.kustomize)
    const isAmbiguous = row.kubernetes !== row.kustomize
    expect(document?.ambiguousScalars().length).toBe(isAmbiguous ? 1 : 0)
  })
})

describe.skipIf(oraclesMissing !== undefined)('plain scalars, asked now', () => {
  const texts = rows.map(({ text }) => text)

  it('kubectl 1.32 and 1.35 and kustomize answer as recorded', async () => {
    const answers = await askKubectl(await kubectl35Path(), texts)
    if (process.env['UPDATE'] === '1') {
      writeFileSync(
        FIXTURE,
        `[\n${answers.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`,
      )
    }
    expect(answers).toEqual(rows)
    expect(await askKubernetes(await kubectl32Path(), texts)).toEqual(
      rows.map(({ kubernetes }) => kubernetes),
    )
  })

  it.each([
    ['Helm 3', helm3Path],
    ['Helm 4', helm4Path],
  ])('%s answers as recorded, as far as its numbers reach', async (_name, helm) => {
    const answers = await helmReads(
      await helm(),
      texts.map((text) => `a: ${text}\n`),
    )
    const floats = rows.map(({ kubernetes }) => kubernetes && asFloat(kubernetes))
    expect(answers.map((answer) => valueOfA(answer ?? ''))).toEqual(floats)
  })
})

function jsonText(value: Json | undefined): string | null {
  if (value === undefined) return null
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

/** Helm reads every number into a float. */
function asFloat(text: string): string {
  return JSON.stringify(JSON.parse(text))
}

function valueOfA(answer: string): string | null {
  if (answer === '') return null
  const { a } = JSON.parse(answer) as { a?: unknown }
  return a === undefined ? null : JSON.stringify(a)
}

async function askKubectl(kubectl: string, texts: readonly string[]): Promise<readonly Row[]> {
  const [kubernetes, kustomize, keys] = await Promise.all([
    askKubernetes(kubectl, texts),
    askKustomize(kubectl, texts),
    askKeys(kubectl, texts),
  ])
  return texts.map((text, index) => ({
    text,
    kubernetes: kubernetes[index] ?? null,
    kustomize: kustomize[index] ?? null,
    key: keys[index] ?? null,
  }))
}

const HEAD = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: probe}\n'

/** One call for all; then one each for those that make it fail. */
async function askKubernetes(
  kubectl: string,
  texts: readonly string[],
): Promise<readonly (string | null)[]> {
  return askTogether(texts, async (some) => {
    const lines = some.map((text, index) => `  t${index}: ${text}\n`)
    const answer = await kubectlReads(kubectl, `${HEAD}data:\n${lines.join('')}`)
    if (answer.startsWith('error')) return undefined
    return some.map((_, index) => rawValue(answer, `t${index}`))
  })
}

async function askKeys(
  kubectl: string,
  texts: readonly string[],
): Promise<readonly (string | null)[]> {
  return askTogether(texts, async (some) => {
    const lines = some.map((text) => `- ${text}: 0\n`)
    const answer = await kubectlReads(kubectl, `${HEAD}data:\n${lines.join('')}`)
    if (answer.startsWith('error')) return undefined
    const { data } = JSON.parse(answer) as { data: readonly Record<string, 0>[] }
    return data.map((entry) => Object.keys(entry)[0] ?? null)
  })
}

/** What reaches the API server: kustomize writes, the client reads again. */
async function askKustomize(
  kubectl: string,
  texts: readonly string[],
): Promise<readonly (string | null)[]> {
  return askTogether(texts, async (some) => {
    const lines = some.map((text, index) => `  t${index}: ${text}\n`)
    const built = await kustomizeReads(kubectl, `${HEAD}data:\n${lines.join('')}`)
    if (built.startsWith('error')) return undefined
    const answer = await kubectlReads(kubectl, built)
    return some.map((_, index) => rawValue(answer, `t${index}`))
  })
}

type Ask = (texts: readonly string[]) => Promise<readonly (string | null)[] | undefined>

/** Halves a batch that is refused until the refused ones stand alone. */
async function askTogether(
  texts: readonly string[],
  ask: Ask,
): Promise<readonly (string | null)[]> {
  const answers = await ask(texts)
  if (answers !== undefined) return answers
  if (texts.length === 1) return [null]
  const middle = Math.ceil(texts.length / 2)
  const first = await askTogether(texts.slice(0, middle), ask)
  return [...first, ...(await askTogether(texts.slice(middle), ask))]
}

/** The JSON text of a value, digits as kubectl printed them. */
function rawValue(json: string, name: string): string | null {
  const raw = new RegExp(`^ +"${name}": (.*?),?$`, 'm').exec(json)?.[1]
  return raw?.startsWith('"') ? JSON.stringify(JSON.parse(raw)) : (raw ?? null)
}
