import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtProgram, notBuilt, type BuiltProgram } from '../built-programs.ts'
import { folder } from '../cli/cli.ts'
import { kubectl32Path, kubectl35Path } from '../oracles.ts'
import { jobNames, missing, programs, reason, root, run } from './harness.ts'

/** integrations/kustomize/ as kubectl runs it, and as kustomize and kpt run its function. */
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

/** The folder of the fixture, with the shipped function in place of the plugin. */
function appWithFunction(changes: Readonly<Record<string, string>> = {}): string {
  const read = (name: string): string => readFileSync(path.join(APP, name), 'utf8')
  const made = folder({
    'job.yaml': read('job.yaml'),
    'role.yaml': read('role.yaml'),
    'kustomization.yaml': read('kustomization.yaml').replace('stamp.yaml', 'stamp-function.yaml'),
    'stamp-function.yaml': readFileSync(path.join(HOME, 'stamp-function.yaml'), 'utf8'),
    ...changes,
  })
  cpSync(path.join(HOME, 'semel-stamp'), path.join(made, 'semel-stamp'))
  return made
}

const kustomize = builtProgram('kustomize')
const kpt = builtProgram('kpt')
const whyNot = (name: BuiltProgram): string => (reason === '' ? notBuilt(name) : reason)

describe.skipIf(missing !== undefined || kustomize === undefined)(
  `the KRM function in kustomize${whyNot('kustomize')}`,
  () => {
    const build = (cwd: string, ...flags: readonly string[]): ReturnType<typeof run> =>
      run(kustomize ?? '', ['build', cwd, '--enable-alpha-plugins', ...flags], { path: programs() })

    it('stamps what it builds with --enable-exec, with the prefix in the name', async () => {
      const { code, out } = await build(appWithFunction(), '--enable-exec')
      expect(code).toBe(0)
      expect(jobNames(out)).toEqual([expect.stringMatching(/^shop-migrate-[0-9a-f]{8}$/)])
      expect(out).toMatch(/resourceNames:\n {2}- shop-migrate-[0-9a-f]{8}\n/)
      expect(out).not.toContain('config.kubernetes.io')
    })

    it('gives the names that the exec plugin gives', async () => {
      const args = ['build', APP, '--enable-alpha-plugins']
      const env = { KUSTOMIZE_PLUGIN_HOME: HOME }
      const plugin = await run(kustomize ?? '', args, { path: programs(), env })
      const asFunction = await build(appWithFunction(), '--enable-exec')
      expect(asFunction.out).toBe(plugin.out)
    })

    it('stops the build when something is refused', async () => {
      const text =
        'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, annotations: {semel.dev/follow: ConfigMap/x}}\nspec: {template: {spec: {containers: [{name: a, image: "a:1"}]}}}\n'
      const { code, out, err } = await build(appWithFunction({ 'job.yaml': text }), '--enable-exec')
      expect(code).toBe(1)
      expect(out).toBe('')
      expect(err).toContain('it follows ConfigMap/x, which is not in the stream')
    })

    it('is passed over without a word where --enable-exec is missing', async () => {
      const { code, out, err } = await build(appWithFunction())
      expect({ code, err, names: jobNames(out) }).toEqual({
        code: 0,
        err: '',
        names: ['shop-migrate'],
      })
    })
  },
)

describe.skipIf(missing !== undefined || kpt === undefined)(
  `the KRM function in kpt${whyNot('kpt')}`,
  () => {
    const kptfile = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n'
    const role = readFileSync(path.join(APP, 'role.yaml'), 'utf8').replace(
      '[shop-migrate]',
      '[migrate] # follows',
    )
    const job = readFileSync(path.join(APP, 'job.yaml'), 'utf8')

    /** A package folder, with the function beside it. */
    function packageFolder(more = ''): string {
      const files = { 'job.yaml': job, 'role.yaml': role, Kptfile: kptfile + more }
      return folder(
        Object.fromEntries(Object.entries(files).map(([name, text]) => [`app/${name}`, text])),
      )
    }
    const call = (cwd: string, ...args: readonly string[]): ReturnType<typeof run> =>
      run(kpt ?? '', ['fn', ...args], { cwd, path: programs() })
    const read = (cwd: string, name: string): string =>
      readFileSync(path.join(cwd, 'app', name), 'utf8')

    it('stamps the files of a package in place, and only where it must', async () => {
      const cwd = packageFolder()
      const args = ['eval', 'app', '--exec', path.join(HOME, 'semel-stamp')]
      const { code, err } = await call(cwd, ...args, '--', 'policy=intent')
      expect(code).toBe(0)
      expect(err).toMatch(/Job migrate is now called migrate-[0-9a-f]{8}/)
      const name = /name: (migrate-[0-9a-f]{8})/.exec(read(cwd, 'job.yaml'))?.[1]
      expect(read(cwd, 'role.yaml')).toBe(role.replace('[migrate]', `[${name}]`))
      const once = read(cwd, 'job.yaml')
      expect(once.replaceAll(/^ {2}(?:annotations|labels):\n|^ {4}semel\.dev.*\n/gm, '')).toBe(
        job.replace('name: migrate', `name: ${name}`),
      )
      await call(cwd, ...args)
      expect(read(cwd, 'job.yaml')).toBe(once)
    })

    it('runs in the pipeline of a package, with options in a configMap', async () => {
      const mutator = `    - exec: ${path.join(HOME, 'semel-stamp')}\n      configMap: {policy: adr-012}\n`
      const cwd = packageFolder(`pipeline:\n  mutators:\n${mutator}`)
      const { code } = await call(cwd, 'render', 'app', '--allow-exec')
      expect(code).toBe(0)
      expect(read(cwd, 'job.yaml')).toContain('adr-012/v1:')
    })

    it('leaves the files alone when something is refused, and says why', async () => {
      const cwd = packageFolder()
      const args = ['eval', 'app', '--exec', path.join(HOME, 'semel-stamp'), '--', 'strcit=true']
      const { code, err } = await call(cwd, ...args)
      expect(code).toBe(1)
      expect(err).toContain('strcit')
      expect(read(cwd, 'job.yaml')).toBe(job)
    })
  },
)

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
