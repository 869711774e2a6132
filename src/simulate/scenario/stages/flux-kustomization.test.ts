import { describe, expect, it } from 'vitest'
import { stringAt, type JsonObject } from '../../../core/json.ts'
import { KUSTOMIZATIONS } from '../../engines/kustomize-controller/kinds.ts'
import { fluxKustomization } from './flux-kustomization.ts'
import { jobFile, JOBS, removeJob, rigOf, type Rig, type RigInput } from './rig.ts'

function kustomization(spec: JsonObject = {}, name = 'shop'): JsonObject {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux-system' },
    spec: {
      interval: '10m',
      path: './deploy',
      sourceRef: { kind: 'GitRepository', name: 'shop' },
      ...spec,
    },
  }
}

const FILES = { 'deploy/job.yaml': jobFile() }

function installed(input: RigInput = {}): Rig {
  const rig = rigOf(fluxKustomization, { files: FILES, carriers: [kustomization()], ...input })
  rig.commit(input.files ?? FILES)
  rig.until(100)
  return rig
}

function has(rig: Rig, name: string): boolean {
  return rig.get(JOBS, 'shop', name) !== undefined
}

function specOf(rig: Rig, name = 'shop'): JsonObject | undefined {
  return rig.get(KUSTOMIZATIONS, 'flux-system', name)?.['spec'] as JsonObject | undefined
}

describe('Flux Kustomizations of a scenario', () => {
  it('take settings and changes of variants as fields', () => {
    const changes = { 'spec.force': true }
    const rig = installed({ settings: { interval: '1h', wait: true, jitter: '60s' }, changes })
    expect(specOf(rig)).toMatchObject({ interval: '1h', wait: true, force: true })
    expect(specOf(rig)).not.toHaveProperty('jitter')
  })

  it('are created, changed and deleted by commits', () => {
    const rig = installed()
    const files = { ...FILES, 'more/job.yaml': jobFile({ name: 'second' }) }
    const changed = kustomization({ interval: '5m' })
    rig.commit(files, [changed, kustomization({ path: './more', prune: true }, 'more')])
    rig.until(200)
    expect([specOf(rig)?.['interval'], has(rig, 'second')]).toEqual(['5m', true])
    rig.commit(files, [changed])
    rig.until(300)
    expect([specOf(rig, 'more'), has(rig, 'second'), has(rig, 'migrate')]).toEqual([
      undefined,
      false,
      true,
    ])
  })

  it('keep the last artifact while Git cannot be reached, and fetch the newest afterwards', () => {
    const rig = installed()
    rig.stage.sources?.(rig.cluster, false)
    rig.commit({ ...FILES, 'deploy/two.yaml': jobFile({ name: 'two' }) })
    removeJob(rig, 'migrate')
    rig.until(700)
    expect([has(rig, 'migrate'), has(rig, 'two')]).toEqual([true, false])
    rig.stage.sources?.(rig.cluster, true)
    rig.until(710)
    expect(has(rig, 'two')).toBe(true)
  })

  it('are asked for a reconcile by people, one or all of them', () => {
    const rig = installed({
      carriers: [kustomization(), kustomization({ path: './none' }, 'none')],
    })
    removeJob(rig, 'migrate')
    rig.stage.sync?.(rig.cluster, { sync: true, object: 'Kustomization/flux-system/none' })
    rig.until(200)
    expect(has(rig, 'migrate')).toBe(false)
    rig.stage.sync?.(rig.cluster, { sync: true })
    rig.until(300)
    expect(has(rig, 'migrate')).toBe(true)
    expect(rig.triggers().at(-1)).toBe('request: somebody asked for a reconcile')
  })

  it('are changed by people', () => {
    const rig = installed()
    rig.stage.change?.(rig.cluster, { change: { 'spec.suspend': true } })
    removeJob(rig, 'migrate')
    rig.until(2000)
    expect(has(rig, 'migrate')).toBe(false)
  })

  it('F-16: judge an absent Job by the version, also after an upgrade', () => {
    const reasonOf = (rig: Rig): string => {
      const object = rig.get(KUSTOMIZATIONS, 'flux-system', 'shop')
      return stringAt(object, ['status', 'conditions', 0, 'reason']) ?? ''
    }
    const files = { 'deploy/job.yaml': jobFile({ ttl: 0 }) }
    const carriers = [kustomization({ wait: true, timeout: '3m' })]
    // It ends between two looks, so only an absent one is seen.
    const workloads = [{ name: '*', durationMs: 61_000 }]
    const rig = installed({ files, carriers, workloads, settings: { version: '1.7' } })
    rig.until(300)
    expect(reasonOf(rig)).toBe('HealthCheckFailed')
    rig.stage.upgrade?.(rig.cluster, '1.8.0')
    rig.cluster.stop('kustomize-controller')
    rig.cluster.start('kustomize-controller')
    rig.until(500)
    expect(reasonOf(rig)).toBe('ReconciliationSucceeded')
  })

  it('substitute from a ConfigMap that lies beside them', () => {
    const vars = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'vars', namespace: 'flux-system' },
      data: { tag: '7' },
    }
    const postBuild = { substituteFrom: [{ kind: 'ConfigMap', name: 'vars' }] }
    const files = { 'deploy/job.yaml': jobFile({ image: 'shop:${tag}' }) }
    const rig = installed({ files, carriers: [kustomization({ postBuild }), vars] })
    const containers = ['spec', 'template', 'spec', 'containers', 0, 'image']
    expect(stringAt(rig.get(JOBS, 'shop', 'migrate'), containers)).toBe('shop:7')
  })

  it('F-1: with realistic timing begin late and keep their interval within the jitter', () => {
    const rig = installed({
      timing: 'realistic',
      files: { 'deploy/job.yaml': jobFile({ ttl: 1 }) },
    })
    rig.until(1500)
    const [first, second] = rig.jobs.map((one) => Number(one.split(' ')[1]))
    expect(first).toBeGreaterThan(0.7)
    expect(Math.abs((second ?? 0) - (first ?? 0) - 600)).toBeLessThan(31)
  })
})

it('what an outage of the API server left undone is tried again', () => {
  const rig = installed({ carriers: [kustomization({ retryInterval: '1m' })] })
  rig.cluster.down(rig.cluster.now + 10_000)
  rig.commit({ ...FILES, 'deploy/two.yaml': jobFile({ name: 'two' }) })
  rig.until(200)
  rig.commit({ ...FILES, 'deploy/two.yaml': jobFile({ name: 'two' }) })
  rig.until(300)
  expect(has(rig, 'two')).toBe(true)
})
