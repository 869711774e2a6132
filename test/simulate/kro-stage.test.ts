import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCel } from '../../src/adapters/cel.ts'
import { kroStage } from '../../src/simulate/scenario/stages/kro.ts'
import {
  conditionText,
  removeJob,
  rigOf,
  type Rig,
} from '../../src/simulate/scenario/stages/rig.ts'

const FOLDER = path.join(
  import.meta.dirname,
  '../../fixtures/cases/038-kro-template-change-old-instances',
)
const HOUR = 3600
const RUNS = { group: 'kro.run', version: 'v1alpha1', resource: 'labruns' }

const read = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8')
const instance = (name: string, target = 'east'): string =>
  JSON.stringify({
    apiVersion: 'kro.run/v1alpha1',
    kind: 'LabRun',
    metadata: { name, namespace: 'shop' },
    spec: { target },
  })

function rig(input: Parameters<typeof rigOf>[1] = {}): Rig {
  return rigOf(kroStage, { tools: { cel: createCel() }, ...input })
}

describe('the stage of kro', () => {
  it('applies definitions first, and instances once their kind is served', () => {
    const world = rig()
    world.commit({ 'a-instance.yaml': instance('a'), 'rgd.yaml': read('rgd.yaml') })
    world.until(HOUR)
    expect(world.jobs).toEqual(['a-starter 0'])
  })

  it('gives instances the fields of a definition that came with them', () => {
    const world = rig()
    const files = { 'rgd.yaml': read('rgd.yaml'), 'a.yaml': instance('a') }
    world.commit(files)
    world.until(HOUR)
    const wider = read('rgd.yaml').replace('target: string', 'target: string, size: string')
    world.commit({
      'b.yaml': instance('b').replace('"target"', '"size":"xl","target"'),
      'rgd.yaml': wider,
    })
    world.until(2 * HOUR)
    expect(world.get(RUNS, 'shop', 'b')?.['spec']).toEqual({ size: 'xl', target: 'east' })
  })

  it('takes carriers as they are from now on: new ones come, missing ones go', () => {
    const object = (text: string) => JSON.parse(text) as Record<string, never>
    const world = rig({ carriers: [object(instance('a'))] })
    const files = { 'rgd.yaml': read('rgd.yaml') }
    world.commit(files)
    world.until(HOUR)
    world.commit(files, [object(instance('b'))])
    world.until(2 * HOUR)
    expect(world.jobs).toEqual(['a-starter 0', 'b-starter 3600'])
    expect(world.get(RUNS, 'shop', 'a')).toBeUndefined()
  })

  it('leaves what left the files, unless it prunes', () => {
    for (const prune of [false, true]) {
      const world = rig({ settings: { prune } })
      const files = { 'rgd.yaml': read('rgd.yaml') }
      world.commit({ ...files, 'a.yaml': instance('a') })
      world.until(HOUR)
      world.commit(files)
      world.until(2 * HOUR)
      expect(world.get(RUNS, 'shop', 'a') === undefined).toBe(prune)
    }
  })

  it('changes a named instance, which its finished Job refuses', () => {
    const world = rig()
    const both = { 'a.yaml': instance('a'), 'b.yaml': instance('b') }
    world.commit({ 'rgd.yaml': read('rgd.yaml'), ...both })
    world.until(HOUR)
    const change = { 'spec.target': 'west' }
    world.stage.change?.(world.cluster, { change, object: 'LabRun/shop/a' })
    world.until(2 * HOUR)
    expect(conditionText(world.get(RUNS, 'shop', 'a'), 'Ready')).toContain('field is immutable')
    expect(conditionText(world.get(RUNS, 'shop', 'b'), 'Ready')).toBe('True')
  })

  it('is set up anew after its cluster was lost', () => {
    const files = { 'rgd.yaml': read('rgd.yaml'), 'a.yaml': instance('a') }
    const first = rig()
    first.commit(files)
    first.until(HOUR)
    const fresh = rig()
    fresh.commit(files)
    fresh.stage.bootstrap?.(fresh.cluster)
    fresh.until(HOUR)
    expect(fresh.jobs).toEqual(first.jobs)
  })

  it('without an evaluator nothing is started, and the instance says why', () => {
    const world = rigOf(kroStage)
    world.commit({ 'rgd.yaml': read('rgd.yaml'), 'a.yaml': instance('a') })
    world.until(HOUR)
    expect(world.jobs).toEqual([])
    expect(conditionText(world.get(RUNS, 'shop', 'a'), 'Ready')).toContain('cannot predict')
  })
})

describe('what begins a pass of kro', () => {
  const start = (): Rig => {
    const world = rig()
    world.commit({ 'rgd.yaml': read('rgd.yaml'), 'a.yaml': instance('a') })
    world.until(HOUR)
    return world
  }

  it('is told with the first thing that a pass does: revisions', () => {
    const world = start()
    world.commit({ 'rgd.yaml': read('commits/040h-rgd.yaml'), 'a.yaml': instance('a') })
    world.until(2 * HOUR)
    expect(world.triggers()).toEqual([
      'revision: it was created',
      'revision: it changed',
      'revision: ResourceGraphDefinition labrun.example.test changed',
    ])
    const own = world.causes.filter(({ actor }) => actor === 'kro')
    expect(own.map(({ rule, effect, object, carrier }) => [rule, effect, object, carrier])).toEqual(
      [
        ['X-1', 'reconciled', DEFINITION, DEFINITION],
        ['X-1', 'reconciled', 'LabRun shop/a', 'LabRun shop/a'],
        ['X-3', 'created Job', 'Job shop/a-starter', 'LabRun shop/a'],
        ['X-1', 'reconciled', DEFINITION, DEFINITION],
        ['X-1', 'reconciled', 'LabRun shop/a', 'LabRun shop/a'],
        [
          'X-7',
          expect.stringMatching(/^refused Job: .*is invalid/),
          'Job shop/a-starter',
          'LabRun shop/a',
        ],
      ],
    )
  })

  it('watch: its Job went away', () => {
    const world = start()
    removeJob(world, 'a-starter')
    world.until(2 * HOUR)
    expect(world.triggers().at(-1)).toBe('watch: Job shop/a-starter went away')
    expect(world.jobs).toEqual(['a-starter 0', 'a-starter 3600'])
  })

  it('start: the Job went while kro was down', () => {
    const world = start()
    world.cluster.stop('kro')
    removeJob(world, 'a-starter')
    world.until(2 * HOUR)
    world.cluster.start('kro')
    world.until(3 * HOUR)
    expect(world.triggers().at(-1)).toBe('start: kro started')
    expect(world.jobs.at(-1)).toBe('a-starter 7200')
  })

  it('request: a suspended instance goes on', () => {
    const world = start()
    const suspend = (value: string | null): void => {
      const body = { metadata: { annotations: { 'kro.run/reconcile': value } } }
      const place = { resource: RUNS, namespace: 'shop', name: 'a', user: 'person' }
      world.cluster.request({ verb: 'patch', ...place, patch: { type: 'merge', body } })
    }
    suspend('suspended')
    removeJob(world, 'a-starter')
    world.until(2 * HOUR)
    suspend(null)
    world.until(3 * HOUR)
    expect(world.triggers().at(-1)).toBe(
      'request: the annotation kro.run/reconcile of LabRun shop/a changed',
    )
  })

  it('retry: what a quota refused may pass now', () => {
    const world = rig()
    const resource = { group: '', version: 'v1', resource: 'resourcequotas' }
    const place = { resource, namespace: 'shop', user: 'person' }
    const metadata = { name: 'q', namespace: 'shop' }
    const spec = { hard: { 'count/jobs.batch': '0' } }
    const body = { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec }
    world.cluster.request({ verb: 'create', ...place, body })
    world.commit({ 'rgd.yaml': read('rgd.yaml'), 'a.yaml': instance('a') })
    world.until(HOUR)
    world.cluster.request({ verb: 'delete', ...place, name: 'q' })
    world.until(2 * HOUR)
    expect(world.triggers().at(-1)).toBe('retry: what was refused is tried again every 3s')
  })
})

const DEFINITION = 'ResourceGraphDefinition labrun.example.test'
