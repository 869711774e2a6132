import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { complete } from './complete.ts'
import { equalValues } from './equal.ts'
import { internalText } from './internal.ts'

const NO_DEFAULTS = {}

function container(value: JsonObject): JsonObject {
  return complete('Container', value, NO_DEFAULTS)
}

describe('a decoded value', () => {
  test.each<readonly [string, JsonObject, JsonObject]>([
    ['loses nulls', { name: 'a', command: null }, { name: 'a', resources: {} }],
    [
      'loses empty lists and text',
      { name: 'a', args: [], image: '' },
      { name: 'a', resources: {} },
    ],
    ['loses false that is no pointer', { name: 'a', stdin: false }, { name: 'a', resources: {} }],
    [
      'keeps what a pointer says',
      { name: 'a', securityContext: { privileged: false, runAsUser: 0 } },
      { name: 'a', resources: {}, securityContext: { privileged: false, runAsUser: 0 } },
    ],
    ['has the fields that are never left out', {}, { name: '', resources: {} }],
    [
      'has canonical quantities',
      { name: 'a', resources: { limits: { cpu: 0.5, memory: '1024Mi' } } },
      { name: 'a', resources: { limits: { cpu: '500m', memory: '1Gi' } } },
    ],
  ])('%s', (_, given, expected) => {
    expect(container(given)).toEqual(expected)
  })

  test('comes back itself when nothing is to be done', () => {
    const first = container({ name: 'a', env: [{ name: 'b', value: 'c' }] })
    expect(container(first)).toBe(first)
  })

  test('shares what does not change', () => {
    const env = [{ name: 'b', value: 'c' }]
    expect(container({ name: 'a', env, args: [] })['env']).toBe(env)
  })

  test('has its times in UTC and whole seconds', () => {
    const status = complete('JobStatus', { startTime: '2026-11-01T01:00:00.9+01:00' }, NO_DEFAULTS)
    expect(status).toEqual({ startTime: '2026-11-01T00:00:00Z' })
  })
})

describe('a value in a complaint', () => {
  test('has the names and the order of the internal type', () => {
    const policy = { rules: [{ succeededCount: 1 }] }
    const text = '{"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}'
    expect(internalText('SuccessPolicy', policy)).toBe(text)
  })

  test('escapes what Go escapes', () => {
    expect(internalText('PodFailurePolicy', { rules: [{ action: '<&>' }] })).toContain(
      String.raw`"Action":"\u003c\u0026\u003e"`,
    )
  })

  test('shows the pod of an API object with the security context in its place', () => {
    const text = internalText('PodSpec', { hostNetwork: true, securityContext: {} })
    expect(text).toContain('"SecurityContext":{"HostNetwork":true,"HostPID":false')
    expect(text).not.toContain('"hostNetwork"')
  })
})

describe('two values are equal', () => {
  test.each([
    [{ limits: { memory: '1Gi' } }, { limits: { memory: '1073741824' } }, true],
    [{ limits: { memory: '1Gi' } }, { limits: { memory: '1G' } }, false],
    [{ args: [] }, {}, true],
    [{ args: ['a'] }, { args: ['b'] }, false],
    [{ securityContext: {} }, {}, false],
    [{ image: '1' }, { image: '1000m' }, false],
  ])('%j and %j: %s', (one, other, expected) => {
    expect(equalValues(one, other)).toBe(expected)
    expect(equalValues(other, one)).toBe(expected)
  })
})
