import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/core/canonical-json.ts'
import { ENGINES, TAG_POLICIES, type RenderOptions } from '../../src/render/options.ts'
import { helm3Path, helm4Path, oraclesMissing, runOracle } from '../oracles.ts'
import { CHART, documentsOf, nameOf, newFolder } from './harness.ts'

/**
 * charts/semel-jobs as people use it: values in, manifests out, over the fixtures of semel render.
 * Their expected files are those of the command, so both have to give the same.
 */
const why = oraclesMissing === undefined ? '' : ` (${oraclesMissing})`
const RIGHT = 'fixtures/render'
const WRONG = 'fixtures/render-problems'

interface Ended {
  readonly out: string
  readonly err: string
}

describe.skipIf(oraclesMissing !== undefined)(`charts/semel-jobs${why}`, () => {
  let helms: readonly string[] = []
  beforeAll(async () => {
    helms = [await helm3Path(), await helm4Path()]
  })
  const file = (folder: string, name: string): string =>
    readFileSync(path.join(folder, name), 'utf8')

  async function helm(version: number, ...args: readonly string[]): Promise<Ended> {
    try {
      const { stdout, stderr } = await runOracle(helms[version - 3] ?? '', args)
      return { out: stdout, err: stderr }
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string }
      return { out: stdout ?? '', err: stderr ?? String(error) }
    }
  }

  async function template(values: string, ...args: readonly string[]): Promise<Ended> {
    const folder = newFolder()
    writeFileSync(path.join(folder, 'values.yaml'), values)
    return helm(3, 'template', 'shop', CHART, '-f', path.join(folder, 'values.yaml'), ...args)
  }

  async function namesIn(text: string): Promise<readonly string[]> {
    return (await documentsOf(text)).map(nameOf)
  }

  describe.each([3, 4])('under Helm %i', (version) => {
    it.each(readdirSync(RIGHT))('gives the objects of fixtures/render/%s', async (name) => {
      const folder = path.join(RIGHT, name)
      const options = optionsOf(folder)
      const chart = newFolder()
      cpSync(CHART, chart, { recursive: true })
      const version4 = options.release?.appVersion
      if (version4 !== undefined) {
        const head = file(chart, 'Chart.yaml')
        writeFileSync(path.join(chart, 'Chart.yaml'), `${head}appVersion: "${version4}"\n`)
      }
      const more = options.configMaps === true ? ['--set', 'global.semel.configMaps=true'] : []
      const values = path.join(folder, 'values.yaml')
      const args = ['template', 'shop', chart, '-n', 'prod', '-f', values, ...more]
      const { out, err } = await helm(version, ...args)
      expect(err).toBe('')
      expect((await documentsOf(out)).map(canonicalJson).sort()).toEqual(
        (await documentsOf(file(folder, 'expected.yaml'))).map(canonicalJson).sort(),
      )
    })

    it.each(readdirSync(WRONG))('judges the values of %s as semel render does', async (code) => {
      const values = path.join(WRONG, code, 'values.yaml')
      const args = ['template', 'shop', CHART, '-f', values, '--skip-schema-validation']
      const { out, err } = await helm(version, ...args)
      const ours = linesOf(file(path.join(WRONG, code), 'expected.txt'))
      expect(linesOf(out + err)).toEqual(ours)
      if (code < 'JG200') expect(err).toContain('nothing is rendered')
      else expect(out).toContain('kind: ')
    })

    it('is clean for helm lint, with and without values', async () => {
      for (const more of [[], ['-f', path.join(RIGHT, 'everything-once/values.yaml')]]) {
        const { out } = await helm(version, 'lint', '--strict', CHART, ...more)
        expect(out).toContain('1 chart(s) linted, 0 chart(s) failed')
        expect(out).not.toMatch(/\[(?:WARNING|ERROR)\]/)
      }
    })

    it('renders the values of a parent chart, which may have other keys', async () => {
      const { out, err } = await helm(version, 'template', 'shop', parentChart(), '-n', 'prod')
      expect(err).toBe('')
      expect(await namesIn(out)).toEqual(['shop-db-migrate-0231d2e9', 'shop-app-cron-tidy'])
    })

    it('renders values that a parent chart chooses, whatever its own are', async () => {
      const chart = parentChart('serviceAccount: { create: true, name: "" }\nvolumes: []\n')
      const args = ['template', 'shop', chart, '-n', 'prod']
      const { err } = await helm(version, ...args)
      expect(linesOf(err).map((line) => line.slice(0, 30))).toEqual([
        'error JG102: serviceAccount.cr',
        'error JG104: volumes: must be ',
        'warning JG201: jobGroups.db.jo',
      ])
      const chosen = '(dict "context" . "values" (dict "jobGroups" .Values.jobGroups))'
      const text = `{{ include "semel-jobs.render" ${chosen} }}\n`
      writeFileSync(path.join(chart, 'templates/jobs.yaml'), text)
      const { out } = await helm(
        version,
        ...args,
        '--set',
        'global.env.A=own,global.semel.engine=none',
      )
      expect(await namesIn(out)).toEqual([
        expect.stringMatching(/^shop-db-migrate-[0-9a-f]{8}$/),
        'shop-app-cron-tidy',
      ])
      expect(out).toContain('value: own')
      const misspelt =
        '{{ include "semel-jobs.render" (dict "context" . "values" .Values.jbos) }}\n'
      writeFileSync(path.join(chart, 'templates/jobs.yaml'), misspelt)
      expect((await helm(version, ...args)).err).toContain('error JG104: values: ')
    })

    it('loses a null that meets a value of the chart, as Helm does with all of them', async () => {
      const values = path.join(newFolder(), 'more.yaml')
      writeFileSync(values, 'jobGroups: { db: { jobs: { migrate: { env: { B: null } } } } }\n')
      const chart = parentChart('env: { B: inherited }\n', 'B: own')
      const { out } = await helm(version, 'template', 'shop', chart, '-f', values)
      expect(out).toContain('value: inherited')
    })

    it('keeps nulls of a parent chart, so that a job takes away what it would inherit', async () => {
      const { out } = await helm(version, 'template', 'shop', parentChart('env: { A: x }\n'))
      const [job] = await documentsOf(out)
      expect(canonicalJson(job ?? null)).not.toContain('"A"')
    })
  })

  /** The digests of the specification. */
  it.each([
    ['example-1-smallest-job', [], 'shop-db-migrate-0231d2e9'],
    ['example-1-smallest-job', ['--set', 'jobGroups.db.image.tag=v2'], 'shop-db-migrate-9d5fdc30'],
    ['example-2-tasks-and-env-layers', [], 'shop-db-prepare-48efdbe7'],
    ['example-6-configuration', [], 'shop-db-migrate-f181ba90'],
    [
      'example-6-configuration',
      ['--set-string', 'configMaps.job-env.data.BATCH_SIZE=900'],
      'shop-db-migrate-6c4c4827',
    ],
    [
      'example-6-configuration',
      ['--set', 'configMaps.flags.data.flags\\.yaml=x'],
      'shop-db-migrate-f181ba90',
    ],
  ])('%s %j is called %s', async (name, more, expected) => {
    const { out } = await template(file(path.join(RIGHT, name), 'values.yaml'), ...more)
    expect(await namesIn(out)).toEqual([expected])
  })

  const SMALL = file(path.join(RIGHT, 'example-1-smallest-job'), 'values.yaml')
  const DIGEST = SMALL.replace('tag: v1', 'tag: v1, digest: "sha256:12"')
  const TTL = SMALL.replace('command:', 'ttlSecondsAfterFinished: 60\n        command:')

  it.each(ENGINES)('asks global.semel.engine whether a TTL may be: %s', async (engine) => {
    const { err } = await template(TTL, '--set', `global.semel.engine=${engine}`)
    const isRefused = !['argocd', 'helm', 'none'].includes(engine)
    expect(err.includes('error JG109: jobGroups.db.jobs.migrate: ')).toBe(isRefused)
  })

  it.each(TAG_POLICIES)('asks global.semel.tagPolicy about tags: %s', async (policy) => {
    const { out, err } = await template(SMALL, '--set', `global.semel.tagPolicy=${policy}`)
    expect(out.includes('# warning JG201: ')).toBe(policy === 'warn')
    expect(err.includes('error JG111: ')).toBe(policy === 'immutable')
  })

  it('refuses what global.semel cannot hold', async () => {
    const settings = 'global.semel.engine=fluxcd,global.semel.tags=x'
    const { err } = await template(DIGEST, '--set', settings)
    expect(linesOf(err)).toEqual([
      "error JG102: global.semel.tags: unknown key 'tags'",
      'error JG104: global.semel.engine: must be one of any, flux, argocd, argocd-selfheal, kro, helm, none',
    ])
  })

  it('refuses unknown top-level keys, unless the values are said to be shared', async () => {
    const more = ['--skip-schema-validation', '--set', 'replicas=3']
    expect((await template(SMALL, ...more)).err).toContain('error JG102: replicas: unknown key')
    const { err, out } = await template(SMALL, ...more, '--set', 'global.semel.sharedValues=true')
    expect(err).toBe('')
    expect(await namesIn(out)).toEqual(['shop-db-migrate-0231d2e9'])
  })

  it('has its schema refuse misspelt keys before anything else', async () => {
    const { err } = await template(SMALL.replace('command:', 'comand:'))
    expect(err).toContain('comand')
    expect(err).not.toContain('JG102')
  })

  it('refuses keys that Go and ECMAScript sort in two ways', async () => {
    const values = `${SMALL}nodeSelector: { "\u{1f600}": a }\n`
    const { err } = await template(values)
    expect(err).toContain('error JG104: nodeSelector["\u{1f600}"]: the chart cannot sort a key')
  })

  it('counts the shared name of a chart called app, as semel render does', async () => {
    const { out } = await template(SMALL.replace('fullnameOverride: shop\n', ''))
    expect(await namesIn(out)).toEqual(['shop-app-db-migrate-0231d2e9'])
  })
})

function optionsOf(folder: string): Partial<RenderOptions> {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'options.json'), 'utf8')) as RenderOptions
  } catch {
    return {}
  }
}

function linesOf(text: string): readonly string[] {
  return [...(text.match(/(?:error|warning) JG\d+: .*$/gm) ?? [])].sort()
}

/** A chart of its own with the templates of ours, and ours with values of its own too. */
function parentChart(more = '', env = 'A: null'): string {
  const chart = newFolder()
  mkdirSync(path.join(chart, 'templates'))
  cpSync(CHART, path.join(chart, 'charts/semel-jobs'), { recursive: true })
  const dependencies = 'dependencies: [{ name: semel-jobs, version: 0.1.0 }]'
  const head = `apiVersion: v2\nname: shop\nversion: 1.0.0\n${dependencies}\n`
  writeFileSync(path.join(chart, 'Chart.yaml'), head)
  writeFileSync(
    path.join(chart, 'values.yaml'),
    `replicas: 3
${more}semel-jobs:
  image: { repository: my/cleaner, tag: v1 }
  jobGroups:
    cron: { kind: CronJob, jobs: { tidy: { schedule: "@daily", command: tidy } } }
jobGroups:
  db:
    image: { repository: my/migrator, tag: v1 }
    jobs: { migrate: { command: ./migrate.sh, env: { ${env} } } }
`,
  )
  writeFileSync(path.join(chart, 'templates/jobs.yaml'), '{{ include "semel-jobs.render" . }}\n')
  return chart
}
