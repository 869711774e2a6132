import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { applyEdits } from '../../src/core/edits.ts'
import { stamp } from '../../src/stamp/stamp.ts'
import { stampResourceList } from '../../src/stamp/krm.ts'
import type { StampOptions } from '../../src/stamp/stamp-types.ts'
import { builtProgram, notBuilt } from '../built-programs.ts'
import { kubectl35Path, oraclesMissing } from '../oracles.ts'
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
 * Real kustomize runs a program twice: the first time it keeps what it is given, the second time it
 * answers with what stamp made of that.
 */
interface Rig {
  readonly folder: string
  /** The program that kustomize starts. */
  readonly program: string
}

const JOBS = jobText('migrate').replace('args: [up]', 'args: [up] # keep')
const rigs: string[] = []
afterAll(() => {
  for (const folder of rigs) rmSync(folder, { recursive: true, force: true })
})

function rig(program: string, config: string): Rig {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-krm-'))
  rigs.push(folder)
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  write('jobs.yaml', JOBS)
  write('stamp.yaml', config)
  write(
    'kustomization.yaml',
    'namePrefix: prod-\nresources: [jobs.yaml]\ntransformers: [stamp.yaml]\n',
  )
  write(
    program,
    `#!/bin/sh\nif [ -f '${folder}/out' ]; then cat > /dev/null; cat '${folder}/out'; else tee '${folder}/in'; fi\n`,
  )
  chmodSync(path.join(folder, program), 0o755)
  return { folder, program }
}

interface Built {
  readonly metadata: {
    readonly name: string
    readonly annotations?: Readonly<Record<string, string>>
    readonly labels?: Readonly<Record<string, string>>
  }
}

async function builtTwice(
  { folder }: Rig,
  build: () => Promise<string>,
  answer: (given: Uint8Array) => Uint8Array,
): Promise<Built> {
  expect((parse(await build()) as Built).metadata.name).toBe('prod-migrate')
  writeFileSync(path.join(folder, 'out'), answer(readFileSync(path.join(folder, 'in'))))
  return parse(await build()) as Built
}

function expectStamped({ metadata }: Built, name: string | undefined): void {
  expect(metadata.name).toBe(name)
  expect(metadata.annotations?.['semel.dev/base']).toBe('prod-migrate')
  expect(metadata.labels?.['semel.dev/once']).toBe('true')
  // What kustomize notes for itself has come back, so it could take it away.
  expect(
    Object.keys(metadata.annotations ?? {}).filter((key) => !key.startsWith('semel.dev/')),
  ).toEqual([])
}

const CONFIG = 'apiVersion: semel.dev/v1alpha1\nkind: Stamp\nmetadata:\n  name: stamp\n'

describe.skipIf(oraclesMissing !== undefined)('kubectl kustomize with an exec plugin', () => {
  it('builds stamped Jobs', async () => {
    const made = rig('plugins/semel.dev/v1alpha1/stamp/Stamp', CONFIG)
    const kubectl = await kubectl35Path()
    const build = async (): Promise<string> => {
      const env = {
        PATH: '/usr/bin:/bin',
        KUSTOMIZE_PLUGIN_HOME: path.join(made.folder, 'plugins'),
      }
      const args = ['kustomize', made.folder, '--enable-alpha-plugins']
      return (await promisify(execFile)(kubectl, args, { env })).stdout
    }
    let name: string | undefined
    const built = await builtTwice(made, build, (given) => {
      const result = stamp([{ path: '<stdin>', bytes: given }], { rendered: true, fullParser })
      name = result.objects[0]?.newName
      return applyEdits(given, result.files[0]?.edits ?? [])
    })
    expectStamped(built, name)
  })
})

/** kubectl has no `--enable-exec`, so functions need kustomize itself. */
const kustomize = builtProgram('kustomize')
const why = notBuilt('kustomize')

describe.skipIf(kustomize === undefined)(`kustomize with an exec function${why}`, () => {
  it('builds stamped Jobs', async () => {
    const annotations =
      '  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./function.sh}\n'
    const made = rig('function.sh', `${CONFIG}${annotations}spec:\n  strict: true\n`)
    const build = async (): Promise<string> => {
      const args = ['build', made.folder, '--enable-alpha-plugins', '--enable-exec']
      return (await promisify(execFile)(kustomize ?? '', args)).stdout
    }
    let name: string | undefined
    const built = await builtTwice(made, build, (given) => {
      const outcome = stampResourceList({ path: '<stdin>', bytes: given }, { fullParser })
      name = outcome.stamped?.objects[0]?.newName
      return outcome.bytes
    })
    expectStamped(built, name)
  })
})
