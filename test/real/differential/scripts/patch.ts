import * as k from '../script.ts'
import { create, get, merge, patch, type Script } from '../script.ts'
import { configMap, container, cronJob, deployment, job, pod } from './objects.ts'

const { JOBS, CRONJOBS, CONFIGMAPS, PODS, DEPLOYMENTS } = k

/** The four kinds of patch but apply, which has a file of its own. */
export const patchScripts: readonly Script[] = [
  {
    title: 'a merge patch sets, replaces lists, and removes by null',
    steps: [
      create(CONFIGMAPS, configMap('a', { a: '1', b: '2' })),
      merge(CONFIGMAPS, 'a', { data: { a: null, c: '3' } }),
      merge(CONFIGMAPS, 'a', { data: null }),
      merge(CONFIGMAPS, 'a', {}),
      merge(CONFIGMAPS, 'a', { data: { deep: { x: 1 } } }, { code: 422 }),
      merge(CONFIGMAPS, 'a', { data: 'x' }, { code: 422 }),
      merge(CONFIGMAPS, 'a', { unknown: 1 }),
      merge(CONFIGMAPS, 'a', { unknown: 1 }, { options: { fieldValidation: 'Strict' }, code: 422 }),
    ],
  },
  {
    title: 'a merge patch that is no object',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      merge(CONFIGMAPS, 'a', [], { code: 400 }),
      merge(CONFIGMAPS, 'a', 'x', { code: 400 }),
      merge(CONFIGMAPS, 'a', null, { code: 400 }),
      merge(CONFIGMAPS, 'a', 5, { code: 400 }),
    ],
  },
  {
    title: 'a JSON patch tests, adds, replaces, moves, copies and removes',
    steps: [
      create(CONFIGMAPS, configMap('a', { a: '1', b: '2' })),
      patch(CONFIGMAPS, 'a', [
        'json',
        [
          { op: 'test', path: '/data/a', value: '1' },
          { op: 'add', path: '/data/c', value: '3' },
          { op: 'replace', path: '/data/b', value: '4' },
          { op: 'move', from: '/data/a', path: '/data/d' },
          { op: 'copy', from: '/data/c', path: '/data/e' },
          { op: 'remove', path: '/data/c' },
        ],
      ]),
      patch(CONFIGMAPS, 'a', ['json', []]),
      patch(CONFIGMAPS, 'a', [
        'json',
        [{ op: 'add', path: '/metadata/labels', value: { 'a.b/c': 'd' } }],
      ]),
      patch(CONFIGMAPS, 'a', ['json', [{ op: 'remove', path: '/metadata/labels/a.b~1c' }]]),
    ],
  },
  {
    title: 'a JSON patch that does not fit',
    steps: [
      create(CONFIGMAPS, configMap('a', { a: '1' })),
      ...(
        [
          [{ op: 'test', path: '/data/a', value: '2' }],
          [{ op: 'test', path: '/data/x', value: '2' }],
          [{ op: 'remove', path: '/data/x' }],
          [{ op: 'add', path: '/spec/x', value: '1' }],
          [{ op: 'shout', path: '/data/a' }],
          [{ path: '/data/a', value: '1' }],
          [{ op: 'add', path: '/data/a', value: 5 }],
          [{ op: 'add', path: '/metadata/finalizers/0', value: 'a.b/c' }],
        ] as const
      ).map((body) => patch(CONFIGMAPS, 'a', ['json', body], { code: 422 })),
    ],
  },
  {
    title: 'a JSON patch that is no list of operations',
    steps: [
      create(CONFIGMAPS, configMap('a', { a: '1' })),
      ...([{ op: 'add', path: '/data/a', value: '1' }, 'x', [5]] as const).map((body) =>
        patch(CONFIGMAPS, 'a', ['json', body], { code: 400 }),
      ),
    ],
  },
  {
    title: 'JSON patches that are taken though they break the rules',
    steps: [
      create(CONFIGMAPS, configMap('a', { a: '1' })),
      ...(
        [
          [{ op: 'replace', path: '/data/x', value: '1' }],
          [{ op: 'move', from: '/data/x', path: '/data/y' }],
          [{ op: 'add', path: 'data/a', value: '1' }],
          [{ op: 'add', path: '/data/a' }],
        ] as const
      ).map((body) => patch(CONFIGMAPS, 'a', ['json', body], { code: 200 })),
    ],
  },
  {
    title: 'a JSON patch of lists counts from 0 and appends with a dash',
    steps: [
      create(CONFIGMAPS, configMap('a', {}, { finalizers: ['a.b/one'] })),
      patch(CONFIGMAPS, 'a', [
        'json',
        [{ op: 'add', path: '/metadata/finalizers/-', value: 'a.b/two' }],
      ]),
      patch(CONFIGMAPS, 'a', [
        'json',
        [{ op: 'add', path: '/metadata/finalizers/0', value: 'a.b/zero' }],
      ]),
      patch(CONFIGMAPS, 'a', ['json', [{ op: 'remove', path: '/metadata/finalizers/1' }]]),
      patch(CONFIGMAPS, 'a', ['json', [{ op: 'remove', path: '/metadata/finalizers/9' }]], {
        code: 422,
      }),
      patch(CONFIGMAPS, 'a', [
        'json',
        [{ op: 'test', path: '/metadata/finalizers/0', value: 'a.b/zero' }],
      ]),
    ],
  },
  {
    title: 'a strategic patch merges lists by their key',
    steps: [
      create(DEPLOYMENTS, deployment('a')),
      strategic('a', [{ name: 'side', image: 'side:1' }]),
      strategic('a', [{ name: 'main', image: 'other:2', env: [{ name: 'A', value: '1' }] }]),
      strategic('a', [{ name: 'main', env: [{ name: 'B', value: '2' }] }]),
      strategic('a', [{ name: 'main', env: [{ name: 'A', $patch: 'delete' }] }]),
      strategic('a', [{ name: 'side', $patch: 'delete' }]),
      strategic('a', [{ name: 'main', ports: [{ containerPort: 80 }, { containerPort: 81 }] }]),
      strategic('a', [{ name: 'main', ports: [{ containerPort: 80, name: 'http' }] }]),
    ],
  },
  {
    title: 'a strategic patch replaces, keeps order and takes from lists of values',
    steps: [
      create(DEPLOYMENTS, deployment('a')),
      patch(DEPLOYMENTS, 'a', [
        'strategic',
        {
          spec: {
            template: {
              spec: { containers: [{ $patch: 'replace' }, container({ image: 'x:3' })] },
            },
          },
        },
      ]),
      patch(DEPLOYMENTS, 'a', [
        'strategic',
        {
          spec: {
            template: {
              spec: {
                containers: [{ name: 'a', image: 'a:1' }],
                '$setElementOrder/containers': [{ name: 'a' }, { name: 'main' }],
              },
            },
          },
        },
      ]),
      patch(DEPLOYMENTS, 'a', ['strategic', { metadata: { finalizers: ['a.b/one', 'a.b/two'] } }]),
      patch(DEPLOYMENTS, 'a', [
        'strategic',
        { metadata: { '$deleteFromPrimitiveList/finalizers': ['a.b/one'] } },
      ]),
      patch(DEPLOYMENTS, 'a', [
        'strategic',
        { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
      ]),
    ],
  },
  {
    title: 'a strategic patch that cannot be read',
    steps: [
      create(DEPLOYMENTS, deployment('a')),
      ...(
        [
          [{ spec: { template: { spec: { containers: [{ image: 'x' }] } } } }, 500],
          [{ spec: { template: { spec: { containers: 'x' } } } }, 422],
          [{ spec: { replicas: 'x' } }, 422],
          [{ spec: { $patch: 'explode' } }, 500],
          [[], 400],
          ['x', 400],
        ] as const
      ).map(([body, code]) => patch(DEPLOYMENTS, 'a', ['strategic', body], { code })),
    ],
  },
  {
    title: 'patches of what is not there',
    steps: [
      merge(JOBS, 'a', {}, { code: 404 }),
      patch(JOBS, 'a', ['json', []], { code: 404 }),
      patch(JOBS, 'a', ['strategic', {}], { code: 404 }),
      merge(JOBS, 'a', {}, { subresource: 'status', code: 404 }),
    ],
  },
  {
    title: 'a patch with a resourceVersion is held to it, with a uid too',
    steps: [
      create(CONFIGMAPS, configMap('a'), { as: 'first' }),
      merge(CONFIGMAPS, 'a', {
        metadata: { resourceVersion: '$(first:metadata.resourceVersion)' },
        data: { b: '2' },
      }),
      merge(
        CONFIGMAPS,
        'a',
        { metadata: { resourceVersion: '$(first:metadata.resourceVersion)' }, data: { b: '3' } },
        { code: 409 },
      ),
      merge(CONFIGMAPS, 'a', { metadata: { uid: '$(first:metadata.uid)' }, data: { b: '4' } }),
      merge(CONFIGMAPS, 'a', { metadata: { uid: 'x' } }, { code: 422 }),
    ],
  },
  {
    title: 'force is for apply alone, and only there is a manager needed',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      merge(CONFIGMAPS, 'a', {}, { options: { force: true }, code: 422 }),
      patch(CONFIGMAPS, 'a', ['apply', configMap('a')], { code: 422 }),
    ],
  },
  {
    title: 'the owners of fields follow merge, JSON and strategic patches',
    steps: [
      create(CRONJOBS, cronJob('a'), { options: { fieldManager: 'maker' } }),
      merge(CRONJOBS, 'a', { spec: { suspend: true } }, { options: { fieldManager: 'pauser' } }),
      patch(CRONJOBS, 'a', ['json', [{ op: 'replace', path: '/spec/schedule', value: '@daily' }]], {
        options: { fieldManager: 'planner' },
      }),
      patch(CRONJOBS, 'a', ['strategic', { metadata: { labels: { a: 'b' } } }]),
      merge(CRONJOBS, 'a', { spec: { suspend: null } }),
      get(CRONJOBS, 'a'),
    ],
  },
  {
    title: 'a strategic patch of a pod’s env keeps the order of what was there',
    steps: [
      create(PODS, pod('a', { containers: [container({ env: [{ name: 'A', value: '1' }] })] })),
      patch(PODS, 'a', ['strategic', { metadata: { annotations: { a: 'b' } } }]),
      patch(PODS, 'a', ['strategic', { metadata: { annotations: { a: null } } }]),
    ],
  },
  {
    title: 'managedFields can be taken away, and are kept again from then on',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      merge(CONFIGMAPS, 'a', { metadata: { managedFields: [{}] } }),
      merge(CONFIGMAPS, 'a', { data: { b: '2' } }),
      patch(CONFIGMAPS, 'a', [
        'json',
        [{ op: 'replace', path: '/metadata/managedFields', value: [] }],
      ]),
      create(JOBS, job('a', {}, { managedFields: [{ manager: 'x', operation: 'Update' }] })),
    ],
  },
]

function strategic(name: string, containers: readonly object[]) {
  const body = { spec: { template: { spec: { containers: containers as [] } } } }
  return patch(DEPLOYMENTS, name, ['strategic', body])
}
