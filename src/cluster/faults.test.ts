import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import type { Actor, Cause } from './actor.ts'
import type { Answer, WatchEvent } from './api/request.ts'
import { controllerManager } from './controllers/index.ts'
import { createCluster, type CreateClusterOptions } from './index.ts'
import { annotationScript } from './kubelet/annotation-script.ts'
import { kubelet } from './kubelet/kubelet.ts'
import type { KubeObject } from './object.ts'
import { isRefusedConnection } from './outage.ts'
import { PODS } from './pod.ts'
import { snapshotOf } from './print.ts'

const START = Date.UTC(2026, 0, 1)
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }
const CRONJOBS = { group: 'batch', version: 'v1', resource: 'cronjobs' }

function room(more: CreateClusterOptions = {}) {
  const writes: (WatchEvent & { readonly at: number })[] = []
  const causes: Cause[] = []
  const cluster = createCluster({
    now: START,
    actors: [...controllerManager(), kubelet(annotationScript)],
    listener: {
      write: (event, at) => writes.push({ ...event, at: (at - START) / 1000 }),
      cause: (cause) => causes.push(cause),
    },
    ...more,
  })
  const send = (resource: typeof JOBS, kind: string, name: string, spec: JsonObject): Answer =>
    cluster.request({
      verb: 'create',
      resource,
      namespace: 'default',
      user: 'test',
      body: { apiVersion: 'batch/v1', kind, metadata: { name }, spec },
    })
  const job = (name: string): KubeObject | undefined => cluster.api.read.get(JOBS, 'default', name)
  return {
    cluster,
    writes,
    causes,
    job,
    pods: () => cluster.api.read.list(PODS),
    create: (name: string, play: Play = {}) => send(JOBS, 'Job', name, jobSpec(play)),
    createCron: (name: string, spec: JsonObject) => send(CRONJOBS, 'CronJob', name, spec),
    until: (seconds: number) => cluster.runUntil(START + seconds * 1000),
    before: (seconds: number) => cluster.runBefore(START + seconds * 1000),
    /** `2 work` for each pod, once: when it was created first, and whose it is. */
    starts: () => {
      const seen = new Set<string>()
      return writes
        .filter(({ type, object }) => type === 'ADDED' && object.kind === 'Pod')
        .filter(({ object }) => seen.size < seen.add(object.metadata.uid).size)
        .map(({ at, object }) => `${at} ${object.metadata.ownerReferences?.[0]?.name ?? ''}`)
    },
  }
}

interface Play {
  readonly duration?: string
  readonly exit?: string
  readonly spec?: JsonObject
}

function jobSpec({ duration = '5000', exit = '0', spec = {} }: Play): JsonObject {
  return {
    ...spec,
    template: {
      metadata: { annotations: { 'play/duration': duration, 'play/exit': exit } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a:1' }] },
    },
  }
}

function statusOf(object: KubeObject | undefined): JsonObject {
  return (object?.['status'] ?? {}) as JsonObject
}

describe('an outage of the API server (K-91)', () => {
  it('answers everybody like a refused connection, and stores nothing', () => {
    const { cluster, create, job, writes } = room()
    cluster.down()
    const answer = create('work')
    expect(answer.code).toBe(503)
    expect(isRefusedConnection(answer)).toBe(true)
    expect(job('work')).toBeUndefined()
    expect(writes).toEqual([])
    cluster.up()
    expect(create('work').code).toBe(201)
  })

  it('ends at the instant that was given, or earlier when somebody ends it', () => {
    const { cluster, until } = room()
    cluster.down(START + 60_000)
    until(59)
    expect(cluster.isDown).toBe(true)
    until(60)
    expect(cluster.isDown).toBe(false)
    cluster.down(START + 120_000)
    cluster.up()
    expect(cluster.isDown).toBe(false)
    expect(cluster.planned()).toEqual([])
  })

  it('lets containers run on: their end is reported when it is over, with its own time', () => {
    const { cluster, create, job, pods, before, until } = room()
    create('work', { duration: '5000' })
    before(2)
    cluster.down(START + 60_000)
    until(59)
    expect(pods()[0]?.['status']).toMatchObject({ phase: 'Running' })
    until(61)
    expect(pods()[0]?.['status']).toMatchObject({
      phase: 'Succeeded',
      containerStatuses: [{ state: { terminated: { finishedAt: '2026-01-01T00:00:05Z' } } }],
    })
    expect(statusOf(job('work'))).toMatchObject({
      succeeded: 1,
      completionTime: '2026-01-01T00:01:00Z',
    })
  })

  it('ends controllers after ten seconds, as they cannot renew their lease', () => {
    const { cluster, until } = room()
    cluster.down(START + 60_000)
    until(9)
    expect(cluster.isRunning('job-controller')).toBe(true)
    until(10)
    expect(cluster.isRunning('job-controller')).toBe(false)
    expect(cluster.isRunning('kubelet')).toBe(true)
    until(60)
    expect(cluster.isRunning('job-controller')).toBe(true)
  })

  it('makes the Job controller forget its delay when it is long, and keep it when it is short', () => {
    const startsWith = (seconds: number): readonly string[] => {
      const { cluster, create, before, until, starts } = room()
      create('work', { duration: '1000', exit: '1' })
      before(2)
      cluster.down(START + (2 + seconds) * 1000)
      until(200)
      return starts()
    }
    // 1 s of work, then 10, 20, 40 ... s of delay.
    expect(startsWith(5)).toEqual(['0 work', '11 work', '32 work', '73 work', '154 work'])
    // Down from 2 to 22 s: the failure at 1 s is forgotten with the process.
    expect(startsWith(20)[1]).toBe('22 work')
  })

  it('of a moment loses nothing: what was refused is asked for again', () => {
    const { cluster, create, job, until, before, starts } = room()
    create('work', { duration: '1000' })
    before(0.5)
    cluster.down(START + 5000)
    until(10)
    expect(statusOf(job('work'))).toMatchObject({ succeeded: 1 })
    expect(starts()).toEqual(['0 work'])
  })

  it('of a moment loses no write of the other controllers either', () => {
    const { cluster, until } = room()
    const send = (group: string, kind: string, spec: JsonObject): Answer =>
      cluster.request({
        verb: 'create',
        resource: { group, version: 'v1', resource: `${kind.toLowerCase()}s` },
        namespace: 'default',
        user: 'test',
        body: {
          apiVersion: group === '' ? 'v1' : `${group}/v1`,
          kind,
          metadata: { name: 'one' },
          spec,
        },
      })
    const template = {
      metadata: { labels: { app: 'one' } },
      spec: { containers: [{ name: 'main', image: 'a:1' }] },
    }
    const selector = { matchLabels: { app: 'one' } }
    expect(send('apps', 'Deployment', { replicas: 2, selector, template }).code).toBe(201)
    const set = { replicas: 2, selector, serviceName: 'one', template }
    expect(send('apps', 'StatefulSet', set).code).toBe(201)
    expect(send('', 'ResourceQuota', { hard: { pods: '10' } }).code).toBe(201)
    cluster.down(START + 5000)
    until(30)
    const read = (group: string, resource: string): JsonObject =>
      statusOf(cluster.api.read.get({ group, version: 'v1', resource }, 'default', 'one'))
    expect(read('apps', 'deployments')).toMatchObject({ readyReplicas: 2 })
    expect(read('apps', 'statefulsets')).toMatchObject({ readyReplicas: 2 })
    expect(read('', 'resourcequotas')).toMatchObject({ used: { pods: '2' } })
  })

  it('lets a TTL expire, and the Job is deleted when it is over', () => {
    const { cluster, create, job, before, until } = room()
    create('work', { duration: '1000', spec: { ttlSecondsAfterFinished: 30 } })
    before(10)
    cluster.down(START + 100_000)
    until(99)
    expect(job('work')).toBeDefined()
    until(100)
    expect(job('work')).toBeUndefined()
  })

  it('makes a CronJob miss its ticks: the last is caught up, if its deadline allows', () => {
    const jobsAt = (startingDeadlineSeconds?: number): readonly string[] => {
      const { cluster, createCron, before, until, starts } = room()
      const deadline = startingDeadlineSeconds === undefined ? {} : { startingDeadlineSeconds }
      createCron('tick', {
        schedule: '*/10 * * * *',
        ...deadline,
        jobTemplate: { spec: jobSpec({}) },
      })
      before(700)
      cluster.down(START + 2000 * 1000)
      until(2500)
      return starts().map((start) => start.split(' ')[0] ?? '')
    }
    expect(jobsAt()).toEqual(['600.1', '2000', '2400.1'])
    // The tick of 1800 s is 200 s late by then.
    expect(jobsAt(199)).toEqual(['600.1', '2400.1'])
    expect(jobsAt(201)).toEqual(['600.1', '2000', '2400.1'])
  })

  it('holds back who starts meanwhile, and forgets who was stopped', () => {
    const { cluster, until } = room()
    cluster.stop('namespace-controller')
    cluster.down(START + 30_000)
    cluster.start('namespace-controller')
    expect(cluster.isRunning('namespace-controller')).toBe(false)
    until(15)
    cluster.stop('job-controller')
    until(30)
    expect(cluster.isRunning('namespace-controller')).toBe(true)
    expect(cluster.isRunning('job-controller')).toBe(false)
  })

  it('is told to actors that live on', () => {
    const heard: number[] = []
    const listener: Actor<object, never> = {
      name: 'reader',
      begin: () => ({}),
      wake: () => {},
      copy: (state) => state,
      relist: (_state, io) => heard.push((io.now - START) / 1000),
    }
    const { cluster, until } = room({ actors: [listener] })
    cluster.down(START + 5000)
    until(10)
    expect(heard).toEqual([5])
  })

  it('goes on in a copy as it would itself', () => {
    const { cluster, create, before } = room()
    create('work', { duration: '1000', exit: '1,1,0' })
    before(5)
    cluster.down(START + 60_000)
    before(20)
    const twin = cluster.copy()
    twin.runUntil(START + 600_000)
    cluster.runUntil(START + 600_000)
    expect(snapshotOf(twin)).toEqual(snapshotOf(cluster))
  })
})

describe('etcd that is put back to an earlier state (K-92)', () => {
  it('holds objects as they were, with their uids and revisions, and counts on from there', () => {
    const { cluster, create, job, until } = room()
    create('one', { duration: '1000' })
    until(5)
    const then = snapshotOf(cluster)
    const uid = job('one')?.metadata.uid
    const backup = cluster.backup()
    create('two', { duration: '1000' })
    until(10)
    cluster.restore(backup)
    expect(job('two')).toBeUndefined()
    expect(job('one')?.metadata.uid).toBe(uid)
    // Without `--bump-revision` the revisions go back, too: the next write repeats a number.
    expect(cluster.api.resourceVersion).toBe(then.resourceVersion)
    expect(snapshotOf(cluster).objects).toEqual(then.objects)
    expect(cluster.now).toBe(START + 10_000)
  })

  it('gives new objects uids that were never there, and can be done twice', () => {
    const { cluster, create, job } = room()
    const backup = cluster.backup()
    const uids = new Set<string>()
    for (let time = 0; time < 3; time += 1) {
      create('work')
      uids.add(job('work')?.metadata.uid ?? '')
      cluster.restore(backup)
      expect(job('work')).toBeUndefined()
    }
    expect(uids.size).toBe(3)
  })

  it('tells listeners why, and what is lost and what is back', () => {
    const { cluster, create, until, writes, causes } = room()
    create('old', { duration: '1000', spec: { ttlSecondsAfterFinished: 3 } })
    until(2)
    const backup = cluster.backup()
    until(6)
    create('new', { duration: '1000' })
    until(7)
    writes.length = 0
    causes.length = 0
    cluster.restore(backup)
    expect(causes.slice(0, 3)).toMatchObject([
      {
        actor: 'etcd',
        rule: 'K-92',
        effect: 'restored etcd',
        trigger: { words: 'somebody put etcd back to its state of 2026-01-01T00:00:02Z' },
      },
      { effect: 'lost Job', object: 'Job default/new' },
      { effect: 'brought back Job', object: 'Job default/old' },
    ])
    expect(writes.map(({ type, object }) => `${type} ${object.kind}`)).toEqual([
      'DELETED Job',
      'DELETED Pod',
      'ADDED Job',
      'ADDED Pod',
    ])
  })

  it('brings back a Job that its TTL had removed, which goes again at once', () => {
    const { cluster, create, until, job, starts } = room()
    create('work', { duration: '1000', spec: { ttlSecondsAfterFinished: 30 } })
    until(10)
    const backup = cluster.backup()
    until(100)
    expect(job('work')).toBeUndefined()
    cluster.restore(backup)
    expect(job('work')).toBeDefined()
    until(101)
    expect(job('work')).toBeUndefined()
    expect(starts()).toEqual(['0 work'])
  })

  it('ends pods that etcd does not know: their work is cut off, and nobody hears of it', () => {
    const { cluster, create, until, pods } = room()
    const backup = cluster.backup()
    create('work', { duration: '60000' })
    until(10)
    expect(pods()).toHaveLength(1)
    cluster.restore(backup)
    until(100)
    expect(pods()).toEqual([])
    expect(cluster.planned()).toEqual([])
  })

  it('hears from the node of pods that run in etcd and have ended there', () => {
    const { cluster, create, until, job, starts } = room()
    create('work', { duration: '5000' })
    until(2)
    const backup = cluster.backup()
    until(10)
    cluster.restore(backup)
    expect(statusOf(job('work'))).toMatchObject({ active: 1 })
    until(10)
    expect(statusOf(job('work'))).toMatchObject({
      succeeded: 1,
      completionTime: '2026-01-01T00:00:10Z',
    })
    expect(starts()).toEqual(['0 work'])
  })

  it('runs a pod again whose containers the node had removed with it', () => {
    const { cluster, create, until, job, writes } = room()
    create('work', { duration: '5000', spec: { ttlSecondsAfterFinished: 1 } })
    until(2)
    const backup = cluster.backup()
    until(20)
    expect(job('work')).toBeUndefined()
    cluster.restore(backup)
    until(24)
    expect(statusOf(job('work'))).toMatchObject({ active: 1 })
    until(25)
    expect(statusOf(job('work'))).toMatchObject({ succeeded: 1 })
    // The same pod, twice: what it does is done twice, and no new Job says so.
    const added = writes.filter(({ type, object }) => type === 'ADDED' && object.kind === 'Pod')
    expect(new Set(added.map(({ object }) => object.metadata.uid)).size).toBe(1)
  })

  it('makes a CronJob run its last tick again, which it had run since', () => {
    const { cluster, createCron, until, starts } = room()
    createCron('tick', { schedule: '*/10 * * * *', jobTemplate: { spec: jobSpec({}) } })
    until(700)
    const backup = cluster.backup()
    until(2000)
    cluster.restore(backup)
    until(2500)
    const at = starts().map((start) => start.split(' ')[0])
    expect(at).toEqual(['600.1', '1200.1', '1800.1', '2000', '2400.1'])
  })

  it('leaves those stopped who were stopped, and ends an outage', () => {
    const { cluster, until } = room()
    const backup = cluster.backup()
    cluster.stop('cronjob-controller')
    cluster.down()
    until(60)
    cluster.restore(backup)
    expect(cluster.isDown).toBe(false)
    expect(cluster.isRunning('cronjob-controller')).toBe(false)
    expect(cluster.isRunning('job-controller')).toBe(true)
  })
})

describe('a cluster that is built anew (K-93)', () => {
  it('is empty, has the same processes, and gives other uids', () => {
    const { cluster, create, job, until, pods, writes } = room()
    create('work', { duration: '60000' })
    until(10)
    const uid = job('work')?.metadata.uid
    writes.length = 0
    cluster.rebuild()
    expect(job('work')).toBeUndefined()
    expect(pods()).toEqual([])
    expect(
      writes.filter(({ type, object }) => type === 'DELETED' && object.kind === 'Job'),
    ).toHaveLength(1)
    expect(cluster.api.read.get(NAMESPACES, undefined, 'default')).toBeDefined()
    create('work', { duration: '1000' })
    expect(job('work')?.metadata.uid).not.toBe(uid)
    until(20)
    expect(statusOf(job('work'))).toMatchObject({ succeeded: 1 })
  })
})

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' }
