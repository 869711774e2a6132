import { describe, expect, it } from 'vitest'
import { context, made } from '../../../test/lint/subject.ts'
import { hashPrefixTooAlike } from './hash-prefix-too-alike.ts'

const named = (call: string): string => `\${schema.metadata.name + "-" + ${call}}`
const hex = (inner: string, cut = ''): string => `"%x".format([${inner}])${cut}`
const fnv = (cut = ''): string => hex('hash.fnv64a(schema.spec.image + "(" + schema.spec.tag)', cut)

const judge = (name: string, applies = true) =>
  hashPrefixTooAlike.check?.(made({ name, traits: { applies } }), context()) ?? []

describe('hash-prefix-too-alike', () => {
  it.each([
    [4, undefined],
    [5, undefined],
    [6, 'info'],
    [15, 'info'],
  ])('for the first %i digits', (digits, severity) => {
    const [finding] = judge(
      named(hex('hash.fnv64a(schema.spec.image)', `.substring(0, ${digits})`)),
    )
    expect(finding?.severity).toBe(severity)
    expect(finding?.remedy).toContain('hash.sha256')
  })

  it('takes a cut of the whole name for what it is', () => {
    const whole = `\${(schema.metadata.name + "-" + ${hex('hash.fnv64a(schema.spec.image)')}).substring(0, 60)}`
    expect(judge(whole)).toEqual([])
  })

  it.each([
    ['for the last digits', named(hex('hash.fnv64a(schema.spec.image)', '.substring(8, 16)'))],
    ['for the whole hash', named(fnv())],
    ['for all digits', named(hex('hash.fnv64a(schema.spec.image)', '.substring(0, 16)'))],
    ['for sha256', named(hex('hash.sha256(schema.spec.image)', '.substring(0, 4)'))],
    ['for a fixed name', 'migrate'],
    ['for text that never ends', '${"%x".format([hash.fnv64a(schema.spec.image}'],
  ])('is silent %s', (_case, name) => {
    expect(judge(name)).toEqual([])
  })

  it('is silent where the engine leaves the object alone', () => {
    expect(judge(named(hex('hash.fnv64a(schema.spec.image)', '.substring(0, 4)')), false)).toEqual(
      [],
    )
  })
})
