import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { folder } from '../cli/cli.ts'
import { jobNames, missing, programs, reason, root, run, type Ended } from './harness.ts'

/**
 * integrations/argocd/render as the repo server's sidecar runs it: the command of plugin.yaml in
 * the folder of the application, with the parameters of the Application as variables.
 */
const HERE = path.join(root, 'integrations/argocd/render')
const plugin = parse(readFileSync(path.join(HERE, 'plugin.yaml'), 'utf8')) as Plugin

interface Parameter {
  readonly name: string
  readonly string?: string
  readonly array?: readonly string[]
}
interface Announced extends Parameter {
  readonly title: string
  readonly collectionType?: string
}
interface Plugin {
  readonly spec: {
    readonly generate: { readonly command: readonly string[] }
    readonly parameters: { readonly static: readonly Announced[] }
  }
}

const VALUES = `image: { repository: my/migrator, tag: v1, digest: "sha256:1234" }
jobGroups: { db: { jobs: { migrate: { command: ./migrate.sh } } } }
`

/** As Argo CD's own Environ() writes parameters. */
function environment(parameters: readonly Parameter[]): Readonly<Record<string, string>> {
  const escaped = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_')
  const entries = parameters.flatMap(({ name, string, array = [] }) => [
    ...(string === undefined ? [] : [[`PARAM_${escaped(name)}`, string] as const]),
    ...array.map((item, index) => [`PARAM_${escaped(name)}_${index}`, item] as const),
  ])
  return { ...Object.fromEntries(entries), ARGOCD_APP_PARAMETERS: JSON.stringify(parameters) }
}

describe.skipIf(missing !== undefined)(`the Argo CD plugin for job groups${reason}`, () => {
  let bin = ''
  beforeAll(() => {
    bin = programs({ 'semel-render-generate': path.join(HERE, 'semel-render-generate') })
  })

  function generate(
    files: Readonly<Record<string, string>>,
    ...parameters: readonly Parameter[]
  ): Promise<Ended> {
    const [command = '', ...args] = plugin.spec.generate.command
    return run(path.join(bin, command), args, {
      cwd: folder(files),
      path: bin,
      env: {
        ARGOCD_APP_NAME: 'shop',
        ARGOCD_APP_NAMESPACE: 'prod',
        ARGOCD_APP_REVISION: 'a'.repeat(40),
        KUBE_VERSION: '1.35.0',
        ...environment(parameters),
      },
    })
  }

  it('renders values.yaml under the name and namespace of the application', async () => {
    const { code, out, err } = await generate({ 'values.yaml': VALUES })
    expect([code, err]).toEqual([0, ''])
    expect(jobNames(out)).toEqual(['shop-app-db-migrate-2848776e'])
    expect(out).toContain('namespace: prod')
  })

  it('announces every parameter that it reads, with the default that it has', async () => {
    const script = readFileSync(path.join(HERE, 'semel-render-generate'), 'utf8')
    const read = new Set([...script.matchAll(/PARAM_([A-Z_]+[A-Z])/g)].map(([, name]) => name))
    const announced = plugin.spec.parameters.static
    expect(announced.map(({ name }) => name.toUpperCase().replaceAll('-', '_')).sort()).toEqual(
      [...read].map(String).sort(),
    )
    for (const { name, title, collectionType, array } of announced) {
      expect(title, name).not.toBe('')
      if (array !== undefined) expect(collectionType, name).toBe('array')
    }
    const plain = await generate({ 'values.yaml': VALUES })
    const asAnnounced = await generate({ 'values.yaml': VALUES }, ...announced)
    expect(asAnnounced).toEqual(plain)
  })

  it('takes values files in their order, and single values over them', async () => {
    const files = {
      'base.yaml': VALUES,
      'env/prod.yaml': 'env: { A: prod, B: prod }\n',
    }
    const { code, out } = await generate(
      files,
      { name: 'values-files', array: ['base.yaml', 'env/prod.yaml'] },
      { name: 'set', array: ['env.A=set it', 'jobGroups.db.backoffLimit=0'] },
      { name: 'set-string', array: ['env.C=1'] },
      { name: 'release', string: 'web' },
    )
    expect(code).toBe(0)
    expect(jobNames(out)[0]).toMatch(/^web-app-db-migrate-[0-9a-f]{8}$/)
    expect(out).toMatch(
      /name: A\n +value: set it\n[^]*name: B\n +value: prod\n[^]*name: C\n +value: "1"/,
    )
    expect(out).toContain('backoffLimit: 0')
  })

  it('renders ConfigMaps when asked', async () => {
    const values = `${VALUES}configMaps: { cfg: { enabled: true, data: { a: b } } }\n`
    const { out } = await generate(
      { 'values.yaml': values },
      { name: 'config-maps', string: 'true' },
    )
    expect(out).toContain('kind: ConfigMap')
  })

  it('allows a TTL only where the Application says that self-heal is off', async () => {
    const values = VALUES.replace('command:', 'ttlSecondsAfterFinished: 60, command:')
    const refused = await generate({ 'values.yaml': values })
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.err).toContain('error JG109: ')
    const taken = await generate({ 'values.yaml': values }, { name: 'engine', string: 'argocd' })
    expect(taken.code).toBe(0)
  })

  it.each<[string, Readonly<Record<string, string>>, ...Parameter[]]>([
    ['there is no values file', {}],
    ['a value is wrong', { 'values.yaml': VALUES.replace('command', 'comand') }],
    ['a file is above the folder', { 'values.yaml': VALUES }, files('../values.yaml')],
    ['a file is above a folder below', { 'values.yaml': VALUES }, files('a/../../values.yaml')],
    ['a file is anywhere else', { 'values.yaml': VALUES }, files('/etc/hostname')],
    ['a parameter holds a second line', { 'values.yaml': VALUES }, set('a=b\n--set-file=c=/etc')],
    ['the engine is none', { 'values.yaml': VALUES }, { name: 'engine', string: 'fluxcd' }],
    ['a switch is neither', { 'values.yaml': VALUES }, { name: 'config-maps', string: 'yes' }],
  ])('fails with nothing to apply when %s', async (_case, given, ...parameters) => {
    const { code, out, err } = await generate(given, ...parameters)
    expect([code, out]).toEqual([2, ''])
    expect(err).not.toBe('')
  })

  it('takes no word of a parameter for an option or a pattern', async () => {
    const { out } = await generate({ 'values.yaml': VALUES }, set('env.A=*', 'env.B=--set x'))
    expect(out).toMatch(/value: "\*"[^]*value: --set x/)
  })
})

function files(...array: readonly string[]): Parameter {
  return { name: 'values-files', array }
}

function set(...array: readonly string[]): Parameter {
  return { name: 'set', array }
}
