import { describe, expect, it } from 'vitest'
import { flux, job, onlySubject, type Files } from '../../../test/ownership/harness.ts'
import { USUAL } from './contract.ts'
import { forecastOf } from './forecast.ts'

function told(files: Files): string {
  const { short, sentence } = forecastOf(onlySubject(files))
  return `${short} | ${sentence}`
}

const withTtl = (seconds: number | string, text = job('migrate', 'shop')): string =>
  text.replace('ttlSecondsAfterFinished: 600', `ttlSecondsAfterFinished: ${seconds}`)
const withoutTtl = job('migrate', 'shop').replace('  ttlSecondsAfterFinished: 600\n', '')

const under = (spec: string, text: string): Files => ({
  'flux.yaml': flux('apps', './apps', spec),
  'apps/job.yaml': text,
})

const app = (policy: string, text: string): Files => ({
  'app.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  source: {repoURL: https://git.example.test/apps.git, path: apps}
  destination: {namespace: shop}
  syncPolicy: ${policy}
`,
  'apps/job.yaml': text,
})

const annotated = (annotations: string, text = withoutTtl): string =>
  text.replace('  namespace: shop\n', `  namespace: shop\n  annotations: ${annotations}\n`)

const cron = (schedule: string, more = ''): string => `apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop}
spec:
  schedule: "${schedule}"
${more}  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: task, image: registry.example.test/app:1}]
`

describe('a forecast in words', () => {
  it.each([
    [
      'a TTL under a Kustomization (case 001)',
      {
        'flux.yaml': flux('apps', './apps').replace('10m', '1h'),
        'apps/job.yaml': withTtl(86_400),
      },
      'every 25 h | runs now, then every 25 h: 7 runs in 7 days, because the TTL deletes it after 24 h and Flux restores it at the next interval',
    ],
    ['no TTL', under('', withoutTtl), 'once | runs once, now: its Job has no TTL and stays'],
    [
      'a TTL that is longer than the week',
      under('', withTtl(864_000)),
      'once | runs once, now: its Job stays for the rest of this time (TTL 10 days)',
    ],
    [
      'a wait, from whose end the interval counts',
      under('  wait: true\n', withTtl(3600)),
      'every 61 min | runs now, then every 61 min: 166 runs in 7 days, because the TTL deletes it after 1 h and Flux restores it at the next interval',
    ],
    [
      'a self-heal that pauses longer and longer',
      app('{automated: {selfHeal: true}}', withTtl(0)),
      'every 5 min | runs now, 6 times more until 7 min 42 s have passed, then every 5 min: 2,021 runs in 7 days, because the TTL deletes it as soon as it ends and Argo CD restores it as soon as it is gone',
    ],
    [
      'a TTL that only a new revision makes up for',
      app('{automated: {}}', withTtl(3600)),
      'once | runs once, now, and again with the next revision of the source or a sync by hand: the TTL deletes it after 1 h and Argo CD restores it',
    ],
    [
      'an Application that a person syncs',
      app('{}', withoutTtl),
      'once | runs once, with the next sync by hand: its Job has no TTL and stays',
    ],
    [
      'a hook',
      app('{automated: {}}', annotated('{argocd.argoproj.io/hook: PreSync}')),
      'each sync | runs at every full sync, because it is a hook, and Argo CD runs hooks at every sync',
    ],
    [
      'a hook of what does not come',
      app('{automated: {}}', annotated('{argocd.argoproj.io/hook: SyncFail}')),
      'never | never runs in 7 days: it is a hook, and runs only at a failed sync',
    ],
    [
      'a forced replacement',
      app(
        '{automated: {}}',
        annotated('{argocd.argoproj.io/sync-options: "Replace=true,Force=true"}'),
      ),
      'each sync | runs at every full sync, because Argo CD deletes it and creates it again at every sync, changed or not',
    ],
    [
      'a suspended Job',
      under('', withoutTtl.replace('spec:\n', 'spec:\n  suspend: true\n')),
      'never | never runs in 7 days: it is suspended',
    ],
    [
      'a suspended Kustomization',
      under('  suspend: true\n', withoutTtl),
      'never | never runs in 7 days: the Kustomization is suspended (spec.suspend)',
    ],
    [
      'a CronJob',
      under('', cron('0 * * * *')),
      '24 a day | 167 runs in 7 days: at minute 0 of every hour',
    ],
    [
      'a weekly one',
      under('', cron('30 2 * * 0')),
      '1 a week | 1 run in 7 days: at 02:30 every Sunday',
    ],
    [
      'one that a week does not show',
      under('', cron('0 0 1 * *')),
      '12 a year | 0 runs in 7 days: at 00:00 on day 1 of every month',
    ],
    [
      'one in a time zone',
      under('', cron('0 2 * * *', '  timeZone: Europe/Berlin\n')),
      '1 a day | 7 runs in 7 days: at 02:00 every day (Europe/Berlin)',
    ],
    [
      'one that starts late when a run is over',
      under('', cron('* * * * *', '  concurrencyPolicy: Forbid\n')),
      '1,440 a day | 10,079 runs in 7 days: every 1 min',
    ],
  ])('%s', (_, files, expected) => {
    expect(told(files)).toBe(expected)
  })
})

describe('unknown claims nothing', () => {
  it.each([
    [
      'an engine that nobody knows',
      { 'apps/job.yaml': withTtl(60) },
      'nothing here says what applies it',
    ],
    ['a templated TTL', under('', withTtl('${TTL}')), 'spec.ttlSecondsAfterFinished is ${TTL}'],
    ['a templated schedule', under('', cron('${WHEN}')), 'spec.schedule is ${WHEN}'],
    [
      'a templated interval',
      { ...under('', withTtl(60)), 'flux.yaml': flux('apps', './apps').replace('10m', '${EVERY}') },
      'how long its interval is',
    ],
    [
      'a switch that only rendering throws',
      under('  suspend: ${OFF}\n', withTtl(60)),
      'a template decides',
    ],
    [
      'a self-heal that only rendering knows',
      app('{automated: {selfHeal: "{{ heal }}"}}', withTtl(60)),
      'only rendering can tell whether it is restored',
    ],
    [
      'another controller',
      under('', withoutTtl.replace('spec:\n', 'spec:\n  managedBy: kueue.x-k8s.io/multikueue\n')),
      'runs its Jobs (managedBy)',
    ],
    [
      'Kueue',
      under(
        '',
        withoutTtl.replace(
          '  name: migrate\n',
          '  name: migrate\n  labels: {kueue.x-k8s.io/queue-name: low}\n',
        ),
      ),
      'Kueue admits it',
    ],
  ])('%s', (_, files, words) => {
    const { kind, runs, sentence, short } = forecastOf(onlySubject(files))
    expect({ kind, runs, short }).toEqual({ kind: 'unknown', runs: undefined, short: 'unknown' })
    expect(sentence).toContain(words)
  })

  it('nor what follows a release that fails', () => {
    const files = {
      'release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: shop}
spec:
  interval: 10m
  driftDetection: {mode: enabled}
  chart: {spec: {chart: ./chart, sourceRef: {kind: GitRepository, name: shop}}}
`,
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/templates/job.yaml': withTtl(60).replace('spec:\n', 'spec:\n  backoffLimit: 0\n'),
    }
    const subject = onlySubject(files)
    expect(forecastOf(subject).short).toBe('every 10 min')
    const work = { seconds: 60, outcome: 'fail' } as const
    expect(forecastOf(subject, { ...USUAL, work }).sentence).toBe(
      'how often it runs cannot be told: what follows when the HelmRelease fails',
    )
  })
})

describe('work that takes longer or fails', () => {
  const failing = { seconds: 60, outcome: 'fail' } as const

  it('is tried again with pauses of 10 s, 20 s and so on before its TTL begins', () => {
    const text = withTtl(0).replace('spec:\n', 'spec:\n  backoffLimit: 3\n')
    const files = { ...under('', text), 'flux.yaml': flux('apps', './apps').replace('10m', '5m') }
    // Four attempts of a minute and 70 s of pauses are over after 310 s.
    const { periodSeconds } = forecastOf(onlySubject(files), { ...USUAL, work: failing })
    expect(periodSeconds).toBe(600)
  })

  it('counts retries of a failed wait', () => {
    const text = withTtl(3600).replace('spec:\n', 'spec:\n  backoffLimit: 0\n')
    const files = under('  wait: true\n  retryInterval: 2m\n', text)
    const forecast = forecastOf(onlySubject(files), { ...USUAL, work: failing })
    expect(forecast.periodSeconds).toBe(3660)
    expect(forecast.sentence).toContain('restores it at the next retry')
  })
})
