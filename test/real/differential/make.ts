import type { Chance } from '../../../src/cluster/chance.ts'
import type { ResourceId } from '../../../src/cluster/object.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { pick, some } from './pick.ts'
import {
  condition,
  configMap,
  container,
  cronJob,
  deployment,
  job,
  lease,
  NOW,
  pod,
  secret,
  shopTemplate,
  template,
} from './scripts/objects.ts'

/** A mostly valid object of the kind, of a few varieties. */
export function objectOf(chance: Chance, { resource }: ResourceId, name: string): JsonObject {
  const metadata = { name, ...metadataOf(chance) }
  return { ...makerOf(resource)(chance, name), metadata }
}

/** A merge patch that makes sense for the kind, mostly. */
export function changesOf(chance: Chance, { resource }: ResourceId): JsonObject {
  const of = (CHANGES[alike(resource)] ?? CHANGES['configmaps'])?.(chance) ?? {}
  const at = chance.next()
  if (at < 0.3) return { metadata: metadataOf(chance) }
  return at < 0.4 ? { metadata: metadataOf(chance), ...of } : of
}

export function statusOf(chance: Chance, { resource }: ResourceId): JsonObject {
  return (STATUS[alike(resource)] ?? STATUS['jobs'])?.(chance) ?? {}
}

/** The other workloads are changed as Deployments are. */
function alike(resource: string): string {
  return /^(replica|stateful|daemon)sets$/.test(resource) ? 'deployments' : resource
}

function metadataOf(chance: Chance): JsonObject {
  return {
    ...some(chance, {
      labels: pick(chance, [{ app: 'x' }, { app: 'y', tier: 'web' }, { 'example.test/a': '' }]),
      annotations: pick(chance, [{ note: 'a' }, { note: 'b', more: 'c' }]),
    }),
    ...some(chance, { finalizers: pick(chance, [['example.test/hold'], ['a.b/c', 'd.e/f']]) }, 0.1),
  }
}

type Make = (chance: Chance, name: string) => JsonObject
type Change = (chance: Chance) => JsonObject

function makerOf(resource: string): Make {
  return MAKES[resource] ?? ((chance, name) => configMap(name, dataOf(chance)))
}

const MAKES: { readonly [resource: string]: Make } = {
  jobs: (chance, name) => job(name, { template: podTemplate(chance), ...jobSpec(chance) }),
  cronjobs: (chance, name) =>
    cronJob(name, {
      schedule: pick(chance, ['@daily', '*/5 * * * *', '0 3 * * 1']),
      jobTemplate: { spec: { template: podTemplate(chance), ...some(chance, JOB_NUMBERS, 0.2) } },
      ...some(chance, CRON_FIELDS),
    }),
  pods: (chance, name) =>
    pod(name, { ...podSpec(chance), ...some(chance, { nodeName: 'node-1' }) }),
  deployments: (chance, name) =>
    deployment(name, {
      template: shopTemplate(podSpec(chance)),
      ...some(chance, { replicas: 2, minReadySeconds: 5, revisionHistoryLimit: 1, paused: true }),
    }),
  replicasets: (chance, name) => ({
    ...deployment(name, {
      template: shopTemplate(podSpec(chance)),
      ...some(chance, { replicas: 2, minReadySeconds: 5 }),
    }),
    kind: 'ReplicaSet',
  }),
  statefulsets: (chance, name) => ({
    ...deployment(name, {
      serviceName: 'shop',
      template: shopTemplate(podSpec(chance)),
      ...some(chance, { replicas: 2, podManagementPolicy: 'Parallel', ordinals: { start: 1 } }),
    }),
    kind: 'StatefulSet',
  }),
  daemonsets: (chance, name) => ({
    ...deployment(name, {
      template: shopTemplate(podSpec(chance)),
      ...some(chance, { minReadySeconds: 5, updateStrategy: { type: 'OnDelete' } }),
    }),
    kind: 'DaemonSet',
  }),
  secrets: (chance, name) =>
    secret(
      name,
      some(chance, { data: { a: 'YQ==' }, stringData: { b: 'x' }, type: 'Opaque' }, 0.6),
    ),
  leases: (chance, name) =>
    lease(
      name,
      some(chance, { holderIdentity: 'me', leaseDurationSeconds: 9, leaseTransitions: 1 }, 0.6),
    ),
}

const JOB_NUMBERS = {
  parallelism: 2,
  completions: 3,
  backoffLimit: 1,
  activeDeadlineSeconds: 60,
  ttlSecondsAfterFinished: 30,
  suspend: true,
}

const CRON_FIELDS = {
  timeZone: 'Europe/Berlin',
  suspend: true,
  concurrencyPolicy: 'Forbid',
  startingDeadlineSeconds: 100,
  successfulJobsHistoryLimit: 0,
  failedJobsHistoryLimit: 2,
}

function jobSpec(chance: Chance): JsonObject {
  const at = chance.next()
  const kind =
    at < 0.6
      ? {}
      : at < 0.8
        ? {
            completionMode: 'Indexed',
            completions: 2,
            ...some(chance, { backoffLimitPerIndex: 1 }),
          }
        : { managedBy: 'semel.dev/replay' }
  return { ...some(chance, JOB_NUMBERS), ...kind }
}

function podTemplate(chance: Chance): JsonObject {
  const labels = chance.next() < 0.3 ? { labels: { app: 'shop' } } : undefined
  return template({ ...podSpec(chance), restartPolicy: 'Never' }, labels)
}

function podSpec(chance: Chance): JsonObject {
  const first = container(
    some(chance, {
      image: pick(chance, ['shop', 'registry.example/shop:2', 'shop:latest']),
      command: ['run'],
      args: ['--all'],
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
      resources: pick(chance, [
        { requests: { cpu: '100m' } },
        { limits: { memory: '1Gi', cpu: 1 }, requests: { memory: '512Mi' } },
      ]),
    }),
  )
  const second = chance.next() < 0.2 ? [container({ name: 'side', image: 'side:1' })] : []
  return {
    containers: [first, ...second],
    ...some(
      chance,
      {
        nodeSelector: { disk: 'ssd' },
        serviceAccountName: 'runner',
        terminationGracePeriodSeconds: 5,
        volumes: [{ name: 'tmp', emptyDir: {} }],
        initContainers: [{ name: 'wait', image: 'wait:1' }],
      },
      0.15,
    ),
  }
}

function dataOf(chance: Chance): JsonObject {
  return some(chance, { a: '1', b: pick(chance, ['1', '2']), c: '3' }, 0.6)
}

const CHANGES: { readonly [resource: string]: Change } = {
  jobs: (chance) => ({
    spec: pick<JsonObject>(chance, [
      { parallelism: pick(chance, [0, 1, 2, 5]) },
      { suspend: pick(chance, [true, false]) },
      { backoffLimit: 4 },
      { ttlSecondsAfterFinished: pick(chance, [0, 60, null]) },
      { activeDeadlineSeconds: pick(chance, [10, null]) },
      { completions: pick(chance, [2, 4, null]) },
      { completions: 2, parallelism: 2 },
      { managedBy: pick(chance, ['semel.dev/replay', null]) },
      { template: { spec: { nodeSelector: { disk: 'hdd' } } } },
      { template: { metadata: { annotations: { a: 'b' } } } },
      { template: { spec: { containers: [container({ image: 'new:3' })] } } },
    ]),
  }),
  cronjobs: (chance) => ({
    spec: pick<JsonObject>(chance, [
      { schedule: pick(chance, ['@hourly', '1 2 3 * *', 'x']) },
      { suspend: pick(chance, [true, false, null]) },
      { timeZone: pick(chance, ['UTC', null]) },
      { concurrencyPolicy: pick(chance, ['Allow', 'Replace', null]) },
      { jobTemplate: { spec: { backoffLimit: 2 } } },
      { jobTemplate: { metadata: { labels: { a: 'b' } } } },
      { failedJobsHistoryLimit: pick(chance, [0, 3, null]) },
    ]),
  }),
  pods: (chance) => ({
    spec: pick<JsonObject>(chance, [
      { activeDeadlineSeconds: pick(chance, [10, 5, 100]) },
      { containers: [container({ image: 'new:3' })] },
      { nodeSelector: { disk: 'hdd' } },
      { terminationGracePeriodSeconds: 3 },
      { tolerations: [{ key: 'a', operator: 'Exists' }] },
    ]),
  }),
  deployments: (chance) => ({
    spec: pick<JsonObject>(chance, [
      { replicas: pick(chance, [0, 3, null]) },
      { paused: pick(chance, [true, null]) },
      { minReadySeconds: pick(chance, [1, null]) },
      {
        strategy: pick<JsonObject>(chance, [
          { type: 'Recreate', rollingUpdate: null },
          { rollingUpdate: { maxSurge: 2 } },
        ]),
      },
      { selector: { matchLabels: { app: 'y' } } },
      { template: { spec: { containers: [container({ image: 'new:3' })] } } },
      { template: { metadata: { annotations: { a: 'b' } } } },
    ]),
  }),
  secrets: (chance) =>
    pick<JsonObject>(chance, [
      { data: { a: 'Yg==' } },
      { data: { a: null } },
      { stringData: { c: 'y' } },
      { type: 'kubernetes.io/tls' },
      { immutable: pick(chance, [true, null]) },
    ]),
  leases: (chance) => ({
    spec: pick<JsonObject>(chance, [
      { holderIdentity: pick(chance, ['you', null]) },
      { leaseDurationSeconds: pick(chance, [1, 0, null]) },
      { renewTime: '2026-01-01T00:00:00.000000Z' },
    ]),
  }),
  configmaps: (chance) =>
    pick<JsonObject>(chance, [
      { data: dataOf(chance) },
      { data: { a: null, d: 'x' } },
      { data: null },
      { binaryData: { z: 'YQ==' } },
      { immutable: pick(chance, [true, false, null]) },
    ]),
}

const SUCCESS = [condition('SuccessCriteriaMet'), condition('Complete')]
const FAILURE = [condition('FailureTarget'), condition('Failed')]

const STATUS: { readonly [resource: string]: Change } = {
  jobs: (chance) =>
    pick<JsonObject>(chance, [
      { active: 1, startTime: NOW },
      { active: 1, ready: 1, startTime: NOW },
      { startTime: NOW, completionTime: NOW, succeeded: 1, conditions: SUCCESS },
      { startTime: NOW, failed: 1, conditions: FAILURE },
      { startTime: NOW, conditions: [condition('Complete')] },
      { startTime: null },
      { conditions: [condition('Suspended')] },
      { uncountedTerminatedPods: { succeeded: ['x'] } },
      { completedIndexes: '0' },
    ]),
  cronjobs: (chance) =>
    pick<JsonObject>(chance, [
      { lastScheduleTime: NOW },
      { lastSuccessfulTime: NOW, active: [] },
      { active: [{ kind: 'Job', apiVersion: 'batch/v1', name: 'x' }] },
    ]),
  pods: (chance) =>
    pick<JsonObject>(chance, [
      { phase: 'Running', startTime: NOW },
      { phase: 'Succeeded' },
      { phase: 'Failed', reason: 'Evicted', message: 'x' },
      {
        conditions: [
          { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: NOW },
        ],
      },
    ]),
  deployments: (chance) =>
    pick<JsonObject>(chance, [
      { replicas: 1, updatedReplicas: 1, observedGeneration: 1 },
      { readyReplicas: 3 },
      { conditions: [{ type: 'Available', status: 'True', reason: 'Told', message: '' }] },
    ]),
}
