import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { configDigest, fingerprint, fixedDigest, isFullyKnown } from './fingerprint.ts'
import { sha256Hex } from './hash.ts'
import type { Json, JsonObject } from './json.ts'

const FOLDER = 'fixtures/hash'

/** The Job that `semel render` makes of the first published example of job groups. */
function renderedExample(tag: string): JsonObject {
  const labels = { 'app.kubernetes.io/name': 'db-migrate' }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'shop-db-migrate', namespace: 'prod', labels },
    spec: {
      backoffLimit: 3,
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: 'default',
          automountServiceAccountToken: false,
          restartPolicy: 'Never',
          containers: [
            {
              name: 'migrate',
              image: `my/migrator:${tag}`,
              imagePullPolicy: 'IfNotPresent',
              command: ['sh', '-c', './migrate.sh'],
              env: [
                { name: 'NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
              ],
            },
          ],
        },
      },
    },
  }
}

/** The sixth example: two ConfigMaps are part of what the Job does. */
function renderedWithConfig(): JsonObject {
  const base = renderedExample('v1')
  const spec = base['spec'] as { template: { spec: { containers: [JsonObject] } } }
  const [container] = spec.template.spec.containers
  return {
    ...base,
    spec: {
      template: {
        spec: {
          ...spec.template.spec,
          containers: [
            {
              ...container,
              image: 'my/app:4.2.0',
              envFrom: [
                { configMapRef: { name: 'shop-job-env' } },
                { configMapRef: { name: 'vendor-settings' } },
              ],
              volumeMounts: [{ name: 'cm-app-cfg', mountPath: '/etc/app', readOnly: true }],
            },
          ],
          volumes: [{ name: 'cm-app-cfg', configMap: { name: 'shop-app-cfg' } }],
        },
      },
    },
  }
}

describe('the policy adr-012', () => {
  it.each([
    ['v1', '0231d2e97649814295d3aa9c5627178f329a1f0826d6073954171c84d8e621fd'],
    ['v2', '9d5fdc30'],
  ])('gives the published digest for %s', (tag, digest) => {
    const {
      digest: actual,
      policy,
      algorithm,
    } = fingerprint(renderedExample(tag), {
      policy: 'adr-012',
    })
    expect({ actual: actual.slice(0, digest.length), policy, algorithm }).toEqual({
      actual: digest,
      policy: 'adr-012',
      algorithm: 'v1',
    })
  })

  it.each([
    ['500', 'f181ba90'],
    ['900', '6c4c4827'],
  ])('gives the published digest with ConfigMaps, BATCH_SIZE %s', (size, digest) => {
    const config = {
      'shop-app-cfg': configDigest({ 'app.yaml': 'mode: safe' }),
      'shop-job-env': configDigest({ BATCH_SIZE: size }),
    }
    expect(config['shop-app-cfg'].slice(0, 8)).toBe('8944e70d')
    const actual = fingerprint(renderedWithConfig(), { policy: 'adr-012', config })
    expect(actual.digest.slice(0, 8)).toBe(digest)
  })

  it('normalises nothing, because its digests are published', () => {
    const job = renderedExample('v1')
    const terse = JSON.parse(
      JSON.stringify(job).replace('"imagePullPolicy":"IfNotPresent",', ''),
    ) as JsonObject
    const digests = (object: JsonObject): string[] =>
      (['intent', 'adr-012'] as const).map((policy) => fingerprint(object, { policy }).digest)
    expect(digests(terse)[0]).toBe(digests(job)[0])
    expect(digests(terse)[1]).not.toBe(digests(job)[1])
  })

  it('refuses a fraction and says how to write it', () => {
    const job = { kind: 'Job', spec: { template: { spec: { overhead: { cpu: 0.5 } } } } }
    expect(() => fingerprint(job, { policy: 'adr-012' })).toThrow(
      expect.objectContaining({
        code: 'VALUE_NOT_CANONICAL',
        message: 'template.spec.overhead.cpu is the number 0.5',
        remedy: 'write it as text: "0.5"',
      }) as Error,
    )
  })
})

describe('fingerprint', () => {
  it('hashes what it shows, after a first line that names policy and version', () => {
    const { canonical, digest } = fingerprint(renderedExample('v1'))
    expect(digest).toBe(sha256Hex(`semel.fingerprint/v1/intent\n${canonical}`))
    expect(canonical).toBe(
      '{"kind":"Job","spec":{"template":{"metadata":{"labels":{"app.kubernetes.io/name":"db-migrate"}},"spec":{"automountServiceAccountToken":false,"containers":[{"command":["sh","-c","./migrate.sh"],"env":[{"name":"NAMESPACE","valueFrom":{"fieldRef":{"fieldPath":"metadata.namespace"}}}],"image":"my/migrator:v1","name":"migrate"}],"restartPolicy":"Never"}}}}',
    )
  })

  it('names the fields by their paths, items by their names', () => {
    const { fields } = fingerprint(renderedExample('v1'))
    expect(Object.keys(fields)).toEqual([
      'kind',
      'spec.template.metadata.labels["app.kubernetes.io/name"]',
      'spec.template.spec.automountServiceAccountToken',
      'spec.template.spec.containers',
      'spec.template.spec.containers[migrate].command',
      'spec.template.spec.containers[migrate].env',
      'spec.template.spec.containers[migrate].env[NAMESPACE]',
      'spec.template.spec.containers[migrate].image',
      'spec.template.spec.restartPolicy',
    ])
    expect(Object.values(fields).every((digest) => /^[0-9a-f]{8}$/.test(digest))).toBe(true)
  })

  it('changes one field digest when one field changes', () => {
    const [before, after] = ['v1', 'v2'].map((tag) => fingerprint(renderedExample(tag)).fields)
    const changed = Object.keys(before ?? {}).filter((path) => before?.[path] !== after?.[path])
    expect(changed).toEqual(['spec.template.spec.containers[migrate].image'])
  })

  it('shows a new order of variables as a change of their list', () => {
    const withEnv = (...names: string[]): JsonObject => ({
      kind: 'Job',
      spec: {
        template: { spec: { containers: [{ name: 'c', env: names.map((name) => ({ name })) }] } },
      },
    })
    const [before, after] = [fingerprint(withEnv('A', 'B')), fingerprint(withEnv('B', 'A'))]
    const changed = Object.keys(before.fields).filter(
      (path) => before.fields[path] !== after.fields[path],
    )
    expect(changed).toEqual(['spec.template.spec.containers[c].env'])
  })

  it('counts the ConfigMaps that are named to it, in any order', () => {
    const job = renderedExample('v1')
    const one = fingerprint(job, { config: { a: 'x', b: 'y' } })
    expect(fingerprint(job, { config: { b: 'y', a: 'x' } }).digest).toBe(one.digest)
    expect(fingerprint(job, { config: { a: 'x', b: 'z' } }).digest).not.toBe(one.digest)
    expect(fingerprint(job, { config: {} }).digest).toBe(fingerprint(job).digest)
  })

  it('takes a spec that is missing for an empty one', () => {
    expect(fingerprint({ kind: 'Job' }).digest).toBe(fingerprint({ kind: 'Job', spec: {} }).digest)
  })

  it('refuses another kind, which is a bug of the caller', () => {
    expect(() => fingerprint({ kind: 'Pod' })).toThrow('a Pod has no fingerprint')
  })
})

describe('fingerprint of resources', () => {
  const withResources = (resources: Json): string =>
    fingerprint({
      kind: 'Job',
      spec: { template: { spec: { containers: [{ name: 'c', resources }] } } },
    }).digest

  it.each<[string, Json, Json, boolean]>([
    ['number and text', { limits: { cpu: 1 } }, { limits: { cpu: '1' } }, true],
    ['fraction and thousandths', { limits: { cpu: '0.5' } }, { limits: { cpu: '500m' } }, true],
    ['binary units', { limits: { memory: '1Gi' } }, { limits: { memory: '1024Mi' } }, true],
    ['decimal units', { limits: { memory: '1000M' } }, { limits: { memory: '1G' } }, true],
    ['decimal and binary', { limits: { memory: '1G' } }, { limits: { memory: '1Gi' } }, false],
    ['a limit less', { limits: { cpu: '1', memory: '1Gi' } }, { limits: { cpu: '1' } }, false],
    [
      'another order',
      { limits: { cpu: '1', memory: '1Gi' } },
      { limits: { memory: '1Gi', cpu: '1' } },
      true,
    ],
    [
      'a request more',
      { limits: { cpu: '1' }, requests: {} },
      { limits: { cpu: '1' }, requests: { memory: '64Mi' } },
      false,
    ],
    [
      'the request that the limit implies',
      { limits: { cpu: '1' } },
      { limits: { cpu: '1' }, requests: { cpu: '1000m' } },
      true,
    ],
  ])('%s', (_name, one, other, same) => {
    expect(withResources(one) === withResources(other)).toBe(same)
  })
})

describe('isFullyKnown', () => {
  const job = (spec: JsonObject): JsonObject => ({ kind: 'Job', spec })

  it.each<[string, JsonObject, boolean]>([
    ['a Job without templates', renderedExample('v1'), true],
    ['a templated image', renderedExample('{{ .Values.tag }}'), false],
    ['a templated key', job({ template: { metadata: { labels: { '${KEY}': 'a' } } } }), false],
    ['a templated name, which does not count', { ...job({}), metadata: { name: '${X}' } }, true],
    ['a templated TTL, which does not count', job({ ttlSecondsAfterFinished: '${TTL}' }), true],
  ])('%s', (_name, object, known) => {
    expect(isFullyKnown(object)).toBe(known)
  })
})

describe('fixedDigest', () => {
  const job = (spec: JsonObject): JsonObject => ({ kind: 'Job', spec })
  const template = (labels: JsonObject, pod: JsonObject = {}): JsonObject =>
    job({ template: { metadata: { labels }, spec: pod } })

  it.each<[string, JsonObject, JsonObject, { intent: boolean; fixed: boolean }]>([
    [
      'a version label: the same work, and refused',
      template({ 'helm.sh/chart': 'vl-1.2.0' }),
      template({ 'helm.sh/chart': 'vl-1.2.1' }),
      { intent: true, fixed: false },
    ],
    [
      'the order of volumes: the same work, and refused',
      template({}, { volumes: [{ name: 'a' }, { name: 'b' }] }),
      template({}, { volumes: [{ name: 'b' }, { name: 'a' }] }),
      { intent: true, fixed: false },
    ],
    [
      'a default of the server: the same work, and accepted',
      template({}),
      template({}, { dnsPolicy: 'ClusterFirst' }),
      { intent: true, fixed: true },
    ],
    [
      'a limit of failures: the same work, changed in place',
      job({ backoffLimit: 1 }),
      job({ backoffLimit: 2, suspend: true, ttlSecondsAfterFinished: 60 }),
      { intent: true, fixed: true },
    ],
    [
      'one completion and a work queue of one',
      job({}),
      job({ parallelism: 1 }),
      { intent: false, fixed: false },
    ],
    [
      'the number of workers of a queue: another run, though it could be changed in place',
      job({ parallelism: 2 }),
      job({ parallelism: 3 }),
      { intent: false, fixed: true },
    ],
  ])('%s', (_name, one, other, same) => {
    expect({
      intent: fingerprint(one).digest === fingerprint(other).digest,
      fixed: fixedDigest(one) === fixedDigest(other),
    }).toEqual(same)
  })

  it('is the same for all CronJobs, in which everything can be changed', () => {
    const one = fixedDigest({ kind: 'CronJob', spec: { schedule: '* * * * *' } })
    expect(fixedDigest({ kind: 'CronJob', spec: { jobTemplate: { spec: {} } } })).toBe(one)
  })
})

describe('what a real API server 1.36.3 makes of a manifest', () => {
  const recorded = readdirSync(`${FOLDER}/server`).filter((file) => !file.startsWith('openapi'))

  it.each(recorded)('%s has the same fingerprint and the same fixed digest', (file) => {
    const returned = JSON.parse(readFileSync(`${FOLDER}/server/${file}`, 'utf8')) as JsonObject
    const input = `${FOLDER}/${file.replace('.json', '')}/input.yaml`
    const submitted = parseAllDocuments(readFileSync(input, 'utf8'))[0]?.toJS() as JsonObject
    expect(fingerprint(returned).canonical).toBe(fingerprint(submitted).canonical)
    expect(fixedDigest(returned)).toBe(fixedDigest(submitted))
  })

  it('is recorded for at least forty manifests', () => {
    expect(recorded.length).toBeGreaterThanOrEqual(40)
  })
})
