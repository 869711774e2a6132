import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { asking, messageOf, PODS } from './testing.ts'

function pod(name: string): JsonObject {
  return { metadata: { name }, spec: { containers: [{ name: 'main', image: 'x' }] } }
}

const binding = { metadata: { name: 'a' }, target: { kind: 'Node', name: 'n1' } }
const onBinding = { name: 'a', subresource: 'binding' }
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } }
const onEviction = { name: 'a', subresource: 'eviction' }

describe('a binding', () => {
  test('gives the pod its node and says that it is scheduled', () => {
    const pods = asking(PODS)
    pods.create(pod('a'))
    expect(pods.create(binding, onBinding)).toMatchObject({
      code: 201,
      body: { status: 'Success' },
    })
    expect(pods.stored('a')).toMatchObject({
      spec: { nodeName: 'n1' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True' }] },
    })
  })

  test('is refused the second time', () => {
    const pods = asking(PODS)
    pods.create(pod('a'))
    pods.create(binding, onBinding)
    expect(messageOf(pods.create(binding, onBinding))).toBe(
      'Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "n1"',
    )
  })

  test('names its pod', () => {
    const pods = asking(PODS)
    pods.create(pod('a'))
    expect(pods.create({ metadata: { name: 'b' } }, onBinding).code).toBe(400)
    expect(
      pods.create({ ...binding, metadata: { name: 'z' } }, { ...onBinding, name: 'z' }).code,
    ).toBe(404)
  })
})

describe('an eviction', () => {
  test('marks a running pod as disrupted and deletes it with its grace', () => {
    const pods = asking(PODS)
    pods.create(pod('a'))
    pods.create(binding, onBinding)
    expect(pods.create(eviction, onEviction)).toMatchObject({
      code: 201,
      body: { status: 'Success' },
    })
    expect(pods.stored('a')).toMatchObject({
      metadata: { deletionGracePeriodSeconds: 30 },
      status: {
        conditions: [
          { type: 'PodScheduled' },
          { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' },
        ],
      },
    })
  })

  test('takes a pod without a node at once', () => {
    const pods = asking(PODS)
    pods.create(pod('a'))
    pods.create(eviction, onEviction)
    expect(pods.stored('a')).toBeUndefined()
  })

  test('of an absent pod is not found', () => {
    expect(asking(PODS).create(eviction, onEviction)).toMatchObject({
      code: 404,
      body: { message: 'pods "a" not found' },
    })
  })
})

describe('the grace of a pod', () => {
  test('is only ever shortened, and ends with zero seconds', () => {
    const pods = asking(PODS)
    pods.create(pod('a'))
    pods.create(binding, onBinding)
    expect(pods.delete('a').body.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:30Z',
      deletionGracePeriodSeconds: 30,
    })
    expect(pods.delete('a', { body: { gracePeriodSeconds: 60 } }).body.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:30Z',
    })
    expect(pods.delete('a', { body: { gracePeriodSeconds: 5 } }).body.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:05Z',
      deletionGracePeriodSeconds: 5,
    })
    pods.delete('a', { body: { gracePeriodSeconds: 0 } })
    expect(pods.stored('a')).toBeUndefined()
  })
})
