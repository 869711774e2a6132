import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { healthOf } from './health.ts'
import { HOOK_FINALIZER } from './tracking.ts'

function object(kind: string, rest: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  const base = {
    name: 'x',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  }
  return { apiVersion: 'v1', kind, metadata: { ...base, ...metadata }, ...rest }
}

const conditions = (...types: string[]): JsonObject => ({
  status: {
    conditions: types.map((type) => {
      const [name = '', status = 'True'] = type.split('=')
      return { type: name, status }
    }),
  },
})

describe('the health that Argo CD gives a Job (A-16)', () => {
  it.each([
    ['Progressing', 'without a condition', conditions()],
    ['Progressing', 'that has met its success criteria', conditions('SuccessCriteriaMet')],
    ['Progressing', 'that is about to fail', conditions('FailureTarget')],
    ['Healthy', 'that is complete', conditions('Complete')],
    ['Degraded', 'that has failed', conditions('Failed')],
    [
      'Degraded',
      'whose failure is no longer true, for the status is not looked at',
      conditions('Failed=False'),
    ],
    ['Suspended', 'that is suspended', conditions('Suspended')],
    ['Healthy', 'that was resumed, though it runs', conditions('Suspended=False')],
  ])('is %s for one %s', (status, _what, rest) => {
    expect(healthOf(object('Job', rest))?.status).toBe(status)
  })

  it('is Progressing while it is deleted, unless the hook finalizer holds it', () => {
    const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
    const done = conditions('Complete')
    expect(healthOf(object('Job', done, going))?.status).toBe('Progressing')
    const held = { ...going, finalizers: [HOOK_FINALIZER] }
    expect(healthOf(object('Job', done, held))?.status).toBe('Healthy')
  })
})

describe('the health that Argo CD gives a CronJob (A-17)', () => {
  const late = {
    lastScheduleTime: '2026-01-01T01:00:00Z',
    lastSuccessfulTime: '2026-01-01T00:00:00Z',
  }
  it.each([
    ['Healthy', 'that never ran', {}],
    ['Healthy', 'that never succeeded', { lastScheduleTime: '2026-01-01T01:00:00Z' }],
    ['Degraded', 'whose last run did not succeed', late],
    ['Healthy', 'whose run is under way', { ...late, active: [{ name: 'x' }] }],
  ])('is %s for one %s', (health, _what, status) => {
    expect(healthOf(object('CronJob', { status }))?.status).toBe(health)
  })

  it('is Healthy for a suspended one', () => {
    expect(healthOf(object('CronJob', { spec: { suspend: true }, status: late }))?.status).toBe(
      'Healthy',
    )
  })
})

it('gives a ConfigMap no health, so it counts as done at once', () => {
  expect(healthOf(object('ConfigMap'))).toBeUndefined()
})
