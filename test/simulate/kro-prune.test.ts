import { describe, expect, it } from 'vitest'
import { kro as kroEngine } from '../../src/engines/kro.ts'
import { createCel } from '../../src/adapters/cel.ts'
import { stringAt } from '../../src/core/json.ts'
import { DEFINITIONS_OF_KRO } from '../../src/simulate/engines/kro/kinds.ts'
import {
  CONFIG_MAPS,
  jobNode,
  JOBS,
  LABS,
  labWith,
  mapNode,
  PODS,
} from '../../src/simulate/engines/kro/testing.ts'

const lab = labWith(createCel())
const HASHED = '${schema.metadata.name + "-" + "%x".format([hash.fnv64a(schema.spec.image)])}'

describe('X-8: prune and deletion', () => {
  it('a new name runs first, then the old Job goes and its pod runs on alone (kro/001)', () => {
    const world = lab()
    world.define([jobNode('run', { name: HASHED, play: { 'play/duration': '25000' } })])
    world.until(1)
    world.instance('a', { image: 'registry.example.test/task:1' })
    world.until(10)
    world.instance('a', { image: 'registry.example.test/task:2' })
    world.until(60)
    expect(world.jobs).toEqual([
      { name: 'a-89666d6280461e5d', created: 1, deleted: 10 },
      { name: 'a-89666a6280461944', created: 10 },
    ])
    const pods = world.cluster.api.read.list(PODS, 'lab')
    const owned = pods.filter(({ metadata }) => (metadata.ownerReferences ?? []).length > 0)
    expect([pods.length, owned.length]).toEqual([2, 1])
  })

  it('a failed successor keeps the old Job when something waits for it (kro/020)', () => {
    const world = lab()
    world.define(
      [
        jobNode('run', {
          name: HASHED,
          node: { readyWhen: ['${run.status.succeeded == 1}'] },
          play: { 'play/exit': '${schema.spec.x}' },
        }),
        mapNode('conf', '${run.metadata.name}'),
      ],
      { image: 'string', x: 'string | default="0"' },
    )
    world.until(1)
    world.instance('a', { image: 'one' })
    world.until(60)
    world.instance('a', { image: 'two', x: '1' })
    world.until(120)
    expect(world.jobs.filter(({ deleted }) => deleted !== undefined)).toEqual([])
    world.instance('a', { image: 'three', x: '0' })
    world.until(180)
    expect(world.jobs.map(({ deleted }) => deleted !== undefined)).toEqual([true, true, false])
  })

  it('an instance takes its objects along and leaves their pods (kro/011)', () => {
    const world = lab()
    world.define([mapNode('conf', 'x'), jobNode('run', { play: { 'play/duration': '60000' } })])
    world.until(1)
    world.instance('a')
    world.until(10)
    world.remove(LABS, 'a')
    world.until(100)
    expect(world.get(LABS, 'a')).toBeUndefined()
    expect(world.get(JOBS, 'a-run')).toBeUndefined()
    expect(world.get(CONFIG_MAPS, 'a-conf')).toBeUndefined()
    const [pod] = world.cluster.api.read.list(PODS, 'lab')
    expect(pod?.metadata.ownerReferences ?? []).toEqual([])
    expect(stringAt(pod, ['status', 'phase'])).toBe('Succeeded')
  })

  it('a deleted definition leaves all; when it returns, missing Jobs run (kro/023)', () => {
    const world = lab()
    const nodes = [jobNode('run')]
    world.define(nodes)
    world.until(1)
    world.instance('a')
    world.instance('b')
    world.until(60)
    world.ask({ verb: 'delete', resource: DEFINITIONS_OF_KRO, name: 'lab' })
    world.until(61)
    expect(world.cluster.api.read.list(DEFINITIONS_OF_KRO)).toEqual([])
    world.remove(JOBS, 'a-run', 'Background')
    world.until(120)
    expect(world.jobs).toHaveLength(2)
    world.define(nodes)
    world.until(180)
    expect(world.jobs.map(({ name, created }) => `${name} ${created}`)).toEqual([
      'a-run 1',
      'b-run 1',
      'a-run 120',
    ])
  })
})

describe('X-10: whose object it is', () => {
  it('a Job of another instance is left alone until that one goes (kro/009)', () => {
    const world = lab()
    world.define([jobNode('run', { name: 'shared' })])
    world.until(1)
    world.instance('first')
    world.until(10)
    world.instance('second')
    world.until(20)
    expect(world.state('second')).toContain(
      'resource belongs to a different ApplySet: lab/shared (batch/v1, Kind=Job) belongs to ApplySet "applyset-',
    )
    world.remove(LABS, 'first')
    world.until(30)
    expect(world.jobs).toEqual([
      { name: 'shared', created: 1, deleted: 20 },
      { name: 'shared', created: 20 },
    ])
  })
})

describe('causes', () => {
  it('name the rule of every Job that was made or taken away', () => {
    const world = lab()
    world.define([jobNode('run', { name: HASHED })])
    world.until(1)
    world.instance('a', { image: 'one' })
    world.until(30)
    world.instance('a', { image: 'two' })
    world.until(60)
    const own = world.causes.filter(
      ({ actor, trigger }) => actor === 'kro' && trigger === undefined,
    )
    expect(own.map(({ rule, effect }) => `${rule} ${effect}`)).toEqual([
      'X-3 created Job',
      'X-3 created Job',
      'X-8 pruned Job',
    ])
  })
})

describe('the traits that lint uses', () => {
  it('are what the model does: restored at once, refused, removed with orphaned pods', () => {
    const world = lab()
    world.define([jobNode('run', { name: HASHED })])
    world.until(1)
    world.instance('a', { image: 'one' })
    world.until(30)
    const job = world.get(JOBS, world.jobs[0]?.name ?? '')
    const traits = kroEngine.traits(undefined, { ...job })
    expect(traits.restoresAbsent).toMatchObject({ when: 'watch', delaySeconds: 0 })
    world.remove(JOBS, job?.metadata.name ?? '', 'Background')
    world.until(60)
    expect(world.jobs.map(({ created }) => created)).toEqual([1, 30])
    expect([traits.removesUndeclared, traits.orphansPods]).toEqual([true, true])
    world.instance('a', { image: 'two' })
    world.until(90)
    const pods = world.cluster.api.read.list(PODS, 'lab')
    const orphans = pods.filter(({ metadata }) => (metadata.ownerReferences ?? []).length === 0)
    expect(orphans).toHaveLength(1)
    expect(traits.templateChange).toBe('refused')
    world.define([jobNode('run', { name: HASHED, command: ['other'] })])
    world.until(120)
    expect(world.state('a')).toContain('field is immutable')
    expect(world.jobs).toHaveLength(3)
  })
})
