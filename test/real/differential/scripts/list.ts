import * as k from '../script.ts'
import { create, get, list, merge, remove, type Script } from '../script.ts'
import { configMap, job, NOW, pod } from './objects.ts'

const { JOBS, CONFIGMAPS, PODS } = k

const FIVE = ['a', 'b', 'c', 'd', 'e'].map((name, index) =>
  create(
    CONFIGMAPS,
    configMap(
      name,
      { n: `${index}` },
      { labels: { app: index % 2 === 0 ? 'even' : 'odd', [name]: '' } },
    ),
  ),
)

/** Reads of one and of many, selectors and pages. */
export const listScripts: readonly Script[] = [
  {
    title: 'a list is ordered by name, and empty where nothing is',
    steps: [list(CONFIGMAPS), ...FIVE, list(CONFIGMAPS), list(JOBS)],
  },
  {
    title: 'label selectors',
    steps: [
      ...FIVE,
      ...[
        'app=even',
        'app==odd',
        'app!=even',
        'app in (even,odd)',
        'app notin (even)',
        'a',
        '!a',
        'app=even,a',
        'app in (even),!a,!c',
        'app in ()',
        'n>1',
        'app=',
        '',
        ' app = even ',
      ].map((labelSelector) => list(CONFIGMAPS, { labelSelector })),
    ],
  },
  {
    title: 'label selectors that cannot be read',
    steps: [
      'app in',
      'app in (',
      '=x',
      'a b',
      'app=a b',
      ',',
      'a=b,',
      'app=x=y',
      '!',
      'n>x',
      'a/b/c=d',
      `app=${'x'.repeat(64)}`,
    ].map((labelSelector) => list(CONFIGMAPS, { labelSelector }, { code: 400 })),
  },
  {
    title: 'field selectors: name and namespace, and what a kind offers',
    steps: [
      ...FIVE,
      list(CONFIGMAPS, { fieldSelector: 'metadata.name=b' }),
      list(CONFIGMAPS, { fieldSelector: 'metadata.name!=b' }),
      list(CONFIGMAPS, { fieldSelector: 'metadata.namespace=$(namespace),metadata.name==c' }),
      list(CONFIGMAPS, { fieldSelector: 'metadata.namespace=other' }),
      list(CONFIGMAPS, { fieldSelector: 'data.n=1' }, { code: 400 }),
      list(CONFIGMAPS, { fieldSelector: 'metadata.name' }, { code: 400 }),
      create(JOBS, job('a', { managedBy: 'semel.dev/replay' })),
      merge(JOBS, 'a', { status: { succeeded: 1 } }, { subresource: 'status' }),
      list(JOBS, { fieldSelector: 'status.successful=1' }),
      list(JOBS, { fieldSelector: 'status.successful=0' }),
      list(JOBS, { fieldSelector: 'spec.parallelism=1' }, { code: 400 }),
    ],
  },
  {
    title: 'field selectors of pods',
    steps: [
      create(PODS, pod('a', { nodeName: 'n1', restartPolicy: 'Never' })),
      create(PODS, pod('b')),
      ...[
        'spec.nodeName=n1',
        'spec.nodeName=',
        'status.phase=Pending',
        'status.phase!=Pending',
        'spec.restartPolicy=Never',
        'spec.serviceAccountName=',
        'spec.schedulerName=default-scheduler',
      ].map((fieldSelector) => list(PODS, { fieldSelector })),
      list(PODS, { fieldSelector: 'spec.hostname=x' }, { code: 400 }),
    ],
  },
  {
    title: 'pages: limit and continue walk through all, as it was at the start',
    steps: [
      ...FIVE,
      list(CONFIGMAPS, { limit: 2 }, { as: 'first' }),
      create(CONFIGMAPS, configMap('bb')),
      remove(CONFIGMAPS, 'e'),
      list(CONFIGMAPS, { limit: 2, continue: '$(first:metadata.continue)' }, { as: 'second' }),
      list(CONFIGMAPS, { limit: 2, continue: '$(second:metadata.continue)' }),
      list(CONFIGMAPS, { limit: 100 }),
    ],
  },
  {
    title: 'pages of selected objects do not say what remains',
    steps: [
      ...FIVE,
      list(CONFIGMAPS, { limit: 1, labelSelector: 'app=even' }, { as: 'first' }),
      list(CONFIGMAPS, {
        limit: 1,
        labelSelector: 'app=even',
        continue: '$(first:metadata.continue)',
      }),
      list(CONFIGMAPS, { limit: 5 }),
      list(CONFIGMAPS, { limit: 0 }),
      list(CONFIGMAPS, { limit: -1 }),
    ],
  },
  {
    title: 'a token that is none, and versions that cannot be',
    steps: [
      ...FIVE.slice(0, 2),
      list(CONFIGMAPS, { continue: 'nonsense' }, { code: 400 }),
      list(CONFIGMAPS, { continue: 'e30' }, { code: 400 }),
      list(CONFIGMAPS, { resourceVersion: 'x' }, { code: 400 }),
      list(CONFIGMAPS, { resourceVersion: '0' }),
      list(CONFIGMAPS, { resourceVersionMatch: 'Exact' }, { code: 422 }),
      list(CONFIGMAPS, { resourceVersionMatch: 'Exact', resourceVersion: '0' }, { code: 422 }),
      list(CONFIGMAPS, { resourceVersionMatch: 'NotOlderThan', resourceVersion: '0' }),
    ],
  },
  {
    title: 'a list exactly as it was',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      create(CONFIGMAPS, configMap('b'), { as: 'b' }),
      create(CONFIGMAPS, configMap('c')),
      remove(CONFIGMAPS, 'a'),
      list(CONFIGMAPS, {
        resourceVersion: '$(b:metadata.resourceVersion)',
        resourceVersionMatch: 'Exact',
      }),
      list(CONFIGMAPS, {
        resourceVersion: '$(b:metadata.resourceVersion)',
        resourceVersionMatch: 'NotOlderThan',
      }),
      list(CONFIGMAPS, { resourceVersion: '$(b:metadata.resourceVersion)' }),
    ],
  },
  {
    title: 'a read of one: there, not there, of another kind',
    steps: [
      create(JOBS, job('a')),
      get(JOBS, 'a'),
      get(JOBS, 'b', { code: 404 }),
      get(CONFIGMAPS, 'a', { code: 404 }),
      get(JOBS, 'a', { namespace: 'nowhere', code: 404 }),
      get(JOBS, 'A b', { code: 404 }),
    ],
  },
  {
    title: 'a list in a namespace that is not there is empty',
    steps: [
      list(JOBS, {}, { namespace: 'nowhere' }),
      list(CONFIGMAPS, { limit: 1 }, { namespace: 'nowhere' }),
    ],
  },
  {
    title: 'kinds and groups that nobody serves are not found',
    steps: [
      list({ group: 'example.test', version: 'v1', resource: 'things' }, {}, { code: 404 }),
      list({ group: 'batch', version: 'v9', resource: 'jobs' }, {}, { code: 404 }),
      list({ group: 'batch', version: 'v1', resource: 'things' }, {}, { code: 404 }),
      get({ group: '', version: 'v1', resource: 'things' }, 'a', { code: 404 }),
      create({ group: 'batch', version: 'v1beta1', resource: 'cronjobs' }, {}, { code: 404 }),
    ],
  },
  {
    title: 'a Job selected by the labels that the server gave to its template',
    steps: [
      create(JOBS, job('a'), { as: 'a' }),
      merge(JOBS, 'a', { metadata: { labels: { started: NOW.slice(0, 10) } } }),
      list(JOBS, { labelSelector: 'started=2026-01-02' }),
      list(JOBS, { labelSelector: 'batch.kubernetes.io/job-name=a' }),
    ],
  },
]
