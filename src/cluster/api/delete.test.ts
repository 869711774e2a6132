import { describe, expect, test } from 'vitest'
import type { RequestOptions } from './request.ts'
import {
  asking,
  type Asking,
  CONFIGMAPS,
  configMap,
  job,
  JOBS,
  messageOf,
  NAMESPACES,
} from './testing.ts'

const ORPHANED =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'

type Policy = RequestOptions['propagationPolicy']

function remove(asked: Asking, name: string, policy?: Policy): ReturnType<Asking['delete']> {
  return asked.delete(name, policy === undefined ? {} : { options: { propagationPolicy: policy } })
}

describe('a delete', () => {
  test('takes an object without finalizers at once, and answers with a Status', () => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a'))
    const uid = maps.stored('a')?.metadata.uid
    expect(remove(maps, 'a').body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid },
    })
    expect(remove(maps, 'a').code).toBe(404)
  })

  test.each<[Policy, readonly string[] | undefined, readonly string[]]>([
    ['Background', undefined, []],
    ['Foreground', ['foregroundDeletion'], []],
    ['Orphan', ['orphan'], []],
    [undefined, ['orphan'], [ORPHANED]],
  ])('of a Job with %s leaves the finalizers %o (K-13, K-14)', (policy, finalizers, warnings) => {
    const jobs = asking(JOBS)
    jobs.create(job('a'))
    const answer = remove(jobs, 'a', policy)
    expect(answer).toMatchObject({ code: 200, warnings })
    expect(jobs.stored('a')?.metadata.finalizers).toEqual(finalizers)
  })

  test('that has to wait sets time and grace and a new generation, once', () => {
    const jobs = asking(JOBS)
    jobs.create(job('a', { finalizers: ['x.dev/y'] }))
    const dying = {
      generation: 2,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    }
    expect(remove(jobs, 'a', 'Background').body.metadata).toMatchObject(dying)
    jobs.cluster.runUntil(jobs.cluster.now + 60_000)
    const { resourceVersion } = jobs.cluster.api
    expect(remove(jobs, 'a', 'Background').body.metadata).toMatchObject(dying)
    expect(jobs.cluster.api.resourceVersion).toBe(resourceVersion)
  })

  test('with another policy takes the earlier mark off: Background ends Foreground (trace 101)', () => {
    const jobs = asking(JOBS)
    jobs.create(job('a'))
    remove(jobs, 'a', 'Foreground')
    expect(remove(jobs, 'a', 'Background')).toMatchObject({
      code: 200,
      body: { status: 'Success' },
    })
    expect(jobs.stored('a')).toBeUndefined()
  })

  test('without a policy leaves an earlier mark', () => {
    const jobs = asking(JOBS)
    jobs.create(job('a'))
    remove(jobs, 'a', 'Foreground')
    remove(jobs, 'a')
    expect(jobs.stored('a')?.metadata.finalizers).toEqual(['foregroundDeletion'])
  })

  test('ends when the last finalizer goes, and the answer is the object', () => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a', {}, { finalizers: ['x.dev/y', 'x.dev/z'] }))
    remove(maps, 'a')
    const half = maps.patch('a', 'json', [{ op: 'remove', path: '/metadata/finalizers/0' }])
    expect(half.body.metadata).toMatchObject({ finalizers: ['x.dev/z'] })
    const last = maps.merge('a', { metadata: { finalizers: null } })
    expect(last).toMatchObject({ code: 200, body: { kind: 'ConfigMap' } })
    expect(maps.stored('a')).toBeUndefined()
  })

  test('forbids new finalizers from then on', () => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a', {}, { finalizers: ['x.dev/y'] }))
    remove(maps, 'a')
    const answer = maps.merge('a', { metadata: { finalizers: ['x.dev/y', 'b.dev/b', 'a.dev/a'] } })
    expect(answer.code).toBe(422)
    expect(messageOf(answer)).toBe(
      'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.dev/a", "b.dev/b"}',
    )
  })

  test.each([
    [{ uid: 'x' }, /the UID in the precondition \(x\) does not match the UID in record/],
    [{ resourceVersion: '1' }, /the ResourceVersion in the precondition \(1\) does not match/],
  ])('with preconditions %o that do not hold is a conflict', (preconditions, message) => {
    const jobs = asking(JOBS)
    jobs.create(job('a'))
    const answer = jobs.delete('a', { body: { preconditions } })
    expect(answer).toMatchObject({ code: 409, body: { details: { kind: 'Job' } } })
    expect(messageOf(answer)).toMatch(/^Operation cannot be fulfilled on Job\.batch "a": /)
    expect(messageOf(answer)).toMatch(message)
  })

  test('with preconditions that hold is done', () => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a'))
    const { uid, resourceVersion } = maps.stored('a')?.metadata ?? {}
    expect(maps.delete('a', { body: { preconditions: { uid, resourceVersion } } }).code).toBe(200)
  })

  test.each([
    [
      { propagationPolicy: 'Foo' },
      'Unsupported value: "Foo": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      { propagationPolicy: 'Orphan', orphanDependents: true },
      'orphanDependents and deletionPropagation cannot be both set',
    ],
    [{ dryRun: ['x'] }, 'dryRun: Unsupported value: ["x"]: supported values: "All"'],
  ])('with the options %o is invalid', (body, message) => {
    const jobs = asking(JOBS)
    jobs.create(job('a'))
    const answer = jobs.delete('a', { body })
    expect(answer.code).toBe(422)
    expect(messageOf(answer)).toContain(message)
  })

  test('as a dry run shows what would be, and leaves the object', () => {
    const jobs = asking(JOBS)
    const { body } = jobs.create(job('a'))
    const options = { dryRun: true, propagationPolicy: 'Foreground' } as const
    expect(jobs.delete('a', { options }).body.metadata).toMatchObject({ generation: 2 })
    expect(jobs.stored('a')).toBe(body)
  })

  test('of a collection takes what the selector matches', () => {
    const maps = asking(CONFIGMAPS)
    for (const [name, group] of [
      ['a', '1'],
      ['b', '1'],
      ['c', '2'],
    ] as const) {
      maps.create(configMap(name, {}, { labels: { group } }))
    }
    const answer = maps.cluster.request({
      verb: 'deletecollection',
      resource: CONFIGMAPS,
      namespace: 'default',
      options: { labelSelector: 'group=1' },
      user: 'tester',
    })
    expect(answer).toMatchObject({ code: 200, body: { kind: 'ConfigMapList', items: [{}, {}] } })
    expect(maps.list().body['items']).toMatchObject([{ metadata: { name: 'c' } }])
  })
})

describe('a namespace', () => {
  test('is closed first, and goes when its own finalizers are gone', () => {
    const spaces = asking(NAMESPACES)
    spaces.create({ metadata: { name: 'a' } })
    const closed = remove(spaces, 'a')
    expect(closed).toMatchObject({
      code: 200,
      body: { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } },
    })
    expect(remove(spaces, 'a').body).toBe(closed.body)
    const inside = spaces.cluster.request({
      verb: 'create',
      resource: CONFIGMAPS,
      namespace: 'a',
      body: configMap('x'),
      user: 'tester',
    })
    expect(inside).toMatchObject({
      code: 403,
      body: {
        message:
          'configmaps "x" is forbidden: unable to create new content in namespace a because it is being terminated',
        details: {
          causes: [
            {
              reason: 'NamespaceTerminating',
              message: 'namespace a is being terminated',
              field: 'metadata.namespace',
            },
          ],
        },
      },
    })
    const empty = { metadata: { name: 'a' }, spec: { finalizers: [] } }
    expect(spaces.update('a', empty, { subresource: 'finalize' }).code).toBe(200)
    expect(spaces.stored('a')).toBeUndefined()
  })

  test.each(['default', 'kube-system', 'kube-public'])('%s stays', (name) => {
    expect(messageOf(remove(asking(NAMESPACES), name))).toBe(
      `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    )
  })
})
