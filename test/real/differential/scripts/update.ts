import type { JsonObject } from '../../../../src/core/json.ts'
import * as k from '../script.ts'
import { changed, create, get, merge, patch, update, type Script, type Step } from '../script.ts'
import {
  condition,
  configMap,
  container,
  cronJob,
  deployment,
  job,
  NOW,
  pod,
  secret,
  template,
} from './objects.ts'

const { JOBS, CRONJOBS, CONFIGMAPS, PODS, DEPLOYMENTS, SECRETS } = k

/** Merge patches of a Job's spec, each alone. */
function tries(specs: readonly JsonObject[], code: number): readonly Step[] {
  return specs.map((spec) => merge(JOBS, 'a', { spec }, { code }))
}

const SUSPENDED = { suspend: true }
const COMPLETE = {
  startTime: NOW,
  completionTime: NOW,
  succeeded: 1,
  conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
}

/** Updates, and what never changes. */
export const updateScripts: readonly Script[] = [
  {
    title: 'a PUT of the object as read changes nothing, not even the resourceVersion',
    steps: [create(JOBS, job('a')), update(JOBS, 'a', changed('jobs/a')), get(JOBS, 'a')],
  },
  {
    title: 'a PUT of the manifest lacks selector and labels, and is refused',
    steps: [create(JOBS, job('a')), update(JOBS, 'a', job('a'), { code: 422 })],
  },
  {
    title: 'a PUT of a ConfigMap without resourceVersion overwrites',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      update(CONFIGMAPS, 'a', configMap('a', { b: '2' })),
      update(CONFIGMAPS, 'a', configMap('a', { b: '2' })),
    ],
  },
  {
    title: 'a PUT with an old resourceVersion is a conflict, with none that can be a fault',
    steps: [
      create(CONFIGMAPS, configMap('a'), { as: 'old' }),
      update(CONFIGMAPS, 'a', configMap('a', { b: '2' })),
      update(CONFIGMAPS, 'a', changed('old', { data: { c: '3' } }), { code: 409 }),
      update(CONFIGMAPS, 'a', configMap('a', {}, { resourceVersion: 'x' }), { code: 500 }),
      update(CONFIGMAPS, 'a', configMap('a', {}, { resourceVersion: '0' })),
      update(CONFIGMAPS, 'a', configMap('a', {}, { resourceVersion: '' })),
    ],
  },
  {
    title: 'a PUT with the uid of another object is a conflict',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      create(CONFIGMAPS, configMap('b'), { as: 'b' }),
      update(CONFIGMAPS, 'a', configMap('a', {}, { uid: '$(b:metadata.uid)' }), { code: 409 }),
    ],
  },
  {
    title: 'a PUT to a name that is not there',
    steps: [
      update(JOBS, 'a', job('a'), { code: 404 }),
      update(CONFIGMAPS, 'a', configMap('a'), { code: 404 }),
      update(k.LEASES, 'a', { metadata: { name: 'a' } }, { code: 201 }),
      update(
        k.SERVICES,
        'a',
        { metadata: { name: 'a' }, spec: { ports: [{ port: 1 }] } },
        { code: 201 },
      ),
    ],
  },
  {
    title: 'a PUT with another name or namespace than the path',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      update(CONFIGMAPS, 'a', configMap('b'), { code: 400 }),
      update(CONFIGMAPS, 'a', configMap('a', {}, { namespace: 'other' }), { code: 400 }),
      update(CONFIGMAPS, 'a', { kind: 'ConfigMap', apiVersion: 'v1' }, { code: 400 }),
    ],
  },
  {
    title: 'what only the server writes cannot be changed',
    steps: [
      create(JOBS, job('a'), { as: 'a' }),
      ...[
        { creationTimestamp: '2020-01-01T00:00:00Z' },
        { generation: 9 },
        { selfLink: '/x' },
        { generateName: 'x-' },
      ].map((metadata) => update(JOBS, 'a', changed('jobs/a', { metadata }))),
      ...[{ deletionTimestamp: '2020-01-01T00:00:00Z' }, { deletionGracePeriodSeconds: 5 }].map(
        (metadata) => update(JOBS, 'a', changed('jobs/a', { metadata }), { code: 422 }),
      ),
      merge(JOBS, 'a', { metadata: { name: 'other' } }, { code: 400 }),
    ],
  },
  {
    title: 'status in a PUT of the main resource is left out',
    steps: [
      create(JOBS, job('a')),
      update(JOBS, 'a', changed('jobs/a', { status: { active: 5 } })),
      merge(JOBS, 'a', { status: { active: 5 } }),
    ],
  },
  {
    title: 'generation goes up with the spec, not with labels',
    steps: [
      create(JOBS, job('a')),
      merge(JOBS, 'a', { metadata: { labels: { a: 'b' } } }),
      merge(JOBS, 'a', { spec: { parallelism: 2 } }),
      merge(JOBS, 'a', { spec: { parallelism: 2 } }),
      merge(JOBS, 'a', { spec: { suspend: true } }),
    ],
  },
  {
    title: 'of a running Job these can be changed',
    steps: [
      create(JOBS, job('a')),
      ...tries([{ manualSelector: true }, { podReplacementPolicy: 'Failed' }], 200),
      ...tries(
        [
          { parallelism: 5 },
          { backoffLimit: 2 },
          { activeDeadlineSeconds: 50 },
          { ttlSecondsAfterFinished: 5 },
          { ttlSecondsAfterFinished: null },
          { suspend: true },
          { suspend: false },
        ],
        200,
      ),
    ],
  },
  {
    title: 'of a Job these never change',
    steps: [
      create(JOBS, job('a', { completions: 2 })),
      ...tries(
        [
          { completions: 3 },
          { completions: null },
          { completionMode: 'Indexed' },
          { selector: { matchLabels: { a: 'b' } } },
          { managedBy: 'semel.dev/replay' },
          { backoffLimitPerIndex: 1 },
          {
            podFailurePolicy: {
              rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }],
            },
          },
          { template: { spec: { containers: [container({ image: 'other:2' })] } } },
          { template: { metadata: { labels: { a: 'b' } } } },
          { template: { metadata: { annotations: { a: 'b' } } } },
          { template: { spec: { nodeSelector: { a: 'b' } } } },
        ],
        422,
      ),
    ],
  },
  {
    title: 'a suspended Job that has not started may be given to other nodes',
    steps: [
      create(JOBS, job('a', SUSPENDED)),
      ...tries(
        [
          { template: { spec: { nodeSelector: { a: 'b' } } } },
          { template: { spec: { tolerations: [{ key: 'a', operator: 'Exists' }] } } },
          { template: { metadata: { labels: { a: 'b' } } } },
          { template: { metadata: { annotations: { a: 'b' } } } },
          { template: { spec: { schedulingGates: [{ name: 'a.b/c' }] } } },
        ],
        200,
      ),
      ...tries([{ template: { spec: { containers: [container({ image: 'other:2' })] } } }], 422),
      ...tries([{ suspend: false, template: { spec: { nodeSelector: { c: 'd' } } } }], 200),
    ],
  },
  {
    title: 'a suspended Job that has started once is as fixed as a running one',
    steps: [
      create(JOBS, job('a', SUSPENDED)),
      merge(JOBS, 'a', { status: { startTime: NOW } }, { subresource: 'status' }),
      ...tries([{ template: { spec: { nodeSelector: { a: 'b' } } } }], 422),
    ],
  },
  {
    title: 'completions of an Indexed Job change together with parallelism',
    steps: [
      create(JOBS, job('a', { completionMode: 'Indexed', completions: 3, parallelism: 3 })),
      ...tries(
        [
          { completions: 4, parallelism: 4 },
          { completions: 2, parallelism: 2 },
        ],
        200,
      ),
      ...tries([{ completions: 5 }, { completions: 5, parallelism: 4 }], 422),
    ],
  },
  {
    title: 'managedBy cannot be changed or taken away, also not of a suspended Job',
    steps: [
      create(JOBS, job('a', { suspend: true, managedBy: 'semel.dev/replay' })),
      ...tries([{ managedBy: null }, { managedBy: 'example.test/other' }], 422),
      ...tries([{ suspend: false }], 200),
    ],
  },
  {
    title: 'a finished Job can still be changed where a running one can',
    steps: [
      create(JOBS, job('a', { managedBy: 'semel.dev/replay' })),
      merge(JOBS, 'a', { status: COMPLETE }, { subresource: 'status' }),
      ...tries(
        [
          { ttlSecondsAfterFinished: 9 },
          { parallelism: 3 },
          { backoffLimit: 1 },
          { activeDeadlineSeconds: 1 },
          { suspend: true },
        ],
        200,
      ),
      ...tries([{ completions: 7 }], 422),
    ],
  },
  {
    title: 'all of a CronJob can be changed, and is judged anew',
    steps: [
      create(CRONJOBS, cronJob('a')),
      merge(CRONJOBS, 'a', { spec: { schedule: '@hourly', suspend: true } }),
      merge(CRONJOBS, 'a', { spec: { timeZone: 'Europe/Berlin' } }),
      merge(CRONJOBS, 'a', { spec: { timeZone: null } }),
      merge(CRONJOBS, 'a', {
        spec: { jobTemplate: { spec: { template: template({ nodeSelector: { a: 'b' } }) } } },
      }),
      merge(CRONJOBS, 'a', { spec: { schedule: 'never' } }, { code: 422 }),
      merge(CRONJOBS, 'a', { spec: { schedule: 'TZ=UTC 0 0 * * *' } }, { code: 422 }),
      merge(CRONJOBS, 'a', { spec: { concurrencyPolicy: 'Replace' } }),
    ],
  },
  {
    title: 'of a pod only images and its deadline change, and tolerations come back',
    steps: [
      create(PODS, pod('a')),
      patch(PODS, 'a', ['strategic', { spec: { containers: [container({ image: 'other:2' })] } }]),
      merge(PODS, 'a', { spec: { activeDeadlineSeconds: 30 } }),
      merge(PODS, 'a', { spec: { activeDeadlineSeconds: 60 } }, { code: 422 }),
      merge(PODS, 'a', { spec: { activeDeadlineSeconds: 20 } }),
      merge(PODS, 'a', { spec: { nodeSelector: { a: 'b' } } }, { code: 422 }),
      merge(PODS, 'a', { spec: { restartPolicy: 'Never' } }, { code: 422 }),
      merge(PODS, 'a', { metadata: { labels: { a: 'b' } } }),
      merge(PODS, 'a', { spec: { tolerations: [] } }),
    ],
  },
  {
    title: 'an immutable ConfigMap stays as it is, and immutable',
    steps: [
      create(CONFIGMAPS, { ...configMap('a'), immutable: true }),
      merge(CONFIGMAPS, 'a', { data: { b: '2' } }, { code: 422 }),
      merge(CONFIGMAPS, 'a', { immutable: false }, { code: 422 }),
      merge(CONFIGMAPS, 'a', { immutable: null }, { code: 422 }),
      merge(CONFIGMAPS, 'a', { metadata: { labels: { a: 'b' } } }),
    ],
  },
  {
    title: 'the keys of ConfigMaps and Secrets are names of files',
    steps: [
      create(CONFIGMAPS, configMap('a', { 'a b': '1' }), { code: 422 }),
      create(CONFIGMAPS, configMap('b', { '..': '1' }), { code: 422 }),
      create(
        CONFIGMAPS,
        { ...configMap('c', { a: '1' }), binaryData: { a: 'YQ==' } },
        { code: 422 },
      ),
      create(CONFIGMAPS, { ...configMap('d', {}), binaryData: { a: '?' } }, { code: 400 }),
      create(CONFIGMAPS, configMap('e', { ['k'.repeat(254)]: '1' }), { code: 422 }),
      create(SECRETS, secret('a', { data: { 'a/b': 'YQ==' } }), { code: 422 }),
      create(SECRETS, secret('b', { type: 'kubernetes.io/tls' }), { code: 422 }),
      create(SECRETS, secret('c', { type: 'kubernetes.io/dockerconfigjson' }), { code: 422 }),
      create(SECRETS, secret('d', { type: 'kubernetes.io/basic-auth' }), { code: 422 }),
    ],
  },
  {
    title: 'the type of a Secret does not change',
    steps: [
      create(SECRETS, secret('a', { data: { a: 'YQ==' } })),
      merge(SECRETS, 'a', { type: 'example.test/x' }, { code: 422 }),
      merge(SECRETS, 'a', { stringData: { b: 'text' } }),
      merge(SECRETS, 'a', { data: { a: null } }),
      merge(SECRETS, 'a', { immutable: true }),
      merge(SECRETS, 'a', { data: { c: 'YQ==' } }, { code: 422 }),
    ],
  },
  {
    title: 'the selector of a Deployment does not change, its template does',
    steps: [
      create(DEPLOYMENTS, deployment('a')),
      merge(DEPLOYMENTS, 'a', { spec: { selector: { matchLabels: { app: 'x' } } } }, { code: 422 }),
      merge(DEPLOYMENTS, 'a', { spec: { replicas: 3 } }),
      patch(DEPLOYMENTS, 'a', [
        'strategic',
        { spec: { template: { spec: { containers: [{ name: 'main', image: 'x:2' }] } } } },
      ]),
      merge(
        DEPLOYMENTS,
        'a',
        { spec: { template: { metadata: { labels: { app: 'y' } } } } },
        { code: 422 },
      ),
    ],
  },
  {
    title: 'a StatefulSet changes in few places',
    steps: [
      create(k.STATEFULSETS, { ...deployment('a', { serviceName: 's' }), kind: 'StatefulSet' }),
      merge(k.STATEFULSETS, 'a', { spec: { serviceName: 't' } }, { code: 422 }),
      merge(k.STATEFULSETS, 'a', { spec: { podManagementPolicy: 'Parallel' } }, { code: 422 }),
      merge(k.STATEFULSETS, 'a', { spec: { replicas: 4, minReadySeconds: 3 } }),
      merge(k.STATEFULSETS, 'a', {
        spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } },
      }),
    ],
  },
  {
    title: 'finalizers may be taken away and added while an object lives',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      merge(CONFIGMAPS, 'a', { metadata: { finalizers: ['a.b/c'] } }),
      merge(CONFIGMAPS, 'a', { metadata: { finalizers: ['hold'] } }, { code: 422 }),
      merge(CONFIGMAPS, 'a', { metadata: { finalizers: [] } }),
    ],
  },
]
