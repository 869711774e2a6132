import { describe, expect, it } from 'vitest'
import { copyOf, folder, job, semel } from './cli.ts'
import { golden, shop } from './golden.ts'

describe('semel check', () => {
  it.each([
    ['check-80', { columns: 80, isTerminal: true, env: { NO_COLOR: '1' } }],
    ['check-80-colour', { columns: 80, isTerminal: true }],
    ['check-200', { columns: 200, isTerminal: true, env: { NO_COLOR: '1' } }],
    ['check-pipe', {}],
  ])('shows the shop: %s', async (name, world) => {
    await golden(name, 'check', { cwd: shop, ...world })
  })

  it('tells machines the same', async () => {
    await golden('check-json', 'check -o json', { cwd: shop })
  })

  it.each([60, 80, 120, 200])('keeps within %i columns', async (columns) => {
    for (const cwd of [shop, copyOf('fixtures/ttl-contract')]) {
      const world = { cwd, columns, isTerminal: true, env: { NO_COLOR: '1' } }
      const lines = (await semel('check', world)).out.split('\n')
      // What a person copies is not cut: the place with its rule, and the code between backticks.
      const wide = lines.filter((line) => line.length > columns && !/^ {2}\S+:\d+:\d+ /.test(line))
      expect(wide).toEqual([])
    }
  })

  it('shows every Job once for each engine that carries it', async () => {
    const flux = (name: string): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {interval: 1h, path: ./apps, prune: true, sourceRef: {kind: GitRepository, name: x}}\n`
    const cwd = folder({
      'apps/a.yaml': job('a'),
      'flux/x.yaml': flux('one'),
      'flux/y.yaml': flux('two'),
    })
    const { out } = await semel('check', { cwd })
    expect(out).toMatch(/shop\/a +Flux one/)
    expect(out).toMatch(/shop\/a +Flux two/)
    expect(out).toContain('1 Job in 3 documents')
  })

  it.each([
    ['a name without a hash', job('migrate'), 'no'],
    ['a name with a hash', job('migrate-5d1e77aa'), 'yes'],
    ['a name that rendering decides', job('migrate-${TAG}'), 'unknown'],
    ['a name that each creation makes', job('x').replace('name: x', 'generateName: x-'), 'no'],
    ['a CronJob', job('x').replace('kind: Job', 'kind: CronJob'), '-'],
  ])('tells whether %s follows the content', async (_case, text, answer) => {
    const { out } = await semel('check --engine kubectl', { cwd: folder({ 'a.yaml': text }) })
    expect(out.split('\n')[1]).toMatch(new RegExp(`once +${answer} `))
  })

  it('says what could not be followed, in a few lines', async () => {
    const remote = (name: string): string =>
      `---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}}\nspec:\n  source: {repoURL: https://charts.example.test, chart: ${name}, targetRevision: "1"}\n  destination: {namespace: x}\n`
    const cwd = folder({ 'a.yaml': job('a') + ['b', 'c', 'd', 'e'].map(remote).join('') })
    const { out } = await semel('check --engine kubectl', { cwd })
    expect(out).toContain('Could not be followed')
    expect(out).toContain('a.yaml: the chart b comes from a chart repository')
    expect(out).toContain('1 more: -o json lists them')
  })

  it('says so when only a part of a repository was read and nothing applies it', async () => {
    const cwd = folder({ '.git/HEAD': '', 'apps/a.yaml': job('a') })
    const words = 'apps: only a part of the repository was read'
    expect((await semel('check apps', { cwd })).out).toContain(words)
    expect((await semel('check apps --engine kubectl', { cwd })).out).not.toContain(words)
    expect((await semel('check', { cwd })).out).not.toContain(words)
  })

  it('says what to do next', async () => {
    const cwd = folder({ 'a.yaml': job('a') })
    expect((await semel('check --engine kubectl', { cwd })).out).toContain('keeps it so')
    const empty = await semel('check', { cwd: folder({ 'a.yaml': 'kind: ConfigMap\n' }) })
    expect(empty.out).toContain('give the folder that holds your Jobs')
    expect(empty.code).toBe(0)
  })

  it('shows on a terminal how far a long run is, and takes it away again', async () => {
    let clock = 0
    const now = (): number => (clock += 300)
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`a${at}.yaml`, 'kind: ConfigMap\n']),
    )
    const cwd = folder({ ...files, 'job.yaml': job('a') })
    const { err } = await semel('check --engine kubectl', { cwd, now, isTerminal: true })
    expect(err).toContain('\r\u001b[Kreading 64 of 201 files')
    expect(err.endsWith('\r\u001b[K')).toBe(true)
    expect((await semel('check --engine kubectl', { cwd, now })).err).toBe('')
  })
})
