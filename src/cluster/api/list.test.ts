import { describe, expect, test } from 'vitest'
import {
  asking,
  type Asking,
  CONFIGMAPS,
  configMap,
  job,
  JOBS,
  messageOf,
  PODS,
} from './testing.ts'

function three(): Asking {
  const maps = asking(CONFIGMAPS)
  maps.create(configMap('a', {}, { labels: { x: '1' } }))
  maps.create(configMap('b', {}, { labels: { x: '2' } }))
  maps.create(configMap('a-b'))
  return maps
}

function namesIn(answer: ReturnType<Asking['list']>): readonly unknown[] {
  const items = answer.body['items'] as readonly { readonly metadata: { readonly name: string } }[]
  return items.map(({ metadata }) => metadata.name)
}

describe('a list', () => {
  test('is in the order of names, with the version of the last write', () => {
    const maps = three()
    const answer = maps.list()
    expect(namesIn(answer)).toEqual(['a', 'a-b', 'b'])
    expect(answer.body).toMatchObject({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: String(maps.cluster.api.resourceVersion) },
    })
  })

  test.each([
    [{ labelSelector: 'x in (1,2)' }, ['a', 'b']],
    [{ labelSelector: '!x' }, ['a-b']],
    [{ fieldSelector: 'metadata.name=a' }, ['a']],
    [{ fieldSelector: 'metadata.name!=a' }, ['a-b', 'b']],
    [{ fieldSelector: 'metadata.name==a,metadata.namespace=default' }, ['a']],
    [{ fieldSelector: 'metadata.name=a,metadata.name=b' }, []],
  ])('with %o holds %o', (options, names) => {
    expect(namesIn(three().list(options))).toEqual(names)
  })

  test('comes in pages that show one state, whatever is written in between', () => {
    const maps = three()
    const first = maps.list({ limit: 2 })
    expect(namesIn(first)).toEqual(['a', 'a-b'])
    expect(first.body.metadata).toMatchObject({ remainingItemCount: 1 })
    maps.create(configMap('z'))
    maps.delete('b')
    const token = (first.body.metadata as { readonly continue: string }).continue
    const second = maps.list({ limit: 2, continue: token })
    expect(namesIn(second)).toEqual(['b'])
    expect(second.body.metadata).not.toHaveProperty('continue')
  })

  test('with a selector does not count what remains', () => {
    const answer = three().list({ limit: 1, labelSelector: 'x' })
    expect(answer.body.metadata).toHaveProperty('continue')
    expect(answer.body.metadata).not.toHaveProperty('remainingItemCount')
  })

  test('at an exact version shows that version', () => {
    const maps = three()
    const resourceVersion = String(maps.cluster.api.resourceVersion)
    maps.delete('a')
    expect(namesIn(maps.list({ resourceVersion, resourceVersionMatch: 'Exact' }))).toHaveLength(3)
    expect(
      namesIn(maps.list({ resourceVersion, resourceVersionMatch: 'NotOlderThan' })),
    ).toHaveLength(2)
  })

  test.each([
    [
      { resourceVersion: 'abc' },
      400,
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    [
      { resourceVersionMatch: 'Exact' as const },
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      { continue: 'abc' },
      400,
      "invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value",
    ],
    [{ fieldSelector: 'foo' }, 400, "invalid selector: 'foo'; can't understand 'foo'"],
    [
      { fieldSelector: 'foo=1' },
      400,
      '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [{ labelSelector: 'a in b' }, 400, "unable to parse requirement: found 'b' expected: '('"],
  ])('with %o is refused', (options, code, message) => {
    expect(three().list(options)).toMatchObject({ code, body: { message } })
  })

  test('of the future is a timeout', () => {
    expect(three().list({ resourceVersion: '9999999' })).toMatchObject({
      code: 504,
      body: { reason: 'Timeout', details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } },
    })
  })

  test('of a forgotten version is 410', () => {
    const maps = asking(CONFIGMAPS, { watchWindow: 10 })
    maps.create(configMap('a'))
    const resourceVersion = String(maps.cluster.api.resourceVersion)
    for (let count = 0; count < 30; count += 1) maps.merge('a', { data: { count: `${count}` } })
    const answer = maps.list({ resourceVersion, resourceVersionMatch: 'Exact' })
    expect(answer).toMatchObject({ code: 410, body: { reason: 'Expired' } })
    expect(maps.cluster.api.eventsSince(Number(resourceVersion))).toBeUndefined()
  })

  test.each([
    [JOBS, 'field label "foo" not supported for Job'],
    [PODS, 'field label not supported: foo'],
  ])('of %o says unknown fields in the words of its kind', (resource, message) => {
    expect(messageOf(asking(resource).list({ fieldSelector: 'foo=1' }))).toBe(message)
  })
})

describe('a watch from a version', () => {
  test('gets what was written after it, with the state before', () => {
    const jobs = asking(JOBS)
    const { resourceVersion } = jobs.cluster.api
    jobs.create(job('a'))
    jobs.merge('a', { spec: { suspend: true } })
    jobs.delete('a', { options: { propagationPolicy: 'Background' } })
    const events = jobs.cluster.api.eventsSince(resourceVersion) ?? []
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED'])
    expect(events[1]?.before).toBe(events[0]?.object)
    expect(Number(events[2]?.object.metadata.resourceVersion)).toBe(
      jobs.cluster.api.resourceVersion,
    )
  })
})
