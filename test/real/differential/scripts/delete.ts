import type { JsonObject } from '../../../../src/core/json.ts'
import * as k from '../script.ts'
import {
  apply,
  changed,
  create,
  get,
  list,
  merge,
  patch,
  remove,
  removeAll,
  update,
  type Script,
} from '../script.ts'
import { configMap, cronJob, deleteOptions, deployment, job, pod } from './objects.ts'

const { JOBS, CRONJOBS, CONFIGMAPS, PODS, DEPLOYMENTS } = k
const HELD = { finalizers: ['example.test/hold'] }

function policy(propagationPolicy: string): { readonly body: JsonObject } {
  return { body: deleteOptions({ propagationPolicy }) }
}

/** Deleting: propagation, finalizers, preconditions, collections. Nobody collects garbage here. */
export const deleteScripts: readonly Script[] = [
  {
    title: 'a Job deleted without a policy waits as with Orphan, and warns',
    steps: [create(JOBS, job('a')), remove(JOBS, 'a'), get(JOBS, 'a')],
  },
  {
    title: 'a Job deleted with Orphan waits for somebody to orphan its pods, without a warning',
    steps: [create(JOBS, job('a')), remove(JOBS, 'a', policy('Orphan')), get(JOBS, 'a')],
  },
  {
    title: 'a Job deleted with Background is gone at once',
    steps: [
      create(JOBS, job('a')),
      remove(JOBS, 'a', policy('Background')),
      get(JOBS, 'a', { code: 404 }),
    ],
  },
  {
    title: 'a Job deleted with Foreground waits for the garbage collector',
    steps: [
      create(JOBS, job('a')),
      remove(JOBS, 'a', policy('Foreground')),
      get(JOBS, 'a'),
      remove(JOBS, 'a', policy('Background')),
      get(JOBS, 'a', { code: 404 }),
    ],
  },
  {
    title: 'the policy may stand in the query, and one that is none is refused',
    steps: [
      create(JOBS, job('a')),
      remove(JOBS, 'a', { options: { propagationPolicy: 'Foreground' } }),
      create(JOBS, job('b')),
      remove(JOBS, 'b', { ...policy('Sideways'), code: 422 }),
      remove(JOBS, 'b', { body: deleteOptions({ orphanDependents: true }) }),
      create(JOBS, job('c')),
      remove(JOBS, 'c', {
        body: deleteOptions({ orphanDependents: true, propagationPolicy: 'Orphan' }),
        code: 422,
      }),
      remove(JOBS, 'c', { body: deleteOptions({ orphanDependents: false }) }),
    ],
  },
  {
    title: 'CronJobs, Deployments and ConfigMaps go in the background by themselves',
    steps: [
      create(CRONJOBS, cronJob('a')),
      remove(CRONJOBS, 'a'),
      create(DEPLOYMENTS, deployment('a')),
      remove(DEPLOYMENTS, 'a'),
      create(CONFIGMAPS, configMap('a')),
      remove(CONFIGMAPS, 'a'),
      list(CRONJOBS),
    ],
  },
  {
    title: 'what is not there cannot be deleted',
    steps: [
      remove(JOBS, 'a', { code: 404 }),
      remove(CONFIGMAPS, 'a', { code: 404 }),
      remove(JOBS, 'a', { ...policy('Foreground'), code: 404 }),
    ],
  },
  {
    title:
      'a foreign finalizer holds a deleted Job: create is refused, apply reaches it, then it goes',
    steps: [
      create(JOBS, job('e', { suspend: true }, HELD)),
      remove(JOBS, 'e'),
      get(JOBS, 'e'),
      create(JOBS, job('e'), { code: 409 }),
      apply(JOBS, job('e', { suspend: true }), 'one'),
      patch(JOBS, 'e', ['json', [{ op: 'remove', path: '/metadata/finalizers' }]]),
      get(JOBS, 'e', { code: 404 }),
    ],
  },
  {
    title: 'deleting twice changes nothing but the policy',
    steps: [
      create(CONFIGMAPS, configMap('a', {}, HELD)),
      remove(CONFIGMAPS, 'a'),
      remove(CONFIGMAPS, 'a'),
      remove(CONFIGMAPS, 'a', policy('Foreground')),
      remove(CONFIGMAPS, 'a', policy('Orphan')),
      remove(CONFIGMAPS, 'a', policy('Background')),
      get(CONFIGMAPS, 'a'),
    ],
  },
  {
    title: 'no finalizer is added to what is being deleted, others may go',
    steps: [
      create(CONFIGMAPS, configMap('a', {}, { finalizers: ['a.b/one', 'a.b/two'] })),
      remove(CONFIGMAPS, 'a'),
      merge(
        CONFIGMAPS,
        'a',
        { metadata: { finalizers: ['a.b/one', 'a.b/two', 'a.b/three'] } },
        { code: 422 },
      ),
      merge(CONFIGMAPS, 'a', { metadata: { finalizers: ['a.b/two'] } }),
      merge(CONFIGMAPS, 'a', { data: { x: 'y' } }),
      merge(CONFIGMAPS, 'a', { metadata: { finalizers: null } }),
      get(CONFIGMAPS, 'a', { code: 404 }),
    ],
  },
  {
    title: 'deletion cannot be taken back: a time that is sent is not looked at',
    steps: [
      create(JOBS, job('a', {}, HELD)),
      remove(JOBS, 'a', policy('Background')),
      merge(JOBS, 'a', { metadata: { deletionTimestamp: null } }),
      merge(JOBS, 'a', { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } }),
      merge(JOBS, 'a', { metadata: { deletionGracePeriodSeconds: 9 } }, { code: 422 }),
      update(JOBS, 'a', changed('jobs/a', { metadata: { finalizers: null } })),
      get(JOBS, 'a', { code: 404 }),
    ],
  },
  {
    title: 'preconditions: uid and resourceVersion have to be those of the object',
    steps: [
      create(CONFIGMAPS, configMap('a'), { as: 'a' }),
      remove(CONFIGMAPS, 'a', {
        body: deleteOptions({ preconditions: { uid: 'other' } }),
        code: 409,
      }),
      remove(CONFIGMAPS, 'a', {
        body: deleteOptions({ preconditions: { resourceVersion: '1' } }),
        code: 409,
      }),
      remove(CONFIGMAPS, 'a', {
        body: deleteOptions({ preconditions: { uid: '$(a:metadata.uid)', resourceVersion: '1' } }),
        code: 409,
      }),
      remove(CONFIGMAPS, 'a', {
        body: deleteOptions({
          preconditions: {
            uid: '$(a:metadata.uid)',
            resourceVersion: '$(a:metadata.resourceVersion)',
          },
        }),
      }),
    ],
  },
  {
    title: 'grace is for pods; a pod without a node goes at once',
    steps: [
      create(PODS, pod('a')),
      remove(PODS, 'a', { body: deleteOptions({ gracePeriodSeconds: 10 }) }),
      get(PODS, 'a', { code: 404 }),
      create(CONFIGMAPS, configMap('a')),
      remove(CONFIGMAPS, 'a', { body: deleteOptions({ gracePeriodSeconds: 10 }) }),
      create(PODS, pod('b')),
      remove(PODS, 'b', { body: deleteOptions({ gracePeriodSeconds: -1 }) }),
    ],
  },
  {
    title: 'a pod with a node has its grace, which can be made shorter, not longer',
    steps: [
      create(PODS, pod('a', { nodeName: 'node-1' })),
      remove(PODS, 'a'),
      get(PODS, 'a'),
      remove(PODS, 'a', { body: deleteOptions({ gracePeriodSeconds: 60 }) }),
      remove(PODS, 'a', { body: deleteOptions({ gracePeriodSeconds: 5 }) }),
      remove(PODS, 'a', { body: deleteOptions({ gracePeriodSeconds: 0 }) }),
      get(PODS, 'a', { code: 404 }),
      create(PODS, pod('b', { nodeName: 'node-1', terminationGracePeriodSeconds: 7 })),
      remove(PODS, 'b'),
      create(PODS, pod('c', { nodeName: 'node-1' }, HELD)),
      remove(PODS, 'c', { body: deleteOptions({ gracePeriodSeconds: 0 }) }),
      get(PODS, 'c'),
    ],
  },
  {
    title: 'a dry run deletes nothing, and answers as if',
    steps: [
      create(JOBS, job('a')),
      remove(JOBS, 'a', { options: { dryRun: true } }),
      remove(JOBS, 'a', { body: deleteOptions({ dryRun: ['All'] }) }),
      remove(JOBS, 'a', { body: deleteOptions({ dryRun: ['Some'] }), code: 422 }),
      remove(JOBS, 'a', {
        body: deleteOptions({ dryRun: ['All'], propagationPolicy: 'Foreground' }),
      }),
      get(JOBS, 'a'),
    ],
  },
  {
    title: 'a collection is deleted by selectors',
    steps: [
      create(CONFIGMAPS, configMap('a', {}, { labels: { app: 'x' } })),
      create(CONFIGMAPS, configMap('b', {}, { labels: { app: 'y' } })),
      create(CONFIGMAPS, configMap('c', {}, { labels: { app: 'x' }, ...HELD })),
      removeAll(CONFIGMAPS, { options: { labelSelector: 'app=x' } }),
      list(CONFIGMAPS),
      removeAll(CONFIGMAPS, { options: { fieldSelector: 'metadata.name=b' } }),
      removeAll(CONFIGMAPS, { options: { dryRun: true } }),
      removeAll(CONFIGMAPS, { options: { labelSelector: '!!' }, code: 400 }),
      list(CONFIGMAPS),
    ],
  },
  {
    title: 'a collection of Jobs goes with the policy of the request',
    steps: [
      create(JOBS, job('a')),
      create(JOBS, job('b')),
      removeAll(JOBS, { body: deleteOptions({ propagationPolicy: 'Foreground' }) }),
      list(JOBS),
      removeAll(JOBS),
      list(JOBS),
    ],
  },
  {
    title: 'a body takes the place of the whole query',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      remove(CONFIGMAPS, 'a', { ...policy('Background'), options: { dryRun: true } }),
      get(CONFIGMAPS, 'a', { code: 404 }),
      create(JOBS, job('b')),
      remove(JOBS, 'b', { body: {}, options: { propagationPolicy: 'Background' } }),
      get(JOBS, 'b'),
    ],
  },
  {
    title: 'a body that is no DeleteOptions',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      remove(CONFIGMAPS, 'a', { body: [], code: 400 }),
      remove(CONFIGMAPS, 'a', { body: configMap('a'), code: 400 }),
      remove(CONFIGMAPS, 'a', { body: { gracePeriodSeconds: 'x' }, code: 400 }),
      remove(CONFIGMAPS, 'a', { body: {} }),
    ],
  },
]
