import type { JsonObject } from '../../../../src/core/json.ts'
import * as k from '../script.ts'
import { changed, create, get, merge, patch, update, type Script, type Step } from '../script.ts'
import { condition, configMap, cronJob, deployment, job, NOW, pod } from './objects.ts'

const { JOBS, CRONJOBS, CONFIGMAPS, PODS, DEPLOYMENTS } = k
const SUBRESOURCE = { subresource: 'status' }

function status(of: JsonObject, code = 200): Step {
  return merge(JOBS, 'a', { status: of }, { ...SUBRESOURCE, code })
}

const MANAGED = { managedBy: 'semel.dev/replay' }
const SUCCESS = [condition('SuccessCriteriaMet'), condition('Complete')]
const FAILURE = [condition('FailureTarget'), condition('Failed')]

/** Status and the other subresources. */
export const statusScripts: readonly Script[] = [
  {
    title: 'a managed Job is created with an empty status',
    steps: [create(JOBS, job('a', MANAGED)), get(JOBS, 'a', SUBRESOURCE)],
  },
  {
    title: 'Complete needs SuccessCriteriaMet',
    steps: [
      create(JOBS, job('a', MANAGED)),
      status({ startTime: NOW, completionTime: NOW, conditions: [condition('Complete')] }, 422),
    ],
  },
  {
    title: 'a finished Job has started',
    steps: [
      create(JOBS, job('a', MANAGED)),
      status({ completionTime: NOW, conditions: SUCCESS }, 422),
      status({ conditions: FAILURE }, 422),
    ],
  },
  {
    title: 'start, completion and both conditions in one patch complete a Job',
    steps: [
      create(JOBS, job('a', MANAGED)),
      status({ startTime: NOW, completionTime: NOW, conditions: SUCCESS }),
      status({ succeeded: 1 }, 200),
    ],
  },
  {
    title: 'Failed needs FailureTarget, and no completionTime',
    steps: [
      create(JOBS, job('a', MANAGED)),
      status({ startTime: NOW, conditions: [condition('Failed')] }, 422),
      status({ startTime: NOW, completionTime: NOW, conditions: FAILURE }, 422),
      status({ startTime: NOW, conditions: FAILURE }),
    ],
  },
  {
    title: 'a Job cannot be complete and failed, nor lose what it has become',
    steps: [
      create(JOBS, job('a', MANAGED)),
      status({ startTime: NOW, completionTime: NOW, conditions: [...SUCCESS, ...FAILURE] }, 422),
      status({ startTime: NOW, completionTime: NOW, conditions: SUCCESS }),
      status({ conditions: [] }, 422),
      status({ conditions: null }, 422),
      status({ conditions: FAILURE }, 422),
      status({ completionTime: null }, 422),
      status({ startTime: null }, 422),
      status({ completionTime: '2026-02-02T00:00:00Z' }, 422),
      status({ active: 1 }, 422),
    ],
  },
  {
    title: 'numbers of a status are not negative, and completion is not before the start',
    steps: [
      create(JOBS, job('a', MANAGED)),
      status({ active: -1 }, 422),
      status({ succeeded: -1, failed: -1, ready: -1, terminating: -1 }, 422),
      status({ active: 1, ready: 2 }, 422),
      status({ startTime: NOW, completionTime: '2020-01-01T00:00:00Z', conditions: SUCCESS }, 422),
      status({ active: 1, ready: 1, succeeded: 2 }, 200),
      status({ active: '1' }, 422),
      status({ startTime: 'yesterday' }, 422),
    ],
  },
  {
    title: 'indexes belong to Indexed Jobs',
    steps: [
      create(JOBS, job('a', { ...MANAGED, completionMode: 'Indexed', completions: 3 })),
      status({ completedIndexes: '0,2', succeeded: 2 }),
      status({ completedIndexes: '2-1' }, 422),
      status({ completedIndexes: '7' }, 422),
      status({ failedIndexes: '1' }, 422),
      create(JOBS, job('b', MANAGED)),
      merge(JOBS, 'b', { status: { completedIndexes: '0' } }, { ...SUBRESOURCE, code: 422 }),
    ],
  },
  {
    title: 'uncounted pods are named once, and finished Jobs have none',
    steps: [
      create(JOBS, job('a', MANAGED)),
      status({ uncountedTerminatedPods: { succeeded: ['a'], failed: ['a'] } }, 422),
      status({ uncountedTerminatedPods: { succeeded: ['a', 'a'] } }, 422),
      status({ uncountedTerminatedPods: { succeeded: [''] } }, 422),
      status({ uncountedTerminatedPods: { succeeded: ['a'] } }),
      status({ startTime: NOW, completionTime: NOW, conditions: SUCCESS }, 422),
    ],
  },
  {
    title: 'a Job with an active pod is not complete',
    steps: [
      create(JOBS, job('a')),
      status({ active: 1, startTime: NOW }),
      status({ startTime: NOW, completionTime: NOW, conditions: SUCCESS }, 422),
      status({ conditions: [condition('Suspended', { status: 'False' }), ...SUCCESS] }, 422),
      status({ active: 0, startTime: NOW, completionTime: NOW, conditions: SUCCESS }),
    ],
  },
  {
    title: 'the status of a condition may be any word',
    steps: [
      create(JOBS, job('a')),
      status({ conditions: [condition('Complete', { status: 'Perhaps' })] }),
    ],
  },
  {
    title: 'an update of status leaves spec alone, and metadata partly',
    steps: [
      create(JOBS, job('a')),
      update(
        JOBS,
        'a',
        changed('jobs/a', {
          metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['a.b/c'] },
          spec: { parallelism: 9 },
          status: { active: 1 },
        }),
        SUBRESOURCE,
      ),
      get(JOBS, 'a'),
    ],
  },
  {
    title: 'kinds without status have no such path',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      get(CONFIGMAPS, 'a', { ...SUBRESOURCE, code: 404 }),
      merge(CONFIGMAPS, 'a', {}, { ...SUBRESOURCE, code: 404 }),
      get(JOBS, 'a', { subresource: 'nothing', code: 404 }),
    ],
  },
  {
    title: 'a status is not created or deleted',
    steps: [
      create(JOBS, job('a')),
      create(JOBS, job('a'), { name: 'a', ...SUBRESOURCE, code: 405 }),
      k.remove(JOBS, 'a', { ...SUBRESOURCE, code: 405 }),
    ],
  },
  {
    title: 'the status of a CronJob',
    steps: [
      create(CRONJOBS, cronJob('a')),
      merge(
        CRONJOBS,
        'a',
        {
          status: {
            lastScheduleTime: NOW,
            active: [{ kind: 'Job', apiVersion: 'batch/v1', name: 'x', namespace: '$(namespace)' }],
          },
        },
        SUBRESOURCE,
      ),
      merge(CRONJOBS, 'a', { status: { active: [] } }, SUBRESOURCE),
    ],
  },
  {
    title: 'the status of a pod',
    steps: [
      create(PODS, pod('a')),
      merge(PODS, 'a', { status: { phase: 'Running', podIP: '10.1.1.1' } }, SUBRESOURCE),
      merge(PODS, 'a', { status: { phase: 'Succeeded', reason: 'Done' } }, SUBRESOURCE),
      merge(PODS, 'a', { spec: { nodeName: 'x' } }, SUBRESOURCE),
      patch(
        PODS,
        'a',
        ['strategic', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }],
        SUBRESOURCE,
      ),
    ],
  },
  {
    title: 'a pod is bound once',
    steps: [
      create(PODS, pod('a')),
      create(PODS, binding('a', 'node-1'), { name: 'a', subresource: 'binding' }),
      create(PODS, binding('a', 'node-2'), { name: 'a', subresource: 'binding', code: 409 }),
      create(PODS, binding('b', 'node-2'), { name: 'b', subresource: 'binding', code: 404 }),
      get(PODS, 'a'),
    ],
  },
  {
    title: 'a Deployment is scaled at its own door',
    steps: [
      create(DEPLOYMENTS, deployment('a')),
      get(DEPLOYMENTS, 'a', { subresource: 'scale' }),
      merge(DEPLOYMENTS, 'a', { spec: { replicas: 4 } }, { subresource: 'scale' }),
      merge(DEPLOYMENTS, 'a', { spec: { replicas: -4 } }, { subresource: 'scale', code: 422 }),
      update(
        DEPLOYMENTS,
        'a',
        {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: 'a' },
          spec: { replicas: 2 },
        },
        { subresource: 'scale' },
      ),
      get(DEPLOYMENTS, 'a'),
      get(DEPLOYMENTS, 'b', { subresource: 'scale', code: 404 }),
    ],
  },
  {
    title: 'the status of a Deployment',
    steps: [
      create(DEPLOYMENTS, deployment('a')),
      merge(
        DEPLOYMENTS,
        'a',
        { status: { replicas: 1, readyReplicas: 1, availableReplicas: 1, observedGeneration: 1 } },
        SUBRESOURCE,
      ),
      merge(
        DEPLOYMENTS,
        'a',
        { status: { replicas: 1, readyReplicas: 2 } },
        { ...SUBRESOURCE, code: 422 },
      ),
      merge(DEPLOYMENTS, 'a', { status: { replicas: -1 } }, { ...SUBRESOURCE, code: 422 }),
    ],
  },
]

function binding(name: string, node: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  }
}
