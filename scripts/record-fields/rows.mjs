// What scripts/record-fields.mjs asks a real API server: bodies to decode and patches to apply.

import { randomPatches } from './random-patches.mjs'

const container = (over) => ({ name: 'c', image: 'i', ...over })
const pod = (over, ...containers) => ({
  restartPolicy: 'Never',
  containers: containers.length > 0 ? containers : [container()],
  ...over,
})
const job = (metadata, spec) => ({
  metadata: { name: 'a', ...metadata },
  spec: { template: { spec: pod() }, ...spec },
})
const jobOf = (spec) => job({}, { template: { spec } })
const amount = (value) => jobOf(pod({}, container({ resources: { requests: { cpu: value } } })))
const named = (over) => ({ metadata: { name: 's' }, ...over })

/** In JSON, one behind the other. */
const AMOUNTS = `
  "1000m" "0.5" "1.5Gi" "1024Mi" "1e3" "1E3" "0" "0.0001" "+1" "1." ".5" "1000Mi" "2048" "100k"
  "1000k" "-0" "00010" "1Ki" "0.1Ki" "1e-3" "12345678901234567890" "1000000" "1500M" 5 0.5 1e21
  "1n" "1.1n" "0Gi" "\\t1" "" "abc" "1x" true {} null "1G" "1500" "1.5" "2.50" "1e6" "100e-3" "12Ki"
  "1023Ki" "1025Ki" "0.5Mi" "999k" "8E" "16Ei" "1u" "1000u" "123456u" "1.23456789M" "-5" "-1500m"
  "5e" "1e" "1EE" "Mi" "+" "." "-" "1.2.3" "1000e3" "1000e-3" "1e10" "0.000001Gi" "-1Gi" "-0.5Mi"
  "9223372036854775807" "9223372036854775808" "1Pi" "1024Pi" "1e-10" "0x10" "1 Gi" "1gi" "NaN"`
  .trim()
  .split(/\s+(?=["\dtn{])/)
  .map((text) => JSON.parse(text))

/** name, kind, body. */
export const decodeRows = [
  ['a name that is a number', 'Job', job({ name: 5 })],
  ['labels that are text', 'Job', job({ labels: 'x' })],
  ['a label that is a number', 'Job', job({ labels: { a: 1 } })],
  ['a label that is null', 'Job', job({ labels: { a: null } })],
  ['a spec that is a list', 'Job', { ...job(), spec: [] }],
  ['a spec that is a number', 'Job', { ...job(), spec: 5 }],
  ['a whole number as text', 'Job', job({}, { parallelism: '1' })],
  ['a number beyond int32', 'Job', job({}, { parallelism: 3000000000 })],
  ['a negative number beyond int32', 'Job', job({}, { parallelism: -2147483649 })],
  ['a fraction for a whole number', 'Job', job({}, { parallelism: 1.5 })],
  ['a truth value as text', 'Job', job({}, { suspend: 'true' })],
  ['containers that are an object', 'Job', jobOf(pod({ containers: {} }))],
  ['a container that is text', 'Job', jobOf(pod({}, 'x'))],
  ['a container name that is a number', 'Job', jobOf(pod({}, { name: 5 }))],
  ['an enumeration that is a number', 'Job', jobOf(pod({ restartPolicy: 5 }))],
  ['limits that are a list', 'Job', jobOf(pod({}, container({ resources: { limits: [] } })))],
  ['a creation time that is a number', 'Job', job({ creationTimestamp: 5 })],
  ['a time that is no time', 'Job', job({ creationTimestamp: 'x' })],
  ['a month that is none', 'Job', job({ creationTimestamp: '2020-13-01T00:00:00Z' })],
  ['a day that is none', 'Job', job({ creationTimestamp: '2021-02-29T00:00:00Z' })],
  ['an hour that is none', 'Job', job({ creationTimestamp: '2021-02-20T24:00:00Z' })],
  ['a time without a zone', 'Job', job({ creationTimestamp: '2021-02-20T12:00:00' })],
  ['a time with text behind', 'Job', job({ creationTimestamp: '2021-02-20T12:00:00Zx' })],
  ['a date alone', 'Job', job({ creationTimestamp: '2021-02-20' })],
  ['an empty time', 'Job', job({ creationTimestamp: '' })],
  ['a time that is an object', 'Job', job({ creationTimestamp: {} })],
  [
    'unknown fields',
    'Job',
    job({ foo: 1 }, { bar: { x: 1 }, template: { spec: pod({}, container({ zip: 1 })) } }),
  ],
  ['a field in other case', 'Job', job({}, { Parallelism: 5 })],
  ['nulls', 'Job', job({ labels: null, annotations: null }, { parallelism: null, suspend: null })],
  ['nulls in a list', 'Job', jobOf(pod({}, container({ args: [null, 'a'], env: null })))],
  ['a null struct', 'Job', job({}, { template: { metadata: null, spec: pod() } })],
  [
    'empty values',
    'Job',
    job(
      { annotations: {}, finalizers: [], generateName: '' },
      { manualSelector: false, backoffLimit: 0 },
    ),
  ],
  [
    'empty values of a pod',
    'Job',
    jobOf(
      pod(
        { hostNetwork: false, dnsPolicy: '', nodeSelector: {}, tolerations: [] },
        container({ workingDir: '', stdin: false, securityContext: {}, args: [], ports: [] }),
      ),
    ),
  ],
  [
    'zero in a port',
    'Job',
    jobOf(pod({}, container({ ports: [{ containerPort: 80, hostPort: 0, name: '' }] }))),
  ],
  ['two faults: the first counts', 'Job', job({ name: 5, labels: 7 })],
  ['a wrong type before a bad time', 'Job', job({ labels: 7, creationTimestamp: 'x' })],
  [
    'an owner whose uid is a number',
    'Job',
    job({ ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 7 }] }),
  ],
  ['owners that are an object', 'Job', job({ ownerReferences: {} })],
  [
    'an inlined field of the wrong type',
    'Job',
    jobOf(pod({ volumes: [{ name: 'x', emptyDir: 5 }] })),
  ],
  [
    'below an inlined field',
    'Job',
    jobOf(pod({ volumes: [{ name: 'x', secret: { secretName: 5 } }] })),
  ],
  ['an inlined probe', 'Job', jobOf(pod({}, container({ livenessProbe: { exec: [] } })))],
  [
    'a list of text for numbers',
    'Job',
    job(
      {},
      {
        podFailurePolicy: {
          rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: ['1'] } }],
        },
      },
    ),
  ],
  [
    'a divisor that is not written',
    'Job',
    jobOf(
      pod(
        {},
        container({
          env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }],
        }),
      ),
    ),
  ],
  [
    'a schedule that is a number',
    'CronJob',
    { metadata: { name: 'c' }, spec: { schedule: 5, jobTemplate: job() } },
  ],
  [
    'a job template that is text',
    'CronJob',
    { metadata: { name: 'c' }, spec: { schedule: '* * * * *', jobTemplate: 'x' } },
  ],
  ['base64 that is none', 'Secret', named({ data: { a: '!!' } })],
  ['base64 without padding', 'Secret', named({ data: { a: 'aGk' } })],
  ['base64 with too much padding', 'Secret', named({ data: { a: 'aGk==' } })],
  ['base64 with text behind the padding', 'Secret', named({ data: { a: 'aGk=x' } })],
  ['base64 with padding too early', 'Secret', named({ data: { a: 'a===' } })],
  ['base64 over two lines', 'Secret', named({ data: { a: 'aG\nk=' } })],
  ['bytes as a number', 'Secret', named({ data: { a: 5 } })],
  ['bytes as a list', 'Secret', named({ data: { a: [104, 105] } })],
  ['bytes as null and empty', 'Secret', named({ data: { a: null, b: '' } })],
  ['data that is a number', 'ConfigMap', named({ data: { a: 5 } })],
  ['data that is a list', 'ConfigMap', named({ data: [] })],
  ['binary data that is no base64', 'ConfigMap', named({ binaryData: { a: 'x' } })],
  ['immutable as text', 'ConfigMap', named({ immutable: 'yes' })],
  [
    'a port that is a truth value',
    'Service',
    named({ spec: { ports: [{ port: 80, targetPort: true }] } }),
  ],
  [
    'a port that is an object',
    'Service',
    named({ spec: { ports: [{ port: 80, targetPort: {} }] } }),
  ],
  [
    'a port that is a fraction',
    'Service',
    named({ spec: { ports: [{ port: 80, targetPort: 1.5 }] } }),
  ],
  [
    'a port beyond int32',
    'Service',
    named({ spec: { ports: [{ port: 80, targetPort: 3000000000 }] } }),
  ],
  ['a port by name', 'Service', named({ spec: { ports: [{ port: 80, targetPort: 'http' }] } })],
  ['a time without microseconds', 'Lease', named({ spec: { renewTime: '2020-01-01T00:00:00Z' } })],
  [
    'a time with microseconds',
    'Lease',
    named({ spec: { renewTime: '2020-01-01T01:00:00.500000+01:00' } }),
  ],
  ['a body that is a list', 'Job', '[]'],
  ['a body that is a number', 'Job', '5'],
  ['a body that is text', 'Job', '"x"'],
  ['a body that is a truth value', 'Job', 'true'],
  ['a kind that is a number', 'Job', { ...job(), kind: 5 }],
  ...AMOUNTS.map((value) => [`the amount ${JSON.stringify(value)}`, 'Job', amount(value)]),
]

export const patchTargets = {
  ConfigMap: { metadata: { name: 'fields-c', labels: { a: '1' } }, data: { x: '1' } },
  Deployment: {
    metadata: { name: 'fields-d' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          volumes: [
            { name: 'v', emptyDir: {} },
            { name: 'w', configMap: { name: 'x' } },
          ],
          containers: [
            {
              name: 'a',
              image: 'i',
              args: ['x', 'y'],
              env: [
                { name: 'A', value: '1' },
                { name: 'B', value: '2' },
              ],
            },
            {
              name: 'b',
              image: 'i',
              ports: [{ containerPort: 80 }, { containerPort: 81, name: 'q' }],
            },
            {
              name: 'c',
              image: 'i',
              env: ['A', 'B', 'C', 'D'].map((name) => ({ name, value: '1' })),
            },
            { name: 'd', image: 'i' },
          ],
        },
      },
    },
  },
}

const json = (...operations) => ['ConfigMap', 'json', operations]
const merge = (body) => ['ConfigMap', 'merge', body]
const strategic = (body) => ['ConfigMap', 'strategic', body]
const ARGS = '/spec/template/spec/containers/0/args'
const list = (...operations) => ['Deployment', 'json', operations]
const inPod = (spec) => ['Deployment', 'strategic', { spec: { template: { spec } } }]
const containers = (...items) => inPod({ containers: items })
const ordered = (order, ...items) =>
  inPod({
    '$setElementOrder/containers': order.map((name) => ({ name })),
    ...(items.length > 0 ? { containers: items } : {}),
  })

/** kind, patch, body. */
export const patchRows = [
  json({ op: 'test', path: '/data/x', value: '2' }),
  json({ op: 'test', path: '/data/x', value: '1' }),
  json({ op: 'test', path: '/data/zz', value: '2' }),
  json({ op: 'test', path: '/data/zz', value: null }),
  json({ op: 'test', path: '/data/zz' }),
  json({ op: 'test', path: '/data', value: { x: '1' } }),
  json({ op: 'test', path: '/foo/bar', value: 1 }),
  json({ op: 'test', path: '', value: {} }),
  json({ op: 'add', path: '/data/y', value: '1' }),
  json({ op: 'add', path: '/foo/bar', value: '1' }),
  json({ op: 'add', path: '/data/q' }),
  json({ op: 'add', value: 1 }),
  json({ op: 'add', path: '', value: {} }),
  json({ op: 'add', path: '/data/y', value: null }),
  json({ op: 'add', path: '/data/x/y', value: '1' }),
  json({ op: 'add', path: '/metadata/labels/x/y', value: '1' }),
  json({ op: 'add', path: '/metadata/finalizers/-', value: 'a.io/x' }),
  json(
    { op: 'add', path: '/metadata/finalizers', value: ['a.io/x'] },
    { op: 'add', path: '/metadata/finalizers/0', value: 'b.io/x' },
  ),
  json(
    { op: 'add', path: '/metadata/labels', value: { 'a.b/c': '1' } },
    { op: 'replace', path: '/metadata/labels/a.b~1c', value: '2' },
  ),
  json({ op: 'add', path: 'data/y', value: '1' }),
  json({ op: 'add', path: '/bar', value: '1' }),
  json({ op: 'ADD', path: '/data/y', value: '1' }),
  json({ Op: 'add', path: '/data/y', value: '1' }),
  json({ op: 5, path: '/data/y', value: '1' }),
  json({ op: 'add', path: 5, value: '1' }),
  json({ op: 'remove', path: '/data/zz' }),
  json({ op: 'remove', path: '/data/x' }),
  json({ op: 'remove', path: '/foo/zz' }),
  json({ op: 'remove', path: '' }),
  json({ op: 'replace', path: '/data/zz', value: '1' }),
  json({ op: 'replace', path: '/foo/zz', value: '1' }),
  json({ op: 'replace', path: '', value: 5 }),
  json({ op: 'move', from: '/data/x', path: '/data/y' }),
  json({ op: 'move', from: '/data/zz', path: '/data/y' }),
  json({ op: 'move', from: '/data/x', path: '/foo/y' }),
  json({ op: 'move', path: '/data/q' }),
  json({ op: 'copy', from: '/data/x', path: '/data/y' }),
  json({ op: 'copy', from: '/data/zz', path: '/data/y' }),
  json({ op: 'copy', from: '/foo/zz', path: '/data/y' }),
  json({ op: 'foo', path: '/data/x' }),
  json({ path: '/data/x' }),
  json(null),
  json(5),
  json(),
  ['ConfigMap', 'json', {}],
  ['ConfigMap', 'json', 'x'],
  ['ConfigMap', 'json', null],
  list({ op: 'replace', path: `${ARGS}/0`, value: 'z' }),
  list({ op: 'replace', path: `${ARGS}/-1`, value: 'z' }),
  list({ op: 'replace', path: `${ARGS}/7`, value: 'z' }),
  list({ op: 'replace', path: '/spec/template/spec/containers/9/args/7', value: 'z' }),
  list({ op: 'add', path: `${ARGS}/2`, value: 'z' }),
  list({ op: 'add', path: `${ARGS}/3`, value: 'z' }),
  list({ op: 'add', path: `${ARGS}/-1`, value: 'z' }),
  list({ op: 'add', path: `${ARGS}/-3`, value: 'z' }),
  list({ op: 'add', path: `${ARGS}/-4`, value: 'z' }),
  list({ op: 'add', path: `${ARGS}/x`, value: 'z' }),
  list({ op: 'remove', path: `${ARGS}/5` }),
  list({ op: 'remove', path: `${ARGS}/-1` }),
  list({ op: 'remove', path: `${ARGS}/x` }),
  list({ op: 'test', path: `${ARGS}/0`, value: 'x' }),
  list({ op: 'test', path: `${ARGS}/9`, value: 'q' }),
  list({ op: 'test', path: ARGS, value: ['x', 'y'] }),
  list({ op: 'copy', from: `${ARGS}/0`, path: `${ARGS}/-` }),
  list({ op: 'move', from: `${ARGS}/0`, path: `${ARGS}/-` }),
  merge([]),
  merge(5),
  merge('x'),
  merge(null),
  merge({ data: { x: null } }),
  merge({ data: null }),
  merge({ zz: 1 }),
  merge({ metadata: { labels: { b: null, c: '1' } } }),
  merge({ data: { y: '2', x: '3' } }),
  strategic([]),
  strategic(5),
  strategic('x'),
  strategic(null),
  strategic({ data: { x: null } }),
  strategic({ data: null }),
  strategic({ data: 5 }),
  strategic({ data: [1] }),
  strategic({ data: { y: 5 } }),
  strategic({ data: { y: true } }),
  strategic({ zz: 1 }),
  strategic({ $patch: 'foo' }),
  strategic({ data: { $patch: 'replace', q: '1' } }),
  strategic({ data: { $patch: 'delete' } }),
  strategic({ data: { $patch: 'merge', q: '1' } }),
  strategic({ data: { $patch: 5 } }),
  strategic({ data: { $retainKeys: ['x'] } }),
  strategic({ data: { $retainKeys: ['y'], y: '1' } }),
  strategic({ data: { $retainKeys: 'y' } }),
  strategic({ metadata: { finalizers: ['a.io/x', 'b.io/y'] } }),
  strategic({ metadata: { '$deleteFromPrimitiveList/finalizers': ['a.io/x'] } }),
  strategic({ metadata: { $deleteFromPrimitiveList: ['a.io/x'] } }),
  strategic({
    metadata: {
      '$setElementOrder/finalizers': ['b.io/x', 'a.io/x'],
      finalizers: ['a.io/x', 'b.io/x'],
    },
  }),
  strategic({
    metadata: { '$setElementOrder/finalizers': ['b.io/x'], finalizers: ['a.io/x', 'b.io/x'] },
  }),
  strategic({ metadata: { finalizers: 'x' } }),
  strategic({ metadata: { finalizers: [{ a: 1 }] } }),
  strategic({ metadata: { labels: [] } }),
  strategic({ metadata: 'x' }),
  containers({ name: 'b', args: ['q'] }),
  containers({ name: 'e', image: 'z' }),
  containers({ image: 'z' }),
  containers('x'),
  containers({ name: 'b', $patch: 'delete' }),
  containers({ name: 'd', image: 'z' }, { $patch: 'replace' }),
  containers({ $patch: 'delete' }),
  containers({ name: 'a', $patch: 'foo' }),
  containers({ name: 'a', $patch: 'merge' }),
  containers({ name: 'c', image: 'z' }, { name: 'a', image: 'z' }),
  containers({
    name: 'a',
    args: ['n'],
    env: [
      { name: 'C', value: '2' },
      { name: 'A', value: '3' },
    ],
  }),
  containers({ name: 'a', env: [{ name: 'A', $patch: 'delete' }] }),
  containers({ name: 'a', env: [] }),
  containers({ name: 'a', env: null, args: null }),
  containers({ name: 'b', ports: [{ containerPort: 81, name: 'r' }, { containerPort: 82 }] }),
  containers({ name: 'b', zip: 1 }),
  containers({ name: 'b', resources: { limits: { cpu: 'xx' } } }),
  containers({ name: 'b', resources: { limits: { cpu: '1000m' } } }),
  containers({ name: 5 }),
  containers({ name: 'b', $retainKeys: ['name', 'image'], args: ['q'] }),
  containers({ name: 'a', $retainKeys: ['name', 'image'] }),
  ordered(['b', 'a']),
  ordered(['c', 'a', 'b']),
  ordered(['b', 'a'], { name: 'a', args: null }),
  ordered(['b'], { name: 'a', args: ['k'] }),
  ordered(['d', 'b', 'a'], { name: 'd', image: 'x' }),
  ordered(['c', 'd'], { name: 'd', image: 'x' }),
  ordered(['b', 'a'], { name: 'c', $patch: 'delete' }),
  inPod({ containers: {} }),
  inPod({ '$setElementOrder/containers': 'x' }),
  inPod({ volumes: [{ name: 'v', emptyDir: { medium: 'Memory' } }] }),
  inPod({ volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'y' } }] }),
  inPod({ volumes: [{ name: 'u', emptyDir: {} }] }),
  inPod({ tolerations: [{ key: 'k', operator: 'Exists' }] }),
  inPod({ nodeSelector: { a: 'b' } }),
  ['Deployment', 'strategic', { spec: { replicas: 'x' } }],
  ['Deployment', 'strategic', { spec: { replicas: 1.5 } }],
  ['Deployment', 'strategic', { spec: { replicas: 2 } }],
  ['Deployment', 'strategic', { spec: { paused: 'x' } }],
  ['Deployment', 'strategic', { spec: { template: 5 } }],
  ...randomPatches(7, 60).map((body) => ['Deployment', 'strategic', body]),
  ['Deployment', 'strategic', { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }],
]

const deployment = (...items) => ({
  metadata: { name: 'x' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: items } },
  },
})

/** Applied configurations that the schema refuses, or the conversion behind it. */
export const schemaRows = [
  ['an unknown field', 'Job', job({ name: 'x' }, { foo: 1 })],
  [
    'an unknown field of a container',
    'Job',
    { ...jobOf(pod({}, container({ zip: 1 }))), metadata: { name: 'x' } },
  ],
  ['a number as text', 'Job', job({ name: 'x' }, { parallelism: '1' })],
  ['text as a number', 'ConfigMap', { metadata: { name: 'x' }, data: { a: 5 } }],
  ['a truth value as text', 'Job', job({ name: 'x' }, { suspend: 'true' })],
  [
    'a list as a map',
    'Deployment',
    { ...deployment(), spec: { template: { spec: { containers: {} } } } },
  ],
  ['a map as text', 'ConfigMap', { metadata: { name: 'x', labels: 'l' } }],
  ['a map as a list', 'ConfigMap', { metadata: { name: 'x', labels: ['l'] } }],
  [
    'an amount as an object',
    'Deployment',
    deployment(container({ resources: { limits: { cpu: {} } } })),
  ],
  ['the same container twice', 'Deployment', deployment(container(), container())],
  [
    'the same port twice',
    'Deployment',
    deployment(container({ ports: [{ containerPort: 1 }, { containerPort: 1, protocol: 'TCP' }] })),
  ],
  [
    'the same finalizer twice',
    'ConfigMap',
    { metadata: { name: 'x', finalizers: ['a.io/b', 'a.io/b'] } },
  ],
  ['a null container', 'Deployment', deployment(null)],
  ['a container that is text', 'Deployment', deployment('x')],
  ['a finalizer that is null', 'ConfigMap', { metadata: { name: 'x', finalizers: [null] } }],
  ['a finalizer that is a map', 'ConfigMap', { metadata: { name: 'x', finalizers: [{}] } }],
  [
    'managers in the configuration',
    'ConfigMap',
    { metadata: { name: 'x', managedFields: [{ manager: 'a' }] } },
  ],
  [
    'an amount that is none',
    'Deployment',
    deployment(container({ resources: { limits: { cpu: 'abc' } } })),
  ],
  ['a time that is none', 'ConfigMap', { metadata: { name: 'x', creationTimestamp: 'x' } }],
  ['bytes that are none', 'Secret', { metadata: { name: 'x' }, data: { a: '!!' } }],
  ['a fraction', 'Job', job({ name: 'x' }, { parallelism: 1.5 })],
  ['a status of a kind without one', 'ConfigMap', { metadata: { name: 'x' }, status: {} }],
]
