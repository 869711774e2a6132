import * as k from '../script.ts'
import { create, type Script } from '../script.ts'
import {
  container,
  cronJob,
  deployment,
  job,
  lease,
  pod,
  secret,
  shopTemplate,
  template,
} from './objects.ts'

const { JOBS, CRONJOBS, PODS, DEPLOYMENTS, REPLICASETS, STATEFULSETS, DAEMONSETS, SECRETS } = k

const RICH = {
  serviceAccountName: 'runner',
  terminationGracePeriodSeconds: 20,
  securityContext: { runAsUser: 1000, fsGroup: 1000 },
  tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
  volumes: [
    { name: 'config', configMap: { name: 'c' } },
    { name: 'secret', secret: { secretName: 's' } },
    { name: 'scratch', emptyDir: {} },
    { name: 'claim', persistentVolumeClaim: { claimName: 'd' } },
    { name: 'all', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
    {
      name: 'about',
      downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] },
    },
    { name: 'host', hostPath: { path: '/x' } },
  ],
  initContainers: [
    { name: 'wait', image: 'wait' },
    { name: 'side', image: 'side:1', restartPolicy: 'Always' },
  ],
  containers: [
    container({
      env: [
        { name: 'A', value: '1' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } },
        { name: 'C', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
        { name: 'D', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
      ],
      ports: [{ containerPort: 80 }],
      livenessProbe: { httpGet: { port: 80 } },
      readinessProbe: { grpc: { port: 81 } },
      startupProbe: { exec: { command: ['true'] } },
      lifecycle: { preStop: { httpGet: { port: 82, path: '/end' } } },
      volumeMounts: [{ name: 'config', mountPath: '/c' }],
    }),
  ],
}

/** What the server fills in. */
export const defaultScripts: readonly Script[] = [
  {
    title: 'a Job without numbers has one completion and six retries',
    steps: [
      create(JOBS, job('plain')),
      create(JOBS, job('two', { parallelism: 2 })),
      create(JOBS, job('three', { completions: 3 })),
      create(JOBS, job('both', { parallelism: 2, completions: 3 })),
    ],
  },
  {
    title: 'completions null with parallelism is a work queue: completions stay absent',
    steps: [
      create(JOBS, job('queue', { parallelism: 3, completions: null })),
      create(JOBS, job('nothing', { parallelism: null, completions: null, backoffLimit: null })),
    ],
  },
  {
    title: 'a limit of retries for each index lifts the limit for all',
    steps: [
      create(
        JOBS,
        job('a', { completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 }),
      ),
      create(
        JOBS,
        job('b', {
          completionMode: 'Indexed',
          completions: 2,
          backoffLimitPerIndex: 1,
          backoffLimit: 3,
        }),
      ),
    ],
  },
  {
    title: 'with a pod failure policy pods are replaced only when they have failed',
    steps: [
      create(
        JOBS,
        job('a', {
          podFailurePolicy: {
            rules: [
              { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
              { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
            ],
          },
        }),
      ),
    ],
  },
  {
    title: 'a manual selector is kept, and the labels of the template with it',
    steps: [
      create(
        JOBS,
        job('a', {
          manualSelector: true,
          selector: { matchLabels: { run: 'mine' } },
          template: template({}, { labels: { run: 'mine' } }),
        }),
      ),
      create(JOBS, job('b', { manualSelector: true }), { code: 422 }),
      create(JOBS, job('c', { selector: { matchLabels: { run: 'mine' } } }), { code: 422 }),
    ],
  },
  {
    title: 'a CronJob allows concurrent runs, keeps three and one, and is not suspended',
    steps: [create(CRONJOBS, cronJob('a')), create(CRONJOBS, cronJob('b', { timeZone: 'UTC' }))],
  },
  {
    title: 'images are pulled always when their tag is latest or absent',
    steps: [
      create(
        JOBS,
        job('a', {
          template: template({
            containers: ['shop', 'shop:latest', 'shop:1', 'shop@sha256:' + 'a'.repeat(64)].map(
              (image, index) => container({ name: `c${index}`, image }),
            ),
          }),
        }),
      ),
    ],
  },
  {
    title: 'every part of a rich pod template is filled in',
    steps: [create(JOBS, job('rich', { template: template(RICH) }))],
  },
  {
    title: 'quantities are kept as written where they are canonical, and rewritten where not',
    steps: [
      create(
        JOBS,
        job('a', {
          template: template({
            containers: [
              container({
                resources: {
                  limits: { cpu: '1000m', memory: '1024Mi', 'example.test/gpu': 2 },
                  requests: { cpu: 0.5, memory: '1e6' },
                },
              }),
            ],
          }),
        }),
      ),
    ],
  },
  {
    title: 'a pod has tolerations, a priority and a class of service',
    steps: [
      create(PODS, pod('best-effort')),
      create(
        PODS,
        pod('burstable', { containers: [container({ resources: { requests: { cpu: '1' } } })] }),
      ),
      create(
        PODS,
        pod('guaranteed', {
          containers: [container({ resources: { limits: { cpu: '1', memory: '1Gi' } } })],
        }),
      ),
      create(PODS, pod('never', { restartPolicy: 'Never', terminationGracePeriodSeconds: 0 })),
    ],
  },
  {
    title: 'a Deployment rolls by a quarter, keeps ten revisions and has ten minutes',
    steps: [
      create(DEPLOYMENTS, deployment('a')),
      create(DEPLOYMENTS, deployment('b', { strategy: { type: 'Recreate' } })),
      create(DEPLOYMENTS, deployment('c', { replicas: 0, strategy: { rollingUpdate: {} } })),
    ],
  },
  {
    title: 'ReplicaSets, StatefulSets and DaemonSets',
    steps: [
      create(REPLICASETS, { ...deployment('rs'), kind: 'ReplicaSet' }),
      create(STATEFULSETS, {
        ...deployment('sts', {
          serviceName: 'shop',
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: {
                accessModes: ['ReadWriteOnce'],
                resources: { requests: { storage: '1Gi' } },
              },
            },
          ],
        }),
        kind: 'StatefulSet',
      }),
      create(DAEMONSETS, { ...deployment('ds'), kind: 'DaemonSet' }),
    ],
  },
  {
    title: 'a Secret is Opaque, and its plain text becomes data',
    steps: [
      create(SECRETS, secret('a', { stringData: { user: 'me' } })),
      create(SECRETS, secret('b', { data: { a: 'b2xk' }, stringData: { a: 'new' } })),
      create(SECRETS, secret('c', { data: { a: 'not base64!' } }), { code: 400 }),
    ],
  },
  {
    title: 'a Service is of ClusterIP, by TCP, to the port that it has itself',
    steps: [
      create(k.SERVICES, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'a' },
        spec: { ports: [{ port: 80 }], selector: { app: 'shop' } },
      }),
      create(k.SERVICES, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'headless' },
        spec: { clusterIP: 'None', ports: [{ port: 80 }] },
      }),
    ],
  },
  {
    title: 'a Lease, a ServiceAccount and an Event have next to no defaults',
    steps: [
      create(k.LEASES, lease('a', { holderIdentity: 'me', leaseDurationSeconds: 15 })),
      create(k.LEASES, lease('b', { renewTime: '2026-01-01T00:00:00.500000Z' })),
      create(k.LEASES, lease('c', { renewTime: '2026-01-01T00:00:00.5Z' }), { code: 400 }),
      create(k.ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } }),
      create(k.EVENTS, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'a' },
        involvedObject: { kind: 'Job', namespace: '$(namespace)', name: 'x' },
        reason: 'Seen',
      }),
    ],
  },
  {
    title: 'empty lists, maps and texts are not kept',
    steps: [
      create(
        JOBS,
        job(
          'a',
          {
            template: template(
              {
                volumes: [],
                nodeSelector: {},
                serviceAccountName: '',
                securityContext: {},
                imagePullSecrets: [],
                containers: [container({ args: [], env: [], resources: {}, workingDir: '' })],
              },
              { labels: {}, annotations: {} },
            ),
          },
          { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] },
        ),
      ),
    ],
  },
  {
    title: 'a shop template in a Deployment keeps what was written',
    steps: [
      create(
        DEPLOYMENTS,
        deployment('a', { template: shopTemplate({ serviceAccountName: 'runner' }) }),
      ),
    ],
  },
]
