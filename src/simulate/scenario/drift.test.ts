import { describe, expect, it } from 'vitest'
import type { Json } from '../../core/json.ts'
import type { ObjectRef } from '../world/world.ts'
import { driftsOf } from './drift.ts'

const WEB: ObjectRef = { kind: 'Deployment', namespace: 'shop', name: 'web' }
const SEED: ObjectRef = { kind: 'Job', namespace: 'shop', name: 'seed' }
const KNOWN = [WEB, SEED, { kind: 'ConfigMap', namespace: 'shop', name: 'web' }]

describe('driftsOf', () => {
  it.each<[string, Json]>([
    ['its object and fields', { object: 'Deployment/shop/web', change: { 'spec.replicas': 5 } }],
    ['the object as the key', { 'Deployment/shop/web': { 'spec.replicas': 5 } }],
    ['the kind as the key', { deployment: 'shop/web', 'spec.replicas': 5, by: 'somebody' }],
    [
      'kind, namespace and name',
      { kind: 'Deployment', namespace: 'shop', name: 'web', set: { 'spec.replicas': 5 } },
    ],
    [
      'a field with its new value',
      { object: 'Deployment/web', field: 'spec.replicas', from: 2, to: 5 },
    ],
    ['a command', 'kubectl -n shop scale deployment web --replicas=5'],
    ['a command with a slash', 'kubectl scale deploy/web --replicas 5 -n shop'],
    ['an arrow', 'web replicas 2 -> 5'],
    ['a field of a name', 'spec.replicas of web = 5'],
    ['a sentence', 'somebody scaled web to 5'],
  ])('reads a change told by %s', (_, value) => {
    expect(driftsOf(value, KNOWN)).toEqual([
      {
        object: WEB,
        action: { do: 'set', fields: [[['spec', 'replicas'], 5]] },
        words: 'set spec.replicas=5 of Deployment shop/web',
      },
    ])
  })

  it.each<[Json]>([
    [{ object: 'Job/shop/seed', delete: true }],
    [{ delete: 'Job/shop/seed' }],
    [{ job: 'shop/seed', deleted: true }],
    [{ 'Job/shop/seed': 'deleted' }],
    [{ 'Job/shop/seed': null }],
    [{ delete: ['job/seed'] }],
    ['delete Job/shop/seed'],
    ['kubectl delete job seed -n shop'],
    ['kubectl -n shop delete job seed'],
    ['Job seed deleted by hand'],
    ['shop/seed was removed'],
  ])('reads a deletion told by %j', (value) => {
    const words = 'deleted Job shop/seed'
    expect(driftsOf(value, KNOWN)).toEqual([{ object: SEED, action: { do: 'delete' }, words }])
  })

  it('reads the object beside the drift, several drifts, and the image of a CronJob', () => {
    const beside = driftsOf({ change: { 'spec.replicas': 1 } }, KNOWN, { object: 'Deployment/web' })
    expect(beside?.[0]?.object).toEqual(WEB)
    expect(driftsOf([{ delete: 'Job/shop/seed' }, 'web replicas 2 -> 3'], KNOWN)).toHaveLength(2)
    const image = driftsOf({ 'CronJob/shop/backup': { image: 'x:2' } }, KNOWN)?.[0]?.action
    expect(image).toMatchObject({
      fields: [
        [['spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers', '0', 'image'], 'x:2'],
      ],
    })
  })

  it('keeps the dots in the key of an annotation', () => {
    const drift = driftsOf({ 'Job/shop/seed': { 'metadata.annotations.a.example/b': 'c' } }, KNOWN)
    expect(drift?.[0]?.action).toEqual({
      do: 'set',
      fields: [[['metadata', 'annotations', 'a.example/b'], 'c']],
    })
  })

  it.each<[Json]>([
    ['something strange'],
    ['web'],
    [{ 'spec.replicas': 3 }],
    [{ object: 'Deployment/shop/web' }],
    [{ 'Deployment/shop/web': { replicsa: 3 } }],
    [{ 'Deployment/shop/web': 'stranger' }],
    [[]],
    [7],
  ])('does not guess at %j', (value) => {
    expect(driftsOf(value, KNOWN)).toBeUndefined()
  })
})
