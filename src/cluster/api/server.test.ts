import { describe, expect, test } from 'vitest'
import { asking, Asking, CONFIGMAPS, configMap, job, JOBS, messageOf, PODS } from './testing.ts'

const NOT_SERVED = 'the server could not find the requested resource'
const NOT_ALLOWED = 'the server does not allow this method on the requested resource'

describe('a path', () => {
  test.each([
    ['of an unknown group', { group: 'nope.dev', version: 'v1', resource: 'things' }],
    ['of an unknown resource', { group: 'batch', version: 'v1', resource: 'nopes' }],
    ['of an unknown version', { group: 'batch', version: 'v9', resource: 'jobs' }],
  ])('%s is 404 without a name', (_what, resource) => {
    const answer = asking(resource).get('x')
    expect(answer).toMatchObject({ code: 404, body: { message: NOT_SERVED, details: {} } })
  })

  test('of an unknown object is 404 with its name', () => {
    expect(asking(JOBS).get('x')).toMatchObject({
      code: 404,
      body: {
        reason: 'NotFound',
        message: 'jobs.batch "x" not found',
        details: { name: 'x', group: 'batch', kind: 'jobs' },
      },
    })
  })

  test('of a subresource that the kind has not is 404', () => {
    const maps = asking(CONFIGMAPS)
    maps.create(configMap('a'))
    expect(messageOf(maps.get('a', { subresource: 'status' }))).toBe(NOT_SERVED)
    expect(messageOf(maps.get('a', { subresource: 'scale' }))).toBe(NOT_SERVED)
  })

  test('knows its verbs: others are 405', () => {
    const maps = asking(CONFIGMAPS)
    const { cluster } = maps
    const place = { resource: CONFIGMAPS, namespace: 'default', user: 'tester' }
    const body = configMap('a')
    for (const request of [
      { verb: 'create', ...place, name: 'a', body },
      { verb: 'update', ...place, body },
      { verb: 'create', resource: CONFIGMAPS, user: 'tester', body },
    ] as const) {
      expect(cluster.request(request)).toMatchObject({ code: 405, body: { message: NOT_ALLOWED } })
    }
  })
})

describe('a kind that nobody registered', () => {
  const widgets = { group: 'x.dev', version: 'v1', resource: 'widgets' }
  const widget = {
    apiVersion: 'x.dev/v1',
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { any: [1] },
  }

  test('is stored and returned without opinion when kinds are open', () => {
    const asked = asking(widgets, { openKinds: true })
    expect(asked.create(widget)).toMatchObject({ code: 201, body: { spec: { any: [1] } } })
    expect(asked.merge('a', { spec: { more: true } })).toMatchObject({
      code: 200,
      body: { metadata: { generation: 2 }, spec: { any: [1], more: true } },
    })
    expect(asked.merge('a', { status: { ok: 1 } }, { subresource: 'status' })).toMatchObject({
      body: { metadata: { generation: 2 }, status: { ok: 1 } },
    })
    expect(asked.list()).toMatchObject({
      body: { kind: 'WidgetList', items: [{ kind: 'Widget' }] },
    })
    expect(asked.delete('a').code).toBe(200)
    expect(asked.get('a').code).toBe(404)
  })

  test('is 404 otherwise', () => {
    expect(asking(widgets).create(widget)).toMatchObject({
      code: 404,
      body: { message: NOT_SERVED },
    })
  })
})

describe('a copy of a cluster', () => {
  test('goes its own way, in both directions', () => {
    const jobs = asking(JOBS)
    jobs.create(job('both'))
    const twin = new Asking(JOBS, jobs.cluster.copy(), 'default')
    twin.create(job('twin'))
    jobs.create(job('original'))
    jobs.delete('both', { options: { propagationPolicy: 'Background' } })
    expect(jobs.list().body['items']).toMatchObject([{ metadata: { name: 'original' } }])
    expect(twin.list().body['items']).toMatchObject([
      { metadata: { name: 'both' } },
      { metadata: { name: 'twin' } },
    ])
  })

  test('draws the same uids as its original', () => {
    const jobs = asking(JOBS)
    const twin = new Asking(JOBS, jobs.cluster.copy(), 'default')
    expect(twin.create(job('a')).body).toEqual(jobs.create(job('a')).body)
  })
})

describe('admission', () => {
  test('mutates before and validates after the kind; what it changes belongs to nobody', () => {
    const order: string[] = []
    const jobs = asking(JOBS, {
      admission: [
        {
          name: 'replay',
          mutate: ({ object, operation }) => {
            order.push(`mutate ${operation}`)
            if (object === undefined || operation !== 'CREATE') return { allowed: true }
            const spec = { ...(object['spec'] as object), managedBy: 'semel.dev/replay' }
            return { allowed: true, object: { ...object, spec }, warnings: ['replayed'] }
          },
          validate: ({ object }) => {
            order.push(`validate ${object?.metadata.uid === '' ? 'draft' : 'whole'}`)
            return { allowed: true }
          },
        },
      ],
    })
    const created = jobs.apply('a', job('a'))
    expect(created).toMatchObject({
      code: 201,
      warnings: ['replayed'],
      body: { spec: { managedBy: 'semel.dev/replay', backoffLimit: 6 } },
    })
    expect(JSON.stringify(created.body.metadata['managedFields' as never])).not.toContain(
      'managedBy',
    )
    expect(order).toEqual(['mutate CREATE', 'validate whole'])
    // The unchanged manifest of the same manager strips nothing and writes nothing.
    const again = jobs.apply('a', job('a'))
    expect(again.body).toBe(created.body)
  })

  test('refuses with its own code and reason, and nothing is stored', () => {
    const maps = asking(CONFIGMAPS, {
      admission: [
        {
          name: 'no',
          validate: () => ({
            allowed: false,
            code: 403,
            reason: 'Forbidden',
            message: 'no: never',
          }),
        },
      ],
    })
    expect(maps.create(configMap('a'))).toMatchObject({
      code: 403,
      body: { reason: 'Forbidden', message: 'no: never', details: { kind: 'configmaps' } },
    })
    expect(maps.stored('a')).toBeUndefined()
  })

  test('is asked about deletes, with the object as it was', () => {
    const seen: unknown[] = []
    const pods = asking(CONFIGMAPS, {
      admission: [
        {
          name: 'watcher',
          validate: ({ operation, object, old }) => {
            if (operation === 'DELETE') seen.push([object, old?.metadata.name])
            return { allowed: true }
          },
        },
      ],
    })
    pods.create(configMap('a'))
    pods.delete('a')
    expect(seen).toEqual([[undefined, 'a']])
  })
})

describe('warnings', () => {
  test('are said once each', () => {
    const answer = asking(PODS).create({ metadata: { name: 'a' }, foo: 1, spec: { foo: 1 } })
    expect(new Set(answer.warnings).size).toBe(answer.warnings.length)
  })
})
