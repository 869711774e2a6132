import * as k from '../script.ts'
import { changed, create, get, list, type Script } from '../script.ts'
import { configMap, cronJob, job, pod } from './objects.ts'

const { JOBS, CRONJOBS, CONFIGMAPS, PODS } = k

/** Creating, names, labels and annotations. */
export const createScripts: readonly Script[] = [
  {
    title: 'a Job is created with uid, generation 1, labels and selector of its own',
    steps: [create(JOBS, job('a')), get(JOBS, 'a')],
  },
  {
    title: 'a name that is taken is a conflict, also in a dry run',
    steps: [
      create(JOBS, job('a')),
      create(JOBS, job('a'), { code: 409 }),
      create(JOBS, job('a'), { code: 409, options: { dryRun: true } }),
    ],
  },
  {
    title: 'an object needs a name',
    steps: [
      create(JOBS, job('', {}), { code: 422 }),
      create(CONFIGMAPS, { apiVersion: 'v1', kind: 'ConfigMap' }, { code: 422 }),
    ],
  },
  {
    title: 'a Job of 63 characters is created, of 64 not: its pods carry the name as a label',
    steps: [
      create(JOBS, job('j'.repeat(63))),
      create(JOBS, job('j'.repeat(64)), { code: 422 }),
      create(JOBS, job('j'.repeat(254)), { code: 422 }),
    ],
  },
  {
    title: 'a CronJob of 52 characters is created, of 53 not',
    steps: [
      create(CRONJOBS, cronJob('c'.repeat(52))),
      create(CRONJOBS, cronJob('c'.repeat(53)), { code: 422 }),
    ],
  },
  {
    title: 'an Indexed Job keeps room for its last index in the names of its pods',
    steps: [
      create(JOBS, job('i'.repeat(60), { completionMode: 'Indexed', completions: 100 })),
      create(JOBS, job('i'.repeat(61), { completionMode: 'Indexed', completions: 100 }), {
        code: 422,
      }),
    ],
  },
  {
    title: 'a Job with dots in its name is created with a warning',
    steps: [create(JOBS, job('a.b')), create(CRONJOBS, cronJob('a.b')), create(PODS, pod('a.b'))],
  },
  {
    title: 'upper case, underscores, spaces and other letters are no names',
    steps: ['Migrate', 'a_b', 'a b', 'ä', '-a', 'a-', '.a', 'a..b'].map((name) =>
      create(JOBS, job(name), { code: 422 }),
    ),
  },
  {
    title: 'a slash or a percent sign in a name',
    steps: ['a/b', 'a%b', '..', '.'].map((name) =>
      create(CONFIGMAPS, configMap(name), { code: 422 }),
    ),
  },
  {
    title: 'the namespace of the body has to be that of the path',
    steps: [
      create(JOBS, job('a', {}, { namespace: 'elsewhere' }), { code: 400 }),
      create(JOBS, job('b', {}, { namespace: '$(namespace)' })),
    ],
  },
  {
    title: 'nothing is created in a namespace that is not there',
    steps: [
      create(JOBS, job('a'), { namespace: 'nowhere', code: 404 }),
      create(CONFIGMAPS, configMap('a'), { namespace: 'nowhere', code: 404 }),
    ],
  },
  {
    title: 'a namespaced kind cannot be created without a namespace',
    steps: [create(JOBS, job('a'), { namespace: null, code: 405 })],
  },
  {
    title: 'what only the server writes is dropped from a new object',
    steps: [
      create(
        JOBS,
        job(
          'a',
          {},
          {
            uid: '00000000-0000-0000-0000-000000000001',
            creationTimestamp: '2020-01-01T00:00:00Z',
            deletionTimestamp: '2020-01-01T00:00:00Z',
            deletionGracePeriodSeconds: 7,
            generation: 9,
            selfLink: '/x',
          },
        ),
      ),
      create(JOBS, { ...job('b'), status: { active: 3, succeeded: 2 } }),
    ],
  },
  {
    title: 'a resourceVersion on a new object is refused',
    steps: [create(CONFIGMAPS, configMap('a', {}, { resourceVersion: '5' }), { code: 500 })],
  },
  {
    title: 'labels are judged by key and value',
    steps: [
      { 'a b': 'x' },
      { 'a/b/c': 'x' },
      { a: 'x y' },
      { a: 'v'.repeat(64) },
      { ['k'.repeat(64)]: 'v' },
      { '-a': 'x' },
      { 'Example.test/a': 'x' },
      { '/a': 'x' },
    ].map((labels) => create(CONFIGMAPS, configMap('a', {}, { labels }), { code: 422 })),
  },
  {
    title: 'annotations are judged by key and by their size together',
    steps: [
      create(CONFIGMAPS, configMap('a', {}, { annotations: { 'a b': 'x' } }), { code: 422 }),
      create(CONFIGMAPS, configMap('b', {}, { annotations: { UPPER: 'x' } })),
      create(CONFIGMAPS, configMap('c', {}, { annotations: { a: 'x'.repeat(262_144) } }), {
        code: 422,
      }),
      create(CONFIGMAPS, configMap('d', {}, { annotations: { a: 'x'.repeat(262_143) } })),
    ],
  },
  {
    title: 'labels and annotations that are no text are refused in decoding',
    steps: [
      create(JOBS, job('a', {}, { labels: { a: 1 } }), { code: 400 }),
      create(JOBS, job('a', {}, { labels: { a: true } }), { code: 400 }),
      create(JOBS, job('a', {}, { annotations: { a: { b: 'c' } } }), { code: 400 }),
      create(JOBS, job('a', {}, { labels: ['a'] }), { code: 400 }),
      create(JOBS, job('a', {}, { labels: { a: null } })),
    ],
  },
  {
    title: 'finalizers are qualified names',
    steps: [
      create(JOBS, job('a', {}, { finalizers: ['hold'] }), { code: 422 }),
      create(JOBS, job('b', {}, { finalizers: ['example.test/hold', 'orphan'] })),
      create(JOBS, job('c', {}, { finalizers: ['a b/c'] }), { code: 422 }),
      create(JOBS, job('d', {}, { finalizers: ['orphan', 'foregroundDeletion'] }), { code: 422 }),
    ],
  },
  {
    title: 'owner references are complete, and one at most controls',
    steps: [
      create(CONFIGMAPS, configMap('owner'), { as: 'owner' }),
      create(CONFIGMAPS, configMap('a', {}, { ownerReferences: [owner()] })),
      create(CONFIGMAPS, configMap('b', {}, { ownerReferences: [{ kind: 'ConfigMap' }] }), {
        code: 422,
      }),
      create(
        CONFIGMAPS,
        configMap(
          'c',
          {},
          {
            ownerReferences: [
              owner({ controller: true }),
              owner({ name: 'x', uid: 'other', controller: true }),
            ],
          },
        ),
        { code: 422 },
      ),
      create(CONFIGMAPS, configMap('d', {}, { ownerReferences: [owner(), owner()] })),
      create(
        CONFIGMAPS,
        configMap('e', {}, { ownerReferences: [owner({ apiVersion: 'v1', kind: 'Event' })] }),
        { code: 422 },
      ),
    ],
  },
  {
    title: 'generateName gives a name of its own, cut to 63 characters',
    steps: [
      create(JOBS, generated('run-'), { as: 'run' }),
      get(JOBS, '$(run:metadata.name)'),
      create(JOBS, generated('run-')),
      create(CONFIGMAPS, { ...configMap(''), metadata: { generateName: 'c'.repeat(80) } }),
      create(JOBS, generated('Run-'), { code: 422 }),
      create(JOBS, { ...job('named'), metadata: { name: 'named', generateName: 'run-' } }),
    ],
  },
  {
    title: 'a generated name in a dry run is drawn and not kept',
    steps: [create(JOBS, generated('run-'), { options: { dryRun: true } }), list(JOBS)],
  },
  {
    title: 'an object as it was read can be created under another name',
    steps: [
      create(CONFIGMAPS, configMap('a'), { as: 'a' }),
      create(CONFIGMAPS, changed('a', { metadata: { name: 'b' } }), { code: 500 }),
      create(
        CONFIGMAPS,
        changed('a', {
          metadata: { name: 'b', resourceVersion: null, managedFields: null },
        }),
      ),
    ],
  },
  {
    title: 'the field manager of a create is its option, or the program that asks',
    steps: [
      create(CONFIGMAPS, configMap('a'), { options: { fieldManager: 'mine' } }),
      create(CONFIGMAPS, configMap('b')),
      create(CONFIGMAPS, configMap('c'), { options: { fieldManager: 'm'.repeat(129) }, code: 422 }),
      create(CONFIGMAPS, configMap('d'), { options: { fieldManager: 'a\u0007b' }, code: 422 }),
    ],
  },
  {
    title: 'the kind of a body has to be that of the path, and may be left out',
    steps: [
      create(JOBS, configMap('a'), { code: 400 }),
      create(JOBS, { ...job('a'), apiVersion: 'batch/v1beta1' }, { code: 400 }),
      create(JOBS, { ...job('a'), kind: 'CronJob' }, { code: 400 }),
      create(JOBS, { ...job('a'), kind: 'Nothing' }, { code: 400 }),
      create(CONFIGMAPS, { metadata: { name: 'bare' }, data: { a: 'b' } }),
    ],
  },
  {
    title: 'a body that is no object is refused',
    steps: [[], 'text', 5, true].map((body) => create(JOBS, body, { code: 400 })),
  },
  {
    title: 'null as a body is an object without anything',
    steps: [create(JOBS, null, { code: 422 }), create(CONFIGMAPS, null, { code: 422 })],
  },
  {
    title: 'unknown fields are a warning, silence or a refusal, as was asked',
    steps: [
      create(JOBS, job('a', { colour: 'red', retries: 3 })),
      create(JOBS, job('b', { colour: 'red' }), { options: { fieldValidation: 'Ignore' } }),
      create(JOBS, job('c', { colour: 'red', retries: 3 }), {
        options: { fieldValidation: 'Strict' },
        code: 400,
      }),
      create(JOBS, { ...job('d'), extra: 1, metadata: { name: 'd', nope: 1 } }),
    ],
  },
]

function generated(generateName: string) {
  return { ...job(''), metadata: { generateName } }
}

function owner(more: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'owner',
    uid: '$(owner:metadata.uid)',
    ...more,
  }
}
