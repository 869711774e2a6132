import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { stampResourceList } from '../../src/stamp/krm.ts'
import type { StampOptions } from '../../src/stamp/stamp-types.ts'
import { kubectl35Path, oraclesMissing, runOracle } from '../oracles.ts'
import { fullParser } from './harness.ts'
import { jobText } from './manifests.ts'

interface Result {
  readonly message: string
  readonly severity: string
  readonly resourceRef?: { readonly name: string }
  readonly file?: { readonly path: string; readonly index?: number }
}

function run(text: string, options: StampOptions = {}): ReturnType<typeof outcome> {
  return outcome(new TextEncoder().encode(text), options)
}

function outcome(
  bytes: Uint8Array,
  options: StampOptions,
): { text: string; isFailed: boolean; results: readonly Result[]; isRead: boolean } {
  const made = stampResourceList({ path: '<stdin>', bytes }, { fullParser, ...options })
  const text = new TextDecoder().decode(made.bytes)
  const results = (parse(text) as { results?: readonly Result[] }).results ?? []
  expect(results).toHaveLength(
    made.isFailed && made.stamped === undefined && made.results.length === 1 && results.length === 0
      ? 0
      : made.results.length,
  )
  return { text, isFailed: made.isFailed, results, isRead: made.stamped !== undefined }
}

const list = (items: string, more = ''): string =>
  `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n${more}items:\n${items}`
const item = (text: string): string => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`

const NOTES = { 'config.kubernetes.io/path': 'jobs/a.yaml', 'config.kubernetes.io/index': '2' }

describe('a KRM function', () => {
  it('gives the list back with stamped items and its results', () => {
    const input = list(item(jobText('migrate', { annotations: NOTES })))
    const { text, isFailed, results } = run(input)
    expect(isFailed).toBe(false)
    expect(text).toMatch(/ {4}name: migrate-[0-9a-f]{8}\n/)
    expect(text).toContain('config.kubernetes.io/path: "jobs/a.yaml"')
    expect(results).toEqual([
      {
        severity: 'info',
        message: expect.stringMatching(/^Job migrate is now called migrate-[0-9a-f]{8}$/) as string,
        resourceRef: { apiVersion: 'batch/v1', kind: 'Job', name: 'migrate' },
        file: { path: 'jobs/a.yaml', index: 2 },
      },
    ])
    const again = run(text.replace(/results:\n(?:- .*\n)*/, ''))
    expect(again.results).toEqual([])
  })

  it('adds to the results of the functions before it', () => {
    const before = 'results:\n- message: earlier\n  severity: info\n'
    const { results } = run(list(item(jobText('migrate')), before))
    expect(results.map(({ message }) => message)[0]).toBe('earlier')
    expect(results).toHaveLength(2)
  })

  it.each(['results:\n', 'results: []\n', 'results: null\n'])('or to none: %j', (before) => {
    expect(run(list(item(jobText('migrate')), before)).results).toHaveLength(1)
  })

  it('gives the items back as they were when something is refused', () => {
    const input = list(item(jobText('Migrate', { annotations: NOTES })))
    const { text, isFailed, results } = run(input)
    expect(isFailed).toBe(true)
    expect(text).toContain('name: Migrate\n')
    expect(results[0]).toMatchObject({ severity: 'error', file: { path: 'jobs/a.yaml', index: 2 } })
  })

  it('reads JSON and writes JSON', () => {
    const input = JSON.stringify(parse(list(item(jobText('migrate')))))
    const { text, results } = run(input)
    expect(results).toHaveLength(1)
    expect(() => JSON.parse(text) as unknown).not.toThrow()
  })

  it('takes options from its configuration, as text or as switches', () => {
    const cron = item(
      jobText('x')
        .replace('kind: Job', 'kind: CronJob')
        .replace('spec:', 'spec:\n  schedule: "0 3 * * *"'),
    )
    const withConfig = (config: string): string => list(cron, `functionConfig:\n${config}`)
    const asData = withConfig('  kind: ConfigMap\n  data: {cronJobs: "true"}\n')
    const asSpec = withConfig('  kind: Stamp\n  spec: {cronJobs: true, policy: adr-012}\n')
    // Without an image below jobTemplate the CronJob counts as a patch.
    const fixed = (text: string): string =>
      text.replace(
        / {4}template:[\s\S]*/,
        '    jobTemplate:\n      spec:\n        template:\n          spec:\n            restartPolicy: Never\n            containers:\n            - {name: a, image: "a:1"}\n',
      )
    expect(run(fixed(asData)).text).toMatch(/name: x-[0-9a-f]{8}\n/)
    expect(run(fixed(asSpec)).text).toContain('adr-012/v1:')
  })

  it.each(['cronjobs: true', 'cronJobs: maybe', 'policy: other'])('refuses %j', (setting) => {
    const { isFailed, results } = run(
      list(item(jobText('x')), `functionConfig:\n  kind: Stamp\n  spec: {${setting}}\n`),
    )
    expect(isFailed).toBe(true)
    expect(results[0]?.severity).toBe('error')
  })

  it.each(['', 'a: b\n', 'kind: List\nitems: []\n', '"'])('refuses other input: %j', (text) => {
    const bytes = new TextEncoder().encode(text)
    const made = stampResourceList({ path: '<stdin>', bytes }, { fullParser })
    expect(made.isFailed).toBe(true)
    expect(made.results).toHaveLength(1)
    expect(made.bytes).toEqual(bytes)
  })
})

/**
 * kustomize runs a function twice: the first one keeps what it was given, the second one answers
 * with what stamp made of it.
 */
describe.skipIf(oraclesMissing !== undefined)('kustomize with a function', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'semel-krm-'))
    const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text)
    write('jobs.yaml', jobText('migrate').replace('args: [up]', 'args: [up] # keep'))
    write(
      'kustomization.yaml',
      'namePrefix: prod-\nresources: [jobs.yaml]\ntransformers: [stamp.yaml]\n',
    )
    write(
      'stamp.yaml',
      'apiVersion: semel.dev/v1alpha1\nkind: Stamp\nmetadata:\n  name: stamp\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./function.sh}\nspec:\n  strict: true\n',
    )
    write(
      'function.sh',
      `#!/bin/sh\nif [ -f '${folder}/out' ]; then cat > /dev/null; cat '${folder}/out'; else tee '${folder}/in'; fi\n`,
    )
    chmodSync(path.join(folder, 'function.sh'), 0o755)
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('builds stamped Jobs', async () => {
    const build = async (): Promise<string> => {
      const flags = ['kustomize', folder, '--enable-alpha-plugins', '--enable-exec']
      return (await runOracle(await kubectl35Path(), flags)).stdout
    }
    const before = parse(await build()) as { metadata: { name: string } }
    expect(before.metadata.name).toBe('prod-migrate')
    const given = readFileSync(path.join(folder, 'in'))
    const made = stampResourceList({ path: '<stdin>', bytes: given }, { fullParser })
    expect(made.isFailed).toBe(false)
    writeFileSync(path.join(folder, 'out'), made.bytes)
    const [after] = parseAllDocuments(await build())
    const { metadata } = after?.toJS() as {
      metadata: {
        name: string
        annotations: Record<string, string>
        labels: Record<string, string>
      }
    }
    expect(metadata.name).toBe(made.stamped?.objects[0]?.newName)
    expect(metadata.annotations['semel.dev/base']).toBe('prod-migrate')
    expect(metadata.labels['semel.dev/once']).toBe('true')
    expect(Object.keys(metadata.annotations)).not.toContain('config.kubernetes.io/index')
  })
})
