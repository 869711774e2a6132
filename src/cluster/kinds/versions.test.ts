import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { errorText } from '../api/field-errors.ts'
import type { KubeObject } from '../object.ts'
import { job } from './job.ts'
import { pod } from './pod.ts'

const META = {
  name: 'a',
  namespace: 'default',
  uid: '7521d303-a4fa-4262-b0a6-2b9473e901f4',
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
}
const CONTAINER: JsonObject = { name: 'main', image: 'one:1' }

function made(spec: JsonObject, podSpec: JsonObject, minor: number): KubeObject {
  const template = { spec: { restartPolicy: 'Never', containers: [CONTAINER], ...podSpec } }
  const body = { apiVersion: 'batch/v1', kind: 'Job', metadata: META, spec: { template, ...spec } }
  const filled = job.defaults?.(body, { minor }) as KubeObject
  return job.prepareForCreate?.(filled, { minor }) ?? filled
}

function createFaults(spec: JsonObject, podSpec: JsonObject, minor: number): readonly string[] {
  const object = made(spec, podSpec, minor)
  return (job.validateCreate?.(object, { minor }) ?? []).map(errorText)
}

function updateFaults(
  old: KubeObject,
  change: (spec: JsonObject) => JsonObject,
  minor: number,
): readonly string[] {
  const sent: KubeObject = { ...old, spec: change(old['spec'] as JsonObject) }
  const next = job.defaults?.(sent, { minor }) as KubeObject
  const errors = job.validateUpdate?.(next, old, { minor }) ?? []
  return [...new Set(errors.map(({ field }) => field))]
}

function inPod(change: JsonObject): (spec: JsonObject) => JsonObject {
  return (spec) => {
    const template = spec['template'] as JsonObject
    return {
      ...spec,
      template: { ...template, spec: { ...(template['spec'] as JsonObject), ...change } },
    }
  }
}

describe('a suspended Job may change', () => {
  const started = { startTime: '2026-01-01T00:00:00Z' }
  const stopped = { ...started, conditions: [{ type: 'Suspended', status: 'True' }] }
  const resources = { containers: [{ ...CONTAINER, resources: { limits: { cpu: '1' } } }] }
  const nodeSelector = { nodeSelector: { disk: 'ssd' } }
  test.each<readonly [string, JsonObject, JsonObject, number, boolean]>([
    ['its nodes before it started (K-8)', {}, nodeSelector, 29, true],
    ['its nodes before it started (K-8)', {}, nodeSelector, 36, true],
    ['its nodes after a run only since 1.36 (K-9)', stopped, nodeSelector, 35, false],
    ['its nodes after a run only since 1.36 (K-9)', stopped, nodeSelector, 36, true],
    ['its resources only since 1.36 (K-9)', {}, resources, 35, false],
    ['its resources only since 1.36 (K-9)', {}, resources, 36, true],
    ['nothing while a pod is left (K-9)', { ...stopped, active: 1 }, resources, 36, false],
    ['nothing before the controller said so (K-9)', started, nodeSelector, 36, false],
  ])('%s: %j %j in 1.%i', (_, status, change, minor, allowed) => {
    const old = { ...made({ suspend: true }, {}, minor), status }
    const faults = updateFaults(old, inPod(change), minor)
    expect(faults.length === 0).toBe(allowed)
  })
})

describe('what a version does not know', () => {
  test.each([
    [31, undefined],
    [32, 'semel.dev/replay'],
  ])('managedBy in 1.%i is %s', (minor, expected) => {
    const spec = made({ managedBy: 'semel.dev/replay' }, {}, minor)['spec'] as JsonObject
    expect(spec['managedBy']).toBe(expected)
  })

  test.each([
    [30, undefined],
    [31, { rules: [{ succeededCount: 1 }] }],
  ])('successPolicy in 1.%i is %j', (minor, expected) => {
    const policy = { rules: [{ succeededCount: 1 }] }
    const spec = made({ successPolicy: policy }, {}, minor)['spec'] as JsonObject
    expect(spec['successPolicy']).toEqual(expected)
  })

  test('names of variables are strict before 1.32', () => {
    const podSpec = { containers: [{ ...CONTAINER, env: [{ name: '1', value: 'a' }] }] }
    expect(createFaults({}, podSpec, 31)).toHaveLength(1)
    expect(createFaults({}, podSpec, 32)).toEqual([])
  })

  test('native sidecars are taken in all versions, other policies since 1.35', () => {
    const init = (restartPolicy: string): JsonObject => ({
      initContainers: [{ name: 'init', image: 'one:1', restartPolicy }],
    })
    expect(createFaults({}, init('Always'), 29)).toEqual([])
    const path = 'spec.template.spec.initContainers[0].restartPolicy'
    expect(createFaults({}, init('Never'), 34)).toEqual([
      `${path}: Unsupported value: "Never": supported values: "Always"`,
    ])
    expect(createFaults({}, init('Never'), 35)).toEqual([])
  })
})

describe('a status write', () => {
  const complete = { conditions: [{ type: 'Complete', status: 'True' }] }
  test.each([
    [31, 0],
    [32, 3],
  ])('that jumps to Complete has in 1.%i %i faults', (minor, count) => {
    const old = made({}, {}, minor)
    const next = { ...old, status: complete }
    expect(job.validateStatusUpdate?.(next, old, { minor })).toHaveLength(count)
  })
})

describe('a pod in deletion gets', () => {
  const running = { spec: { nodeName: 'n1', terminationGracePeriodSeconds: 7 }, status: {} }
  const grace = (object: JsonObject, asked?: number): number | undefined =>
    pod.graceSeconds?.({ apiVersion: 'v1', kind: 'Pod', metadata: META, ...object }, asked)
  test('its own seconds, or those that are asked for', () => {
    expect(grace(running)).toBe(7)
    expect(grace(running, 0)).toBe(0)
    expect(grace(running, -1)).toBe(1)
  })

  test('none when it has no node or has ended', () => {
    expect(grace({ spec: {} }, 5)).toBe(0)
    expect(grace({ ...running, status: { phase: 'Succeeded' } })).toBe(0)
  })
})

test('defaults of a complete object give back that object', () => {
  const rules = { minor: 36 }
  const object = made({}, {}, 36)
  expect(job.defaults?.(object, rules)).toBe(object)
})
