import { describe, expect, test } from 'vitest'
import { createCluster } from '../index.ts'

const jobs = { group: 'batch', version: 'v1', resource: 'jobs' }
const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec: {} }
const place = { resource: jobs, namespace: 'default', user: 'test' } as const

describe('a cluster from createCluster', () => {
  test('creates, reads, patches and deletes', () => {
    const cluster = createCluster()
    const created = cluster.request({ verb: 'create', ...place, body: job })
    expect(created.code).toBe(201)
    const patched = cluster.request({
      verb: 'patch',
      ...place,
      name: 'a',
      patch: { type: 'merge', body: { spec: { suspend: true } } },
    })
    expect(patched).toMatchObject({ code: 200, body: { metadata: { generation: 2 } } })
    const status = cluster.request({
      verb: 'patch',
      ...place,
      name: 'a',
      subresource: 'status',
      patch: { type: 'merge', body: { status: { active: 1 }, spec: { suspend: false } } },
    })
    expect(status).toMatchObject({
      code: 200,
      body: { metadata: { generation: 2 }, spec: { suspend: true }, status: { active: 1 } },
    })
    const foreground = { propagationPolicy: 'Foreground' } as const
    const dying = cluster.request({ verb: 'delete', ...place, name: 'a', options: foreground })
    expect(dying).toMatchObject({ code: 200, body: { metadata: { generation: 3 } } })
    expect(cluster.request({ verb: 'create', ...place, body: job }).code).toBe(409)
    const finalizers = { metadata: { finalizers: null } }
    const gone = { type: 'merge', body: finalizers } as const
    cluster.request({ verb: 'patch', ...place, name: 'a', patch: gone })
    expect(cluster.request({ verb: 'get', ...place, name: 'a' }).code).toBe(404)
  })
})
