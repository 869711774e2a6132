import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateCorpus, runGenerator, type Corpus } from './generate.ts'

describe('the generated corpus', () => {
  let corpus: Corpus
  let again: Corpus
  let other: Corpus
  beforeAll(async () => {
    corpus = await generateCorpus({ seed: 7, documents: 1_000 })
    again = await generateCorpus({ seed: 7, documents: 1_000 })
    other = await generateCorpus({ seed: 8, documents: 1_000 })
  })
  afterAll(async () => {
    for (const { folder } of [corpus, again, other]) {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('has the same bytes for the same seed, and others for another seed', async () => {
    const digest = await digestOf(corpus.root)
    expect(await digestOf(again.root)).toBe(digest)
    expect(again.truth).toEqual(corpus.truth)
    expect(await digestOf(other.root)).not.toBe(digest)
  })

  it('has as many documents as were asked for, and every kind', () => {
    expect(corpus.truth).toHaveLength(1_000)
    const kinds = new Set(corpus.truth.map((row) => row.kind))
    expect([...kinds].sort()).toEqual([
      'Application',
      'ConfigMap',
      'CronJob',
      'CustomResourceDefinition',
      'Deployment',
      'HelmRelease',
      'Job',
      'Kustomization',
      'List',
      'ResourceSet',
      'Service',
      'ServiceAccount',
    ])
  })

  it('says in the truth file what an independent parser reads at the same bytes', async () => {
    for (const row of corpus.truth) {
      const bytes = await readFile(path.join(corpus.root, row.file))
      const text = bytes.subarray(row.start, row.end).toString('utf8')
      const read = load(text) as { kind: string; metadata?: { name?: string } }
      expect([row.file, row.start, read.kind, read.metadata?.name]).toEqual([
        row.file,
        row.start,
        row.kind,
        row.name,
      ])
    }
  })

  it('lets carriers point at folders that exist, each carried by at most two', async () => {
    const carried = new Map<string, number>()
    for (const row of corpus.truth) {
      if (row.kind !== 'Application' && !row.apiVersion.startsWith('kustomize.toolkit')) continue
      const bytes = await readFile(path.join(corpus.root, row.file))
      const { spec } = load(bytes.subarray(row.start, row.end).toString('utf8')) as CarrierObject
      const folder = path.normalize(spec.path ?? spec.source?.path ?? '')
      if (folder.startsWith('deploy/')) continue
      carried.set(folder, (carried.get(folder) ?? 0) + 1)
    }
    expect(carried.size).toBeGreaterThan(50)
    expect(Math.max(...carried.values())).toBe(2)
    for (const folder of carried.keys()) {
      expect((await stat(path.join(corpus.root, folder))).isDirectory()).toBe(true)
    }
  })

  it('will not write into a folder that holds something', async () => {
    await expect(runGenerator(['--out', corpus.folder])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not empty') as string,
    })
  })
})

it.each([
  [[], '--out FOLDER is missing'],
  [['--out', '/nonexistent/x', '--seed', 'one'], '--seed must be a whole number'],
  [['--out', '/nonexistent/x', '--documents', '3'], '--documents must be a whole number from 100'],
  [['--out', '/nonexistent/x', '--colour'], "Unknown option '--colour'"],
])('refuses the arguments %j', async (args, message) => {
  await expect(runGenerator(args)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message) as string,
  })
})

interface CarrierObject {
  readonly spec: { readonly path?: string; readonly source?: { readonly path?: string } }
}

async function digestOf(root: string): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
  for (const file of files.sort()) {
    hash.update(`${file}\0`)
    hash.update(await readFile(path.join(root, file)))
  }
  return hash.digest('hex')
}
