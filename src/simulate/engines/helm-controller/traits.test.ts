import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { helmController as engine } from '../../../engines/helm-controller.ts'
import { chart, JOBS, Stage, type JobSketch } from './testing.ts'

/** The object that a sketch stands for, as the rules of `semel check` see it. */
function objectOf({ name, ttl, annotations }: JobSketch): JsonObject {
  const spec = ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }
  const metadata = { name, ...(annotations === undefined ? {} : { annotations }) }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec }
}

function carrierOf(spec: JsonObject): JsonObject {
  const full = { interval: '10s', ...spec }
  return { apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', spec: full }
}

function stageOf(job: JobSketch, spec: JsonObject): Stage {
  const stage = new Stage()
  stage.commit(chart([job]))
  stage.apply(spec)
  stage.until(8)
  return stage
}

describe('what the rules of `semel check` say of helm-controller is what it does', () => {
  it.each([
    ['drift detection disabled', {}],
    ['drift detection warn', { driftDetection: { mode: 'warn' } }],
    ['drift detection enabled', { driftDetection: { mode: 'enabled' } }],
  ])('an absent Job comes back at an interval or not: %s', (_, spec) => {
    const job = { name: 'one' }
    const stage = stageOf(job, spec)
    stage.delete('one')
    stage.until(30)
    const isBack = stage.cluster.api.read.get(JOBS, 'shop', 'one') !== undefined
    const { restoresAbsent } = engine.traits(carrierOf(spec), objectOf(job))
    expect(isBack).toBe(restoresAbsent.when === 'interval')
  })

  it.each([
    ['by default', {}],
    ['without a wait', { install: { disableWait: true }, upgrade: { disableWait: true } }],
    [
      'without a wait for Jobs',
      { install: { disableWaitForJobs: true }, upgrade: { disableWaitForJobs: true } },
    ],
  ])('a failed Job fails the release or not: %s', (_, spec) => {
    const job = { name: 'one', seconds: 3, exit: 1 }
    const stage = stageOf(job, spec)
    const { waiter } = engine.traits(carrierOf(spec), objectOf(job))
    expect(stage.ready().startsWith('False')).toBe(waiter !== undefined)
  })

  it.each([
    ['rollback', { upgrade: { remediation: { retries: 1 } } }],
    ['uninstall', { upgrade: { remediation: { retries: 1, strategy: 'uninstall' } } }],
  ])('the retry after a failed hook repeats the hook or skips it: %s', (_, spec) => {
    const job = { name: 'up', exit: 1, annotations: { 'helm.sh/hook': 'pre-upgrade' } }
    const stage = stageOf(job, spec)
    stage.patch({ spec: { values: { v: '2' } } })
    stage.until(60)
    const { hook } = engine.traits(carrierOf(spec), objectOf(job))
    expect(stage.runs.length === 1).toBe(hook?.retrySkips !== undefined)
  })

  it.each([
    ['in force', {}],
    ['suspended', { suspend: true }],
  ])('a HelmRelease that is %s applies its Jobs or not', (_, spec) => {
    const job = { name: 'one' }
    expect(stageOf(job, spec).runs.length > 0).toBe(
      engine.traits(carrierOf(spec), objectOf(job)).applies,
    )
  })
})
