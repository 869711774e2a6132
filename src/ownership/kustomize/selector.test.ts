import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { groupVersion, selectorFrom, selects } from './selector.ts'

const job: JsonObject = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name: 'migrate',
    namespace: 'shop',
    labels: { app: 'shop', tier: 'db' },
    annotations: { team: 'red' },
  },
}
const names = [{ name: 'migrate', namespace: 'shop' }]

describe('what a target picks', () => {
  test.each<[string, JsonObject, boolean | 'unknown']>([
    ['everything without a field', {}, true],
    ['a kind', { kind: 'Job' }, true],
    ['another kind', { kind: 'CronJob' }, false],
    ['a kind as a pattern', { kind: '(Cron)?Job' }, true],
    ['group and version', { group: 'batch', version: 'v1' }, true],
    ['another version', { group: 'batch', version: 'v1beta1' }, false],
    ['a pattern from end to end', { name: 'migr.*' }, true],
    ['not a part of the name', { name: 'migr' }, false],
    ['a namespace', { namespace: 'shop' }, true],
    ['no namespace of that name', { namespace: 'default' }, false],
    ['labels', { labelSelector: 'app=shop,tier in (db, web)' }, true],
    ['a label that must differ', { labelSelector: 'app!=shop' }, false],
    ['a label that must be missing', { labelSelector: '!debug' }, true],
    ['a label that must be there', { labelSelector: 'debug' }, false],
    ['not one of a set', { labelSelector: 'tier notin (db)' }, false],
    ['annotations', { annotationSelector: 'team==red' }, true],
    ['empty fields say nothing', { kind: '', name: '' }, true],
    ['a pattern that cannot be read', { name: '(' }, 'unknown'],
    ['a pattern that could run for ever', { name: '(a+)+$' }, 'unknown'],
    ['a templated pattern', { name: '${NAME}' }, 'unknown'],
    ['no wins over unknown', { name: '${NAME}', kind: 'CronJob' }, false],
  ])('%s', (_, target, expected) => {
    expect(selects(selectorFrom(target), job, names)).toBe(expected)
  })

  test('an object without a namespace is in the default one', () => {
    const selector = selectorFrom({ namespace: 'default' })
    expect(selects(selector, job, [{ name: 'migrate', namespace: undefined }])).toBe(true)
  })

  test('any name that the object has had', () => {
    const selector = selectorFrom({ name: 'migrate' })
    const now = { name: 'p-migrate', namespace: 'shop' }
    expect(selects(selector, job, [...names, now])).toBe(true)
    expect(selects(selectorFrom({ name: 'p-migrate' }), job, [...names, now])).toBe(true)
  })

  test('a name that only rendering can tell', () => {
    const templated = [{ name: '{{ .Release.Name }}-a', namespace: undefined }]
    expect(selects(selectorFrom({ name: 'shop-a' }), job, templated)).toBe('unknown')
  })
})

test('the core group has no name', () => {
  expect(groupVersion('v1')).toEqual(['', 'v1'])
  expect(groupVersion('batch/v1')).toEqual(['batch', 'v1'])
})
