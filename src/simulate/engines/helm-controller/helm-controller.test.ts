import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { HELM_CONTROLLER, HELM_RELEASES } from './index.ts'
import { chart, JOBS, Stage, type JobSketch } from './testing.ts'

/** The same scenarios each time; SEED=n tries others. */
const SEED = Number(process.env['SEED'] ?? 20_261_130)

const preUpgrade = { 'helm.sh/hook': 'pre-upgrade' }

function installed(
  jobs: readonly JobSketch[],
  spec: { readonly [key: string]: never } | object = {},
  options = {},
): Stage {
  const stage = new Stage(options)
  stage.commit(chart(jobs))
  stage.apply(spec as never)
  stage.until(8)
  return stage
}

function values(v: string, more: object = {}): never {
  return { spec: { values: { v, ...more } } } as never
}

describe('helm-controller upgrades only on a change', () => {
  it('R-1: runs an unchanged Job once in a year and sends nothing meanwhile', () => {
    const stage = installed([{ name: 'one' }])
    const before = stage.requests
    stage.until(365 * 86_400)
    expect(stage.runs).toEqual(['one 0'])
    expect(stage.requests).toBe(before)
  })

  it('R-1: brings a Job that its TTL removed back with a change elsewhere', () => {
    const stage = installed([{ name: 'one', ttl: 5 }])
    stage.until(40)
    expect(stage.runs).toEqual(['one 0'])
    stage.patch(values('2'))
    stage.until(41)
    expect(stage.runs).toEqual(['one 0', 'one 40'])
  })

  it('R-1: runs upgrade hooks with every change, and never at an interval', () => {
    const stage = installed([{ name: 'one' }, { name: 'up', annotations: preUpgrade }])
    stage.until(60)
    stage.patch(values('2'))
    stage.until(90)
    stage.patch(values('3'))
    stage.until(200)
    expect(stage.runs).toEqual(['one 0', 'up 60', 'up 90'])
  })

  it.each([
    ['requestedAt alone', { 'reconcile.fluxcd.io/requestedAt': 'a' }, 1],
    ['forceAt alone', { 'reconcile.fluxcd.io/forceAt': 'a' }, 1],
    [
      'forceAt with another value than requestedAt',
      { 'reconcile.fluxcd.io/requestedAt': 'a', 'reconcile.fluxcd.io/forceAt': 'b' },
      1,
    ],
    [
      'forceAt with the value of requestedAt',
      { 'reconcile.fluxcd.io/requestedAt': 'a', 'reconcile.fluxcd.io/forceAt': 'a' },
      2,
    ],
  ])('R-1: %s', (_, annotations, runs) => {
    const stage = installed([{ name: 'one', ttl: 1 }])
    stage.until(20)
    stage.patch({ metadata: { annotations } })
    stage.until(60)
    expect(stage.runs).toHaveLength(runs)
  })

  it('R-1: does not notice another archive under the same HelmChart version', () => {
    const stage = installed([{ name: 'one', ttl: 1 }])
    stage.commit(chart([{ name: 'one', ttl: 2 }]))
    stage.until(60)
    expect(stage.runs).toEqual(['one 0'])
  })

  it('R-1: upgrades to another digest of an OCI artifact under the same version', () => {
    const stage = new Stage()
    const spec = { chartRef: { kind: 'OCIRepository', name: 'demo' } }
    stage.commit(
      chart([{ name: 'one', ttl: 1 }]),
      `1.0.0@sha256:${'a'.repeat(64)}`,
      'OCIRepository',
    )
    stage.apply(spec)
    stage.until(20)
    stage.commit(
      chart([{ name: 'one', ttl: 2 }]),
      `1.0.0@sha256:${'b'.repeat(64)}`,
      'OCIRepository',
    )
    stage.until(40)
    expect(stage.runs).toEqual(['one 0', 'one 20'])
  })

  it('R-1: does nothing while suspended, nor when a healthy release is resumed', () => {
    const stage = installed([{ name: 'one', ttl: 1 }], {
      driftDetection: { mode: 'enabled' },
      suspend: true,
    })
    expect(stage.runs).toEqual([])
    stage.patch({ spec: { suspend: false } })
    stage.until(9)
    expect(stage.runs).toEqual(['one 8'])
  })
})

describe('helm-controller waits', () => {
  it('R-3: for Jobs by default, looking each 5 s, before post hooks', () => {
    const post = { 'helm.sh/hook': 'post-install' }
    const stage = installed([
      { name: 'one', seconds: 8 },
      { name: 'post', annotations: post },
    ])
    stage.until(20)
    expect(stage.runs).toEqual(['one 0', 'post 10'])
  })

  it('R-3: not for Jobs that its TTL removed before the look, whatever their end was', () => {
    const stage = installed([{ name: 'one', ttl: 0, exit: 1 }])
    expect(stage.ready()).toBe('True InstallSucceeded')
  })

  it('R-3: not at all with disableWait, so that a failure stays unseen', () => {
    const stage = installed([{ name: 'one', exit: 1 }], { install: { disableWait: true } })
    expect(stage.ready()).toBe('True InstallSucceeded')
  })

  it('counts a suspended hook as done', () => {
    const stage = new Stage()
    const files = chart([{ name: 'up', annotations: preUpgrade }])
    const text = files['templates/up.yaml'] ?? ''
    stage.commit({
      ...files,
      'templates/up.yaml': text.replace('spec:\n', 'spec:\n  suspend: true\n'),
    })
    stage.apply()
    stage.until(8)
    stage.patch(values('2'))
    stage.until(30)
    expect(stage.ready()).toBe('True UpgradeSucceeded')
  })

  it('looks for its dependencies each 30 s', () => {
    const stage = new Stage()
    stage.commit(chart([{ name: '{{ .Release.Name }}-job' }]))
    stage.apply({ dependsOn: [{ name: 'first' }] }, 'second')
    stage.apply({}, 'first')
    stage.until(90)
    expect(stage.runs).toEqual(['first-job 0', 'second-job 30'])
  })

  it('holds a worker while it waits', () => {
    const stage = new Stage({ concurrency: 1 })
    stage.commit(chart([{ name: '{{ .Release.Name }}-job', seconds: 7 }]))
    stage.apply({}, 'a')
    stage.apply({}, 'b')
    stage.until(60)
    expect(stage.runs).toEqual(['a-job 0', 'b-job 10'])
  })
})

describe('helm-controller corrects drift', () => {
  it.each([
    ['disabled', 1, 0],
    ['warn', 1, 1],
    ['enabled', 2, 1],
  ])('R-5: %s', (mode, runs, warnings) => {
    const stage = installed([{ name: 'one' }], { driftDetection: { mode } })
    stage.delete('one')
    stage.until(19)
    expect(stage.runs).toHaveLength(runs)
    expect(stage.warnings).toHaveLength(warnings)
  })

  it('R-5: runs a Job with a TTL again and again, about once per interval', () => {
    const stage = installed([{ name: 'one', ttl: 5 }], {
      interval: '60s',
      driftDetection: { mode: 'enabled' },
    })
    stage.until(300)
    expect(stage.runs.length).toBeGreaterThanOrEqual(5)
  })

  it.each([
    [
      'its mark',
      [{ name: 'one', annotations: { 'helm.toolkit.fluxcd.io/driftDetection': 'disabled' } }],
      [],
    ],
    ['an ignore rule for the root', [{ name: 'one' }], [{ paths: [''], target: { kind: 'Job' } }]],
  ])('R-5: leaves an object out by %s', (_, jobs, ignore) => {
    const stage = installed(jobs, { driftDetection: { mode: 'enabled', ignore } })
    stage.delete('one')
    stage.until(60)
    expect(stage.runs).toEqual(['one 0'])
  })

  it('R-5: puts back only what the chart states', () => {
    const stage = installed([{ name: 'one' }], { driftDetection: { mode: 'enabled' } })
    const spec = { backoffLimit: 3, ttlSecondsAfterFinished: 900 }
    stage.patch({ metadata: { labels: { extra: 'x' } }, spec }, 'one', JOBS)
    stage.until(30)
    const job = stage.cluster.api.read.get(JOBS, 'shop', 'one')
    expect(job?.['spec']).toMatchObject({ backoffLimit: 0, ttlSecondsAfterFinished: 900 })
    expect(job?.metadata.labels?.['extra']).toBe('x')
    expect(stage.runs).toEqual(['one 0'])
  })

  it('R-5: an immutable difference is refused by the dry run, and retried with a growing delay', () => {
    const stage = installed([{ name: 'one' }], { driftDetection: { mode: 'enabled' } })
    const job = stage.cluster.api.read.get(JOBS, 'shop', 'one')
    stage.delete('one')
    const template = {
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] },
    }
    const body = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'one', labels: job?.metadata.labels ?? {} },
      spec: { template },
    }
    stage.cluster.request({ verb: 'create', resource: JOBS, namespace: 'shop', body, user: 'test' })
    stage.until(40)
    expect(stage.ready()).toBe('False StateError')
    expect(stage.runs).toEqual(['one 0', 'one 8'])
  })

  it('R-5: never looks at hooks', () => {
    const post = { 'helm.sh/hook': 'post-install' }
    const stage = installed([{ name: 'post', annotations: post }], {
      driftDetection: { mode: 'enabled' },
    })
    stage.delete('post')
    stage.until(100)
    expect(stage.runs).toHaveLength(1)
  })
})

describe('helm-controller after a failure', () => {
  const failing = { name: 'up', annotations: preUpgrade, exit: 1 }

  it('R-7: is Stalled after the last retry and does nothing at any interval', () => {
    const stage = installed([{ name: 'one' }, failing], { driftDetection: { mode: 'enabled' } })
    stage.patch(values('2'))
    stage.until(20)
    expect(stage.ready()).toBe('False UpgradeFailed Stalled')
    stage.delete('one')
    stage.until(600)
    expect(stage.runs).toEqual(['one 0', 'up 8'])
  })

  it.each([
    ['a spec edit that renders nothing', { spec: { timeout: '50s' } }],
    [
      'resetAt with requestedAt',
      {
        metadata: {
          annotations: {
            'reconcile.fluxcd.io/requestedAt': 'a',
            'reconcile.fluxcd.io/resetAt': 'a',
          },
        },
      },
    ],
  ])('R-7: %s runs the failed hook of a Stalled release again', (_, body) => {
    const stage = installed([failing])
    stage.patch(values('2'))
    stage.until(30)
    stage.patch(body)
    stage.until(60)
    expect(stage.runs).toEqual(['up 8', 'up 30'])
  })

  it('R-8: runs new, old, new, old when the new hash fails with one retry', () => {
    const stage = new Stage()
    const name = 'job-{{ .Values.v }}'
    stage.commit(chart([{ name, exit: '{{ .Values.exit }}' }]))
    stage.apply({ upgrade: { remediation: { retries: 1 } } })
    stage.until(8)
    stage.patch(values('2', { exit: '1' }))
    stage.until(100)
    expect(stage.runs.map((run) => run.split(' ')[0])).toEqual([
      'job-1',
      'job-2',
      'job-1',
      'job-2',
      'job-1',
    ])
    expect(stage.ready()).toBe('False RollbackSucceeded Stalled')
  })

  it('R-8: installs after an uninstall, without the hook of the upgrade', () => {
    const remediation = { retries: 1, strategy: 'uninstall' }
    const stage = installed([{ name: 'one' }, failing], { upgrade: { remediation } })
    stage.patch(values('2'))
    stage.until(60)
    expect(stage.runs).toEqual(['one 0', 'up 8', 'one 23'])
    expect(stage.ready()).toBe('True InstallSucceeded')
  })

  it('R-9: tries again after retryInterval without an end, and never is Stalled', () => {
    const strategy = { name: 'RetryOnFailure', retryInterval: '15s' }
    const stage = installed([failing], { upgrade: { strategy } })
    stage.patch(values('2'))
    stage.until(70)
    expect(stage.runs).toEqual(['up 8', 'up 28', 'up 48', 'up 68'])
    expect(stage.ready()).toBe('Unknown Progressing')
  })

  it('does not count a failure to render, and retries it with a growing delay', () => {
    const stage = new Stage()
    const files = chart([{ name: 'one' }])
    const text = (files['templates/one.yaml'] ?? '').replace('name: one', 'generateName: one-')
    stage.commit({ ...files, 'templates/one.yaml': text })
    stage.apply()
    stage.until(60)
    expect(stage.runs).toEqual([])
    expect(stage.ready()).toBe('False InstallFailed')
    expect(stage.warnings.length).toBeGreaterThan(4)
    expect(stage.warnings.length).toBeLessThan(9)
  })
})

describe('helm-controller and its end', () => {
  it('R-10: turns an interrupted install into an upgrade', () => {
    const pre = { 'helm.sh/hook': 'pre-install' }
    const stage = new Stage()
    stage.commit(chart([{ name: 'one' }, { name: 'pre', annotations: pre, seconds: 12 }]))
    stage.apply()
    stage.until(3)
    stage.cluster.stop('helm-controller')
    stage.until(6)
    stage.cluster.start('helm-controller')
    stage.until(30)
    expect(stage.runs).toEqual(['pre 0', 'one 6'])
    expect(stage.ready()).toBe('True UpgradeSucceeded')
  })

  it('R-10: loses an interrupted rollback, and is Stalled without a target for the next one', () => {
    const rollback = { 'helm.sh/hook': 'pre-rollback' }
    const failing = { name: 'up', annotations: preUpgrade, exit: 1 }
    const stage = installed([failing, { name: 'back', annotations: rollback, seconds: 20 }], {
      upgrade: { remediation: { retries: 1 } },
    })
    stage.patch(values('2'))
    stage.until(18)
    stage.cluster.stop('helm-controller')
    stage.until(20)
    stage.cluster.start('helm-controller')
    stage.until(60)
    expect(stage.runs).toEqual(['up 8', 'back 13', 'up 20'])
    expect(stage.ready()).toBe('False UpgradeFailed Stalled')
  })

  it('uninstalls when the HelmRelease is deleted, and leaves hooks behind', () => {
    const post = { 'helm.sh/hook': 'post-install' }
    const stage = installed([{ name: 'one' }, { name: 'post', annotations: post }])
    stage.until(20)
    stage.delete('app', HELM_RELEASES)
    stage.until(30)
    const left = stage.cluster.api.read.list(JOBS, 'shop').map(({ metadata }) => metadata.name)
    expect(left).toEqual(['post'])
  })

  it('leaves everything when a suspended HelmRelease is deleted', () => {
    const stage = installed([{ name: 'one' }])
    stage.patch({ spec: { suspend: true } })
    stage.until(10)
    stage.delete('app', HELM_RELEASES)
    stage.until(30)
    expect(stage.cluster.api.read.list(JOBS, 'shop')).toHaveLength(1)
    expect(stage.cluster.api.read.get(HELM_RELEASES, 'shop', 'app')).toBeUndefined()
  })
})

describe('the shortcut over idle intervals', () => {
  it('gives the same runs for the same reasons as going through every interval', () => {
    const step = fc.record({
      after: fc.integer({ min: 1, max: 40 }),
      act: fc.constantFrom('values', 'image', 'delete', 'label', 'request', 'edit', 'restart'),
    })
    // Odd, so that no interval ends in the same instant in which something else happens.
    const interval = '9s713ms'
    const mode = fc.constantFrom('disabled', 'warn', 'enabled')
    const ttl = fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), mode, ttl, (steps, drift, seconds) => {
        const runsOf = (everyTick: boolean): readonly string[] => {
          const image = '{{ .Values.image }}'
          const job = { name: 'one', image, ...(seconds === undefined ? {} : { ttl: seconds }) }
          const stage = installed(
            [job],
            { interval, driftDetection: { mode: drift } },
            { everyTick },
          )
          let at = 8
          steps.forEach(({ after, act }, index) => {
            at += after
            stage.until(at)
            if (act === 'values') stage.patch(values(String(index + 2)))
            if (act === 'image') stage.patch({ spec: { values: { image: `two:${index}` } } })
            if (act === 'delete') stage.delete('one')
            if (act === 'restart') {
              stage.cluster.stop(HELM_CONTROLLER)
              stage.cluster.start(HELM_CONTROLLER)
            }
            if (act === 'label')
              stage.patch({ metadata: { labels: { a: String(index) } } }, 'one', JOBS)
            if (act === 'edit') stage.patch({ spec: { backoffLimit: 4 } }, 'one', JOBS)
            if (act === 'request') {
              const annotations = { 'reconcile.fluxcd.io/requestedAt': String(index) }
              stage.patch({ metadata: { annotations } })
            }
          })
          stage.until(at + 120)
          return [...stage.runs, ...stage.told, stage.ready()]
        }
        expect(runsOf(false)).toEqual(runsOf(true))
      }),
      { numRuns: 8, seed: SEED },
    )
  }, 60_000)
})
