import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder } from '../cli/cli.ts'
import { kubectl32Path, kubectl35Path } from '../oracles.ts'
import { jobNames, missing, programs, reason, root, run } from './harness.ts'

/** integrations/kustomize/ as kubectl runs it, and as `kustomize build --enable-exec` would. */
const APP = path.join(root, 'fixtures/integrations/app')
const HOME = path.join(root, 'integrations/kustomize')

describe.skipIf(missing !== undefined)(`the exec plugin of kustomize${reason}`, () => {
  it.each([
    ['kubectl 1.32', kubectl32Path],
    ['kubectl 1.35', kubectl35Path],
  ])('stamps what %s builds, with the prefix in the name', async (_name, kubectl) => {
    const args = ['kustomize', '--enable-alpha-plugins', APP]
    const env = { KUSTOMIZE_PLUGIN_HOME: HOME }
    const { code, out } = await run(await kubectl(), args, { path: programs(), env })
    expect(code).toBe(0)
    expect(jobNames(out)).toEqual([expect.stringMatching(/^shop-migrate-[0-9a-f]{8}$/)])
    expect(out).toMatch(/resourceNames:\n {2}- shop-migrate-[0-9a-f]{8}\n/)
  })

  it('takes options, and stops the build when something is refused', async () => {
    const files = Object.fromEntries(
      ['job.yaml', 'role.yaml', 'kustomization.yaml', 'stamp.yaml'].map((name) => [
        name,
        readFileSync(path.join(APP, name), 'utf8'),
      ]),
    )
    const cwd = folder(files)
    const annotations = '  annotations: {semel.dev/follow: ConfigMap/nowhere}\n'
    writeFileSync(
      path.join(cwd, 'job.yaml'),
      String(files['job.yaml']).replace('spec:\n', `${annotations}spec:\n`),
    )
    const args = ['kustomize', '--enable-alpha-plugins', cwd]
    const env = { KUSTOMIZE_PLUGIN_HOME: HOME }
    const { code, out } = await run(await kubectl35Path(), args, { path: programs(), env })
    expect(code).not.toBe(0)
    expect(out).toBe('')
  })

  it('has the example that the fixture uses', () => {
    const example = readFileSync(path.join(HOME, 'stamp.yaml'), 'utf8')
    expect(readFileSync(path.join(APP, 'stamp.yaml'), 'utf8')).toBe(example)
  })
})

describe.skipIf(missing !== undefined)(`the KRM function${reason}`, () => {
  const list = (functionConfig: string): string => `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- ${readFileSync(path.join(APP, 'job.yaml'), 'utf8').trimEnd().replaceAll('\n', '\n  ')}
functionConfig:
  ${functionConfig.trimEnd().replaceAll('\n', '\n  ')}
`
  const call = async (input: string): ReturnType<typeof run> => {
    const cwd = folder({ 'list.yaml': input })
    const script = '"$0" < list.yaml'
    return run('/bin/sh', ['-c', script, path.join(HOME, 'semel-stamp')], { cwd, path: programs() })
  }

  it('stamps the items with the options of the example', async () => {
    const config = readFileSync(path.join(HOME, 'stamp-function.yaml'), 'utf8')
    const { code, out } = await call(list(config.replace(/^#.*\n/, '')))
    expect(code).toBe(0)
    expect(out).toMatch(/^ {4}name: migrate-[0-9a-f]{8}$/m)
    expect(out).toContain('"severity":"info"')
  })

  it('fails with the reason in the results', async () => {
    const { code, out, err } = await call(list('spec: {strcit: true}'))
    expect(code).toBe(1)
    expect(out).toMatch(/strcit.*"severity":"error"/)
    expect(out).toMatch(/^ {4}name: migrate$/m)
    expect(err).toContain('strcit')
  })
})
