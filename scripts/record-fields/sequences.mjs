// Sequences of writes by several managers, for scripts/record-fields.mjs.

const apply = (manager, body, more = {}) => ({ door: 'apply', manager, body, ...more })
const forced = (manager, body, more = {}) => apply(manager, body, { force: true, ...more })
const labels = (map) => ({ metadata: { labels: map } })
/** A change of the object as it is then. */
const update =
  (manager, change, more = {}) =>
  (live) => {
    const body = JSON.parse(JSON.stringify(live))
    change(body)
    return { door: 'update', manager, body, ...more }
  }
const jobSpec = (over) => ({
  suspend: true,
  template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
  ...over,
})
const deployment = (containers, over) => ({
  spec: {
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers } },
    ...over,
  },
})

export const sequences = [
  {
    kind: 'ConfigMap',
    name: 'seq-own',
    steps: [
      apply('a', { data: { p: '1', q: '1' } }),
      apply('a', { data: { p: '1', q: '1' } }),
      apply('b', { data: { p: '1' } }),
      apply('b', { data: { p: '2' } }),
      forced('b', { data: { p: '2' } }),
      apply('a', { data: { q: '1' } }),
      apply('a', {}),
      apply('b', { data: { p: '2' }, ...labels({ l: '1' }) }),
      apply('a', labels({ l: '2' })),
      apply('b', { data: { p: '2' }, ...labels({}) }),
      apply('b', {}),
      apply('b', { data: null }),
      apply('b', { data: { p: null } }),
    ],
  },
  {
    kind: 'ConfigMap',
    name: 'seq-update',
    steps: [
      { door: 'create', manager: 'kubectl-create', body: { data: { p: '1' } } },
      apply('a', { data: { p: '1', q: '1' } }),
      apply('a', { data: { p: '2', q: '1' } }),
      forced('a', { data: { p: '2', q: '1' } }),
      update('u', (body) => (body.data.p = '3')),
      update('u', (body) => (body.data.r = '3')),
      update('u', () => undefined),
      update('v', (body) => delete body.data.r),
      update('v', (body) => delete body.data.p),
      apply('a', { data: { p: '2', q: '1' } }),
      { door: 'merge', manager: 'm', body: { data: { p: '9', z: null } } },
      apply('a', { data: { p: '2', q: '1', s: '1' }, ...labels({ x: '1' }) }),
      update('u', (body) => (body.metadata.managedFields = [])),
      update('u', (body) => (body.data.n = '1')),
      apply('a', { data: { p: '5' } }),
      forced('a', { data: { p: '5' } }),
      update('u', (body) => (body.metadata.managedFields = [{}])),
      apply('c', { data: { p: '5' } }),
    ],
  },
  {
    kind: 'ConfigMap',
    name: 'seq-cap',
    steps: [
      { door: 'create', manager: 'm0', body: { data: { k0: '1' } } },
      ...Array.from({ length: 12 }, (_, at) =>
        update(`m${at + 1}`, (body) => (body.data[`k${at + 1}`] = '1')),
      ),
      apply('a', { data: { k0: '1' } }),
      update('m99', (body) => (body.data.k99 = '1')),
    ],
  },
  {
    kind: 'ConfigMap',
    name: 'seq-kubectl',
    steps: [
      {
        door: 'create',
        manager: 'kubectl-client-side-apply',
        body: {
          metadata: {
            annotations: {
              'kubectl.kubernetes.io/last-applied-configuration':
                '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{},"name":"seq-kubectl","namespace":"default"},"data":{"p":"1","q":"1"}}\n',
            },
          },
          data: { p: '1', q: '1' },
        },
      },
      apply('other', { data: { p: '2' } }),
      apply('kubectl', { data: { p: '2', q: '1' } }),
      update('u', (body) => (body.data.p = '7')),
      apply('kubectl', { data: { p: '2', q: '<&>' } }),
    ],
  },
  {
    kind: 'ConfigMap',
    name: 'seq-sets',
    steps: [
      apply('a', { metadata: { finalizers: ['a.io/a', 'a.io/b'] } }),
      apply('b', { metadata: { finalizers: ['a.io/c', 'a.io/b'] } }),
      apply('a', { metadata: { finalizers: ['a.io/b'] } }),
      apply('a', { metadata: {} }),
      apply('b', { metadata: { finalizers: [] } }),
      apply('a', { metadata: { annotations: { 'x/y': '1' } } }),
      apply('b', { metadata: { annotations: { 'x/y': '1', z: '' } } }),
      apply('c', {
        metadata: {
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }],
        },
      }),
      apply('c', {
        metadata: {
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'p', uid: 'u' }],
        },
      }),
      apply('c', { immutable: false, binaryData: { b: 'aGk=' } }),
    ],
  },
  {
    kind: 'Job',
    name: 'seq-job',
    steps: [
      apply('a', { spec: jobSpec({ parallelism: 2, backoffLimit: 3 }) }),
      apply('b', { spec: { backoffLimit: 4, parallelism: 3 } }),
      apply('b', { spec: { parallelism: 2 } }),
      apply('a', { spec: jobSpec({ backoffLimit: 3 }) }),
      apply('b', { metadata: {} }),
      apply('a', { spec: jobSpec({}) }),
      apply('a', { status: { active: 1 }, spec: jobSpec({}) }),
      apply(
        's',
        { status: { conditions: [{ type: 'Z', status: 'True' }] } },
        { subresource: 'status' },
      ),
      apply(
        's',
        { status: { conditions: [{ type: 'Y', status: 'True' }] } },
        { subresource: 'status' },
      ),
      apply(
        't',
        { status: { conditions: [{ type: 'Z', status: 'True' }] } },
        { subresource: 'status' },
      ),
      update('u', (body) => (body.status.conditions = [{ type: 'X', status: 'False' }]), {
        subresource: 'status',
      }),
      apply(
        's',
        { status: { conditions: [{ type: 'X', status: 'True' }] } },
        { subresource: 'status' },
      ),
      update('v', (body) => (body.metadata.labels.z = '1'), { subresource: 'status' }),
      update('v', (body) => (body.spec.suspend = true)),
      apply('a', { spec: jobSpec({ ttlSecondsAfterFinished: 5 }), ...labels({ z: '2' }) }),
    ],
  },
  {
    kind: 'Deployment',
    name: 'seq-lists',
    steps: [
      apply(
        'a',
        deployment([
          {
            name: 'a',
            image: 'i',
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '1' },
            ],
          },
        ]),
      ),
      apply(
        'b',
        deployment([{ name: 'b', image: 'i', ports: [{ containerPort: 80 }] }, { name: 'a' }]),
      ),
      apply(
        'b',
        deployment([{ name: 'b', image: 'i', ports: [{ containerPort: 80, protocol: 'TCP' }] }]),
      ),
      apply('a', deployment([{ name: 'a', image: 'j', env: [{ name: 'B', value: '2' }] }])),
      apply(
        'b',
        deployment([
          { name: 'b', image: 'i', ports: [{ containerPort: 80, protocol: 'UDP' }] },
          { name: 'a', env: [{ name: 'B', value: '3' }] },
        ]),
      ),
      forced(
        'b',
        deployment([
          { name: 'b', image: 'i' },
          { name: 'a', env: [{ name: 'B', value: '3' }] },
        ]),
      ),
      apply('a', deployment([{ name: 'a', image: 'j' }], { replicas: 2 })),
      apply('c', {
        spec: {
          template: {
            spec: { nodeSelector: { n: '1' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
          },
        },
      }),
      apply('d', {
        spec: {
          template: {
            spec: { nodeSelector: { n: '2' }, tolerations: [{ key: 'l', operator: 'Exists' }] },
          },
        },
      }),
      apply('d', {
        spec: {
          template: {
            spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1000m' } } }] },
          },
        },
      }),
      apply('e', {
        spec: {
          template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1' } } }] } },
        },
      }),
      apply('d', {
        spec: {
          template: {
            spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1000m' } } }] },
          },
        },
      }),
      apply('b', { metadata: {} }),
    ],
  },
  {
    kind: 'Service',
    name: 'seq-service',
    steps: [
      apply('a', { spec: { selector: { x: 'y' }, ports: [{ port: 80, name: 'a' }] } }),
      apply('b', { spec: { ports: [{ port: 81, name: 'b', protocol: 'UDP' }] } }),
      apply('b', { spec: { selector: { x: 'z' } } }),
      apply('b', {
        spec: {
          ports: [
            { port: 81, name: 'b', protocol: 'UDP' },
            { port: 80, name: 'a', protocol: 'TCP' },
          ],
        },
      }),
      apply('a', { spec: { selector: { x: 'y' }, ports: [] } }),
    ],
  },
]

/** The same numbers for the same seed. */
export function chance(seed) {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 4294967296) * below)
  }
}

export function randomSteps() {
  const plans = []
  for (const [kind, seed, count] of [
    ['ConfigMap', 1, 80],
    ['ConfigMap', 2, 80],
    ['Job', 3, 80],
    ['Job', 4, 80],
  ]) {
    const roll = chance(seed)
    const steps = Array.from({ length: count }, () => (live) => randomStep(kind, live, roll))
    plans.push({ kind, name: `random-${seed}`, steps })
  }
  return plans
}

function randomStep(kind, live, roll) {
  const pick = (list) => list[roll(list.length)]
  const manager = pick(['alpha', 'beta', 'gamma'])
  if (live === undefined || roll(10) < 7) {
    const more = roll(3) === 0 ? { force: true } : {}
    if (live !== undefined && kind === 'Job' && roll(8) === 0) {
      const conditions = [{ type: pick(['Y', 'Z']), status: 'True' }]
      return apply(manager, { status: { conditions } }, { ...more, subresource: 'status' })
    }
    return apply(manager, configuration(kind, roll), more)
  }
  return update(manager, (body) => change(kind, body, roll))(live)
}

function change(kind, body, roll) {
  const which = roll(3)
  if (which === 0) {
    body.metadata.labels = {
      ...body.metadata.labels,
      [['a', 'b', 'd'][roll(3)]]: ['1', '3'][roll(2)],
    }
    if (roll(3) === 0) delete body.metadata.labels.a
  } else if (kind === 'Job') body.spec.parallelism = [1, 4][roll(2)]
  else {
    body.data = { ...body.data, p: ['1', '9'][roll(2)] }
    if (roll(2) === 0) delete body.data.q
  }
}

function configuration(kind, roll) {
  const pick = (list) => list[roll(list.length)]
  const some = (keys, values) =>
    Object.fromEntries(keys.filter(() => roll(2) === 0).map((key) => [key, pick(values)]))
  const metadata = {}
  if (roll(2) === 0) metadata.labels = some(['a', 'b', 'c'], ['1', '2'])
  if (roll(3) === 0) metadata.annotations = some(['x', 'y.io/z'], ['1', '2'])
  if (roll(4) === 0) {
    metadata.finalizers = [...new Set([pick(['a.io/f', 'b.io/f']), pick(['a.io/f', 'c.io/f'])])]
  }
  if (kind === 'ConfigMap') {
    const data = roll(3) > 0 ? { data: some(['p', 'q', 'r'], ['1', '2', '']) } : {}
    return { metadata, ...data, ...(roll(4) === 0 ? { immutable: false } : {}) }
  }
  const spec = jobSpec({})
  if (roll(2) === 0) spec.parallelism = pick([1, 2, 3])
  if (roll(2) === 0) spec.backoffLimit = pick([1, 2, 6])
  if (roll(3) === 0) spec.ttlSecondsAfterFinished = pick([1, 2])
  if (roll(3) === 0) spec.activeDeadlineSeconds = pick([100, 200])
  return { metadata, spec }
}
