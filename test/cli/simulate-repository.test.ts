import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, root, semel } from './cli.ts'
import { Repo } from './git.ts'

const shop = path.join(root, 'examples/shop')
const START = '--start 2026-03-02T00:00:00Z'

const FLUX = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec: {interval: 1h, path: ./deploy, prune: true, sourceRef: {kind: GitRepository, name: shop}}
`
const job = (image: string, spec = ''): string => `apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: shop}
spec:
  ${spec}
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: "registry.example.test/shop/migrate:${image}"}]
`
const looping = (): string =>
  folder({ 'flux.yaml': FLUX, 'deploy/job.yaml': job('1', 'ttlSecondsAfterFinished: 3600') })

describe('semel simulate on a repository', () => {
  it('says of each Job how often it will run, and why', async () => {
    const { code, out, err } = await semel(`simulate ${START}`, { cwd: shop })
    expect(err).toBe('')
    expect(out).toContain('7 days from 2026-03-02 00:00:00 UTC, idealised timing')
    expect(out).toMatch(
      /shop\/migrate\n {2}runs now, then every 61 min: 166 runs in 7 days, because the TTL deletes it/,
    )
    expect(out).toMatch(/shop\/expire-carts\n {2}7 runs in 7 days: at 02:30 every day/)
    expect(code).toBe(0)
  })

  it('takes the span that it is given', async () => {
    const { out } = await semel(`simulate ${START} --for 1d`, { cwd: looping() })
    expect(out).toMatch(/runs now, then every 2 h: 12 runs in 24 h/)
  })

  it('takes how long the work goes on, and whose work fails', async () => {
    const { out } = await semel(`simulate ${START} --for 1d --duration 2h --fail shop/migrate`, {
      cwd: folder({ 'flux.yaml': FLUX, 'deploy/job.yaml': job('1', 'backoffLimit: 0') }),
    })
    expect(out).toMatch(/1 failed/)
  })

  it('writes JSON of the documented form, and HTML that asks for nothing', async () => {
    const cwd = looping()
    const { code, out } = await semel(`simulate ${START} -o json -o html=out/report.html`, { cwd })
    expect(code).toBe(0)
    const told = JSON.parse(out) as { format: string; jobs: { runs: number; lives: object[] }[] }
    expect(told.format).toBe('semel.dev/simulation/v1')
    expect(told.jobs[0]?.runs).toBe(84)
    const file = path.join(cwd, 'out/report.html')
    expect(existsSync(file)).toBe(true)
    expect(readFileSync(file, 'utf8')).toMatch(/Content-Security-Policy/)
  })

  it('tells a commit once, however many engines hear of it', async () => {
    const { out } = await semel(`simulate ${START} --for 1h -o json`, { cwd: shop })
    const { happenings } = JSON.parse(out) as { happenings: { kind: string }[] }
    expect(happenings.filter(({ kind }) => kind === 'commit')).toHaveLength(1)
  })

  it('prints the chain that led to a run', async () => {
    const { code, out } = await semel(`simulate ${START} --why migrate@2h`, { cwd: looping() })
    expect(out).toMatch(/shop\/migrate, run #2 of 84/)
    expect(out).toMatch(/trigger +its TTL of 3600 s was over[^]*K-26[^]*its interval of 1h0m0s/)
    expect(code).toBe(0)
  })

  it('explains silence', async () => {
    const { out } = await semel(`simulate ${START} --why-not shop/migrate@90m`, { cwd: looping() })
    expect(out).toMatch(/shop\/migrate at 1h30m .*: no run/)
    expect(out).toMatch(/next run +2h/)
  })

  it('tells which Jobs run again after an accident', async () => {
    const cwd = folder({ 'flux.yaml': FLUX, 'deploy/job.yaml': job('1') })
    const drills = '--drill rebuild@36h --drill controller-down=2h --drill restart'
    const { out } = await semel(`simulate ${START} ${drills}`, { cwd })
    expect(out).toMatch(/Drill rebuild@36h: [^]*shop\/migrate\n +1 run after it, 0 without it/)
    expect(out).toMatch(/Drill controller-down=2h: [^]*no Job runs otherwise/)
  })

  it('shows how plays with chance differ', async () => {
    const { out } = await semel(`simulate ${START} --for 1d --seed 1 --runs 3`, { cwd: looping() })
    expect(out).toContain('realistic timing, 3 plays, seeds 1 to 3')
    const again = await semel(`simulate ${START} --for 1d --seed 1 --runs 3`, { cwd: looping() })
    expect(again.out).toBe(out)
  })

  it('plays the commits of a branch at their times', async () => {
    const repo = Repo.with({ 'flux.yaml': FLUX, 'deploy/job.yaml': job('1') })
    repo.commit({ 'deploy/job.yaml': job('2') })
    const { code, out } = await semel(`simulate ${START} --git HEAD~1..HEAD`, { cwd: repo.cwd })
    expect(out).toMatch(/shop\/migrate\n {2}runs once, now/)
    expect(out).toMatch(/refused/)
    expect(code).toBe(0)
  })

  it('cuts a loop without bound, and ends with 1', async () => {
    const cwd = folder({
      'flux.yaml': FLUX.replace('1h', '1m'),
      'deploy/job.yaml': job('1', 'ttlSecondsAfterFinished: 0'),
    })
    const { code, out } = await semel(`simulate ${START} --max-runs 20`, { cwd })
    expect(out).toMatch(/runs-without-bound[^]*shop\/migrate runs without bound: 21 times in/)
    expect(code).toBe(1)
  })

  it.each([
    ['a span that is none', '--for never', /--for never is no span/],
    ['a time that is none', '--start noon', /--start noon is no time/],
    ['plays without chance', '--runs 5', /--runs needs --seed/],
    ['an unknown accident', '--drill meteor', /there is no drill meteor/],
    ['an accident after the end', '--drill rebuild@9d', /would happen after the end/],
    ['a backup from before', '--drill restore=3d@1d', /nobody has a backup/],
    ['an unknown Job', '--why nobody@1h', /nobody/],
    ['an unknown Kubernetes', '--kubernetes 1.99', /--kubernetes 1\.99 is not known/],
    ['two kinds of input', '--case --trace', /cannot go together/],
    ['a range that is none', '--git HEAD', /no range of commits/],
  ])('refuses %s', async (_, options, expected) => {
    const { code, err } = await semel(`simulate ${options}`, { cwd: looping() })
    expect(err).toMatch(expected)
    expect(code).toBe(2)
  })

  it('does not pass where it saw no Job', async () => {
    const { code, err } = await semel('simulate', {
      cwd: folder({ 'a.yaml': 'kind: ConfigMap\n' }),
    })
    expect(err).toContain('no Job and no CronJob was found')
    expect(code).toBe(2)
  })
})
