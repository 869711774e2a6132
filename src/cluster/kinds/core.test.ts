import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { asking, messageOf, NAMESPACES } from '../api/testing.ts'

const of = (
  resource: string,
  group = '',
): { group: string; version: string; resource: string } => ({
  group,
  version: 'v1',
  resource,
})

describe('a ConfigMap', () => {
  test.each([
    [
      { data: { 'a b': '' } },
      'data[a b]: Invalid value: "a b": a valid config key must consist of',
    ],
    [{ data: { '..': '' } }, 'data[..]: Invalid value: "..": must not be \'..\''],
    [{ data: { a: 'x' }, binaryData: { a: 'eA==' } }, 'duplicate of key present in binaryData'],
    [{ data: { a: 'x'.repeat(1_048_577) } }, 'Too long: may not be more than 1048576 bytes'],
  ])('%# is invalid', (body, message) => {
    const answer = asking(of('configmaps')).create({ metadata: { name: 'a' }, ...body })
    expect(answer.code).toBe(422)
    expect(messageOf(answer)).toContain(message)
  })

  test('that is immutable keeps its data and stays immutable, but not its labels', () => {
    const maps = asking(of('configmaps'))
    maps.create({ metadata: { name: 'a' }, data: { k: '1' }, immutable: true })
    const why = 'Forbidden: field is immutable when `immutable` is set'
    expect(messageOf(maps.merge('a', { data: { k: '2' } }))).toContain(`data: ${why}`)
    expect(messageOf(maps.merge('a', { immutable: false }))).toContain(`immutable: ${why}`)
    expect(maps.merge('a', { metadata: { labels: { a: 'b' } } }).code).toBe(200)
  })
})

describe('a Secret', () => {
  test('takes stringData into data, and is Opaque unless it says more', () => {
    const secrets = asking(of('secrets'))
    const { body } = secrets.create({ metadata: { name: 'a' }, stringData: { k: 'ä' } })
    expect(body).toMatchObject({ type: 'Opaque', data: { k: 'w6Q=' } })
    expect(body).not.toHaveProperty('stringData')
    expect(secrets.merge('a', { stringData: { l: 'x' } }).body).toMatchObject({
      data: { k: 'w6Q=', l: 'eA==' },
    })
  })

  test.each([
    ['kubernetes.io/tls', 'data[tls.crt]: Required value'],
    ['kubernetes.io/basic-auth', 'data[username]: Required value'],
    ['kubernetes.io/ssh-auth', 'data[ssh-privatekey]: Required value'],
    ['kubernetes.io/dockerconfigjson', 'data[.dockerconfigjson]: Required value'],
    [
      'kubernetes.io/service-account-token',
      'metadata.annotations[kubernetes.io/service-account.name]',
    ],
  ])('of type %s needs its keys', (type, message) => {
    const answer = asking(of('secrets')).create({ metadata: { name: 'a' }, type })
    expect(answer.code).toBe(422)
    expect(messageOf(answer)).toContain(message)
  })

  test('does not change its type', () => {
    const secrets = asking(of('secrets'))
    secrets.create({ metadata: { name: 'a' } })
    expect(messageOf(secrets.merge('a', { type: 'x' }))).toContain('type: Invalid value: "x"')
  })
})

describe('a Namespace', () => {
  test('has a label with its name that nobody takes off, and a finalizer of its own', () => {
    const spaces = asking(NAMESPACES)
    const expected = {
      metadata: { labels: { 'kubernetes.io/metadata.name': 'a' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    }
    expect(spaces.create({ metadata: { name: 'a' } }).body).toMatchObject(expected)
    const labels = { 'kubernetes.io/metadata.name': null }
    expect(
      spaces.merge('a', { metadata: { labels }, spec: { finalizers: [] } }).body,
    ).toMatchObject(expected)
  })

  test('has a name that is a label', () => {
    expect(messageOf(asking(NAMESPACES).create({ metadata: { name: 'a.b' } }))).toContain(
      'must not contain dots',
    )
  })

  test('is Terminating when and only when it is being deleted', () => {
    const spaces = asking(NAMESPACES)
    spaces.create({ metadata: { name: 'a' } })
    const body = { status: { phase: 'Terminating' } }
    expect(spaces.merge('a', body, { subresource: 'status' }).code).toBe(422)
  })
})

describe('a Service', () => {
  const ports = [{ port: 80 }]

  test('gets an address, a type and the rest of its ports, and keeps the address', () => {
    const services = asking(of('services'))
    const { body } = services.create({ metadata: { name: 'a' }, spec: { ports } })
    expect(body).toMatchObject({
      spec: {
        clusterIP: expect.stringMatching(/^10\.\d+\.\d+\.\d+$/),
        type: 'ClusterIP',
        sessionAffinity: 'None',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
      status: { loadBalancer: {} },
    })
    const spec = (body as unknown as { readonly spec: JsonObject })['spec']
    const answer = services.update('a', { metadata: { name: 'a' }, spec: { ports } })
    expect(answer.body).toMatchObject({ spec: { clusterIP: spec['clusterIP'] } })
  })

  test.each([
    [{}, 'spec.ports: Required value'],
    [{ ports: [{ port: 0 }] }, 'must be between 1 and 65535, inclusive'],
    [{ ports: [{ port: 80 }, { port: 80 }] }, 'spec.ports[0].name: Required value'],
    [{ type: 'Foo', ports }, 'spec.type: Unsupported value: "Foo"'],
    [{ type: 'ExternalName' }, 'spec.externalName: Required value'],
  ])('with %o is invalid', (spec, message) => {
    const answer = asking(of('services')).create({ metadata: { name: 'a' }, spec })
    expect(answer.code).toBe(422)
    expect(messageOf(answer)).toContain(message)
  })

  test.each([
    [35, 422],
    [36, 201],
  ])('whose name begins with a digit gets %i at 1.%i', (minor, code) => {
    const services = asking(of('services'), { minor })
    expect(services.create({ metadata: { name: '1a' }, spec: { ports } }).code).toBe(code)
  })
})

describe('a ServiceAccount', () => {
  test('keeps only the names of its secrets, and comes back when it is deleted', () => {
    const accounts = asking(of('serviceaccounts'))
    const secrets = [{ name: 'a', kind: 'Secret' }]
    expect(accounts.create({ metadata: { name: 'a' }, secrets }).body).toMatchObject({
      secrets: [{ name: 'a' }],
    })
    expect(accounts.delete('a').body).toMatchObject({ kind: 'ServiceAccount' })
  })

  test.each([
    [31, 0],
    [32, 1],
  ])('at 1.%i warns of the old annotation %i times', (minor, count) => {
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' }
    const accounts = asking(of('serviceaccounts'), { minor })
    expect(accounts.create({ metadata: { name: 'a', annotations } }).warnings).toHaveLength(count)
  })
})

describe('a Lease', () => {
  test.each([
    [
      { leaseDurationSeconds: 0 },
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    ],
    [{ leaseTransitions: -1 }, 'must be greater than or equal to 0'],
  ])('with %o is invalid', (spec, message) => {
    const answer = asking(of('leases', 'coordination.k8s.io')).create({
      metadata: { name: 'a' },
      spec,
    })
    expect(messageOf(answer)).toContain(message)
  })
})

describe('an Event', () => {
  const about = { kind: 'Pod', name: 'p', namespace: 'default' }

  test('is created by an update, and found by what it is about', () => {
    const events = asking(of('events'))
    const body = { metadata: { name: 'a' }, involvedObject: about, reason: 'Started' }
    expect(events.update('a', body).code).toBe(201)
    const options = { fieldSelector: 'involvedObject.name=p,reason=Started' }
    expect(events.list(options).body['items']).toMatchObject([{ metadata: { name: 'a' } }])
  })

  test('is about something in its own namespace', () => {
    const involvedObject = { ...about, namespace: 'other' }
    const answer = asking(of('events')).create({ metadata: { name: 'a' }, involvedObject })
    expect(messageOf(answer)).toContain('does not match event.namespace')
  })

  test('with eventTime names its reporter', () => {
    const body = {
      metadata: { name: 'a' },
      involvedObject: about,
      eventTime: '2026-01-01T00:00:00.000000Z',
    }
    const answer = asking(of('events')).create(body)
    expect(messageOf(answer)).toContain('reportingComponent: Required value')
  })

  test('is never held for the garbage collector', () => {
    const events = asking(of('events'))
    events.create({ metadata: { name: 'a' }, involvedObject: about })
    events.delete('a', { options: { propagationPolicy: 'Foreground' } })
    expect(events.stored('a')).toBeUndefined()
  })
})
