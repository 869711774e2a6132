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
  update,
  type Script,
  type Step,
} from '../script.ts'
import { configMap, definition, WIDGETS, widget, widgetSchema } from './objects.ts'

const { DEFINITIONS } = k
const NAME = 'widgets.$(namespace).example.test'

/** The definition, and a wait until its kind is served. */
function served(
  more: Parameters<typeof definition>[0] = {},
  schema = widgetSchema,
): readonly Step[] {
  return [
    create(DEFINITIONS, definition(more, schema)),
    get(DEFINITIONS, NAME, { eventually: true }),
    list(WIDGETS, {}, { eventually: true }),
  ]
}

const WITHOUT_PARTS = {
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  ],
}

/** CustomResourceDefinitions and their objects. */
export const customScripts: readonly Script[] = [
  {
    title: 'a definition is accepted, established, and its kind is served',
    steps: [...served(), create(WIDGETS, widget('a')), get(WIDGETS, 'a'), list(WIDGETS)],
  },
  {
    title: 'custom objects are defaulted and pruned',
    steps: [
      ...served(),
      create(
        WIDGETS,
        widget('a', { size: 1, extra: 'x', parts: [{ id: 'p', y: 1 }], free: { any: [1] } }),
      ),
      create(WIDGETS, widget('b', { size: 1, extra: 'x' }), {
        options: { fieldValidation: 'Strict' },
        code: 400,
      }),
      create(WIDGETS, widget('c', { size: 1, mode: null, name: null })),
    ],
  },
  {
    title: 'custom objects are judged by their schema',
    steps: [
      ...served(),
      ...[
        {},
        { size: 0 },
        { size: 11 },
        { size: 'x' },
        { size: 1.5 },
        { size: 1, mode: 'warp' },
        { size: 1, name: 'UPPER' },
        { size: 1, name: 'waytoolong' },
        { size: 1, parts: [{}] },
        { size: 1, parts: [{ id: 'a' }, { id: 'a' }] },
        { size: 1, tags: ['a', 'a'] },
        { size: 1, parts: 'x' },
        [],
        'x',
      ].map((spec) => create(WIDGETS, widget('a', spec), { code: 422 })),
    ],
  },
  {
    title: 'custom objects have names like all others, and need kind and version',
    steps: [
      ...served(),
      create(WIDGETS, widget('A'), { code: 422 }),
      create(WIDGETS, widget('a.b')),
      create(WIDGETS, { metadata: { name: 'a' }, spec: { size: 1 } }, { code: 400 }),
      create(WIDGETS, { ...widget('a'), kind: 'Other' }, { code: 422 }),
      create(WIDGETS, { ...widget('a'), apiVersion: 'example.test/v1' }, { code: 400 }),
      create(WIDGETS, configMap('a'), { code: 400 }),
    ],
  },
  {
    title: 'updates of custom objects: generation, version, status apart',
    steps: [
      ...served(),
      create(WIDGETS, widget('a')),
      merge(WIDGETS, 'a', { spec: { size: 2 } }),
      merge(WIDGETS, 'a', { metadata: { labels: { a: 'b' } } }),
      merge(WIDGETS, 'a', { status: { phase: 'Ready' } }),
      merge(
        WIDGETS,
        'a',
        { status: { phase: 'Ready' }, spec: { size: 3 } },
        { subresource: 'status' },
      ),
      update(WIDGETS, 'a', changed('widgets/a', { spec: { size: 4 } })),
      update(WIDGETS, 'a', widget('a'), { code: 422 }),
      update(WIDGETS, 'a', changed('widgets/a', { metadata: { resourceVersion: '1' } }), {
        code: 409,
      }),
      update(WIDGETS, 'b', widget('b'), { code: 404 }),
      merge(WIDGETS, 'a', { spec: { size: 99 } }, { code: 422 }),
    ],
  },
  {
    title: 'patches of custom objects: merge and JSON, not strategic',
    steps: [
      ...served(),
      create(WIDGETS, widget('a')),
      patch(WIDGETS, 'a', ['json', [{ op: 'replace', path: '/spec/size', value: 5 }]]),
      patch(WIDGETS, 'a', ['strategic', { spec: { size: 6 } }], { code: 415 }),
      patch(WIDGETS, 'a', ['json', [{ op: 'remove', path: '/spec' }]]),
      merge(WIDGETS, 'a', { spec: null }),
      merge(WIDGETS, 'a', { spec: { size: 1, parts: [{ id: 'a', weight: null }] } }),
      merge(WIDGETS, 'a', { spec: { parts: [{ id: 'b', weight: null }] } }),
      merge(WIDGETS, 'a', { spec: { free: { list: [null, { gone: null, kept: [null] }] } } }),
    ],
  },
  {
    title: 'server-side apply of custom objects follows the lists of the schema',
    steps: [
      ...served(),
      apply(
        WIDGETS,
        widget('a', { size: 1, parts: [{ id: 'x', weight: 2 }], tags: ['a'] }),
        'one',
        { code: 201 },
      ),
      apply(WIDGETS, widget('a', { size: 1, parts: [{ id: 'y' }], tags: ['b'] }), 'two'),
      apply(WIDGETS, widget('a', { size: 2 }), 'two', { code: 409 }),
      apply(WIDGETS, widget('a', { size: 2 }), 'two', { options: { force: true } }),
      apply(WIDGETS, widget('a', { size: 1, parts: [] }), 'one', { code: 409 }),
      apply(WIDGETS, widget('b', { size: 1, nope: 1 }), 'one', { code: 500 }),
    ],
  },
  {
    title: 'a custom object is scaled where its definition says so',
    steps: [
      ...served(),
      create(WIDGETS, widget('a', { size: 1, replicas: 2 })),
      get(WIDGETS, 'a', { subresource: 'scale' }),
      merge(WIDGETS, 'a', { spec: { replicas: 5 } }, { subresource: 'scale' }),
      get(WIDGETS, 'a'),
    ],
  },
  {
    title: 'a definition without subresources and with any field',
    steps: [
      ...served(WITHOUT_PARTS),
      create(WIDGETS, widget('a', { any: { thing: [1, 'x', null] } }, { status: { phase: 'x' } })),
      merge(WIDGETS, 'a', { status: { phase: 'y' } }),
      merge(WIDGETS, 'a', { status: { phase: 'y' } }, { subresource: 'status', code: 404 }),
      apply(WIDGETS, widget('a', { list: [1, 2] }), 'one'),
      apply(WIDGETS, widget('a', { list: [3] }), 'two', { code: 409 }),
    ],
  },
  {
    title: 'custom objects are deleted like all others',
    steps: [
      ...served(),
      create(WIDGETS, widget('a')),
      remove(WIDGETS, 'a'),
      create(WIDGETS, { ...widget('b'), metadata: { name: 'b', finalizers: ['a.b/c'] } }),
      remove(WIDGETS, 'b'),
      merge(WIDGETS, 'b', { metadata: { finalizers: null } }),
      create(WIDGETS, widget('c')),
      k.removeAll(WIDGETS),
      list(WIDGETS),
    ],
  },
  {
    title: 'lists of custom objects in pages, and by label',
    steps: [
      ...served(),
      ...['a', 'b', 'c'].map((name) =>
        create(WIDGETS, { ...widget(name), metadata: { name, labels: { [name]: 'x' } } }),
      ),
      list(WIDGETS, { limit: 2 }, { as: 'first' }),
      list(WIDGETS, { limit: 2, continue: '$(first:metadata.continue)' }),
      list(WIDGETS, { labelSelector: 'b=x' }),
      list(WIDGETS, { fieldSelector: 'metadata.name=c' }),
      list(WIDGETS, { fieldSelector: 'spec.size=1' }, { code: 400 }),
    ],
  },
  {
    title: 'definitions that contradict themselves',
    steps: [
      create(DEFINITIONS, { ...definition(), metadata: { name: 'x.example.test' } }, { code: 422 }),
      create(DEFINITIONS, definition({ scope: 'Galaxy' }), { code: 422 }),
      create(DEFINITIONS, definition({ versions: [] }), { code: 422 }),
      create(DEFINITIONS, definition({ names: { plural: 'widgets' } }), { code: 422 }),
      create(DEFINITIONS, definition({}, { type: 'string' }), { code: 422 }),
    ],
  },
  {
    title: 'a deleted definition takes its objects with it',
    steps: [
      ...served(),
      create(WIDGETS, widget('a')),
      remove(DEFINITIONS, NAME),
      get(DEFINITIONS, NAME, { code: 404, eventually: true }),
      list(WIDGETS, {}, { code: 404, eventually: true }),
    ],
  },
]
