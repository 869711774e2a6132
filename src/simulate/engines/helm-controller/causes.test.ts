import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { HELM_CONTROLLER, HELM_RELEASES } from './index.ts'
import { chart, JOBS, Stage, type JobSketch } from './testing.ts'

const PLAIN: JobSketch = { name: 'one', image: '{{ .Values.image }}' }
const HOOK: JobSketch = {
  name: 'one',
  exit: '{{ .Values.exit }}',
  annotations: { 'helm.sh/hook': 'post-upgrade' },
}
const DRIFT = { driftDetection: { mode: 'enabled' } }
const FAILS = { spec: { values: { exit: '1' } } }

/** Installed and quiet at 100 s; what it told until then is forgotten. */
function installed(spec: JsonObject = {}, job: JobSketch = PLAIN): Stage {
  const stage = new Stage()
  stage.commit(chart([job]))
  stage.apply({ interval: '10m', ...spec })
  stage.until(100)
  stage.causes.length = 0
  return stage
}

function told(stage: Stage, until: number): readonly string[] {
  stage.until(until)
  return stage.told
}

const ASKED = 'reconcile.fluxcd.io/requestedAt'

describe('helm-controller tells why it acts', () => {
  it('when a HelmRelease is created', () => {
    const stage = new Stage()
    stage.commit(chart([PLAIN]))
    stage.apply({ interval: '10m' })
    expect(told(stage, 50)).toEqual([
      '0 R-1 reconciled, because the HelmRelease was created (revision)',
      '0 R-1 began install of release app',
      '0 H-7 created ConfigMap <- ConfigMap shop/conf',
      '0 H-7 created Job <- Job shop/one',
    ])
  })

  it('when values change', () => {
    const stage = installed()
    stage.patch({ spec: { values: { v: '2' } } })
    expect(told(stage, 1000)).toEqual([
      '100 R-1 reconciled, because its spec.values changed (revision)',
      '100 R-1 began upgrade of release app',
      '100 H-10 patched ConfigMap <- ConfigMap shop/conf',
    ])
    expect(stage.causes.at(1)?.data).toEqual({
      state: 'OutOfSync',
      reason: 'release config values changed',
    })
  })

  it('when another chart comes', () => {
    const stage = installed()
    stage.commit(chart([PLAIN, { name: 'two' }], '1.1.0'), '1.1.0')
    expect(told(stage, 1000)).toEqual([
      '100 R-1 reconciled, because revision 1.1.0 of HelmChart shop/demo came (revision)',
      '100 R-1 began upgrade of release app',
      '100 H-7 created Job <- Job shop/two',
    ])
  })

  it('when somebody asks for an upgrade', () => {
    const stage = installed()
    const annotations = { [ASKED]: 'now', 'reconcile.fluxcd.io/forceAt': 'now' }
    stage.patch({ metadata: { annotations } })
    expect(told(stage, 1000)).toEqual([
      '100 R-1 reconciled, because somebody asked for an upgrade (request)',
      '100 R-1 began upgrade of release app',
    ])
  })

  it('when it is resumed', () => {
    const stage = installed()
    stage.patch({ spec: { suspend: true } })
    stage.until(200)
    stage.delete('one', JOBS)
    stage.patch({ spec: { suspend: false, values: { v: '2' } } })
    expect(told(stage, 300).slice(0, 2)).toEqual([
      '200 R-1 reconciled, because the HelmRelease was resumed (request)',
      '200 R-1 began upgrade of release app',
    ])
  })

  it('when a missing Job is found at an interval', () => {
    const stage = installed(DRIFT)
    stage.delete('one', JOBS)
    expect(told(stage, 1000)).toEqual([
      '605 R-1 reconciled, because its interval of 10m0s was over (interval)',
      '605 R-5 found 1 object changed or missing',
      '605 R-5 created Job <- Job shop/one',
    ])
  })

  it('once that it only tells of drift', () => {
    const stage = installed({ driftDetection: { mode: 'warn' } })
    stage.delete('one', JOBS)
    expect(told(stage, 5000)).toEqual([
      '605 R-1 reconciled, because its interval of 10m0s was over (interval)',
      '605 R-5 found 1 object changed or missing, and left it so',
    ])
  })

  it('when its process starts', () => {
    const stage = installed(DRIFT)
    stage.cluster.stop(HELM_CONTROLLER)
    stage.delete('one', JOBS)
    stage.until(300)
    stage.cluster.start(HELM_CONTROLLER)
    expect(told(stage, 305)).toEqual([
      '300 R-1 reconciled, because helm-controller started (start)',
      '300 R-5 found 1 object changed or missing',
      '300 R-5 created Job <- Job shop/one',
    ])
  })

  it('when what it depends on becomes ready', () => {
    const stage = new Stage()
    stage.commit(chart([PLAIN]))
    stage.apply({ dependsOn: [{ name: 'base' }] })
    stage.until(40)
    stage.apply({}, 'base')
    expect(told(stage, 65).slice(0, 2)).toEqual([
      '60 R-1 reconciled, because what it depends on became ready (dependency)',
      '60 R-1 began install of release app',
    ])
  })

  it('when it rolls back and tries again', () => {
    const stage = installed({ upgrade: { remediation: { retries: 1 } } }, HOOK)
    stage.patch(FAILS)
    const why =
      "post-upgrade hooks failed: failed early due to stalled resources: [Job/shop/one status: 'Failed']"
    expect(told(stage, 1000)).toEqual([
      '100 R-1 reconciled, because its spec.values changed (revision)',
      '100 R-1 began upgrade of release app',
      '100 H-2 created Job <- Job shop/one',
      `105 R-7 failed to upgrade release app: ${why}`,
      `105 R-8 began rollback of release app, because its upgrade failed: ${why} (retry)`,
      `115 R-1 reconciled, because its upgrade failed: ${why} (retry)`,
      '115 R-1 began upgrade of release app',
      '115 H-3 deleted Job to replace it <- Job shop/one',
      '115 H-2 created Job <- Job shop/one',
      `120 R-7 failed to upgrade release app: ${why}`,
      `120 R-8 began rollback of release app, because its upgrade failed: ${why} (retry)`,
      '120 R-7 stalled HelmRelease: Failed to upgrade after 2 attempt(s)',
    ])
    expect(stage.causes.find(({ rule }) => rule === 'H-2')?.data).toEqual({ hook: 'post-upgrade' })
  })

  it('when RetryOnFailure tries again', () => {
    const strategy = { name: 'RetryOnFailure', retryInterval: '1m' }
    const stage = installed({ upgrade: { strategy } }, HOOK)
    stage.patch(FAILS)
    const words = 'its upgrade had failed and its retry interval of 1m0s was over'
    expect(told(stage, 170).slice(4, 7)).toEqual([
      `165 R-1 reconciled, because ${words} (retry)`,
      '165 R-9 began upgrade of release app',
      '165 H-3 deleted Job to replace it <- Job shop/one',
    ])
  })

  it('when it uninstalls', () => {
    const stage = installed()
    stage.delete('app', HELM_RELEASES)
    expect(told(stage, 200)).toEqual([
      '100 R-1 reconciled, because the HelmRelease was deleted (request)',
      '100 R-10 began uninstall of release app',
      '100 H-12 deleted Job <- Job shop/one',
      '100 H-12 deleted ConfigMap <- ConfigMap shop/conf',
    ])
  })

  it('when a Job is refused as immutable, by an upgrade', () => {
    const stage = installed()
    stage.patch({ spec: { values: { image: 'two:2' } } })
    expect(told(stage, 200)[2]).toMatch(
      /^100 H-10 refused Job: Job\.batch "one" is invalid: spec\.template: .*field is immutable <- Job shop\/one$/,
    )
  })

  it('when a Job is pruned', () => {
    const stage = installed()
    stage.commit(chart([], '1.1.0'), '1.1.0')
    expect(told(stage, 200)).toContain('100 H-12 pruned Job <- Job shop/one')
  })
})

describe('helm-controller names a race', () => {
  it('where a look may come before a Job has started', () => {
    const stage = new Stage()
    stage.commit(chart([PLAIN]))
    stage.apply({ install: { disableWaitForJobs: true } })
    stage.until(50)
    const races = stage.causes.filter(({ data }) => data?.['race'] !== undefined)
    expect(races.map(({ rule, object }) => `${rule} ${object ?? ''}`)).toEqual(['R-3 Job shop/one'])
  })
})

describe('helm-controller tells nothing', () => {
  it.each([
    ['at an interval that finds nothing', {}, 5],
    ['at an interval over which drift detection finds nothing', DRIFT, 5],
  ])('%s', (_, spec, hours) => {
    expect(told(installed(spec), hours * 3600)).toEqual([])
  })

  it('when it starts and finds everything in place', () => {
    const stage = installed(DRIFT)
    stage.cluster.stop(HELM_CONTROLLER)
    stage.cluster.start(HELM_CONTROLLER)
    expect(told(stage, 2000)).toEqual([])
  })
})
