import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { helm3Path, helm4Path } from '../oracles.ts'
import { jobNames, missing, newFolder, programs, reason, root, run, type Ended } from './harness.ts'

/** integrations/helm/ as the real Helm runs it, over a small chart of our own. */
const CHART = path.join(root, 'fixtures/integrations/chart')
const RENDERER = path.join(root, 'integrations/helm/semel-stamp')

describe.skipIf(missing !== undefined)(`the Helm 3 post-renderer${reason}`, () => {
  let helm: (...args: readonly string[]) => Promise<Ended>
  beforeAll(async () => {
    const file = await helm3Path()
    const bin = programs()
    helm = (...args) => run(file, args, { path: bin })
  })
  const template = (...args: readonly string[]): Promise<Ended> =>
    helm('template', 'shop', CHART, ...args)

  it('names Jobs after their content, and references follow', async () => {
    const { code, out } = await template('--post-renderer', RENDERER)
    expect(code).toBe(0)
    expect(jobNames(out)).toEqual([expect.stringMatching(/^shop-migrate-[0-9a-f]{8}$/), HOOK])
    expect(out).toContain(`resourceNames: [${jobNames(out)[0]}]`)
    expect(out).toContain('# Runs before the shop starts.')
  })

  it('gives the same name again, and another one for another image', async () => {
    const [one, same, other] = await Promise.all([
      template('--post-renderer', RENDERER),
      template('--post-renderer', RENDERER),
      template('--post-renderer', RENDERER, '--set', 'tag=4.3.0'),
    ])
    expect(same.out).toBe(one.out)
    expect(jobNames(other.out)[0]).not.toBe(jobNames(one.out)[0])
  })

  it('runs semel itself, without the script', async () => {
    const { out } = await template('--post-renderer', 'semel', '--post-renderer-args', 'stamp')
    expect(jobNames(out)[0]).toMatch(/^shop-migrate-[0-9a-f]{8}$/)
  })

  it('is not given the hooks, whatever is asked for', async () => {
    const args = ['--post-renderer', RENDERER, '--post-renderer-args', '--hooks']
    const { out } = await template(...args)
    expect(jobNames(out)[1]).toBe(HOOK)
  })

  it('stops Helm when something is refused', async () => {
    const { code, out, err } = await helm(
      'template',
      'shop',
      refusedChart(),
      '--post-renderer',
      RENDERER,
    )
    expect(code).not.toBe(0)
    expect(out).not.toContain('kind: Job')
    expect(err).toContain('FOLLOW_NOT_FOUND')
  })
})

describe.skipIf(missing !== undefined)(`the Helm 4 plugin${reason}`, () => {
  let helm: (...args: readonly string[]) => Promise<Ended>
  let helmWith: (
    env: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ) => Promise<Ended>
  beforeAll(async () => {
    const file = await helm4Path()
    const bin = programs()
    const plugins = newFolder()
    cpSync(path.join(root, 'integrations/helm'), path.join(plugins, 'semel-stamp'), {
      recursive: true,
    })
    helmWith = (env, ...args) =>
      run(file, args, { path: bin, env: { HELM_PLUGINS: plugins, ...env } })
    helm = (...args) => helmWith({}, ...args)
  })
  const PLUGIN = ['--post-renderer', 'semel-stamp'] as const

  it('is listed by Helm', async () => {
    const { out } = await helm('plugin', 'list')
    expect(out).toMatch(/^semel-stamp\s+0\.1\.0\s+postrenderer\/v1/m)
  })

  it('names Jobs after their content, and leaves hooks alone', async () => {
    const { code, out } = await helm('template', 'shop', CHART, ...PLUGIN)
    expect(code).toBe(0)
    expect(jobNames(out)).toEqual([expect.stringMatching(/^shop-migrate-[0-9a-f]{8}$/), HOOK])
    expect(out).toContain(`resourceNames: [${jobNames(out)[0]}]`)
  })

  it('names hooks too when asked', async () => {
    const args = [...PLUGIN, '--post-renderer-args', '--hooks']
    const { out } = await helm('template', 'shop', CHART, ...args)
    expect(jobNames(out)[1]).toMatch(/^shop-smoke-test-[0-9a-f]{8}$/)
    expect(out).toContain('helm.sh/hook: post-install,post-upgrade')
  })

  it('does the same at install', async () => {
    const args = ['install', 'shop', CHART, '--dry-run=client', ...PLUGIN]
    const installed = await helm(...args, '--post-renderer-args', '--hooks')
    expect(installed.code).toBe(0)
    const templated = await helm('template', 'shop', CHART, ...PLUGIN)
    expect(installed.out).toContain(`name: ${jobNames(templated.out)[0]}\n`)
    expect(installed.out).toMatch(
      /HOOKS:[\s\S]*name: shop-smoke-test-[0-9a-f]{8}\n[\s\S]*MANIFEST:/,
    )
  })

  it('stops Helm when something is refused, and keeps the reason in a log', async () => {
    const log = path.join(newFolder(), 'semel.log')
    const { code, out } = await helm('template', 'shop', refusedChart(), ...PLUGIN)
    expect(code).not.toBe(0)
    expect(out).not.toContain('kind: Job')
    await helmWith({ SEMEL_LOG: log }, 'template', 'shop', refusedChart(), ...PLUGIN)
    expect(readFileSync(log, 'utf8')).toContain('FOLLOW_NOT_FOUND')
  })
})

const HOOK = 'shop-smoke-test'

function refusedChart(): string {
  const chart = newFolder()
  cpSync(CHART, chart, { recursive: true })
  writeFileSync(
    path.join(chart, 'templates/refused.yaml'),
    `apiVersion: batch/v1
kind: Job
metadata: {name: refused, annotations: {semel.dev/follow: ConfigMap/nowhere}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}}}
`,
  )
  return chart
}
