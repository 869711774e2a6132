import { describe, expect, it } from 'vitest'
import { createCel } from '../../src/adapters/cel.ts'
import {
  CONFIG_MAPS,
  jobNode,
  JOBS,
  LABS,
  labWith,
  mapNode,
} from '../../src/simulate/engines/kro/testing.ts'

const lab = labWith(createCel())
const READY = ['${run.status.completionTime != null}']

describe('X-1: what makes a pass', () => {
  it('a changed definition reaches instances that finished long ago (case 038)', () => {
    const world = lab()
    world.define([jobNode('run', { node: { readyWhen: READY } })])
    world.until(1)
    for (const name of ['a', 'b', 'c']) world.instance(name)
    world.until(40 * 3600)
    expect(world.state('a')).toBe('ACTIVE: all resources are created and ready')
    world.define([jobNode('run', { node: { readyWhen: READY }, command: ['task', '--retry'] })])
    world.until(41 * 3600)
    world.instance('d')
    world.until(7 * 24 * 3600)
    expect(world.jobs.map(({ name }) => name)).toEqual(['a-run', 'b-run', 'c-run', 'd-run'])
    for (const name of ['a', 'b', 'c']) {
      expect(world.state(name)).toContain(
        `ERROR: resource reconciliation failed: apply results contain errors: Job.batch "${name}-run" is invalid: spec.template`,
      )
    }
    expect(world.state('d')).toBe('ACTIVE: all resources are created and ready')
  })

  it('nothing is planned while nothing changes, with and without an error', () => {
    const world = lab()
    world.define([jobNode('run')])
    world.until(1)
    world.instance('a')
    world.until(60)
    expect(world.cluster.nextAt()).toBeUndefined()
    world.instance('a', { image: 'task:2' })
    world.until(120)
    expect(world.state('a')).toContain('ERROR')
    expect(world.cluster.nextAt()).toBeUndefined()
  })

  it('a label on the instance or a restart with nothing missing runs nothing (kro/018, 010)', () => {
    const world = lab()
    world.define([jobNode('run')])
    world.until(1)
    world.instance('a')
    world.until(60)
    world.ask({
      verb: 'patch',
      resource: LABS,
      namespace: 'lab',
      name: 'a',
      patch: { type: 'merge', body: { metadata: { labels: { x: 'y' } } } },
    })
    world.cluster.stop('kro')
    world.until(70)
    world.cluster.start('kro')
    world.until(80)
    expect(world.jobs).toHaveLength(1)
  })

  it('after a restart a Job that went meanwhile runs again (S7, kro/010)', () => {
    const world = lab()
    world.define([jobNode('run')])
    world.until(1)
    world.instance('a')
    world.until(60)
    world.cluster.stop('kro')
    world.remove(JOBS, 'a-run', 'Background')
    world.until(90)
    world.cluster.start('kro')
    world.until(100)
    expect(world.jobs.map(({ created }) => created)).toEqual([1, 90])
  })
})

describe('X-5: gates', () => {
  it('readyWhen holds dependents back; a failed Job holds them for ever, without an error', () => {
    const world = lab()
    const failing = { 'play/exit': '1' }
    world.define([
      jobNode('run', { node: { readyWhen: READY }, play: failing }),
      mapNode('conf', '${run.metadata.name}'),
    ])
    world.until(1)
    world.instance('a')
    world.until(24 * 3600)
    expect(world.jobs).toHaveLength(1)
    expect(world.get(CONFIG_MAPS, 'a-conf')).toBeUndefined()
    expect(world.state('a')).toBe(
      'IN_PROGRESS: resource reconciliation failed: apply results contain errors: ' +
        'waiting for node "run": node "run": failed to evaluate readyWhen expression: ' +
        '"run.status.completionTime != null" (waiting for readiness)',
    )
    world.remove(JOBS, 'a-run', 'Background')
    world.until(25 * 3600)
    expect(world.jobs).toHaveLength(2)
  })

  it('without readyWhen the instance is ACTIVE while its Job still runs', () => {
    const world = lab()
    world.define([jobNode('run', { play: { 'play/duration': '600000' } })])
    world.until(1)
    world.instance('a')
    world.until(30)
    expect(world.state('a')).toContain('ACTIVE')
  })

  it('includeWhen false prunes, with what depends on it; true again runs again (kro/008)', () => {
    const world = lab()
    const spec = { image: 'string | default="task:1"', on: 'boolean | default=true' }
    world.define(
      [
        jobNode('run', { node: { includeWhen: ['${schema.spec.on}'] } }),
        mapNode('conf', '${run.metadata.name}'),
      ],
      spec,
    )
    world.until(1)
    world.instance('a', { on: true })
    world.until(60)
    world.instance('a', { on: false })
    world.until(120)
    expect(world.get(JOBS, 'a-run')).toBeUndefined()
    expect(world.get(CONFIG_MAPS, 'a-conf')).toBeUndefined()
    world.instance('a', { on: true })
    world.until(180)
    expect(world.jobs.map(({ created }) => created)).toEqual([1, 120])
  })

  it('an externalRef is read and never written', () => {
    const world = lab()
    const external = {
      id: 'input',
      externalRef: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'input' } },
    }
    world.define([external, jobNode('run', { command: ['task', '${input.data.arg}'] })])
    world.until(1)
    world.instance('a')
    world.until(60)
    expect(world.jobs).toHaveLength(0)
    expect(world.state('a')).toContain('IN_PROGRESS')
    const metadata = { name: 'input', namespace: 'lab' }
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { arg: 'x' } }
    world.ask({ verb: 'create', resource: CONFIG_MAPS, namespace: 'lab', body })
    world.until(120)
    expect(world.jobs.map(({ created }) => created)).toEqual([60])
    world.remove(LABS, 'a')
    world.until(180)
    expect(world.get(CONFIG_MAPS, 'input')).toBeDefined()
  })
})

describe('X-6: deletion of a child', () => {
  it('a TTL makes the Job run again and again; what depends on it runs once (kro/003, 024)', () => {
    const world = lab()
    world.define([
      jobNode('run', { node: { readyWhen: READY }, spec: { ttlSecondsAfterFinished: 300 } }),
      jobNode('next', { metadata: { annotations: { after: '${run.metadata.name}' } } }),
    ])
    world.until(1)
    world.instance('a')
    world.until(3601)
    expect(world.jobs.filter(({ name }) => name === 'a-run')).toHaveLength(12)
    expect(world.jobs.filter(({ name }) => name === 'a-next')).toHaveLength(1)
  })

  it('while a child is held by a finalizer nothing of the instance is applied (kro/004)', () => {
    const world = lab()
    world.define([mapNode('conf', 'x'), jobNode('run')])
    world.until(1)
    world.instance('a')
    world.until(60)
    const finalize = (finalizers: string[] | null): void => {
      world.ask({
        verb: 'patch',
        resource: JOBS,
        namespace: 'lab',
        name: 'a-run',
        patch: { type: 'merge', body: { metadata: { finalizers } } },
      })
    }
    finalize(['example.test/hold'])
    world.remove(JOBS, 'a-run', 'Background')
    world.remove(CONFIG_MAPS, 'a-conf')
    world.until(90)
    expect(world.get(CONFIG_MAPS, 'a-conf')).toBeUndefined()
    expect(world.state('a')).toBe(
      'IN_PROGRESS: resource "lab/a-run" for node "run" is currently being deleted; ' +
        'waiting for deletion to complete before continuing reconciliation',
    )
    finalize(null)
    world.until(91)
    expect(world.get(CONFIG_MAPS, 'a-conf')).toBeDefined()
    expect(world.jobs.map(({ created }) => created)).toEqual([1, 90])
  })

  it('a TTL of 0 mostly hides the success from what waits for it: a race (X-5, kro/019)', () => {
    const world = lab()
    world.define([
      jobNode('run', { node: { readyWhen: READY }, spec: { ttlSecondsAfterFinished: 0 } }),
      mapNode('conf', '${run.metadata.name}'),
    ])
    world.until(1)
    world.instance('a')
    world.until(11)
    expect(world.jobs.length).toBeGreaterThan(5)
    expect(world.get(CONFIG_MAPS, 'a-conf')).toBeUndefined()
  })

  it('a TTL of 0 runs about once a second with a short pod (kro/019)', () => {
    const world = lab('realistic')
    const play = { 'play/duration': '10' }
    world.define([jobNode('run', { spec: { ttlSecondsAfterFinished: 0 }, play })])
    world.until(1)
    world.instance('a')
    world.until(61)
    expect(world.jobs.length).toBeGreaterThan(45)
    expect(world.jobs.length).toBeLessThan(75)
  })
})

describe('X-7: refusals', () => {
  it('other objects are applied, nothing is pruned, and the way out is the deletion (kro/002)', () => {
    const world = lab()
    const spec = { image: 'string', extra: 'boolean | default=true' }
    world.define(
      [
        mapNode('conf', '${schema.spec.image}'),
        mapNode('extra', 'x', { includeWhen: ['${schema.spec.extra}'] }),
        jobNode('run'),
      ],
      spec,
    )
    world.until(1)
    world.instance('a', { image: 'task:1' })
    world.until(60)
    world.instance('a', { image: 'task:2', extra: false })
    world.until(120)
    expect(world.get(CONFIG_MAPS, 'a-conf')?.['data']).toEqual({ value: 'task:2' })
    expect(world.get(CONFIG_MAPS, 'a-extra')).toBeDefined()
    world.remove(JOBS, 'a-run', 'Background')
    world.until(180)
    expect(world.get(CONFIG_MAPS, 'a-extra')).toBeUndefined()
    expect(world.jobs.map(({ created }) => created)).toEqual([1, 120])
  })

  it('what a quota refused is tried at the next multiple of 3 s after it may pass (X-2)', () => {
    const world = lab()
    const quotas = { group: '', version: 'v1', resource: 'resourcequotas' }
    const body = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q', namespace: 'lab' },
      spec: { hard: { 'count/jobs.batch': '0' } },
    }
    world.ask({ verb: 'create', resource: quotas, namespace: 'lab', body })
    world.define([jobNode('run')])
    world.until(1)
    world.instance('a')
    world.until(61.5)
    expect(world.state('a')).toContain('exceeded quota')
    world.remove(quotas, 'q')
    world.until(70)
    expect(world.jobs.map(({ created }) => created)).toEqual([64])
  })
})

describe('X-4: suspension', () => {
  it('a suspended instance is left alone', () => {
    const world = lab()
    world.define([jobNode('run')])
    world.until(1)
    world.instance('a')
    world.until(60)
    const annotate = (value: string | null): void => {
      world.ask({
        verb: 'patch',
        resource: LABS,
        namespace: 'lab',
        name: 'a',
        patch: {
          type: 'merge',
          body: { metadata: { annotations: { 'kro.run/reconcile': value } } },
        },
      })
    }
    annotate('suspended')
    world.remove(JOBS, 'a-run', 'Background')
    world.until(120)
    expect(world.jobs).toHaveLength(1)
    annotate(null)
    world.until(180)
    expect(world.jobs.map(({ created }) => created)).toEqual([1, 120])
  })
})

describe('what cannot be predicted', () => {
  it('is said, and nothing is applied: an unknown value never starts anything', () => {
    const world = lab()
    world.define([jobNode('run', { name: '${schema.metadata.labels.transformList(k, v, k)[0]}' })])
    world.until(1)
    world.instance('a')
    world.until(60)
    expect(world.jobs).toHaveLength(0)
    expect(world.state('a')).toMatch(/^ERROR: (cannot predict|.*data pending)/)
  })
})
