import * as k from '../script.ts'
import {
  apply,
  changed,
  create,
  get,
  merge,
  patch,
  remove,
  update,
  type Script,
} from '../script.ts'
import { configMap, container, cronJob, deployment, job, lease, shopTemplate } from './objects.ts'

const { JOBS, CRONJOBS, CONFIGMAPS, DEPLOYMENTS } = k
const DATA = { a: '1' }
const FORCE = { options: { force: true } }

/** Server-side apply, alone and with several managers. */
export const applyScripts: readonly Script[] = [
  {
    title: 'an apply creates, and applied again changes nothing',
    steps: [
      apply(JOBS, job('a'), 'one', { code: 201 }),
      apply(JOBS, job('a'), 'one'),
      apply(JOBS, job('a'), 'one', FORCE),
      get(JOBS, 'a'),
    ],
  },
  {
    title: 'another manager that says the same owns it too',
    steps: [
      apply(CONFIGMAPS, configMap('a'), 'one', { code: 201 }),
      apply(CONFIGMAPS, configMap('a'), 'two'),
      apply(CONFIGMAPS, configMap('a', { a: '1', b: '2' }), 'two'),
      apply(CONFIGMAPS, configMap('a', {}), 'two'),
      apply(CONFIGMAPS, configMap('a', {}), 'one'),
    ],
  },
  {
    title: 'another value than the owner’s is a conflict, until it is forced',
    steps: [
      apply(CONFIGMAPS, configMap('a', { a: '1', b: '1' }), 'one', { code: 201 }),
      apply(CONFIGMAPS, configMap('a', { a: '2' }), 'two', { code: 409 }),
      apply(CONFIGMAPS, configMap('a', { a: '2', b: '2' }), 'two', { code: 409 }),
      apply(CONFIGMAPS, configMap('a', { a: '2' }), 'two', FORCE),
      apply(CONFIGMAPS, configMap('a', { a: '1', b: '1' }), 'one', { code: 409 }),
      apply(CONFIGMAPS, configMap('a', { a: '2', b: '1' }), 'one'),
    ],
  },
  {
    title: 'several owners are all named in a conflict',
    steps: [
      apply(CONFIGMAPS, configMap('a', { a: '1' }), 'one', { code: 201 }),
      apply(CONFIGMAPS, configMap('a', { a: '1', b: '1' }), 'two'),
      merge(CONFIGMAPS, 'a', { data: { c: '1' } }, { options: { fieldManager: 'three' } }),
      apply(CONFIGMAPS, configMap('a', { a: '9', b: '9', c: '9' }), 'four', { code: 409 }),
    ],
  },
  {
    title: 'what a manager leaves out and nobody else owns goes away',
    steps: [
      apply(CRONJOBS, cronJob('a', { suspend: true, startingDeadlineSeconds: 9 }), 'one', {
        code: 201,
      }),
      apply(CRONJOBS, cronJob('a'), 'one'),
    ],
  },
  {
    title: 'an update takes ownership from an apply where it changes',
    steps: [
      apply(CONFIGMAPS, configMap('a', { a: '1', b: '1' }), 'one', { code: 201 }),
      update(CONFIGMAPS, 'a', changed('configmaps/a', { data: { a: '2' } }), {
        options: { fieldManager: 'editor' },
      }),
      apply(CONFIGMAPS, configMap('a', { a: '1', b: '1' }), 'one', { code: 409 }),
      apply(CONFIGMAPS, configMap('a', { a: '1', b: '1' }), 'one', FORCE),
    ],
  },
  {
    title: 'containers belong to whoever applied them, by name',
    steps: [
      apply(DEPLOYMENTS, deployment('a'), 'one', { code: 201 }),
      apply(
        DEPLOYMENTS,
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'a' },
          spec: { template: { spec: { containers: [{ name: 'side', image: 'side:1' }] } } },
        },
        'two',
      ),
      apply(
        DEPLOYMENTS,
        deployment('a', { template: shopTemplate({ containers: [container({ image: 'x:2' })] }) }),
        'one',
      ),
      apply(
        DEPLOYMENTS,
        { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } },
        'two',
      ),
    ],
  },
  {
    title: 'lists by key: env, ports and volumes',
    steps: [
      apply(
        DEPLOYMENTS,
        withContainer({
          env: [{ name: 'A', value: '1' }],
          ports: [{ containerPort: 80, protocol: 'TCP' }],
        }),
        'one',
        { code: 201 },
      ),
      apply(
        DEPLOYMENTS,
        withContainer({
          env: [
            { name: 'B', value: '2' },
            { name: 'A', value: '1' },
          ],
        }),
        'one',
      ),
      apply(
        DEPLOYMENTS,
        withContainer({
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        }),
        'one',
        { code: 500 },
      ),
      apply(
        DEPLOYMENTS,
        withContainer({ ports: [{ containerPort: 80 }, { containerPort: 80 }] }),
        'one',
        { code: 500 },
      ),
    ],
  },
  {
    title: 'applying over a template that never changes is refused, and takes nothing',
    steps: [
      apply(JOBS, job('a'), 'one', { code: 201 }),
      apply(JOBS, job('a', { completions: 5 }), 'one', { code: 422 }),
      apply(JOBS, job('a', { ttlSecondsAfterFinished: 5 }), 'one'),
      get(JOBS, 'a'),
    ],
  },
  {
    title: 'an apply has to say what it is, and names no managedFields',
    steps: [
      apply(CONFIGMAPS, { metadata: { name: 'a' } }, 'one', { code: 400 }),
      apply(CONFIGMAPS, { ...configMap('a'), kind: 'Job' }, 'one', { code: 400 }),
      apply(CONFIGMAPS, { ...configMap('a'), apiVersion: 'v2' }, 'one', { code: 400 }),
      patch(CONFIGMAPS, 'a', ['apply', []], { options: { fieldManager: 'one' }, code: 400 }),
      patch(CONFIGMAPS, 'a', ['apply', 'x'], { options: { fieldManager: 'one' }, code: 400 }),
      apply(CONFIGMAPS, configMap('a', {}, { managedFields: [] }), 'one', { code: 400 }),
      apply(CONFIGMAPS, configMap('a', {}, { managedFields: [{ manager: 'x' }] }), 'one', {
        code: 400,
      }),
      apply(CONFIGMAPS, configMap('b', {}, { uid: 'x' }), 'one', { code: 409 }),
      patch(CONFIGMAPS, 'c', ['apply', configMap('other')], {
        options: { fieldManager: 'one' },
        code: 400,
      }),
    ],
  },
  {
    title: 'an apply with unknown fields or values of another type',
    steps: [
      apply(JOBS, job('a', { colour: 'red' }), 'one', { code: 500 }),
      apply(JOBS, job('a', { parallelism: 'x' }), 'one', { code: 500 }),
      apply(JOBS, job('a', { parallelism: 1.5 }), 'one', { code: 500 }),
      apply(JOBS, job('a', { template: [] }), 'one', { code: 500 }),
      apply(JOBS, job('a', { colour: 'red' }), 'one', {
        options: { fieldValidation: 'Strict' },
        code: 500,
      }),
      apply(CONFIGMAPS, { ...configMap('a'), data: { a: 1 } }, 'one', { code: 500 }),
      apply(CONFIGMAPS, { ...configMap('a'), data: { a: { b: 'c' } } }, 'one', { code: 500 }),
      apply(CONFIGMAPS, { ...configMap('a'), data: { a: ['b'] } }, 'one', { code: 500 }),
      apply(CONFIGMAPS, { ...configMap('b'), data: null }, 'one', { code: 201 }),
    ],
  },
  {
    title: 'an applied number that does not fit loses its upper bits, and may then be refused',
    steps: [
      apply(JOBS, job('a', { ttlSecondsAfterFinished: 2147483648 }), 'one', { code: 422 }),
      apply(JOBS, job('a', { backoffLimit: 4294967298 }), 'one', { code: 201 }),
    ],
  },
  {
    title: 'an applied resourceVersion is a condition',
    steps: [
      apply(CONFIGMAPS, configMap('a'), 'one', { code: 201, as: 'first' }),
      apply(
        CONFIGMAPS,
        configMap('a', { a: '2' }, { resourceVersion: '$(first:metadata.resourceVersion)' }),
        'one',
      ),
      apply(
        CONFIGMAPS,
        configMap('a', { a: '3' }, { resourceVersion: '$(first:metadata.resourceVersion)' }),
        'one',
        { code: 409 },
      ),
    ],
  },
  {
    title: 'kubectl’s client-side apply is taken over by a server-side one',
    steps: [
      create(
        CONFIGMAPS,
        configMap(
          'a',
          { a: '1', b: '2' },
          {
            annotations: {
              'kubectl.kubernetes.io/last-applied-configuration':
                '{"apiVersion":"v1","data":{"a":"1","b":"2"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a","namespace":"$(namespace)"}}\n',
            },
          },
        ),
        { options: { fieldManager: 'kubectl-client-side-apply' } },
      ),
      apply(CONFIGMAPS, configMap('a', { a: '1' }), 'kubectl'),
      apply(CONFIGMAPS, configMap('a', { a: '5' }), 'kubectl'),
    ],
  },
  {
    title: 'status is not applied at the main door, and is at its own',
    steps: [
      apply(JOBS, { ...job('a'), status: { active: 2 } }, 'one', { code: 201 }),
      apply(
        JOBS,
        { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, status: { active: 2 } },
        'two',
        { subresource: 'status' },
      ),
      apply(
        JOBS,
        { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'b' }, status: { active: 2 } },
        'two',
        { subresource: 'status', code: 404 },
      ),
    ],
  },
  {
    title: 'labels and annotations of two managers live side by side',
    steps: [
      apply(CONFIGMAPS, configMap('a', DATA, { labels: { one: '1' } }), 'one', { code: 201 }),
      apply(
        CONFIGMAPS,
        configMap('a', DATA, { labels: { two: '2' }, annotations: { x: 'y' } }),
        'two',
      ),
      apply(CONFIGMAPS, configMap('a'), 'one'),
      apply(CONFIGMAPS, configMap('a', DATA, { finalizers: ['a.b/c'] }), 'one'),
      apply(CONFIGMAPS, configMap('a'), 'one'),
    ],
  },
  {
    title: 'an empty map that is applied is not stored, so the next who applies one changes it',
    steps: [
      apply(CONFIGMAPS, configMap('a', {}), 'one', { code: 201 }),
      apply(CONFIGMAPS, configMap('a', {}), 'two', { code: 409 }),
    ],
  },
  {
    title: 'the manifest of a Job without managedBy applied over a managed one keeps it',
    steps: [
      create(JOBS, job('a', { managedBy: 'semel.dev/replay' }), {
        options: { fieldManager: 'admission' },
      }),
      apply(JOBS, job('a'), 'two'),
      apply(JOBS, job('a'), 'two'),
    ],
  },
  {
    title: 'an apply of a Lease and of a dying object',
    steps: [
      apply(k.LEASES, lease('a', { holderIdentity: 'me' }), 'one', { code: 201 }),
      apply(CONFIGMAPS, configMap('a', {}, { finalizers: ['a.b/c'] }), 'one', { code: 201 }),
      remove(CONFIGMAPS, 'a'),
      apply(CONFIGMAPS, configMap('a', { x: 'y' }, { finalizers: ['a.b/c'] }), 'one'),
      apply(CONFIGMAPS, configMap('a', { x: 'y' }), 'one'),
      get(CONFIGMAPS, 'a', { code: 404 }),
    ],
  },
]

function withContainer(more: Parameters<typeof container>[0]) {
  return deployment('a', { template: shopTemplate({ containers: [container(more)] }) })
}
