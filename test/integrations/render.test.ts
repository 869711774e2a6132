import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtProgram, notBuilt, type BuiltProgram } from '../built-programs.ts'
import { folder } from '../cli/cli.ts'
import { kubectl32Path, kubectl35Path } from '../oracles.ts'
import { jobNames, missing, newFolder, programs, reason, root, run } from './harness.ts'

/** JobGroups as kubectl, kustomize and kpt run them, with the files of integrations/kustomize. */
const HOME = path.join(root, 'integrations/kustomize')
const NAME = 'shop-app-db-migrate-2848776e'
const read = (name: string): string => readFileSync(path.join(HOME, name), 'utf8')

function kustomization(
  generator: string,
  changes: (text: string) => string = (text) => text,
): string {
  const cwd = folder({
    'kustomization.yaml': `generators: [${generator}]\nnamePrefix: pre-\ncommonAnnotations: {team: a}\n`,
    [generator]: changes(read(generator)),
  })
  cpSync(path.join(HOME, 'semel-render'), path.join(cwd, 'semel-render'))
  return cwd
}

describe.skipIf(missing !== undefined)(`JobGroups as exec plugin of kustomize${reason}`, () => {
  const env = { KUSTOMIZE_PLUGIN_HOME: HOME }
  const args = (cwd: string): readonly string[] => ['kustomize', '--enable-alpha-plugins', cwd]

  it.each([
    ['kubectl 1.32', kubectl32Path],
    ['kubectl 1.35', kubectl35Path],
  ])('renders what %s builds', async (_name, kubectl) => {
    const cwd = kustomization('job-groups.yaml')
    const { code, out } = await run(await kubectl(), args(cwd), { path: programs(), env })
    expect(code).toBe(0)
    expect(jobNames(out)).toEqual([`pre-${NAME}`])
  })

  it('stops the build when something is refused', async () => {
    const cwd = kustomization('job-groups.yaml', (text) => text.replace('command:', 'comand:'))
    const { code, out, err } = await run(await kubectl35Path(), args(cwd), {
      path: programs(),
      env,
    })
    expect(code).not.toBe(0)
    expect(out).toBe('')
    expect(err).toContain('JG102')
  })
})

const kustomize = builtProgram('kustomize')
const kpt = builtProgram('kpt')
const whyNot = (name: BuiltProgram): string => (reason === '' ? notBuilt(name) : reason)

describe.skipIf(missing !== undefined || kustomize === undefined)(
  `JobGroups as generator of kustomize${whyNot('kustomize')}`,
  () => {
    const flags = ['--enable-alpha-plugins', '--enable-exec']
    const build = (cwd: string): ReturnType<typeof run> =>
      run(kustomize ?? '', ['build', cwd, ...flags], { path: programs() })

    it('renders Jobs, and no note of the function stays on them', async () => {
      const { code, out } = await build(kustomization('job-groups-function.yaml'))
      expect(code).toBe(0)
      expect(jobNames(out)).toEqual([`pre-${NAME}`])
      expect(out).not.toContain('config.kubernetes.io')
    })

    it('gives what the exec plugin gives', async () => {
      const env = { KUSTOMIZE_PLUGIN_HOME: HOME }
      const args = ['build', kustomization('job-groups.yaml'), '--enable-alpha-plugins']
      const plugin = await run(kustomize ?? '', args, { path: programs(), env })
      expect((await build(kustomization('job-groups-function.yaml'))).out).toBe(plugin.out)
    })

    it('stops the build when something is refused, with the reason', async () => {
      const wrong = (text: string): string => text.replace('command:', 'comand:')
      const { code, out, err } = await build(kustomization('job-groups-function.yaml', wrong))
      expect([code, out]).toEqual([1, ''])
      expect(err).toContain('JG102')
    })
  },
)

describe.skipIf(missing !== undefined || kpt === undefined)(
  `JobGroups in a kpt package${whyNot('kpt')}`,
  () => {
    const OTHER = '# keep me\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x # and me\n'

    function packageFolder(): string {
      const mutators = `pipeline:\n  mutators:\n    - exec: ${path.join(HOME, 'semel-render')}\n      configPath: jobs.yaml\n`
      const cwd = newFolder()
      const files = {
        Kptfile: `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n${mutators}`,
        'jobs.yaml': read('job-groups.yaml'),
        'other.yaml': OTHER,
      }
      for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text)
      return cwd
    }
    const render = (cwd: string): ReturnType<typeof run> =>
      run(kpt ?? '', ['fn', 'render', '.', '--allow-exec'], { cwd, path: programs() })
    const text = (cwd: string, name: string): string => readFileSync(path.join(cwd, name), 'utf8')

    it('writes them to one file, which a second run leaves as it is', async () => {
      const cwd = packageFolder()
      expect((await render(cwd)).code).toBe(0)
      const once = text(cwd, 'shop.semel.yaml')
      expect(jobNames(once)).toEqual([NAME])
      expect(text(cwd, 'other.yaml')).toBe(OTHER)
      await render(cwd)
      expect(text(cwd, 'shop.semel.yaml')).toBe(once)
    })

    it('replaces a Job whose content has changed', async () => {
      const cwd = packageFolder()
      await render(cwd)
      const file = path.join(cwd, 'jobs.yaml')
      writeFileSync(file, text(cwd, 'jobs.yaml').replace('tag: v1', 'tag: v2'))
      await render(cwd)
      const [name, ...more] = jobNames(text(cwd, 'shop.semel.yaml'))
      expect(name).toMatch(/^shop-app-db-migrate-(?!2848776e)[0-9a-f]{8}$/)
      expect(more).toEqual([])
    })

    it('leaves the files alone when something is refused, and says which field', async () => {
      const cwd = packageFolder()
      await render(cwd)
      const before = text(cwd, 'shop.semel.yaml')
      const file = path.join(cwd, 'jobs.yaml')
      writeFileSync(file, text(cwd, 'jobs.yaml').replace('command:', 'comand:'))
      const { code, err } = await render(cwd)
      expect(code).toBe(1)
      expect(err).toContain('spec.values.jobGroups.db.jobs.migrate.comand')
      expect(text(cwd, 'shop.semel.yaml')).toBe(before)
    })
  },
)
