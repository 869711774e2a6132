import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APPLY, JSON_PATCH, MERGE, type Answer, type Body, type Fields } from './rig/client.ts'
import { hasCondition, newNamespace, real, until } from './rig/real.ts'

/**
 * What the real API server and its controllers answer where Semel's own models and designs depend
 * on it. A row that fails says that Kubernetes behaves in another way than we build on.
 */
const { client, binaries } = real()
afterAll(() => client.close())

let namespace = ''
beforeAll(async () => {
  namespace = await newNamespace(client, 'answers')
})

const REPLAY = 'semel.dev/replay'
const NOW = '2026-11-29T00:00:00Z'
const FOREIGN = 'example.test/hold'

describe('a Job that another controller manages', () => {
  it('is created, and the Job controller leaves it alone', async () => {
    await create(job('alone', { managedBy: REPLAY }))
    await create(job('beside', {}))
    await finished('beside')
    expect((await read('alone')).status).toEqual({})
    expect(await podsOf('alone')).toEqual([])
  })

  it.each([
    [
      'Complete without SuccessCriteriaMet',
      { startTime: NOW, completionTime: NOW, conditions: [condition('Complete')] },
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ],
    [
      'Complete without a start',
      { completionTime: NOW, conditions: succeeded() },
      'startTime is required for finished job',
    ],
    [
      'Failed without FailureTarget',
      { startTime: NOW, conditions: [condition('Failed')] },
      'Failed=True',
    ],
  ])('is not given the status %s', async (_what, status, message) => {
    const name = await createAny({ managedBy: REPLAY })
    const answer = await patchStatus(name, status)
    expect(answer.code).toBe(422)
    expect(answer.body.message).toContain(message)
  })

  it.each([
    ['Complete without counters', { startTime: NOW, completionTime: NOW, conditions: succeeded() }],
    [
      'Complete with counters',
      { startTime: NOW, completionTime: NOW, succeeded: 1, ready: 0, conditions: succeeded() },
    ],
    [
      'Failed without an end',
      { startTime: NOW, conditions: [condition('FailureTarget'), condition('Failed')] },
    ],
  ])('is given the status %s in one merge patch', async (_what, status) => {
    const name = await createAny({ managedBy: REPLAY })
    expect(await patchStatus(name, status)).toMatchObject({ code: 200, body: { status } })
  })

  it('is deleted by its TTL like any other', async () => {
    const name = await createAny({ managedBy: REPLAY, ttlSecondsAfterFinished: 1 })
    const status = { startTime: NOW, completionTime: NOW, conditions: succeeded() }
    expect((await patchStatus(name, status)).code).toBe(200)
    await gone(name)
  })

  it.each([
    ['another manager', false, 'example.test/other'],
    ['no manager', false, null],
    ['another manager while suspended', true, 'example.test/other'],
    ['no manager while suspended', true, null],
  ])('cannot be given %s', async (_what, suspend, managedBy) => {
    const name = await createAny({ managedBy: REPLAY, suspend })
    const answer = await patch(name, { spec: { managedBy } })
    expect(answer.code).toBe(422)
    expect(answer.body.message).toContain('spec.managedBy: Invalid value')
    expect(answer.body.message).toContain('field is immutable')
  })
})

describe('a Job that is written again', () => {
  it('is refused by PUT without the selector and the labels that the server made', async () => {
    const manifest = job('put-manifest', { managedBy: REPLAY })
    await create(manifest)
    const { metadata } = await read('put-manifest')
    const resourceVersion = metadata?.resourceVersion
    const again = { ...manifest, metadata: { ...manifest.metadata, resourceVersion } }
    const answer = await client.request('PUT', path('put-manifest'), again)
    expect(answer.code).toBe(422)
    expect(answer.body.message).toContain('spec.selector: Required value')
    expect(answer.body.message).toContain('spec.template: Invalid value')
  })

  it('is accepted by PUT as it was read, and nothing is written the second time', async () => {
    const name = await createAny({ managedBy: REPLAY })
    const first = await client.request('PUT', path(name), await read(name))
    const second = await client.request('PUT', path(name), await read(name))
    expect([first.code, second.code]).toEqual([200, 200])
    expect(second.body.metadata?.resourceVersion).toBe(first.body.metadata?.resourceVersion)
  })

  it('takes a time to live, limits and suspend when it is finished', async () => {
    const name = await createAny({})
    await finished(name)
    const changes = [
      { parallelism: 2 },
      { backoffLimit: 3 },
      { activeDeadlineSeconds: 900 },
      { suspend: true },
      { ttlSecondsAfterFinished: 3600 },
    ]
    for (const spec of changes) {
      expect(await patch(name, { spec }), JSON.stringify(spec)).toMatchObject({ code: 200 })
    }
  })

  it('does not take other completions unless it is Indexed', async () => {
    const name = await createAny({ suspend: true, completions: 1 })
    const answer = await patch(name, { spec: { completions: 2 } })
    expect(answer.code).toBe(422)
    expect(answer.body.message).toContain('spec.completions: Invalid value')
    expect(answer.body.message).toContain('field is immutable')
  })
})

describe('a Job that ends', () => {
  it('is not started again when its pods are deleted', async () => {
    const name = await createAny({})
    const before = await finished(name)
    const [pod = ''] = await podsOf(name)
    await client.request('DELETE', `/api/v1/namespaces/${namespace}/pods/${pod}`)
    await until(client, pods(name), ({ items }) => items?.length === 0)
    // The controller has seen the deletion by the time that a later Job is finished.
    await finished(await createAny({}))
    expect((await read(name)).status).toEqual(before.status)
    expect(await podsOf(name)).toEqual([])
  })

  it('is still there while a finalizer holds it: create is refused, apply reaches the dying one', async () => {
    const manifest = job('dying', { suspend: true }, { finalizers: [FOREIGN] })
    await create(manifest)
    const deleted = await client.request('DELETE', path('dying'))
    expect(deleted.body.metadata?.deletionTimestamp).toBeDefined()
    const again = await client.request('POST', jobs(), manifest)
    expect(again.code).toBe(409)
    expect(again.body.message).toBe('object is being deleted: jobs.batch "dying" already exists')
    const applied = await apply(job('dying', { suspend: true }), 'pipeline')
    expect(applied).toMatchObject({ code: 200 })
    expect(applied.body.metadata?.uid).toBe(deleted.body.metadata?.uid)
    await letGo('dying')
    await gone('dying')
  })

  it.each([
    ['no policy', undefined, true, 1],
    ['Orphan', 'Orphan', false, 1],
    ['Background', 'Background', false, 0],
    ['Foreground', 'Foreground', false, 0],
  ])('keeps or takes its pods when deleted with %s', async (_what, policy, isWarned, left) => {
    const name = await createAny({})
    await finished(name)
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: policy }
    const body = policy === undefined ? undefined : options
    const { warnings } = await client.request('DELETE', path(name), body)
    expect(warnings.some((text) => text.includes('child pods are preserved by default'))).toBe(
      isWarned,
    )
    await gone(name)
    if (left === 0) await until(client, pods(name), ({ items }) => items?.length === 0)
    // A Job whose pods would go has lost them by the time that a later one has lost its own.
    const later = await createAny({})
    await finished(later)
    await client.request('DELETE', `${path(later)}?propagationPolicy=Background`)
    await until(client, pods(later), ({ items }) => items?.length === 0)
    expect(await podsOf(name)).toHaveLength(left)
  })

  it('is deleted by its TTL in the foreground, and a foreign finalizer holds it still', async () => {
    const name = await createAny({ ttlSecondsAfterFinished: 1 }, { finalizers: [FOREIGN] })
    const seen = new Set<string>()
    const watch = client.watch(`${jobs()}?fieldSelector=metadata.name=${name}`, ({ object }) => {
      for (const finalizer of object.metadata?.finalizers ?? []) seen.add(finalizer)
    })
    const isHeld = (body: Body): boolean => {
      const { deletionTimestamp, finalizers } = body.metadata ?? {}
      return deletionTimestamp !== undefined && finalizers?.join() === FOREIGN
    }
    await until(client, path(name), isHeld)
    expect([...seen]).toEqual([FOREIGN, 'foregroundDeletion'])
    await letGo(name)
    await gone(name)
    watch.close()
    await watch.ended
  })
})

describe('names', () => {
  it.each([
    ['a Job of 63 bytes', job('j'.repeat(63), { suspend: true }), 201],
    ['a Job of 64 bytes', job('j'.repeat(64), { suspend: true }), 422],
    ['a CronJob of 52 bytes', cronJob('c'.repeat(52)), 201],
    ['a CronJob of 53 bytes', cronJob('c'.repeat(53)), 422],
    ['an Indexed Job whose last index fits', indexed('i'.repeat(60), 100), 201],
    ['an Indexed Job whose last index does not fit', indexed('i'.repeat(61), 100), 422],
    ['a Job in upper case', job('Migrate', { suspend: true }), 422],
  ])('%s', async (_what, manifest, code) => {
    const list = manifest.kind === 'CronJob' ? jobs().replace(/jobs$/, 'cronjobs') : jobs()
    const answer = await client.request('POST', list, manifest)
    expect(answer.code, answer.body.message).toBe(code)
  })

  it('of 64 bytes are refused for the sake of a label', async () => {
    const answer = await client.request('POST', jobs(), job('j'.repeat(64), { suspend: true }))
    expect(answer.body.message).toContain('spec.template.labels')
    expect(answer.body.message).toContain('must be no more than 63')
  })

  it('with dots are accepted with a warning', async () => {
    const answer = await client.request('POST', jobs(), job('a.b', { suspend: true }))
    expect(answer.code).toBe(201)
    expect(answer.warnings.join()).toContain('metadata.name')
  })
})

const hasPolicies = Number(binaries.version.split('.')[1]) >= 36
const without = hasPolicies ? '' : ` (not run: Kubernetes ${binaries.version} serves no v1 of them)`

describe.skipIf(!hasPolicies)(`MutatingAdmissionPolicy${without}`, () => {
  const admission = '/apis/admissionregistration.k8s.io/v1'
  beforeAll(async () => {
    const policy = await client.request('POST', `${admission}/mutatingadmissionpolicies`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingAdmissionPolicy',
      metadata: { name: 'answers' },
      spec: {
        failurePolicy: 'Fail',
        reinvocationPolicy: 'Never',
        matchConstraints: {
          objectSelector: { matchLabels: { 'example.test/answers': 'managed' } },
          resourceRules: [
            {
              apiGroups: ['batch'],
              apiVersions: ['v1'],
              operations: ['CREATE'],
              resources: ['jobs'],
            },
          ],
        },
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: { expression: `Object{spec: Object.spec{managedBy: '${REPLAY}'}}` },
          },
        ],
      },
    })
    expect(policy).toMatchObject({ code: 201 })
    const binding = await client.request('POST', `${admission}/mutatingadmissionpolicybindings`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name: 'answers' },
      spec: { policyName: 'answers' },
    })
    expect(binding).toMatchObject({ code: 201 })
  })
  afterAll(async () => {
    await client.request('DELETE', `${admission}/mutatingadmissionpolicybindings/answers`)
    await client.request('DELETE', `${admission}/mutatingadmissionpolicies/answers`)
  })

  it('is served and active, and what it sets is nobody’s in managedFields', async () => {
    const labels = { 'example.test/answers': 'managed' }
    const manifest = job('admitted', { suspend: true }, { labels })
    const applied = await firstManaged(manifest)
    expect(applied.body.spec?.['managedBy']).toBe(REPLAY)
    const owners = JSON.stringify(applied.body.metadata?.['managedFields'])
    expect(owners).toContain('f:backoffLimit')
    expect(owners).not.toContain('f:managedBy')

    const byAnother = await apply(manifest, 'another')
    const again = await apply(manifest, 'another')
    expect(byAnother).toMatchObject({ code: 200, body: { spec: { managedBy: REPLAY } } })
    expect(again.body.metadata?.resourceVersion).toBe(byAnother.body.metadata?.resourceVersion)
  })

  /** A policy works a moment after it has been stored. */
  async function firstManaged(manifest: Manifest): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const applied = await apply(manifest, 'pipeline')
      if (applied.body.spec?.['managedBy'] !== undefined || attempt === 100) return applied
      await client.request('DELETE', `${path(manifest.metadata.name)}?propagationPolicy=Background`)
      await gone(manifest.metadata.name)
    }
  }
})

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Fields & { readonly name: string }
  readonly spec: Fields
}

function job(name: string, spec: Fields, metadata: Fields = {}): Manifest {
  const template = {
    metadata: { annotations: { 'play/duration': '20' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1' }] },
  }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ...metadata },
    spec: { backoffLimit: 0, template, ...spec },
  }
}

function indexed(name: string, completions: number): Manifest {
  return job(name, { suspend: true, completionMode: 'Indexed', completions })
}

function cronJob(name: string): Manifest {
  const jobTemplate = { spec: job(name, {}).spec }
  const spec = { schedule: '0 0 1 1 *', suspend: true, jobTemplate }
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name }, spec }
}

function condition(type: string): Fields {
  const times = { lastProbeTime: NOW, lastTransitionTime: NOW }
  return { type, status: 'True', reason: 'Replayed', ...times }
}

function succeeded(): readonly Fields[] {
  return [condition('SuccessCriteriaMet'), condition('Complete')]
}

function jobs(): string {
  return `/apis/batch/v1/namespaces/${namespace}/jobs`
}

function path(name: string): string {
  return `${jobs()}/${name}`
}

function pods(name: string): string {
  return `/api/v1/namespaces/${namespace}/pods?labelSelector=batch.kubernetes.io/job-name=${name}`
}

async function create(manifest: Manifest): Promise<Body> {
  const { code, body } = await client.request('POST', jobs(), manifest)
  expect(code, body.message).toBe(201)
  return body
}

/** Returns the name that the server chose. */
async function createAny(spec: Fields, metadata: Fields = {}): Promise<string> {
  const manifest = job('', spec, { ...metadata, name: undefined, generateName: 'any-' })
  return (await create(manifest)).metadata?.name ?? ''
}

async function read(name: string): Promise<Body> {
  return (await client.request('GET', path(name))).body
}

function patch(name: string, body: Fields): Promise<Answer> {
  return client.request('PATCH', path(name), body, MERGE)
}

function patchStatus(name: string, status: Fields): Promise<Answer> {
  return client.request('PATCH', `${path(name)}/status`, { status }, MERGE)
}

function apply(manifest: Manifest, manager: string): Promise<Answer> {
  const query = `?fieldManager=${manager}&force=true`
  return client.request('PATCH', `${path(manifest.metadata.name)}${query}`, manifest, APPLY)
}

function finished(name: string): Promise<Body> {
  return until(client, path(name), (body) => hasCondition(body, 'Complete'))
}

async function gone(name: string): Promise<void> {
  await until(client, path(name), (_body, code) => code === 404)
}

/** Takes the foreign finalizer away and leaves the others. */
async function letGo(name: string): Promise<void> {
  const { metadata } = await read(name)
  const value = (metadata?.finalizers ?? []).filter((finalizer) => finalizer !== FOREIGN)
  const patches = [{ op: 'replace', path: '/metadata/finalizers', value }]
  await client.request('PATCH', path(name), patches, JSON_PATCH)
}

async function podsOf(name: string): Promise<readonly string[]> {
  const { body } = await client.request('GET', pods(name))
  return (body.items ?? []).map((pod) => pod.metadata?.name ?? '')
}
