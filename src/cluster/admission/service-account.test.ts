import { expect, it } from 'vitest'
import { controllerManager } from '../controllers/index.ts'
import type { ClusterEvent } from '../cluster.ts'
import { createCluster } from '../index.ts'
import { scenarioScript } from '../kubelet/scenario-script.ts'
import { kubelet } from '../kubelet/kubelet.ts'
import { PODS } from '../pod.ts'
import { serviceAccountAdmission } from './service-account.ts'

const zero = Date.UTC(2026, 0, 5)

function room(serviceAccountName?: string) {
  const events: ClusterEvent[] = []
  const script = scenarioScript({ workloads: [{ name: 'default/*', durationMs: 1000 }] })
  const cluster = createCluster({
    now: zero,
    admission: [serviceAccountAdmission],
    actors: [...controllerManager(), kubelet(script)],
    listener: { event: (event) => events.push(event) },
  })
  const account = serviceAccountName === undefined ? {} : { serviceAccountName }
  const containers = [{ name: 'main', image: 'registry.example.test/setup:1' }]
  cluster.request({
    verb: 'create',
    resource: { group: 'batch', version: 'v1', resource: 'jobs' },
    namespace: 'default',
    user: 'somebody',
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'setup' },
      spec: { template: { spec: { restartPolicy: 'Never', containers, ...account } } },
    },
  })
  return { cluster, events }
}

it('K-96: no pod is made without its account, and the Job asks again, later each time', () => {
  const { cluster, events } = room('setup')
  cluster.runUntil(zero + 40_000)
  expect(events.map(({ at, reason }) => `${(at - zero) / 1000} ${reason}`)).toEqual([
    '0 FailedCreate',
    '0 FailedCreate',
    '2 FailedCreate',
    '6 FailedCreate',
    '14 FailedCreate',
    '30 FailedCreate',
  ])
  expect(events[0]?.message).toBe(
    'Error creating: pods "setup-" is forbidden: error looking up service account default/setup: serviceaccount "setup" not found',
  )
  cluster.request({
    verb: 'create',
    resource: { group: '', version: 'v1', resource: 'serviceaccounts' },
    namespace: 'default',
    user: 'somebody',
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'setup' } },
  })
  cluster.runUntil(zero + 70_000)
  expect(cluster.api.read.list(PODS)).toHaveLength(1)
})

it('the account `default` is there in every namespace, named or not', () => {
  for (const name of [undefined, 'default']) {
    const { cluster } = room(name)
    cluster.runUntil(zero + 500)
    expect(cluster.api.read.list(PODS)).toHaveLength(1)
  }
})
