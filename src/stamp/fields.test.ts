import { describe, expect, it } from 'vitest'
import { fingerprint } from '../core/fingerprint.ts'
import type { JsonObject } from '../core/json.ts'
import { changedFields, formatFields, parseFields } from './fields.ts'

const job = (container: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  spec: {
    template: { ...more, spec: { containers: [{ name: 'main', image: 'a:1', ...container }] } },
  },
})
const fieldsOf = (object: JsonObject): Readonly<Record<string, string>> =>
  fingerprint(object).fields

const variables = (count: number, value: (index: number) => string): JsonObject => ({
  env: Array.from({ length: count }, (_, index) => ({
    name: `VARIABLE_${index}`,
    value: value(index),
  })),
})

describe('field digests as text', () => {
  it.each([
    ['of an ordinary Job', job({ args: ['a'] })],
    [
      'of labels with odd keys',
      job({}, { metadata: { labels: { 'a/b': 'x', 'c"d, e]=1': 'y' } } }),
    ],
    ['of names with odd letters', job({ name: 'a, b=[c]', env: [{ name: 'é "x"' }] })],
    ['of a CronJob', { kind: 'CronJob', spec: { jobTemplate: job({}) } }],
  ])('come back: %s', (_, object) => {
    const fields = fieldsOf(object)
    const text = formatFields(fields)
    expect(parseFields(text)).toEqual(fields)
  })

  it.each(['', 'x', 'kind=f32f4c4d,', 'kind=f32f4c4', 'kind=f32f4c4d x=00000000', '=00000000'])(
    'are not read from %j',
    (text) => {
      expect(parseFields(text)).toBeUndefined()
    },
  )

  it('stay short however many variables there are', () => {
    const text = formatFields(fieldsOf(job(variables(600, String))))
    expect(text.length).toBeLessThan(17_000)
    expect(text).toContain('pod.containers[main].env[*]=')
    expect(text).toContain('pod.containers[main].image=')
  })

  it('tell a change also where they were put together', () => {
    const before = parseFields(formatFields(fieldsOf(job(variables(600, String))))) ?? {}
    const same = fieldsOf(job(variables(600, String)))
    const other = fieldsOf(job({ ...variables(600, (index) => `${index}!`), image: 'b:1' }))
    expect(changedFields(before, same)).toEqual([])
    expect(changedFields(before, other).map(({ path }) => path)).toEqual([
      'spec.template.spec.containers[main].env[*]',
      'spec.template.spec.containers[main].image',
    ])
  })
})

describe('changes of fields', () => {
  it('are added, removed or changed', () => {
    const before = fieldsOf(job({ args: ['a'], env: [{ name: 'X', value: '1' }] }))
    const after = fieldsOf(job({ image: 'b:1', env: [{ name: 'X', value: '1' }, { name: 'Y' }] }))
    expect(changedFields(before, after)).toEqual([
      { path: 'spec.template.spec.containers[main].args', change: 'removed' },
      { path: 'spec.template.spec.containers[main].env[Y]', change: 'added' },
      { path: 'spec.template.spec.containers[main].image', change: 'changed' },
    ])
  })

  it('show the order of a list where only that is new', () => {
    const order = (names: readonly string[]): JsonObject =>
      job({ env: names.map((name) => ({ name, value: name })) })
    expect(changedFields(fieldsOf(order(['A', 'B'])), fieldsOf(order(['B', 'A'])))).toEqual([
      { path: 'spec.template.spec.containers[main].env', change: 'changed' },
    ])
  })
})
