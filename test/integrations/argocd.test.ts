import { cpSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { folder } from '../cli/cli.ts'
import { helm3Path, kubectl35Path } from '../oracles.ts'
import { jobNames, missing, newFolder, programs, reason, root, run, type Ended } from './harness.ts'

/**
 * integrations/argocd/ as the repo server's sidecar runs it: the command of plugin.yaml, in the
 * folder of the application, with the environment of the build; stdout is what is applied.
 */
const HERE = path.join(root, 'integrations/argocd')
const FIXTURES = path.join(root, 'fixtures/integrations')

describe.skipIf(missing !== undefined)(`the Argo CD plugin${reason}`, () => {
  let generate: (cwd: string, env?: Readonly<Record<string, string>>) => Promise<Ended>
  beforeAll(async () => {
    const bin = programs({
      helm: await helm3Path(),
      kubectl: await kubectl35Path(),
      'semel-generate': path.join(HERE, 'semel-generate'),
    })
    const plugin = parse(readFileSync(path.join(HERE, 'plugin.yaml'), 'utf8')) as Plugin
    const [command = '', ...args] = plugin.spec.generate.command
    generate = (cwd, env = {}) =>
      run(path.join(bin, command), args, {
        cwd,
        path: bin,
        env: {
          ARGOCD_APP_NAME: 'shop',
          ARGOCD_APP_NAMESPACE: 'shop',
          ARGOCD_APP_PROJECT_NAME: 'default',
          ARGOCD_APP_REVISION: 'a'.repeat(40),
          ARGOCD_APP_SOURCE_PATH: 'apps/shop',
          KUBE_VERSION: '1.35.0',
          KUBE_API_VERSIONS: 'v1,batch/v1',
          ...env,
        },
      })
  })

  const MIGRATE: unknown = expect.stringMatching(/^shop-migrate-[0-9a-f]{8}$/)

  it('renders a chart under the name of the application', async () => {
    const { code, out } = await generate(path.join(FIXTURES, 'chart'))
    expect(code).toBe(0)
    expect(jobNames(out)).toEqual([MIGRATE, 'shop-smoke-test'])
  })

  it('takes values and options that the Application names', async () => {
    const chart = newFolder()
    cpSync(path.join(FIXTURES, 'chart'), chart, { recursive: true })
    cpSync(path.join(chart, 'values.yaml'), path.join(chart, 'values-prod.yaml'))
    const env = {
      ARGOCD_ENV_HELM_VALUES: 'values-prod.yaml',
      ARGOCD_ENV_SEMEL_OPTIONS: '--hooks --strict',
    }
    const { code, out } = await generate(chart, env)
    expect(code).toBe(0)
    expect(jobNames(out)[1]).toMatch(/^shop-smoke-test-[0-9a-f]{8}$/)
  })

  it('builds a kustomization', async () => {
    const files = Object.fromEntries(
      ['job.yaml', 'role.yaml', 'kustomization.yaml'].map((name) => [
        name,
        readFileSync(path.join(FIXTURES, 'app', name), 'utf8').replace(/^transformers:[^]*/m, ''),
      ]),
    )
    const { code, out } = await generate(folder(files))
    expect(code).toBe(0)
    expect(out).toMatch(/^ {2}- shop-migrate-[0-9a-f]{8}$/m)
  })

  it('reads plain files, without those of folders below', async () => {
    const job = readFileSync(path.join(FIXTURES, 'app/job.yaml'), 'utf8')
    const cwd = folder({
      'a.yaml': job.trimEnd(),
      'b.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"}}',
      'below/c.yaml': job,
      'notes.txt': 'nothing',
    })
    const { code, out } = await generate(cwd)
    expect(code).toBe(0)
    expect(jobNames(out)).toEqual([expect.stringMatching(/^migrate-[0-9a-f]{8}$/)])
    expect(out).toContain('"name":"b"')
  })

  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['a chart does not render', { 'Chart.yaml': 'name: x\n' }, {}],
    ['a file is not YAML', { 'a.yaml': 'a: [1\n' }, {}],
    ['an option is none of those', { 'a.yaml': 'a: 1\n' }, { ARGOCD_ENV_SEMEL_OPTIONS: '--diff' }],
  ])('fails with nothing to apply when %s', async (_case, files, env) => {
    const { code, out, err } = await generate(folder(files), env)
    expect(code).not.toBe(0)
    expect(out).toBe('')
    expect(err).not.toBe('')
  })
})

interface Plugin {
  readonly spec: { readonly generate: { readonly command: readonly string[] } }
}
