import { describe, expect, it } from 'vitest'
import { stringAt, type JsonObject } from '../../core/json.ts'
import type { KubeObject, ResourceId } from '../object.ts'
import { JOBS } from './cronjob-job.ts'
import { bodyOf, CONFIGMAPS, jobSpec, NAMESPACES, PODS, world, type World } from './testing.ts'

function inNamespace(minor = 36): World {
  const given = world({ minor })
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }
  const nowhere = undefined as never
  bodyOf(given.ask({ verb: 'create', resource: NAMESPACES, namespace: nowhere, body }))
  return given
}

function put(given: World, resource: ResourceId, body: JsonObject): KubeObject {
  return bodyOf(given.ask({ verb: 'create', resource, namespace: 'team', body }))
}

function close(given: World): void {
  const nowhere = undefined as never
  given.ask({ verb: 'delete', resource: NAMESPACES, namespace: nowhere, name: 'team' })
}

function team(given: World): KubeObject | undefined {
  return given.cluster.api.read.get(NAMESPACES, undefined, 'team')
}

function job(linger: string): JsonObject {
  const spec = jobSpec({ duration: '60000', linger }, { parallelism: 2, completions: 2 })
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'one' }, spec }
}

describe('a deleted namespace', () => {
  it('without content is gone five seconds later (K-60)', () => {
    const given = inNamespace()
    given.until(1)
    close(given)
    given.until(5.9)
    expect(team(given)).toMatchObject({ status: { phase: 'Terminating' } })
    given.until(6)
    expect(team(given)).toBeUndefined()
  })

  it('loses its pods first, and the Job when they are gone (049, K-61)', () => {
    const given = inNamespace()
    put(given, JOBS, job('4000'))
    put(given, CONFIGMAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } })
    given.until(1)
    close(given)
    given.until(100)
    const [one, ...pods] = given.lives
    expect(pods.map(({ deletionRequested, deleted }) => [deletionRequested, deleted])).toEqual([
      [6, 10],
      [6, 10],
    ])
    expect(one?.deleted).toBe(11)
    expect(given.cluster.api.read.list(CONFIGMAPS, 'team')).toEqual([])
    expect(team(given)).toBeUndefined()
  })

  it('up to 1.32 loses everything at once (K-61)', () => {
    const given = inNamespace(32)
    put(given, JOBS, job('4000'))
    given.until(1)
    close(given)
    given.until(6)
    expect(given.lives[0]?.deleted).toBe(6)
    expect(given.cluster.api.read.list(PODS, 'team')).toHaveLength(2)
    given.until(100)
    expect(team(given)).toBeUndefined()
  })

  it('waits for the finalizers of its content and says for which', () => {
    const given = inNamespace()
    const metadata = { name: 'held', finalizers: ['example.test/held'] }
    put(given, CONFIGMAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata })
    given.until(1)
    close(given)
    given.until(30)
    const status = team(given)?.['status'] as { conditions: readonly JsonObject[] }
    expect(
      status.conditions.map((one) => `${stringAt(one, ['type'])} ${stringAt(one, ['status'])}`),
    ).toEqual([
      'NamespaceDeletionDiscoveryFailure False',
      'NamespaceDeletionGroupVersionParsingFailure False',
      'NamespaceDeletionContentFailure False',
      'NamespaceContentRemaining True',
      'NamespaceFinalizersRemaining True',
    ])
    expect(status.conditions.slice(3).map(({ message }) => message)).toEqual([
      'Some resources are remaining: configmaps. has 1 resource instances',
      'Some content in the namespace has finalizers remaining: example.test/held in 1 resource instances',
    ])
    const body = { metadata: { finalizers: null } }
    const patch = { type: 'merge', body } as const
    given.ask({ verb: 'patch', resource: CONFIGMAPS, namespace: 'team', name: 'held', patch })
    given.until(60)
    expect(team(given)).toBeUndefined()
  })

  it('waits while the controller is down, and five seconds more', () => {
    const given = inNamespace()
    given.cluster.stop('namespace-controller')
    close(given)
    given.until(50)
    expect(team(given)).toBeDefined()
    given.cluster.start('namespace-controller')
    given.until(54.9)
    expect(team(given)).toBeDefined()
    given.until(55)
    expect(team(given)).toBeUndefined()
  })
})

it('a namespace that stays is left alone', () => {
  const given = inNamespace()
  put(given, CONFIGMAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } })
  given.until(1000)
  expect(given.cluster.api.read.list(CONFIGMAPS, 'team')).toHaveLength(1)
  expect(given.requests.filter(({ by }) => by === 'namespace-controller')).toEqual([])
})
