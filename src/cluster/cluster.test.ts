import { describe, expect, it } from 'vitest'
import type { Actor } from './actor.ts'
import { seededChance } from './chance.ts'
import { createCluster, type CreateClusterOptions } from './index.ts'
import { kubelet } from './kubelet/kubelet.ts'
import { annotationScript } from './kubelet/annotation-script.ts'
import { controllerManager } from './controllers/index.ts'
import { printCluster, snapshotOf } from './print.ts'
import type { Cluster } from './cluster.ts'

const START = Date.UTC(2026, 0, 1)
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }

function cluster(options: CreateClusterOptions = {}): Cluster {
  const actors = [...controllerManager(), kubelet(annotationScript)]
  return createCluster({ now: START, actors, ...options })
}

function createJob(on: Cluster, name: string, spec = {}): void {
  const answer = on.request({
    verb: 'create',
    resource: JOBS,
    namespace: 'default',
    user: 'test',
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name },
      spec: {
        ...spec,
        template: {
          metadata: { annotations: { 'play/duration': '5000', 'play/exit': '1,0' } },
          spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a:1' }] },
        },
      },
    },
  })
  expect(answer.code).toBe(201)
}

describe('a cluster in virtual time', () => {
  it('jumps from one planned instant to the next, and ends where it was asked to', () => {
    const one = cluster()
    createJob(one, 'work')
    one.runUntil(START + 3_600_000)
    expect(one.now).toBe(START + 3_600_000)
    expect(one.api.read.get(JOBS, 'default', 'work')?.['status']).toMatchObject({
      succeeded: 1,
      failed: 1,
    })
    expect(one.nextAt()).toBeUndefined()
  })

  it('runs alike from the same seed, to the last letter', () => {
    const run = (seed: number): string => {
      const one = cluster({ seed })
      createJob(one, 'work', { ttlSecondsAfterFinished: 60 })
      createJob(one, 'other', { parallelism: 3, completions: 5 })
      one.runUntil(START + 30_000)
      return JSON.stringify(snapshotOf(one))
    }
    expect(run(7)).toBe(run(7))
    expect(run(7)).not.toBe(run(8))
  })

  it('goes on in a copy as it would itself, and neither touches the other', () => {
    const one = cluster()
    createJob(one, 'work')
    one.runUntil(START + 7_000)
    const before = printCluster(one)
    const twin = one.copy()
    expect(printCluster(twin)).toBe(before)
    twin.runUntil(START + 60_000)
    expect(printCluster(one)).toBe(before)
    one.runUntil(START + 60_000)
    expect(snapshotOf(one)).toEqual(snapshotOf(twin))
  })

  it('stops an actor with all that it planned, and starts it anew', () => {
    const one = cluster()
    one.stop('job-controller')
    createJob(one, 'work')
    one.runUntil(START + 10_000)
    expect(printCluster(one)).toContain('Job default/work\n')
    one.start('job-controller')
    one.runUntil(START + 11_000)
    expect(printCluster(one)).toMatch(/Job default\/work {2}.*active=1/)
  })

  it('tells actors of a write only after the act that wrote is over', () => {
    const order: string[] = []
    const writer: Actor<Record<string, never>, 'go'> = {
      name: 'writer',
      begin(io) {
        io.wakeAt(io.now + 1000, 'go')
        return {}
      },
      wake(_state, _wake, io) {
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
        const resource = { group: '', version: 'v1', resource: 'configmaps' }
        io.request({ verb: 'create', resource, namespace: 'default', body })
        order.push('written')
      },
      observe: (_state, { object }) => order.push(`seen ${object.metadata.name}`),
      copy: (state) => state,
    }
    cluster({ actors: [writer] }).runUntil(START + 2000)
    expect(order).toEqual(['written', 'seen a'])
  })

  it('prints what is stored and what is planned, and no data', () => {
    const one = cluster()
    createJob(one, 'work')
    one.request({
      verb: 'create',
      resource: { group: '', version: 'v1', resource: 'secrets' },
      namespace: 'default',
      user: 'test',
      body: {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'key' },
        stringData: { password: 'hunter2' },
      },
    })
    one.runUntil(START + 1000)
    const text = printCluster(one)
    expect(text).toMatch(/^2026-01-01T00:00:01\.000Z {2}resourceVersion \d+\n/)
    expect(text).toMatch(/^v1 Pod default\/work-\w+ {2}phase=Running/m)
    expect(text).toMatch(/^2026-01-01T00:00:05\.000Z {2}kubelet/m)
    expect(text).not.toContain('hunter2')
  })
})

describe('chance', () => {
  it('gives the same numbers to a copy, and others to another seed', () => {
    const one = seededChance(1)
    one.next()
    const twin = one.copy()
    const rest = [one.next(), one.next()]
    expect([twin.next(), twin.next()]).toEqual(rest)
    expect(seededChance(2).next()).not.toBe(seededChance(1).next())
  })

  it('is spread evenly over [0, 1)', () => {
    const chance = seededChance(3)
    const numbers = Array.from({ length: 10_000 }, () => chance.next())
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.02)
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
  })
})
