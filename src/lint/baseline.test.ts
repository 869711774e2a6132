import { describe, expect, it } from 'vitest'
import { made } from '../../test/lint/subject.ts'
import type { Finding } from '../core/findings.ts'
import type { Place } from '../core/source.ts'
import {
  baselineText,
  identitiesOf,
  identityFingerprint,
  matchBaseline,
  type BaselineEntry,
} from './baseline.ts'

const place = (text = '', path = 'a.yaml'): Place => ({
  source: { path, bytes: new TextEncoder().encode(text) },
  span: { start: 0, end: text.length },
})

const finding = (more: Partial<Finding> = {}): Finding => ({
  rule: 'some-rule',
  severity: 'error',
  place: place(),
  object: 'Job shop/migrate',
  pointer: '',
  what: 'what',
  why: 'why',
  remedy: 'remedy',
  related: [],
  ...more,
})

const entryOf = (more: Partial<Omit<BaselineEntry, 'fingerprint'>> = {}): BaselineEntry => {
  const parts = { rule: 'r', object: 'o', pointer: '', file: 'a.yaml', reason: 'why', ...more }
  return { ...parts, fingerprint: identityFingerprint(parts) }
}

describe('the identity of a finding', () => {
  const identity = (spec: Readonly<Record<string, never>> | object, pointer: string) =>
    identitiesOf(finding({ pointer }), [made({ spec: spec as never })], 'a.yaml')[0]

  it.each<[string, object, string, string, string | undefined]>([
    ['text', { a: 'x' }, '/spec/a', '/spec/a', '"x"'],
    ['a number', { a: 60 }, '/spec/a', '/spec/a', '60'],
    ['null', { a: null }, '/spec/a', '/spec/a', 'null'],
    ['nothing for a mapping', { a: { b: 1 } }, '/spec/a', '/spec/a', undefined],
    ['nothing for a list', { a: [1] }, '/spec/a', '/spec/a', undefined],
    ['nothing for what is missing', {}, '/spec/a', '/spec/a', undefined],
    ['the name of a list item', { l: [{ name: 'x', v: 1 }] }, '/spec/l/0/v', '/spec/l/x/v', '1'],
    ['its place when it has none', { l: [{ v: 1 }] }, '/spec/l/0/v', '/spec/l/0/v', '1'],
    [
      'its place when two have one name',
      {
        l: [
          { name: 'x', v: 1 },
          { name: 'x', v: 2 },
        ],
      },
      '/spec/l/1/v',
      '/spec/l/1/v',
      '2',
    ],
    ['a key that looks like a number', { m: { 0: 'x' } }, '/spec/m/0', '/spec/m/0', '"x"'],
    ['a key with a slash', { 'a/b': 1 }, '/spec/a~1b', '/spec/a~1b', '1'],
  ])('holds %s', (_case, spec, pointer, steady, value) => {
    const found = identity(spec, pointer)
    expect(found?.pointer).toBe(steady)
    expect(found?.value).toBe(value)
  })

  it('names the object without a hash', () => {
    const named = (name: string): string | undefined =>
      identitiesOf(finding(), [made({ name })], 'a.yaml')[0]?.object
    expect(named('migrate')).toBe('Job.batch shop/migrate')
    expect(named('migrate-1f2e3d4c')).toBe('Job.batch shop/migrate')
    expect(named('migrate-20261129')).toBe('Job.batch shop/migrate-20261129')
    const anew = identitiesOf(finding(), [made({ generateName: 'm-' })], 'a.yaml')
    expect(anew[0]?.object).toBe('Job.batch shop/m-*')
  })

  it('is one for each object, and that of the file for a finding on no object', () => {
    const two = [made({ name: 'one' }), made({ name: 'two' })]
    expect(identitiesOf(finding(), two, 'a.yaml')).toHaveLength(2)
    const [own] = identitiesOf(finding({ place: place('lost: text') }), [], 'b/a.yaml')
    expect(own).toMatchObject({ object: 'b/a.yaml', value: 'lost: text' })
  })

  it('leaves out a text that changes with every edit', () => {
    const value = (text: string) =>
      identitiesOf(finding({ place: place(text) }), [], 'a.yaml')[0]?.value
    expect(value('a: 1\nb: 2')).toBeUndefined()
    expect(value('x'.repeat(300))).toBeUndefined()
    expect(value('')).toBeUndefined()
  })

  it('has no say of severity, words, line or file', () => {
    const subject = [made()]
    const one = identitiesOf(finding(), subject, 'a.yaml')
    const more = { severity: 'info', what: 'other', place: place('', 'z.yaml') } as const
    expect(identitiesOf(finding(more), subject, 'z.yaml')).toEqual(one)
  })
})

describe('a baseline', () => {
  it('parts findings, and names the entries that match nothing', () => {
    const [one, two] = [finding({ rule: 'one' }), finding({ rule: 'two' })]
    const identities = ({ rule }: Finding) => [entryOf({ rule })]
    const [mine, idle] = [entryOf({ rule: 'one' }), entryOf({ rule: 'three' })]
    const match = matchBaseline([one, two], identities, [mine, idle])
    expect(match.open).toEqual([two])
    expect(match.known).toEqual([{ finding: one, entry: mine }])
    expect(match.idle).toEqual([idle])
  })

  it('covers a finding when it holds any of its objects, and one entry covers many', () => {
    const entry = entryOf({ object: 'two' })
    const identities = () => [entryOf({ object: 'one' }), entryOf({ object: 'two' })]
    const match = matchBaseline([finding(), finding()], identities, [entry])
    expect(match.open).toEqual([])
    expect(match.known).toHaveLength(2)
    expect(match.idle).toEqual([])
  })

  it('is the same text whatever the order, and holds each entry once', () => {
    const entries = ['b', 'a', 'c'].map((file) => entryOf({ file, object: file }))
    const text = baselineText(entries)
    expect(baselineText([...entries, ...entries].toReversed())).toBe(text)
    expect(JSON.parse(text).findings.map(({ file }: BaselineEntry) => file)).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(text.endsWith('}\n')).toBe(true)
  })

  it('keeps the fingerprints of one format for ever', () => {
    expect(entryOf().fingerprint).toBe('129eb2f741e8553c89bacba00ba15fec')
    expect(entryOf({ value: '1' }).fingerprint).not.toBe(entryOf().fingerprint)
  })
})
