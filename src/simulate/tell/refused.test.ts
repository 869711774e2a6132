import { describe, expect, it } from 'vitest'
import { sentenceOf } from './sentence.ts'
import { at, history, lane, life } from './testing.ts'

const refusal = (hours: number) =>
  ({
    at: at(hours),
    row: 'Application argocd/shop',
    kind: 'refused',
    words: 'refused Job: Job.batch "migrate" is invalid: spec.template: field is immutable',
    object: 'Job shop/migrate',
  }) as const

describe('a change that the API server refuses', () => {
  it('is in the sentence, as the number of runs does not show it', () => {
    const own = lane([life({ from: 0 })])
    const told = history([own], { happenings: [refusal(12), refusal(13)] })
    expect(sentenceOf(own, told)).toMatch(
      /; a change after 12 h is refused and never runs \(field is immutable\)$/,
    )
  })

  it('is said to pass where a run follows', () => {
    const own = lane([life({ from: 0, expires: 14 }), life({ from: 15 })])
    const told = history([own], { happenings: [refusal(12)] })
    expect(sentenceOf(own, told)).toContain('; a change after 12 h is refused for a while')
  })

  it('of another Job is not mentioned', () => {
    const own = lane([life({ from: 0 })])
    const other = { ...refusal(12), object: 'Job shop/other' }
    expect(sentenceOf(own, history([own], { happenings: [other] }))).not.toContain('refused')
  })
})
