import { describe, expect, test } from 'vitest'
import { asking, CONFIGMAPS, configMap, job, JOBS, messageOf } from './testing.ts'

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' }
const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again'

describe('an update', () => {
  test('of what was read is accepted, of what is stale refused', () => {
    const maps = asking(CONFIGMAPS)
    const { body: first } = maps.create(configMap('a', { k: '1' }))
    expect(maps.update('a', { ...first, data: { k: '2' } }).code).toBe(200)
    expect(maps.update('a', { ...first, data: { k: '3' } })).toMatchObject({
      code: 409,
      body: {
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on configmaps "a": ${MODIFIED}`,
        details: { name: 'a', kind: 'configmaps' },
      },
    })
  })

  test('without a version overwrites, where the kind allows it', () => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a', { k: '1' }))
    expect(maps.update('a', configMap('a', { k: '2' })).code).toBe(200)
    const leases = asking(LEASES)
    const lease = { metadata: { name: 'l' }, spec: { holderIdentity: 'x' } }
    expect(leases.update('l', lease).code).toBe(201)
    expect(messageOf(leases.update('l', lease))).toBe(
      'leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    )
  })

  test('that changes nothing writes nothing', () => {
    const jobs = asking(JOBS)
    const { body } = jobs.create(job('a'))
    const { resourceVersion } = jobs.cluster.api
    expect(jobs.update('a', body).body).toBe(jobs.stored('a'))
    expect(jobs.merge('a', { spec: { backoffLimit: 6 } }).body).toBe(jobs.stored('a'))
    expect(jobs.cluster.api.resourceVersion).toBe(resourceVersion)
  })

  test('keeps what clients cannot set', () => {
    const jobs = asking(JOBS)
    const { body } = jobs.create(job('a'))
    const metadata = { creationTimestamp: '2020-01-01T00:00:00Z', generation: 9 }
    const answer = jobs.merge('a', { metadata, status: { active: 5 } })
    expect(answer.body).toEqual(body)
  })

  test('bumps the generation for the spec only', () => {
    const jobs = asking(JOBS)
    jobs.create(job('a'))
    const labelled = jobs.merge('a', { metadata: { labels: { a: 'b' } } })
    expect(labelled.body.metadata).toMatchObject({ generation: 1 })
    expect(jobs.merge('a', { spec: { suspend: true } }).body.metadata).toMatchObject({
      generation: 2,
    })
    const status = jobs.merge('a', { status: { terminating: 0 } }, { subresource: 'status' })
    expect(status.body.metadata).toMatchObject({ generation: 2 })
  })

  test('through the main path leaves status alone, through status everything else', () => {
    const jobs = asking(JOBS)
    jobs.create(job('a'))
    jobs.merge(
      'a',
      { status: { terminating: 0 }, spec: { suspend: true } },
      { subresource: 'status' },
    )
    expect(jobs.stored('a')).toMatchObject({ spec: { suspend: false }, status: { terminating: 0 } })
    jobs.merge('a', { status: { terminating: 3 }, spec: { suspend: true } })
    expect(jobs.stored('a')).toMatchObject({ spec: { suspend: true }, status: { terminating: 0 } })
  })

  test.each([
    [
      'another name',
      { metadata: { name: 'b' } },
      'the name of the object (b) does not match the name on the URL (a)',
    ],
    [
      'no name',
      { metadata: {} },
      'the name of the object (a based on URL) was undeterminable: name must be provided',
    ],
    [
      'another namespace',
      { metadata: { name: 'a', namespace: 'other' } },
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
  ])('with %s is a bad request', (_what, body, message) => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a'))
    expect(maps.update('a', body)).toMatchObject({ code: 400, body: { message } })
  })

  test('of another uid is a conflict', () => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a'))
    const uid = maps.stored('a')?.metadata.uid
    expect(messageOf(maps.update('a', configMap('a', {}, { uid: 'x' })))).toBe(
      `Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta: ${uid}`,
    )
  })

  test('of an absent object is not found, and creates where the kind allows it', () => {
    expect(asking(CONFIGMAPS).update('a', configMap('a')).code).toBe(404)
    const lease = { metadata: { name: 'l', resourceVersion: '7' } }
    expect(asking(LEASES).update('l', lease).code).toBe(201)
  })

  test('as a dry run stores nothing', () => {
    const maps = asking(CONFIGMAPS)
    const { body } = maps.create(configMap('a', { k: '1' }))
    const answer = maps.merge('a', { data: { k: '2' } }, { options: { dryRun: true } })
    expect(answer.body).toMatchObject({
      data: { k: '2' },
      metadata: { resourceVersion: body.metadata['resourceVersion' as never] },
    })
    expect(maps.stored('a')).toBe(body)
  })

  test('says each complaint about metadata twice among the causes, as the server does', () => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a'))
    const answer = maps.merge('a', { metadata: { uid: 'x' } })
    const cause = {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: "x": field is immutable',
      field: 'metadata.uid',
    }
    expect(answer).toMatchObject({
      code: 422,
      body: {
        message: 'ConfigMap "a" is invalid: metadata.uid: Invalid value: "x": field is immutable',
        details: { causes: [cause, cause] },
      },
    })
  })
})

describe('a patch', () => {
  test.each([
    ['a wrong type', { data: { k: 1 } }, 422],
    ['an unreadable body', 'text', 400],
  ])('of %s is refused', (_what, body, code) => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a'))
    expect(maps.merge('a', body).code).toBe(code)
  })

  test('with force is refused unless it is an apply; an apply needs a manager', () => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a'))
    expect(messageOf(maps.merge('a', {}, { options: { force: true } }))).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    )
    expect(messageOf(maps.apply('a', configMap('a'), ''))).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    )
  })
})

describe('an apply', () => {
  test('creates, changes nothing the second time, conflicts with another manager, and may force', () => {
    const maps = asking(CONFIGMAPS)
    const created = maps.apply('a', configMap('a', { k: '1' }), 'one')
    expect(created.code).toBe(201)
    expect(maps.apply('a', configMap('a', { k: '1' }), 'one').body).toBe(created.body)
    expect(maps.apply('a', configMap('a', { k: '2' }), 'other')).toMatchObject({
      code: 409,
      body: {
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "one": .data.k',
        details: {
          causes: [
            { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.k' },
          ],
        },
      },
    })
    const forced = maps.apply('a', configMap('a', { k: '2' }), 'other', {
      options: { force: true },
    })
    expect(forced).toMatchObject({ code: 200, body: { data: { k: '2' } } })
  })

  test('of another kind is a bad request', () => {
    const answer = asking(CONFIGMAPS).apply('a', { ...configMap('a'), kind: 'Foo' })
    expect(messageOf(answer)).toBe('invalid object type: /v1, Kind=Foo')
  })

  test('of a status does not create', () => {
    expect(asking(JOBS).apply('a', job('a'), 'm', { subresource: 'status' }).code).toBe(404)
  })

  test('with a uid of an absent object is a conflict', () => {
    expect(asking(CONFIGMAPS).apply('a', configMap('a', {}, { uid: 'x' })).code).toBe(409)
  })

  test('on a dying object is accepted, and lost with it (real.md 3)', () => {
    const jobs = asking(JOBS)
    jobs.create(job('a', { finalizers: ['x.dev/y'] }))
    jobs.delete('a')
    expect(jobs.apply('a', job('a', { labels: { a: 'b' } })).code).toBe(200)
    jobs.merge('a', { metadata: { finalizers: null } })
    expect(jobs.stored('a')).toBeUndefined()
  })
})
