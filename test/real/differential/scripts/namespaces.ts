import * as k from '../script.ts'
import { apply, changed, create, get, list, merge, remove, update, type Script } from '../script.ts'
import { configMap, deleteOptions, namespace } from './objects.ts'

const { NAMESPACES, CONFIGMAPS } = k
const OWN = '$(namespace)-own'

/** Namespaces; nobody empties them here. */
export const namespaceScripts: readonly Script[] = [
  {
    title: 'a namespace has its name as a label, a finalizer and a phase',
    steps: [
      create(NAMESPACES, namespace(OWN)),
      get(NAMESPACES, OWN),
      list(NAMESPACES, { labelSelector: `kubernetes.io/metadata.name=${OWN}` }),
      create(NAMESPACES, namespace(OWN), { code: 409 }),
    ],
  },
  {
    title: 'the name of a namespace is a DNS label',
    steps: ['a.b', 'A', 'n'.repeat(64), '', 'a_b'].map((name) =>
      create(NAMESPACES, namespace(name), { code: 422 }),
    ),
  },
  {
    title: 'the label with the name comes back',
    steps: [
      create(
        NAMESPACES,
        namespace(OWN, { labels: { a: 'b', 'kubernetes.io/metadata.name': 'x' } }),
      ),
      merge(NAMESPACES, OWN, { metadata: { labels: null } }),
      merge(NAMESPACES, OWN, { metadata: { labels: { a: 'b' } } }),
    ],
  },
  {
    title: 'a deleted namespace is terminating: nothing new, the old stays until it is emptied',
    steps: [
      create(NAMESPACES, namespace(OWN)),
      create(CONFIGMAPS, configMap('a'), { namespace: OWN }),
      remove(NAMESPACES, OWN),
      get(NAMESPACES, OWN),
      create(CONFIGMAPS, configMap('b'), { namespace: OWN, code: 403 }),
      apply(CONFIGMAPS, configMap('b'), 'one', { namespace: OWN, code: 403 }),
      merge(CONFIGMAPS, 'a', { data: { x: 'y' } }, { namespace: OWN }),
      remove(NAMESPACES, OWN),
      create(NAMESPACES, namespace(OWN), { code: 409 }),
    ],
  },
  {
    title: 'a namespace goes when it is finalized',
    steps: [
      create(NAMESPACES, namespace(OWN)),
      remove(NAMESPACES, OWN),
      update(NAMESPACES, OWN, changed(`namespaces/${OWN}`, { spec: { finalizers: [] } }), {
        subresource: 'finalize',
      }),
      get(NAMESPACES, OWN, { code: 404 }),
    ],
  },
  {
    title: 'some namespaces are never deleted',
    steps: ['default', 'kube-system', 'kube-public'].map((name) =>
      remove(NAMESPACES, name, { code: 403 }),
    ),
  },
  {
    title: 'a dry run and preconditions of a namespace',
    steps: [
      create(NAMESPACES, namespace(OWN), { options: { dryRun: true } }),
      get(NAMESPACES, OWN, { code: 404 }),
      create(NAMESPACES, namespace(OWN)),
      remove(NAMESPACES, OWN, { body: deleteOptions({ preconditions: { uid: 'x' } }), code: 409 }),
      remove(NAMESPACES, OWN, { options: { dryRun: true } }),
      get(NAMESPACES, OWN),
    ],
  },
  {
    title: 'namespaces are not deleted as a collection, nor within a namespace',
    steps: [
      k.removeAll(NAMESPACES, { code: 405 }),
      create(NAMESPACES, namespace(OWN), { namespace: 'default', code: 404 }),
    ],
  },
]
