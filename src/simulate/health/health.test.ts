import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { absentStatus, fluxStatus, jobStatus, kstatus } from './index.ts'

function job(spec: JsonObject, ...conditions: readonly string[]): JsonObject {
  const list = conditions.map((type) => ({ type, status: 'True' }))
  const status = conditions.length === 0 ? {} : { conditions: list }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'one' }, spec, status }
}

function deployment(status: JsonObject, spec: JsonObject = { replicas: 2 }): JsonObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { generation: 2 }, spec, status }
}

const available = [
  { type: 'Available', status: 'True' },
  { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
]
const two = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 }

describe('Jobs as Flux reads them', () => {
  it.each([
    ['F-15: one that runs is waited for', job({}), 'InProgress'],
    ['F-15: a complete one is good', job({}, 'SuccessCriteriaMet', 'Complete'), 'Current'],
    ['F-15: a failed one ends the wait', job({}, 'FailureTarget', 'Failed'), 'Failed'],
    ['F-15, trace 023: a suspended one is good', job({ suspend: true }), 'Current'],
    ['one about to fail is still waited for', job({}, 'FailureTarget'), 'InProgress'],
  ])('%s', (_, object, status) => {
    expect(jobStatus(object).status).toBe(status)
    expect(fluxStatus(object).status).toBe(status)
  })

  it('says a CronJob is good whatever it says of itself (F-15)', () => {
    const object = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { generation: 3 } }
    expect(fluxStatus({ ...object, status: { observedGeneration: 1 } }).status).toBe('Current')
  })

  it.each([
    ['F-16: a Job with a TTL was there', job({ ttlSecondsAfterFinished: 5 }), 'Current'],
    ['F-16, trace 025: also with a TTL of 0', job({ ttlSecondsAfterFinished: 0 }), 'Current'],
    ['a Job without a TTL is missing', job({}), 'NotFound'],
    ['another kind with such a field is missing', { ...job({}), kind: 'Lot' }, 'NotFound'],
    ['what nobody applied is missing', undefined, 'NotFound'],
  ])('absent: %s', (_, object, status) => {
    expect(absentStatus(object).status).toBe(status)
  })
})

const rows: readonly (readonly [string, JsonObject, string])[] = [
  ['an object that says nothing is good', { apiVersion: 'a/v1', kind: 'A' }, 'Current'],
  [
    'deletion comes first',
    { ...job({}, 'Complete'), metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
    'Terminating',
  ],
  ['an older observed generation', deployment({ ...two, observedGeneration: 1 }), 'InProgress'],
  ['a Job not started', job({}), 'InProgress'],
  [
    'a Job that started is good',
    { ...job({}), status: { startTime: '2026-01-01T00:00:00Z' } },
    'Current',
  ],
  ['a Job that failed', job({}, 'Failed'), 'Failed'],
  ['all of a Deployment', deployment({ ...two, conditions: available }), 'Current'],
  ['an empty Deployment', deployment({}), 'InProgress'],
  [
    'an old pod of a Deployment left',
    deployment({ ...two, replicas: 3, conditions: available }),
    'InProgress',
  ],
  [
    'a Deployment out of time',
    deployment({
      conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
    }),
    'Failed',
  ],
  [
    'a Deployment whose roll-out is not confirmed',
    deployment(
      { ...two, conditions: available.slice(0, 1) },
      { replicas: 2, progressDeadlineSeconds: 600 },
    ),
    'InProgress',
  ],
  ['a DaemonSet nobody looked at', { apiVersion: 'apps/v1', kind: 'DaemonSet' }, 'InProgress'],
  [
    'a DaemonSet without nodes',
    { apiVersion: 'apps/v1', kind: 'DaemonSet', status: { desiredNumberScheduled: 0 } },
    'Current',
  ],
  [
    'Stalled',
    {
      apiVersion: 'a/v1',
      kind: 'A',
      status: { conditions: [{ type: 'Stalled', status: 'True' }] },
    },
    'Failed',
  ],
  [
    'Ready=False is on its way',
    { apiVersion: 'a/v1', kind: 'A', status: { conditions: [{ type: 'Ready', status: 'False' }] } },
    'InProgress',
  ],
  [
    'a definition that is served',
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      status: { conditions: [{ type: 'Established', status: 'True' }] },
    },
    'Current',
  ],
  [
    'a pod that ended well',
    { apiVersion: 'v1', kind: 'Pod', status: { phase: 'Succeeded' } },
    'Current',
  ],
  [
    'a pod that ended badly',
    { apiVersion: 'v1', kind: 'Pod', status: { phase: 'Failed' } },
    'Failed',
  ],
  [
    'a pod that crashes again and again',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      status: {
        phase: 'Running',
        containerStatuses: [{ name: 'a', state: { waiting: { reason: 'CrashLoopBackOff' } } }],
      },
    },
    'Failed',
  ],
  [
    'a claim without a volume',
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } },
    'InProgress',
  ],
]

describe('kstatus', () => {
  it.each(rows)('%s', (_, object, status) => {
    expect(kstatus(object).status).toBe(status)
  })

  it('gives a pod that fits nowhere 15 s', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
      status: {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
      },
    }
    const created = Date.parse('2026-01-01T00:00:00Z')
    expect(kstatus(pod, created + 14_999).status).toBe('InProgress')
    expect(kstatus(pod, created + 15_000).status).toBe('Failed')
    expect(kstatus(pod).status).toBe('InProgress')
  })
})
