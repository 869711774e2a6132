import { describe, expect, test } from 'vitest'
import { toHttp } from './http.ts'
import { CONFIGMAPS, JOBS, NAMESPACES } from './testing.ts'
import type { Request } from './request.ts'

const user = 'tester'

describe('a request as HTTP', () => {
  test.each<[string, Request, string]>([
    ['a list', { verb: 'list', resource: JOBS, user }, 'GET /apis/batch/v1/jobs'],
    [
      'a list in a namespace',
      { verb: 'list', resource: CONFIGMAPS, namespace: 'a', options: { limit: 2 }, user },
      'GET /api/v1/namespaces/a/configmaps?limit=2',
    ],
    [
      'a dry run',
      { verb: 'create', resource: JOBS, namespace: 'a', body: {}, options: { dryRun: true }, user },
      'POST /apis/batch/v1/namespaces/a/jobs?dryRun=All',
    ],
    [
      'a subresource',
      { verb: 'update', resource: NAMESPACES, name: 'a', subresource: 'finalize', body: {}, user },
      'PUT /api/v1/namespaces/a/finalize',
    ],
    [
      'a selector',
      {
        verb: 'deletecollection',
        resource: JOBS,
        namespace: 'a',
        options: { labelSelector: 'a=b' },
        user,
      },
      'DELETE /apis/batch/v1/namespaces/a/jobs?labelSelector=a%3Db',
    ],
    [
      'a name that a path cannot hold as it is',
      { verb: 'get', resource: CONFIGMAPS, namespace: 'a', name: 'a/b', user },
      'GET /api/v1/namespaces/a/configmaps/a%2Fb',
    ],
    [
      'an option that is false',
      { verb: 'create', resource: JOBS, namespace: 'a', options: { dryRun: false }, user },
      'POST /apis/batch/v1/namespaces/a/jobs',
    ],
  ])('%s', (_what, request, wanted) => {
    const { method, path } = toHttp(request)
    expect(`${method} ${path}`).toBe(wanted)
  })

  test.each([
    ['json', 'application/json-patch+json'],
    ['merge', 'application/merge-patch+json'],
    ['strategic', 'application/strategic-merge-patch+json'],
    ['apply', 'application/apply-patch+yaml'],
  ] as const)('a %s patch goes as %s', (type, contentType) => {
    const patch = { type, body: { a: 1 } }
    const options = { fieldManager: 'm', force: true }
    const request = {
      verb: 'patch',
      resource: JOBS,
      namespace: 'a',
      name: 'x',
      patch,
      options,
    } as const
    expect(toHttp({ ...request, user })).toEqual({
      method: 'PATCH',
      path: '/apis/batch/v1/namespaces/a/jobs/x?fieldManager=m&force=true',
      contentType,
      body: { a: 1 },
      userAgent: 'tester',
    })
  })

  test('a read sends no body', () => {
    const http = toHttp({ verb: 'get', resource: JOBS, namespace: 'a', name: 'x', user })
    expect(http).not.toHaveProperty('body')
    expect(http).not.toHaveProperty('contentType')
  })
})
