import { describe, expect, test } from 'vitest'
import type { Chance } from '../chance.ts'
import { defaultKinds } from '../kinds/index.ts'
import type { Admission } from './admission.ts'
import { createApiServer } from './server.ts'
import { asking, CONFIGMAPS, configMap, job, JOBS, messageOf, START } from './testing.ts'

const NAME_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

describe('a create', () => {
  test('gives uid, time, version and namespace', () => {
    const maps = asking(CONFIGMAPS)
    const answer = maps.create(configMap('a', { k: 'v' }))
    expect(answer.code).toBe(201)
    expect(answer.body.metadata).toMatchObject({
      name: 'a',
      namespace: 'default',
      creationTimestamp: '2026-01-01T00:00:00Z',
      uid: expect.stringMatching(
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      ),
      resourceVersion: expect.stringMatching(/^\d+$/),
    })
    expect(maps.stored('a')).toBe(answer.body)
  })

  test('drops what only the server writes', () => {
    const given = { uid: 'mine', creationTimestamp: '2020-01-01T00:00:00Z', generation: 5 }
    const deletion = { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 1 }
    const { body } = asking(JOBS).create(job('a', { ...given, ...deletion }))
    expect(body.metadata).toMatchObject({
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    })
    expect(body.metadata).not.toMatchObject({ uid: 'mine' })
    expect(body.metadata).not.toHaveProperty('deletionTimestamp')
  })

  test('needs no kind and no version: the path says both', () => {
    const answer = asking(CONFIGMAPS).create({ metadata: { name: 'a' } })
    expect(answer).toMatchObject({ code: 201, body: { kind: 'ConfigMap', apiVersion: 'v1' } })
  })

  test.each([
    [
      'another kind',
      { apiVersion: 'v1', kind: 'Job' },
      'no kind "Job" is registered for version "v1"',
    ],
    ['a known kind', { apiVersion: 'v1', kind: 'Pod' }, 'converting (v1.Pod) to (core.ConfigMap)'],
    ['another version', { apiVersion: 'v2' }, 'no kind "ConfigMap" is registered for version "v2"'],
  ])('of %s is a bad request', (_what, type, message) => {
    const answer = asking(CONFIGMAPS).create({ ...type, metadata: { name: 'a' } })
    expect(answer).toMatchObject({ code: 400, body: { reason: 'BadRequest' } })
    expect(messageOf(answer)).toContain(message)
  })

  test.each([[[]], ['text'], [1], [undefined as never]])('of %o is a bad request', (body) => {
    expect(asking(CONFIGMAPS).create(body).code).toBe(400)
  })

  test('of a name that is taken is a conflict, of a dying one as well, in other words', () => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a', {}, { finalizers: ['x.dev/y'] }))
    const details = { name: 'a', kind: 'configmaps' }
    expect(maps.create(configMap('a'))).toMatchObject({
      code: 409,
      body: { reason: 'AlreadyExists', message: 'configmaps "a" already exists', details },
    })
    maps.delete('a')
    expect(messageOf(maps.create(configMap('a')))).toBe(
      'object is being deleted: configmaps "a" already exists',
    )
  })

  test('lists all complaints, and each as a cause', () => {
    const answer = asking(CONFIGMAPS).create(configMap('A', {}, { labels: { a: '-' } }))
    expect(answer.code).toBe(422)
    expect(messageOf(answer)).toMatch(
      /^ConfigMap "A" is invalid: \[metadata\.name: .*, metadata\.labels: /,
    )
    const [first] = answer.body['details'] === undefined ? [] : causesOf(answer.body['details'])
    expect(first).toEqual({
      reason: 'FieldValueInvalid',
      message: `Invalid value: "A": ${NAME_RULE}`,
      field: 'metadata.name',
    })
  })

  test.each([
    ['no name', {}, 'metadata.name: Required value: name or generateName is required'],
    [
      'two controllers',
      {
        name: 'a',
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u', controller: true },
          { apiVersion: 'v1', kind: 'Pod', name: 'y', uid: 'v', controller: true },
        ],
      },
      'Only one reference can have Controller set to true. Found "true" in references for Pod/x and Pod/y',
    ],
    [
      'annotations of 256 KiB and one byte',
      { name: 'a', annotations: { a: 'x'.repeat(262_144) } },
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
    [
      'a plain finalizer',
      { name: 'a', finalizers: ['foo'] },
      'metadata.finalizers[0]: Invalid value: "foo": name is neither a standard finalizer name nor is it fully qualified',
    ],
    [
      'both marks of the garbage collector',
      { name: 'a', finalizers: ['orphan', 'foregroundDeletion'] },
      'finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ])('with %s is invalid', (_what, metadata, message) => {
    const answer = asking(CONFIGMAPS).create({ metadata })
    expect(answer.code).toBe(422)
    expect(messageOf(answer)).toContain(message)
  })

  test('with annotations of exactly 256 KiB is fine', () => {
    const annotations = { a: 'x'.repeat(262_143) }
    expect(asking(CONFIGMAPS).create(configMap('a', {}, { annotations })).code).toBe(201)
  })

  test('drops owners that stand twice, with a warning', () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u' }
    const answer = asking(CONFIGMAPS).create(
      configMap('a', {}, { ownerReferences: [owner, owner] }),
    )
    expect(answer.body.metadata).toMatchObject({ ownerReferences: [owner] })
    expect(answer.warnings).toEqual([expect.stringContaining('duplicate UID(s) observed: u')])
  })

  test('with a resourceVersion is the server error that it is in Kubernetes', () => {
    const answer = asking(CONFIGMAPS).create(configMap('a', {}, { resourceVersion: '5' }))
    expect(answer).toMatchObject({
      code: 500,
      body: { message: 'resourceVersion should not be set on objects to be created' },
    })
  })

  test('as a dry run has a uid, no version, and stores nothing', () => {
    const maps = asking(CONFIGMAPS)
    const answer = maps.create(configMap('a'), { options: { dryRun: true } })
    expect(answer.code).toBe(201)
    expect(answer.body.metadata).toHaveProperty('uid')
    expect(answer.body.metadata).not.toHaveProperty('resourceVersion')
    expect(maps.stored('a')).toBeUndefined()
  })

  test('says unknown fields: as a warning, as an error, or not at all', () => {
    const maps = asking(CONFIGMAPS)
    const body = { ...configMap('a'), foo: 1 }
    const ask = (fieldValidation: 'Warn' | 'Strict' | 'Ignore') =>
      maps.create(body, { options: { fieldValidation, dryRun: true } })
    expect(ask('Warn')).toMatchObject({ code: 201, warnings: ['unknown field "foo"'] })
    expect(ask('Ignore')).toMatchObject({ code: 201, warnings: [] })
    expect(ask('Strict')).toMatchObject({ code: 400, warnings: [] })
  })
})

describe('a create with generateName', () => {
  test('appends five letters, and cuts a long prefix', () => {
    const maps = asking(CONFIGMAPS)
    const short = maps.create({ metadata: { generateName: 'a-' } })
    expect(short.body.metadata).toMatchObject({ name: expect.stringMatching(/^a-[a-z\d]{5}$/) })
    const long = maps.create({ metadata: { generateName: 'x'.repeat(80) } })
    expect(long.body.metadata).toMatchObject({ name: expect.stringMatching(/^x{58}[a-z\d]{5}$/) })
  })

  test('draws again when the name is taken, and gives up after eight times', () => {
    const chance: Chance = { next: () => 0, copy: () => chance }
    const drawn: string[] = []
    const watcher: Admission = {
      name: 'watcher',
      validate: ({ name }) => {
        drawn.push(name)
        return { allowed: true }
      },
    }
    const api = createApiServer(
      { rules: { minor: 36 }, kinds: defaultKinds, chance, admission: [watcher] },
      START,
    )
    const request = {
      verb: 'create',
      resource: CONFIGMAPS,
      namespace: 'default',
      body: { metadata: { generateName: 'a-' } },
      user: 'tester',
    } as const
    expect(api.handle(request, START).code).toBe(201)
    expect(api.handle(request, START)).toMatchObject({
      code: 409,
      body: {
        reason: 'AlreadyExists',
        message:
          'configmaps "a-bbbbb" already exists, the server was not able to generate a unique name for the object',
        details: { name: 'a-bbbbb', kind: 'configmaps', retryAfterSeconds: 1 },
      },
    })
    expect(drawn).toHaveLength(9)
  })
})

describe('a namespace', () => {
  test('must be there', () => {
    const maps = asking(CONFIGMAPS)
    expect(maps.create(configMap('a'), { namespace: 'nowhere' })).toMatchObject({
      code: 404,
      body: { message: 'namespaces "nowhere" not found', details: { kind: 'namespaces' } },
    })
  })

  test('must be the one of the path', () => {
    const answer = asking(CONFIGMAPS).create(configMap('a', {}, { namespace: 'other' }))
    expect(messageOf(answer)).toBe(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
  })
})

function causesOf(details: unknown): readonly unknown[] {
  return (details as { readonly causes?: readonly unknown[] }).causes ?? []
}
