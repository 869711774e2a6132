
import { historyOf } from '../../src/simulate/history/history-of.ts'
import { runsOf } from '../../src/simulate/history/history.ts'
import { sentenceOf } from '../../src/simulate/tell/sentence.ts'
import { flux, argo } from '../ownership/harness.ts'
import { playableFiles, played, START } from './repositories.ts'

const job = (ttl: number | undefined, ann = '', more = '', apiVersion = 'batch/v1'): string => `apiVersion: ${apiVersion}
kind: Job
metadata:
  name: migrate
  namespace: shop
${ann === '' ? '' : `  annotations:\n${ann}`}spec:
  backoffLimit: 1
${ttl === undefined ? '' : `  ttlSecondsAfterFinished: ${ttl}\n`}${more}  template:
    spec:
      restartPolicy: Never
      containers:
        - name: task
          image: registry.example.test/app:1
`
const cron = (schedule: string, more = ''): string => `apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
  namespace: shop
spec:
  schedule: "${schedule}"
${more}  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: task
              image: registry.example.test/app:1
`
const helmRelease = (spec: string): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: shop
  namespace: shop
spec:
  interval: 10m
  chart:
    spec:
      chart: ./charts/shop
      sourceRef:
        kind: GitRepository
        name: flux-system
        namespace: flux-system
${spec}`
const chart = (text: string): Record<string, string> => ({
  'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'charts/shop/values.yaml': '{}\n',
  'charts/shop/templates/job.yaml': text,
})
const indent = (text: string, by: string): string => text.replace(/^(?=.)/gm, by)
const resourceSet = (text: string, ann = '', spec = ''): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata:
  name: shop
  namespace: flux-system
  annotations:
    fluxcd.controlplane.io/reconcileEvery: 10m
${ann}spec:
${spec}  resources:
    -${indent(text, '      ').slice(5)}`
const kro = (text: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: shop
spec:
  schema:
    apiVersion: v1alpha1
    kind: Shop
    spec:
      name: string
  resources:
    - id: job
      template:
${indent(text, '        ')}`

const APP = '  syncPolicy:\n    automated:\n      selfHeal: true\n'
const table: [string, Record<string, string>, string?][] = [
  ['flux ttl 1h', { 'f.yaml': flux('a', './a'), 'a/job.yaml': job(3600) }],
  ['flux ttl 0', { 'f.yaml': flux('a', './a'), 'a/job.yaml': job(0) }],
  ['flux ttl 540 (tick exactly)', { 'f.yaml': flux('a', './a'), 'a/job.yaml': job(540) }],
  ['flux wait ttl 1h', { 'f.yaml': flux('a', './a', '  wait: true\n'), 'a/job.yaml': job(3600) }],
  ['flux wait ttl 1h 63s', { 'f.yaml': flux('a', './a', '  wait: true\n'), 'a/job.yaml': job(3600) }, '63'],
  ['flux wait ttl 1h fail', { 'f.yaml': flux('a', './a', '  wait: true\n  retryInterval: 2m\n'), 'a/job.yaml': job(3600) }, 'fail'],
  ['flux nowait ttl 1h fail', { 'f.yaml': flux('a', './a', '  retryInterval: 2m\n'), 'a/job.yaml': job(3600) }, 'fail'],
  ['flux wait short timeout', { 'f.yaml': flux('a', './a', '  wait: true\n  timeout: 30s\n'), 'a/job.yaml': job(3600) }],
  ['argo selfheal ttl 1h', { 'f.yaml': argo('a', 'a', '', APP), 'a/job.yaml': job(3600) }],
  ['argo selfheal ttl 0', { 'f.yaml': argo('a', 'a', '', APP), 'a/job.yaml': job(0) }],
  ['argo automated ttl 0', { 'f.yaml': argo('a', 'a', '', '  syncPolicy:\n    automated: {}\n'), 'a/job.yaml': job(0) }],
  ['argo manual ttl 0', { 'f.yaml': argo('a', 'a'), 'a/job.yaml': job(0) }],
  ['argo hook ttl 0', { 'f.yaml': argo('a', 'a', '', APP), 'a/job.yaml': job(0, '    argocd.argoproj.io/hook: PreSync\n') }],
  ['argo syncfail', { 'f.yaml': argo('a', 'a', '', APP), 'a/job.yaml': job(0, '    argocd.argoproj.io/hook: SyncFail\n') }],
  ['argo force', { 'f.yaml': argo('a', 'a', '', APP), 'a/job.yaml': job(undefined, '    argocd.argoproj.io/sync-options: Replace=true,Force=true\n') }],
  ['argo force ttl', { 'f.yaml': argo('a', 'a', '', APP), 'a/job.yaml': job(3600, '    argocd.argoproj.io/sync-options: Replace=true,Force=true\n') }],
  ['argo hook fail', { 'f.yaml': argo('a', 'a', '', APP), 'a/job.yaml': job(undefined, '    argocd.argoproj.io/hook: PreSync\n') }, 'fail'],
  ['hr ttl 1h', { 'f.yaml': helmRelease(''), ...chart(job(3600)) }],
  ['hr drift ttl 1h', { 'f.yaml': helmRelease('  driftDetection:\n    mode: enabled\n'), ...chart(job(3600)) }],
  ['hr drift ttl 0', { 'f.yaml': helmRelease('  driftDetection:\n    mode: enabled\n'), ...chart(job(0)) }],
  ['hr drift fail', { 'f.yaml': helmRelease('  driftDetection:\n    mode: enabled\n'), ...chart(job(3600)) }, 'fail'],
  ['hr hook pre-install', { 'f.yaml': helmRelease(''), ...chart(job(3600, '    helm.sh/hook: pre-install\n')) }],
  ['hr hook pre-upgrade', { 'f.yaml': helmRelease(''), ...chart(job(3600, '    helm.sh/hook: pre-upgrade\n')) }],
  ['hr hook test', { 'f.yaml': helmRelease('  test:\n    enable: true\n'), ...chart(job(3600, '    helm.sh/hook: test\n')) }],
  ['rs ttl 1h', { 'f.yaml': resourceSet(job(3600)) }],
  ['rs wait ttl 1h', { 'f.yaml': resourceSet(job(3600), '', '  wait: true\n') }],
  ['rs wait ttl 0', { 'f.yaml': resourceSet(job(0), '', '  wait: true\n') }],
  ['rs wait ttl 1h fail', { 'f.yaml': resourceSet(job(3600), '', '  wait: true\n') }, 'fail'],
  ['rs recreate fail', { 'f.yaml': resourceSet(job(undefined, '    fluxcd.controlplane.io/recreateOnFailure: enabled\n')) }, 'fail'],
  ['kro ttl 1h', { 'f.yaml': kro(job(3600)) }],
  ['fleet ttl 1h', { 'a/fleet.yaml': 'defaultNamespace: shop\ncorrectDrift:\n  enabled: true\n', 'a/job.yaml': job(3600) }],
  ['fleet nodrift ttl 1h', { 'a/fleet.yaml': 'defaultNamespace: shop\n', 'a/job.yaml': job(3600) }],
  ['none ttl 1h', { 'a/job.yaml': job(3600) }],
  ['cron hourly', { 'f.yaml': flux('a', './a'), 'a/job.yaml': cron('0 * * * *') }],
  ['cron minute forbid', { 'f.yaml': flux('a', './a'), 'a/job.yaml': cron('* * * * *', '  concurrencyPolicy: Forbid\n') }],
  ['cron 5 min forbid 7 min', { 'f.yaml': flux('a', './a'), 'a/job.yaml': cron('*/5 * * * *', '  concurrencyPolicy: Forbid\n') }, '420'],
  ['cron 5 min replace 7 min', { 'f.yaml': flux('a', './a'), 'a/job.yaml': cron('*/5 * * * *', '  concurrencyPolicy: Replace\n') }, '420'],
  ['cron suspend', { 'f.yaml': flux('a', './a'), 'a/job.yaml': cron('0 * * * *', '  suspend: true\n') }],
  ['job suspend', { 'f.yaml': flux('a', './a'), 'a/job.yaml': job(0, '', '  suspend: true\n') }],
  ['ks suspend', { 'f.yaml': flux('a', './a', '  suspend: true\n'), 'a/job.yaml': job(0) }],
]

const days = Number(process.env['DAYS'] ?? 2); {
  const only = process.env['ONLY']
  for (const [name, files, work = '60'] of table) {
    if (only !== undefined && !name.includes(only)) continue
    const workload = work === 'fail' ? { name: '*', durationMs: 60_000, exits: 'fail' as const } : { name: '*', durationMs: Number(work) * 1000 }
    const t0 = performance.now()
    try {
      const { subjects, world, declared } = playableFiles(files, { workloads: [workload], days })
      const play = played(world)
      const history = historyOf(play, { timing: { mode: 'idealised' }, declared })
      for (const lane of history.lanes) {
        const runs = runsOf(lane, history)
        console.log(name, '|', lane.name, runs.length, runs.slice(0, 9).map((r) => `${(r.startedAt - START) / 1000}-${((r.endedAt ?? NaN) - START) / 1000}x${((r.deletedAt ?? NaN) - START) / 1000}${r.cause}`).join(' '), '\n   ', sentenceOf(lane, history), lane.unknown ?? '', Math.round(performance.now() - t0), 'ms')
        const t = subjects[0]?.traits
        console.log('     ', subjects.map((s) => s.engine.id).join(), JSON.stringify({ r: t?.restoresAbsent, w: t?.waiter, h: t?.hook?.runsOn, o: t?.hook?.onlyOn }))
      }
    } catch (error) { console.log(name, String(error), (error as Error).stack?.split('\n')[1]) }
  }
}
