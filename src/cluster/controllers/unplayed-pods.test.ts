import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { REALISTIC } from '../actor.ts'
import { daemonSetController, statefulSetController } from './unplayed-pods.ts'
import { PODS, world } from './testing.ts'

const SETS = { group: 'apps', version: 'v1', resource: 'statefulsets' }
const DAEMONS = { group: 'apps', version: 'v1', resource: 'daemonsets' }
const actors = [statefulSetController, daemonSetController]

function manifest(kind: string, spec: JsonObject): JsonObject {
  const labels = { app: 'x' }
  const containers = [{ name: 'main', image: 'registry.example.test/x:1' }]
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'x' },
    spec: {
      ...spec,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { restartPolicy: 'Always', containers } },
    },
  }
}

describe('a StatefulSet (K-75)', () => {
  it('is ready as soon as pods can be, and has none', () => {
    const given = world({ actors, latencies: REALISTIC })
    given.until(1)
    given.create(manifest('StatefulSet', { replicas: 2, serviceName: 'x' }))
    given.until(1.02)
    expect(given.get(SETS, 'x')?.['status']).not.toMatchObject({ readyReplicas: 2 })
    given.until(1.03)
    expect(given.get(SETS, 'x')).toMatchObject({
      status: { observedGeneration: 1, replicas: 2, readyReplicas: 2, availableReplicas: 2 },
    })
    expect(given.cluster.api.read.list(PODS)).toEqual([])
  })

  it('that is scaled is ready again for its new generation', () => {
    const given = world({ actors })
    given.create(manifest('StatefulSet', { replicas: 2, serviceName: 'x' }))
    given.until(1)
    given.merge(SETS, 'x', { spec: { replicas: 0 } })
    given.until(2)
    expect(given.get(SETS, 'x')).toMatchObject({
      status: { observedGeneration: 2, replicas: 0, availableReplicas: 0 },
    })
    expect(given.cluster.nextAt()).toBeUndefined()
  })
})

it('a DaemonSet is ready on its one node (K-75)', () => {
  const given = world({ actors })
  given.create(manifest('DaemonSet', {}))
  given.until(1)
  expect(given.get(DAEMONS, 'x')).toMatchObject({
    status: { observedGeneration: 1, desiredNumberScheduled: 1, numberReady: 1 },
  })
})
