import { describe, expect, it } from 'vitest'
import { stringAt, type JsonObject } from '../../../core/json.ts'
import { HELM_CONTROLLER, HELM_RELEASES } from '../../engines/helm-controller/index.ts'
import type { Files } from '../stage.ts'
import { fluxHelmRelease } from './flux-helmrelease.ts'
import { conditionText, JOBS, removeJob, rigOf, type Rig, type RigInput } from './rig.ts'

const JOB = `apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: shop}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{name: task, image: "shop:{{ .Values.tag }}"}]
`
const CONF = `apiVersion: v1
kind: ConfigMap
metadata: {name: conf, namespace: shop}
data: {v: "{{ .Values.v }}"}
`

function files(version = '1.0.0', job = JOB): Files {
  return {
    'chart/Chart.yaml': `apiVersion: v2\nname: shop\nversion: ${version}\n`,
    'chart/values.yaml': 'tag: "1"\nv: "1"\n',
    'chart/templates/job.yaml': job,
    'chart/templates/conf.yaml': CONF,
  }
}

function release(spec: JsonObject = {}, name = 'app'): JsonObject {
  const sourceRef = { kind: 'GitRepository', name: 'fleet', namespace: 'flux-system' }
  return {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name, namespace: 'shop' },
    spec: { interval: '10m', chart: { spec: { chart: './chart', sourceRef } }, ...spec },
  }
}

/** Installed at 0; `settings` and `changes` as a scenario gives them. */
function installed(input: RigInput = {}): Rig {
  const rig = rigOf(fluxHelmRelease, { files: files(), carriers: [release()], ...input })
  rig.stage.change?.(rig.cluster, { install: true })
  rig.until(200)
  return rig
}

/** The last reason why the controller did something. */
function reason({ causes }: Rig): string {
  const own = causes.filter(
    ({ actor, trigger }) => actor === HELM_CONTROLLER && trigger !== undefined,
  )
  const last = own.at(-1)?.trigger
  return `${last?.kind ?? ''}: ${last?.words ?? ''}`
}

function specOf(rig: Rig): JsonObject {
  return (rig.get(HELM_RELEASES, 'shop', 'app')?.['spec'] ?? {}) as JsonObject
}

describe('a stage of HelmReleases', () => {
  it('installs the chart at its place', () => {
    expect(installed().jobs).toEqual(['migrate 0.75'])
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['interval and timeout', { interval: '1h', timeout: '2m' }, { interval: '1h', timeout: '2m' }],
    ['drift detection', { driftDetection: 'warn' }, { driftDetection: { mode: 'warn' } }],
    [
      'retries',
      { retries: 3 },
      { install: { remediation: { retries: 3 } }, upgrade: { remediation: { retries: 3 } } },
    ],
    [
      'a remedy',
      { strategy: 'uninstall' },
      { upgrade: { remediation: { strategy: 'uninstall' } } },
    ],
    [
      'RetryOnFailure',
      { strategy: 'RetryOnFailure', retryInterval: '1m' },
      {
        install: { strategy: { name: 'RetryOnFailure', retryInterval: '1m' } },
        upgrade: { strategy: { name: 'RetryOnFailure', retryInterval: '1m' } },
      },
    ],
    ['no wait', { disableWait: true }, { upgrade: { disableWait: true } }],
    ['history', { maxHistory: 2 }, { maxHistory: 2 }],
    ['a part', { upgrade: { force: true } }, { upgrade: { force: true } }],
    ['values', { values: { v: '2' } }, { values: { v: '2' } }],
  ])('takes %s from the settings', (_, settings, expected) => {
    expect(specOf(installed({ settings }))).toMatchObject(expected)
  })

  it('takes fields from a variant, too', () => {
    const spec = specOf(installed({ changes: { 'spec.upgrade.force': true, retries: 2 } }))
    expect(spec).toMatchObject({ upgrade: { force: true, remediation: { retries: 2 } } })
  })

  it('upgrades with other values', () => {
    const rig = installed()
    removeJob(rig, 'migrate')
    rig.stage.change?.(rig.cluster, { values: { v: '2' } })
    rig.until(300)
    expect(rig.jobs).toEqual(['migrate 0.75', 'migrate 200'])
    expect(reason(rig)).toBe('revision: its spec.values changed')
  })

  it('upgrades when a chart of another version is committed', () => {
    const rig = installed()
    removeJob(rig, 'migrate')
    rig.commit(files('1.1.0'))
    rig.until(300)
    expect(reason(rig)).toBe('revision: revision 1.1.0 of HelmChart flux-system/shop-app came')
    expect(rig.jobs).toHaveLength(2)
  })

  it('hears nothing of a changed chart under the same version, and says so', () => {
    const rig = installed()
    removeJob(rig, 'migrate')
    rig.commit(files('1.0.0', `${JOB}# changed\n`))
    rig.until(3000)
    expect(rig.jobs).toHaveLength(1)
    expect(rig.causes.map(({ effect }) => effect)).toContain(
      'skipped the changed chart: its version 1.0.0 is the one before',
    )
  })

  it('hears of each commit with the strategy Revision', () => {
    const chart = { spec: { chart: './chart', reconcileStrategy: 'Revision', sourceRef: {} } }
    const rig = installed({ carriers: [release({ chart })] })
    removeJob(rig, 'migrate')
    rig.commit(files())
    rig.until(300)
    expect(rig.jobs).toHaveLength(2)
  })

  it('keeps to the range of versions', () => {
    const sourceRef = { kind: 'HelmRepository', name: 'charts' }
    const chart = { spec: { chart: 'shop', version: '1.x', sourceRef } }
    const rig = installed({ carriers: [release({ chart })] })
    removeJob(rig, 'migrate')
    rig.commit(files('2.0.0'))
    rig.until(300)
    expect(rig.jobs).toHaveLength(1)
    rig.commit(files('1.5.0'))
    rig.until(400)
    expect(rig.jobs).toHaveLength(2)
  })

  it.each([
    ['force', 2],
    [true, 1],
  ])('asks the controller: sync %s', (sync, runs) => {
    const rig = installed()
    removeJob(rig, 'migrate')
    rig.stage.sync?.(rig.cluster, { sync })
    rig.until(300)
    expect(rig.jobs).toHaveLength(runs)
  })

  it('forces an upgrade', () => {
    const rig = installed()
    removeJob(rig, 'migrate')
    rig.stage.change?.(rig.cluster, { upgrade: true })
    rig.until(300)
    expect(reason(rig)).toBe('request: somebody asked for an upgrade')
  })

  it('uninstalls, and installs again', () => {
    const rig = installed()
    rig.stage.change?.(rig.cluster, { uninstall: true })
    rig.until(300)
    expect(rig.get(JOBS, 'shop', 'migrate')).toBeUndefined()
    rig.stage.change?.(rig.cluster, { install: true })
    rig.until(400)
    expect(rig.jobs).toHaveLength(2)
  })

  it('is put right after somebody rolled back with Helm', () => {
    const rig = installed({ settings: { driftDetection: 'enabled' } })
    rig.stage.change?.(rig.cluster, { values: { v: '2' } })
    rig.until(300)
    rig.stage.change?.(rig.cluster, { rollback: { revision: 1, flags: '--force-conflicts' } })
    rig.until(310)
    const map = { group: '', version: 'v1', resource: 'configmaps' }
    expect(stringAt(rig.get(map, 'shop', 'conf'), ['data', 'v'])).toBe('1')
    rig.until(1000)
    expect(stringAt(rig.get(map, 'shop', 'conf'), ['data', 'v'])).toBe('2')
  })

  it('takes the HelmRelease from commits as well', () => {
    const rig = rigOf(fluxHelmRelease, { files: files() })
    rig.commit({ ...files(), 'clusters/app.yaml': JSON.stringify(release()) })
    rig.until(100)
    expect(rig.jobs).toHaveLength(1)
    rig.commit(files())
    rig.until(200)
    expect(rig.get(HELM_RELEASES, 'shop', 'app')).toBeUndefined()
  })

  it('gets no new chart while sources are away', () => {
    const rig = installed()
    removeJob(rig, 'migrate')
    rig.stage.sources?.(rig.cluster, false)
    rig.commit(files('1.1.0'))
    rig.until(300)
    expect(rig.jobs).toHaveLength(1)
    rig.stage.sources?.(rig.cluster, true)
    rig.until(400)
    expect(rig.jobs).toHaveLength(2)
  })

  it('catches up after an outage of the controller', () => {
    const rig = installed()
    rig.cluster.stop(HELM_CONTROLLER)
    removeJob(rig, 'migrate')
    rig.stage.change?.(rig.cluster, { values: { v: '2' } })
    rig.until(300)
    rig.cluster.start(HELM_CONTROLLER)
    rig.until(400)
    expect(rig.jobs).toEqual(['migrate 0.75', 'migrate 300'])
  })

  it('is given its values as soon as the API server is back', () => {
    const rig = installed()
    rig.cluster.down(rig.cluster.now + 60_000)
    rig.stage.change?.(rig.cluster, { values: { v: '2' } })
    rig.until(300)
    expect(specOf(rig)).toMatchObject({ values: { v: '2' } })
  })

  it('waits as long between retries as its flags say', () => {
    const fails = [{ name: '*', durationMs: 1000, exits: 'fail' as const }]
    const settings = { retries: 1, minRetryDelay: '2m', maxRetryDelay: '5m' }
    const rig = installed({ settings, workloads: fails })
    rig.until(600)
    // 120 s for the finalizer, 5 s for the look, 10 s for the cache, 240 s for the second failure.
    expect(rig.jobs).toEqual(['migrate 120', 'migrate 375.001'])
  })

  it.each([
    [{ version: '1.3.0' }, /^cannot patch "migrate" with kind Job/],
    [{ featureGates: { UseHelm3Defaults: true } }, /^cannot patch "migrate" with kind Job/],
    [{ version: '1.6.3' }, /^server-side apply failed/],
  ])('has the Helm of its version in it: %j', (settings, words) => {
    const rig = installed({ settings })
    rig.stage.change?.(rig.cluster, { values: { tag: '2' } })
    rig.until(300)
    const ready = conditionText(rig.get(HELM_RELEASES, 'shop', 'app'), 'Released')
    expect(ready.replace(/^.*?@1\.0\.0: /, '')).toMatch(words)
  })

  it('is upgraded, and goes on as its releases were applied', () => {
    const rig = installed({ settings: { version: '1.3.0' } })
    rig.stage.upgrade?.(rig.cluster, '1.6.3')
    rig.stage.change?.(rig.cluster, { values: { tag: '2' } })
    rig.until(300)
    const ready = conditionText(rig.get(HELM_RELEASES, 'shop', 'app'), 'Released')
    expect(ready).toContain('cannot patch "migrate" with kind Job')
  })

  it('takes its time in realistic timing', () => {
    const [job = ''] = installed({ timing: 'realistic' }).jobs
    expect(Number(job.split(' ')[1])).toBeGreaterThan(0.9)
  })
})
