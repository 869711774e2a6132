import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import { isList, stringAt } from '../../src/core/json.ts'
import type { FullParser, YamlDocument } from '../../src/core/yaml/document.ts'
import { readFile as readManifests, type Wanted } from '../../src/core/yaml/read-file.ts'
import { generateCorpus, type Corpus, type Truth } from './generate.ts'

const JOBS = ['Job', 'CronJob', 'List']
const GROUPS = [
  'kustomize.toolkit.fluxcd.io',
  'helm.toolkit.fluxcd.io',
  'argoproj.io',
  'fluxcd.controlplane.io',
]
const jobNeedles = [{ kind: 'Job' }, { kind: 'CronJob' }]

const questions: readonly {
  readonly asked: string
  readonly wanted: Wanted
  readonly holds: (row: Truth) => boolean
}[] = [
  {
    asked: 'Jobs, CronJobs and Lists of them',
    wanted: { needles: jobNeedles },
    holds: (row) => JOBS.includes(row.kind),
  },
  {
    asked: 'these and the objects of Flux and Argo CD',
    wanted: { needles: [...jobNeedles, ...GROUPS.map((group) => ({ group }))] },
    holds: (row) => JOBS.includes(row.kind) || GROUPS.includes(groupOf(row)),
  },
  { asked: 'everything', wanted: { all: true, needles: [] }, holds: () => true },
]

describe('reading the generated corpus', () => {
  let corpus: Corpus
  let fullParser: FullParser
  beforeAll(async () => {
    corpus = await generateCorpus({ seed: 3, documents: 2_000 })
    fullParser = await loadFullParser()
  })
  afterAll(() => rm(corpus.folder, { recursive: true, force: true }))

  it.each(questions)('finds $asked: none missed, none invented', async ({ wanted, holds }) => {
    const found: Truth[] = []
    for (const [file, rows] of byFile(corpus.truth)) {
      const source = { path: file, bytes: await readFile(path.join(corpus.root, file)) }
      const reading = readManifests(source, { wanted, fullParser })
      expect([file, reading.errors]).toEqual([file, []])
      expect([file, reading.documentsSeen]).toEqual([file, rows.length])
      for (const document of reading.documents) found.push(asTruth(file, document))
    }
    const expected = corpus.truth.filter(holds).map(({ odd: _odd, ...row }) => row)
    expect(expected.length).toBeGreaterThan(100)
    expect(found.map(describeRow).sort()).toEqual(expected.map(describeRow).sort())
  })

  it('finds a Job that is indented as a whole at the very start of a file', () => {
    const bytes = new TextEncoder().encode('  apiVersion: batch/v1\n  kind: Job\n')
    const reading = readManifests(
      { path: 'a.yaml', bytes },
      { wanted: { needles: jobNeedles }, fullParser },
    )
    expect(reading.errors).toEqual([])
    expect(reading.documents.map((document) => document.span)).toEqual([{ start: 0, end: 35 }])
  })
})

function byFile(truth: readonly Truth[]): Map<string, Truth[]> {
  const files = new Map<string, Truth[]>()
  for (const row of truth) {
    const rows = files.get(row.file)
    if (rows === undefined) files.set(row.file, [row])
    else rows.push(row)
  }
  return files
}

function groupOf(row: Truth): string {
  return row.apiVersion.split('/')[0] ?? ''
}

function describeRow(row: Truth): string {
  const items = row.items?.map((item) => `${item.kind} ${item.namespace}/${item.name}`).join(', ')
  return `${row.file}#${row.index} ${row.start}-${row.end} ${row.apiVersion} ${row.kind} ${row.namespace}/${row.name} [${items}]`
}

function asTruth(file: string, document: YamlDocument): Truth {
  const value = document.value()
  const about = (object: typeof value): Omit<Truth, 'file' | 'index' | 'start' | 'end'> => {
    const name = stringAt(object, ['metadata', 'name'])
    const namespace = stringAt(object, ['metadata', 'namespace'])
    return {
      apiVersion: stringAt(object, ['apiVersion']) ?? '',
      kind: stringAt(object, ['kind']) ?? '',
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
    }
  }
  const items = (value as { readonly items?: unknown } | null)?.items
  return {
    file,
    index: document.index,
    start: document.span.start,
    end: document.span.end,
    ...about(value),
    ...(isList(items as typeof value) && { items: (items as (typeof value)[]).map(about) }),
  }
}
