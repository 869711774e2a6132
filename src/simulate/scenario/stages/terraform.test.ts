import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import type { Workload } from '../../../cluster/kubelet/scenario-script.ts'
import { JOBS, removeJob, rigOf, type Rig } from './rig.ts'
import { terraformStage } from './terraform.ts'

const DAY = 24 * 3600
const SECRETS = { group: '', version: 'v1', resource: 'secrets' }

interface Shape {
  readonly image?: string
  readonly ttl?: number
  readonly more?: string
  readonly spec?: string
}

function main({ image = 'seed:1', ttl, more = '', spec = '' }: Shape = {}): Record<string, string> {
  return {
    'main.tf': `
resource "kubernetes_job_v1" "seed" {
  metadata {
    name      = "seed"
    namespace = "shop"
  }
  spec {
    backoff_limit = 0
    ${ttl === undefined ? '' : `ttl_seconds_after_finished = ${ttl}`}
    ${spec}
    template {
      metadata {}
      spec {
        container {
          name  = "task"
          image = "${image}"
        }
      }
    }
  }
  ${more}
}`,
  }
}

function rig(settings: JsonObject = {}, work: Partial<Workload> = {}): Rig {
  const workloads = [{ name: '*', durationMs: 20_000, ...work }]
  return rigOf(terraformStage, { settings: { every: '24h', ...settings }, workloads })
}

const failures = ({ causes }: Rig): readonly string[] =>
  causes.flatMap(({ actor, effect }) =>
    actor === 'terraform' && effect.startsWith('failed: ') ? [effect] : [],
  )

describe('terraform apply every day', () => {
  it('runs an unchanged Job once, and no further apply is played (T-1)', () => {
    const world = rig()
    world.commit(main())
    world.until(7 * DAY)
    expect(world.jobs).toEqual(['seed 0'])
    expect(world.cluster.nextAt()).toBeUndefined()
  })

  it.each([
    [0, 'the newest', 7],
    [600, 'the newest', 7],
    [0, '2.34.0', 1],
    [0, '2.35.1', 7],
  ])(
    'with a TTL of %i and provider %s it runs %i times in a week (T-2, case 053)',
    (ttl, provider, runs) => {
      const world = rig(provider === 'the newest' ? {} : { provider })
      world.commit(main({ ttl }))
      world.until(7 * DAY)
      expect(world.jobs).toHaveLength(runs)
    },
  )

  it('a changed template destroys the Job and creates another (T-5)', () => {
    const world = rig()
    world.commit(main())
    world.until(DAY - 1)
    world.commit(main({ image: 'seed:2' }))
    world.until(3 * DAY)
    expect(world.jobs).toEqual(['seed 0', `seed ${DAY + 0.5}`])
    const own = world.causes.filter(({ actor }) => actor === 'terraform')
    expect(own.map(({ rule, effect, object }) => [rule, effect, object])).toEqual([
      ['T-1', 'applied', 'main.tf'],
      ['T-3', 'created Job', 'Job shop/seed'],
      ['T-1', 'applied', 'main.tf'],
      ['T-5', 'deleted Job', 'Job shop/seed'],
      ['T-3', 'created Job', 'Job shop/seed'],
    ])
  })

  it('a failed Job is tainted and runs again at each apply (T-4)', () => {
    const world = rig({}, { exits: 'fail' })
    world.commit(main())
    world.until(3 * DAY)
    expect(world.jobs).toEqual(['seed 0', `seed ${DAY + 0.5}`, `seed ${2 * DAY + 0.5}`])
    expect(new Set(failures(world))).toEqual(
      new Set(['failed: Error: job: shop/seed is in failed state']),
    )
  })

  it('what takes longer than a minute is tainted, too, unless a timeout says otherwise (T-4)', () => {
    for (const [more, runs] of [
      ['', 3],
      ['timeouts { create = "5m" }', 1],
      ['wait_for_completion = false', 1],
    ] as const) {
      const world = rig({}, { durationMs: 120_000 })
      world.commit(main({ more }))
      world.until(3 * DAY)
      expect(world.jobs).toHaveLength(runs)
      if (more === '') {
        expect(failures(world)[0]).toBe('failed: Error: job: shop/seed is not in complete state')
      }
    }
  })

  it('a name that is taken is refused, and the Job of others stays (T-3)', () => {
    const world = rig()
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } }
    const metadata = { name: 'seed', namespace: 'shop' }
    const body = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { template } }
    world.cluster.request({ verb: 'create', resource: JOBS, namespace: 'shop', body, user: 'x' })
    world.commit(main())
    world.until(2 * DAY)
    expect(world.jobs).toEqual(['seed 0'])
    expect(failures(world)[0]).toBe(
      'failed: Error: Failed to create Job! API error: jobs.batch "seed" already exists',
    )
  })

  it('parallelism is patched in place; a TTL is shown as a change and never sent (T-6)', () => {
    const world = rig()
    world.commit(main())
    world.until(DAY - 1)
    world.commit(main({ spec: 'parallelism = 2', ttl: 60 }))
    world.until(3 * DAY)
    expect(world.jobs).toEqual(['seed 0'])
    expect(world.get(JOBS, 'shop', 'seed')?.['spec']).toMatchObject({ parallelism: 2 })
    expect(world.get(JOBS, 'shop', 'seed')?.['spec']).not.toHaveProperty('ttlSecondsAfterFinished')
  })

  it('what leaves the configuration is destroyed (T-7)', () => {
    const world = rig()
    world.commit(main())
    world.until(DAY - 1)
    world.commit({ 'main.tf': '' })
    world.until(2 * DAY)
    expect(world.get(JOBS, 'shop', 'seed')).toBeUndefined()
  })

  it('a Job that a finalizer holds ends the apply after a minute, and stays in the state (T-5)', () => {
    const world = rig()
    world.commit(main())
    world.until(DAY - 1)
    const patch = { type: 'merge', body: { metadata: { finalizers: ['a.b/c'] } } } as const
    const place = { resource: JOBS, namespace: 'shop', name: 'seed', user: 'x' }
    world.cluster.request({ verb: 'patch', ...place, patch })
    world.commit(main({ image: 'seed:2' }))
    world.until(DAY + 120)
    expect(failures(world)).toEqual(['failed: Error: Job seed still exists'])
    expect(world.jobs).toEqual(['seed 0'])
  })

  it('a configuration that cannot be read applies nothing', () => {
    const world = rig()
    world.commit({ 'main.tf': 'resource "kubernetes_job_v1" "seed" {' })
    world.until(2 * DAY)
    expect(world.jobs).toEqual([])
    expect(failures(world)[0]).toMatch(/main\.tf:1: the block resource is not closed/)
  })

  it('its state survives a process that ends', () => {
    const world = rig()
    world.commit(main())
    world.until(DAY - 1)
    world.cluster.stop('terraform')
    world.cluster.start('terraform')
    world.until(3 * DAY)
    expect(world.jobs).toEqual(['seed 0'])
    expect(failures(world)).toEqual([])
    expect(world.get(SECRETS, 'default', 'tfstate-default-state')).toBeDefined()
  })
})

describe('what begins an apply', () => {
  it('interval: brought back because a person deleted it', () => {
    const world = rig()
    world.commit(main())
    world.until(DAY + 5)
    removeJob(world, 'seed')
    world.until(3 * DAY)
    expect(world.jobs).toEqual(['seed 0', `seed ${2 * DAY}`])
    expect(world.triggers()).toEqual(['interval: it runs every 24h'])
  })

  it('revision: without a period it is applied at each commit; request: a person asked', () => {
    const workloads = [{ name: '*', durationMs: 20_000 }]
    const world = rigOf(terraformStage, { workloads })
    world.commit(main({ ttl: 60 }))
    world.until(DAY)
    world.stage.sync?.(world.cluster, { sync: true })
    world.until(2 * DAY)
    expect(world.jobs).toEqual(['seed 0', `seed ${DAY}`])
    expect(world.triggers()).toEqual(['revision: commit c1 came', 'request: a person ran it'])
  })
})
