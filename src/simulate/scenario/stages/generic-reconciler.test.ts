import { describe, expect, it } from 'vitest'
import { genericReconciler } from './generic-reconciler.ts'
import { jobFile, JOBS, removeJob, rigOf, type Rig } from './rig.ts'

const HOUR = 3600

function rig(settings: { readonly [key: string]: string | boolean } = {}): Rig {
  return rigOf(genericReconciler, { settings })
}

describe('a reconciler that watches', () => {
  it('creates an absent Job again at once, by a TTL in a loop (case 054)', () => {
    const world = rig()
    world.commit({ 'job.yaml': jobFile({ ttl: 100 }) })
    world.until(800)
    expect(world.jobs).toEqual([0, 160, 320, 480, 640].map((at) => `migrate ${at}`))
    expect(world.triggers()).toEqual([
      'revision: commit c1 came',
      'watch: Job shop/migrate went away',
    ])
  })

  it('leaves a finished Job alone, and nothing is planned', () => {
    const world = rig()
    world.commit({ 'job.yaml': jobFile() })
    world.until(24 * HOUR)
    expect(world.jobs).toEqual(['migrate 0'])
    expect(world.cluster.nextAt()).toBeUndefined()
  })

  it('brings back what went while it was down (start)', () => {
    const world = rig()
    world.commit({ 'job.yaml': jobFile() })
    world.until(HOUR)
    world.cluster.stop('generic-reconciler')
    removeJob(world, 'migrate')
    world.until(2 * HOUR)
    world.cluster.start('generic-reconciler')
    world.until(3 * HOUR)
    expect(world.jobs.at(-1)).toBe('migrate 7200')
    expect(world.triggers().at(-1)).toBe('start: it started')
  })

  it('is refused with another template, and tries again where that may help (retry)', () => {
    const world = rig({ backoff: '1m-1h' })
    const resource = { group: '', version: 'v1', resource: 'resourcequotas' }
    const place = { resource, namespace: 'shop', user: 'person' }
    const spec = { hard: { 'count/jobs.batch': '0' } }
    const metadata = { name: 'q', namespace: 'shop' }
    const body = { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec }
    world.cluster.request({ verb: 'create', ...place, body })
    world.commit({ 'job.yaml': jobFile() })
    world.until(100)
    expect(world.jobs).toEqual([])
    expect(world.causes.map(({ effect }) => effect)).toContainEqual(
      expect.stringMatching(/^refused Job: .*exceeded quota/),
    )
    world.cluster.request({ verb: 'delete', ...place, name: 'q' })
    world.until(HOUR)
    // Tries come 1, 3 and 7 minutes after the refusal.
    expect(world.jobs).toEqual(['migrate 180'])
    expect(world.triggers().at(-1)).toBe('retry: what was refused is tried again')
  })

  it('deletes what is no longer declared only when it prunes', () => {
    for (const prune of [false, true]) {
      const world = rig({ prune })
      world.commit({ 'job.yaml': jobFile() })
      world.until(HOUR)
      world.commit({})
      world.until(2 * HOUR)
      expect(world.get(JOBS, 'shop', 'migrate') === undefined).toBe(prune)
      expect(world.jobs).toHaveLength(1)
    }
  })
})

describe('a reconciler that polls', () => {
  it('sees at its next round that a Job went (interval)', () => {
    const world = rig({ detects_deletion: 'poll-10m' })
    world.commit({ 'job.yaml': jobFile({ ttl: 100 }) })
    world.until(2000)
    expect(world.jobs).toEqual(['migrate 0', 'migrate 600', 'migrate 1200', 'migrate 1800'])
    expect(world.triggers().at(-1)).toBe('interval: its round every 10m came')
  })

  it.each([
    { detects_deletion: 'sometimes' },
    { detects_deletion: 'poll-0s' },
    { backoff: '9m-1s' },
  ])('refuses %j', (settings) => {
    expect(() => rig(settings as never)).toThrow(/of the engine is (not known|no pair)/)
  })
})
