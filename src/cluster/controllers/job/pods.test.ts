import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { PODS } from '../../pod.ts'
import { bodyOf, deleteJob, deletePod, jobManifest, REAL, world, type World } from './testing.ts'

const created = (given: World): readonly number[] => given.pods.map((pod) => pod.created)

function runningPod(given: World): string {
  const pod = given.podsNow().find(({ status }) => status?.phase === 'Running')
  return pod?.metadata.name ?? ''
}

describe('the pods of a Job', () => {
  it('carry its labels, its finalizer and its reference', () => {
    const given = world()
    given.create(jobManifest({ play: { duration: '9000' } }))
    given.until(1)
    const [pod] = given.podsNow()
    const job = given.job()
    expect(pod?.metadata).toMatchObject({
      generateName: 'one-',
      finalizers: ['batch.kubernetes.io/job-tracking'],
      labels: { 'batch.kubernetes.io/job-name': 'one' },
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          name: 'one',
          uid: job.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    })
    expect(job.status).toMatchObject({ active: 1, ready: 1 })
  })

  it('lose the finalizer once they are counted', () => {
    const given = world()
    given.create(jobManifest({ play: { duration: '1000' } }))
    given.until(5)
    expect(given.podsNow()[0]?.metadata.finalizers ?? []).toEqual([])
  })

  it('of an Indexed Job carry their index in annotation, label, host name, name and variable', () => {
    const given = world()
    const spec = { completionMode: 'Indexed', completions: 2, parallelism: 2 }
    given.create(jobManifest({ spec, play: { duration: '9000' } }))
    given.until(1)
    const [, second] = given.podsNow()
    const key = 'batch.kubernetes.io/job-completion-index'
    expect(second?.metadata.annotations?.[key]).toBe('1')
    expect(second?.metadata.labels?.[key]).toBe('1')
    expect(second?.metadata.generateName).toBe('one-1-')
    expect(second?.spec.hostname).toBe('one-1')
    expect(second?.spec.containers[0]?.['env']).toEqual([
      {
        name: 'JOB_COMPLETION_INDEX',
        valueFrom: {
          fieldRef: expect.objectContaining({ fieldPath: `metadata.labels['${key}']` }),
        },
      },
    ])
  })

  it('of an Indexed Job with a long name keep the index in a name that is cut', () => {
    const given = world()
    const name = 'n'.repeat(60)
    const spec = { completionMode: 'Indexed', completions: 1, parallelism: 1 }
    given.create(jobManifest({ name, spec, play: { duration: '9000' } }))
    given.until(1)
    expect(given.podsNow()[0]?.metadata.generateName).toBe(`${'n'.repeat(55)}-0-`)
  })

  it('follow a raised and a lowered parallelism at once, without counting as failures', () => {
    const given = world()
    given.create(
      jobManifest({ spec: { parallelism: 1, completions: 9 }, play: { duration: '50000' } }),
    )
    given.until(2)
    given.patch('one', { spec: { parallelism: 3 } })
    given.until(4)
    given.patch('one', { spec: { parallelism: 0 } })
    given.until(5)
    expect(given.job().status?.active).toBeUndefined()
    given.patch('one', { spec: { parallelism: 5 } })
    given.until(6)
    expect(created(given)).toEqual([0, 2, 2, 5, 5, 5, 5, 5])
    expect(given.job().status).toMatchObject({ active: 5 })
    expect(given.job().status?.failed).toBeUndefined()
  })

  it('that are surplus go in order: pending before running, young before old', () => {
    const given = world()
    given.create(
      jobManifest({ spec: { parallelism: 1, completions: 9 }, play: { duration: '50000' } }),
    )
    given.until(5)
    given.patch('one', { spec: { parallelism: 2 } })
    given.until(10)
    given.patch('one', { spec: { parallelism: 1 } })
    given.until(11)
    expect(given.pods.map(({ deletionRequested }) => deletionRequested)).toEqual([undefined, 10])
  })
})

describe('a pod that somebody deletes', () => {
  it('counts as failed at once under the default policy; its successor comes 10 s later', () => {
    const given = world(REAL)
    given.create(jobManifest({ play: { duration: '15000', linger: '8000' } }))
    given.until(2)
    deletePod(given, runningPod(given))
    given.until(60)
    expect(created(given)).toEqual([0.04, 12.01])
    expect(given.pods[0]?.ended).toBe(10.01)
    expect(given.job().status).toMatchObject({ failed: 1, succeeded: 1 })
  })

  it('runs beside its successor when it needs longer than that to stop', () => {
    const given = world()
    given.create(jobManifest({ play: { duration: '5000', linger: '20000' } }))
    given.until(2)
    deletePod(given, runningPod(given))
    given.until(60)
    expect(created(given)).toEqual([0, 12])
    expect(given.pods[0]?.ended).toBe(22)
  })

  it('is replaced 10 s after its end under the policy Failed, never beside it', () => {
    const given = world()
    const spec = { podReplacementPolicy: 'Failed' }
    given.create(jobManifest({ spec, play: { duration: '5000', linger: '20000' } }))
    given.until(2)
    deletePod(given, runningPod(given))
    given.until(60)
    expect(created(given)).toEqual([0, 32])
    expect(given.pods[0]?.ended).toBe(22)
  })

  it('ends a Job with backoffLimit 0, Failed when it has stopped', () => {
    const given = world()
    given.create(
      jobManifest({ spec: { backoffLimit: 0 }, play: { duration: '8000', linger: '2000' } }),
    )
    given.until(2)
    deletePod(given, runningPod(given))
    given.until(60)
    expect(given.conditions).toEqual([
      'one FailureTarget=True BackoffLimitExceeded @2',
      'one Failed=True BackoffLimitExceeded @4',
    ])
  })
})

describe('a pod that is evicted', () => {
  const rules = [
    { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
  ]
  const spec: JsonObject = { backoffLimit: 0, podFailurePolicy: { rules } }

  it('is not counted when a rule ignores disruptions; its successor comes 10 s after its end', () => {
    const given = world({
      script: {
        plan: (_, attempt) => ({
          containers: { main: { runs: [{ durationMs: 8000 }] } },
          stopMs: 2000,
          ...(attempt === 0
            ? { disruption: { afterMs: 2000, reason: 'EvictionByEvictionAPI' } }
            : {}),
        }),
      },
    })
    given.create(jobManifest({ spec }))
    given.until(60)
    // Trace 017.
    expect(created(given)).toEqual([0, 14])
    expect(given.job().status).toMatchObject({ succeeded: 1 })
    expect(given.job().status?.failed).toBeUndefined()
  })

  it('through the API is marked by the server, and not counted either', () => {
    const given = world()
    given.create(jobManifest({ spec, play: { duration: '8000', linger: '2000' } }))
    given.until(2)
    const name = runningPod(given)
    const answer = given.cluster.request({
      verb: 'create',
      resource: PODS,
      subresource: 'eviction',
      namespace: 'default',
      name,
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } },
      user: 'somebody',
    })
    expect(answer.code).toBe(201)
    given.until(60)
    expect(created(given)).toEqual([0, 14])
    expect(given.conditions.at(-1)).toMatch(/^one Complete=True/)
  })

  it('counts as failed when it was only deleted: that is no disruption', () => {
    const given = world()
    given.create(jobManifest({ spec, play: { duration: '8000', linger: '2000' } }))
    given.until(2)
    deletePod(given, runningPod(given))
    given.until(60)
    // Trace 019c: and only once the pod has ended.
    expect(given.conditions[0]).toBe('one FailureTarget=True BackoffLimitExceeded @4')
  })
})

describe('suspending a Job (K-23)', () => {
  it('at its creation: no pod, no start time; a pod as soon as it is resumed', () => {
    const given = world(REAL)
    given.create(jobManifest({ spec: { suspend: true }, play: { duration: '1000' } }))
    given.until(5)
    expect(given.pods).toEqual([])
    expect(given.job().status?.startTime).toBeUndefined()
    given.patch('one', { spec: { suspend: false } })
    given.until(30)
    // Recorded: 10 to 30 ms after the resume.
    expect(created(given)).toEqual([5.015])
    expect(given.job().status?.startTime).toBe('2026-01-05T00:00:05Z')
    expect(given.job().status?.conditions?.[0]).toMatchObject({
      type: 'Suspended',
      status: 'False',
      reason: 'JobResumed',
    })
  })

  it('while it runs: its pod goes, uncounted, and the work starts from the beginning', () => {
    const given = world()
    const spec = { backoffLimit: 0 }
    given.create(jobManifest({ spec, play: { duration: '10000', linger: '3000' } }))
    given.until(2)
    given.patch('one', { spec: { suspend: true } })
    given.until(10)
    expect(given.job().status?.startTime).toBeUndefined()
    expect(given.job().status?.failed).toBeUndefined()
    given.patch('one', { spec: { suspend: false } })
    given.until(60)
    expect(created(given)).toEqual([0, 10])
    expect(given.events.map(({ reason }) => reason)).toEqual([
      'SuccessfulCreate',
      'SuccessfulDelete',
      'Suspended',
      'SuccessfulCreate',
      'Resumed',
      'Completed',
    ])
  })

  it('and resuming it before the pod has stopped lets both run, unless the policy is Failed', () => {
    const starts = (spec: JsonObject): readonly number[] => {
      const given = world()
      given.create(jobManifest({ spec, play: { duration: '10000', linger: '6000' } }))
      given.until(2)
      given.patch('one', { spec: { suspend: true } })
      given.until(3)
      given.patch('one', { spec: { suspend: false } })
      given.until(60)
      return created(given)
    }
    expect(starts({})).toEqual([0, 3])
    // Trace 022c: after the stop, but without the delay of 10 s.
    expect(starts({ podReplacementPolicy: 'Failed' })).toEqual([0, 8])
  })

  it('stops the clock of its deadline', () => {
    const given = world()
    given.create(jobManifest({ spec: { activeDeadlineSeconds: 6 }, play: { duration: '60000' } }))
    given.until(3)
    given.patch('one', { spec: { suspend: true } })
    given.until(11)
    given.patch('one', { spec: { suspend: false } })
    given.until(60)
    expect(given.conditions.at(-1)).toBe('one Failed=True DeadlineExceeded @17')
  })

  it('keeps the start time before Kubernetes 1.36', () => {
    const given = world({ minor: 35 })
    given.create(jobManifest({ play: { duration: '10000' } }))
    given.until(2)
    given.patch('one', { spec: { suspend: true } })
    given.until(5)
    expect(given.job().status?.startTime).toBe('2026-01-05T00:00:00Z')
  })
})

describe('a Job that another controller manages (K-24)', () => {
  it('is left alone', () => {
    const given = world()
    given.create(jobManifest({ spec: { managedBy: 'semel.dev/replay' } }))
    given.until(60)
    expect(given.pods).toEqual([])
    expect(given.job().status?.startTime).toBeUndefined()
  })

  it('is not before Kubernetes 1.32', () => {
    const given = world({ minor: 31 })
    given.create(jobManifest({ spec: { managedBy: 'semel.dev/replay' } }))
    given.until(60)
    expect(given.pods).toHaveLength(1)
  })
})

describe('pods that fit the selector of a Job', () => {
  const stray = (labels: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'stray', labels, annotations: { 'play/duration': '2000' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'one:1' }] },
  })

  it('are adopted whoever made them, and the Job deletes its own as surplus', () => {
    const given = world(REAL)
    given.create(jobManifest({ play: { duration: '4000' } }))
    given.until(0.07)
    const { labels = {} } = given.podsNow()[0]?.metadata ?? {}
    bodyOf(given.create(stray(labels)))
    given.until(30)
    // Trace 044b: the foreign success completes the Job.
    expect(given.pods).toHaveLength(2)
    const [own, other] = given.pods
    expect(own?.deletionRequested).toBe(1.04)
    expect(other).toMatchObject({ name: 'stray', phase: 'Succeeded' })
    expect(given.job().status).toMatchObject({ succeeded: 1 })
    expect(given.conditions.at(-1)).toBe('one Complete=True CompletionsReached @3.04')
  })

  it('are adopted even when they have ended: a Job completes without a run of its own', () => {
    const given = world(REAL)
    bodyOf(given.create(stray({ app: 'one' })))
    given.until(5)
    const spec = { manualSelector: true, selector: { matchLabels: { app: 'one' } } }
    given.create(jobManifest({ spec, template: { labels: { app: 'one' } } }))
    given.until(30)
    expect(given.pods).toHaveLength(1)
    expect(given.conditions.at(-1)).toBe('one Complete=True CompletionsReached @5.04')
  })

  it('are left alone by a Job that is being deleted', () => {
    const given = world()
    given.create(jobManifest({ play: { duration: '40000' } }))
    given.until(1)
    const { labels = {} } = given.podsNow()[0]?.metadata ?? {}
    deleteJob(given, 'one', 'Foreground')
    bodyOf(given.create(stray(labels)))
    given.until(2)
    const pod = given.podsNow().find(({ metadata }) => metadata.name === 'stray')
    expect(pod?.metadata.ownerReferences).toBeUndefined()
  })

  it('of a Job that is gone lose its finalizer', () => {
    const given = world()
    given.create(jobManifest({ play: { duration: '4000' } }))
    given.until(1)
    deleteJob(given, 'one', 'Background')
    given.until(2)
    expect(given.podsNow().flatMap(({ metadata }) => metadata.finalizers ?? [])).toEqual([])
  })

  it('are let go when their labels no longer fit', () => {
    const given = world()
    given.create(jobManifest({ play: { duration: '4000' } }))
    given.until(1)
    const name = runningPod(given)
    const labels = { 'batch.kubernetes.io/controller-uid': 'other', 'controller-uid': 'other' }
    given.cluster.request({
      verb: 'patch',
      resource: PODS,
      namespace: 'default',
      name,
      patch: { type: 'merge', body: { metadata: { labels } } },
      user: 'somebody',
    })
    given.until(2)
    const pod = given.podsNow().find(({ metadata }) => metadata.name === name)
    expect(pod?.metadata.ownerReferences ?? []).toEqual([])
    expect(given.pods).toHaveLength(2)
  })
})

describe('a controller that was away', () => {
  it('starts each Job once that was created, raised or resumed meanwhile', () => {
    const given = world(REAL)
    given.create(jobManifest({ name: 'resumed', spec: { suspend: true } }))
    given.create(
      jobManifest({
        name: 'raised',
        spec: { parallelism: 1, completions: 3 },
        play: { duration: '90000' },
      }),
    )
    given.until(10)
    given.cluster.stop('job-controller')
    given.create(jobManifest({ name: 'late' }))
    given.patch('resumed', { spec: { suspend: false } })
    given.patch('raised', { spec: { parallelism: 3 } })
    given.until(50)
    expect(given.pods).toHaveLength(1)
    given.cluster.start('job-controller')
    given.until(60)
    // Trace 072.
    expect(given.pods.map(({ job, created: at }) => `${job} ${at}`).toSorted()).toEqual([
      'late 50.25',
      'raised 0.04',
      'raised 50.25',
      'raised 50.25',
      'resumed 50.25',
    ])
  })

  it('completes a Job whose pod ended meanwhile, with the time of its return', () => {
    const given = world()
    given.create(jobManifest({ play: { duration: '20000' } }))
    given.until(10)
    given.cluster.stop('job-controller')
    given.until(155)
    given.cluster.start('job-controller')
    given.until(160)
    expect(given.conditions.at(-1)).toBe('one Complete=True CompletionsReached @155')
  })
})
