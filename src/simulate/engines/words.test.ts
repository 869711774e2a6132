import { describe, expect, it } from 'vitest'
import { shortWords } from './words.ts'

describe('shortWords', () => {
  it('leaves out the pod template that an immutable field repeats', () => {
    const value = '{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"x: y"}]}}'
    const message = `Job.batch "migrate" is invalid: spec.template: Invalid value: ${value}: field is immutable`
    expect(shortWords(message)).toBe(
      'Job.batch "migrate" is invalid: spec.template: field is immutable',
    )
  })

  it('keeps short values, and cuts what is long', () => {
    expect(shortWords('spec.x: Invalid value: "a": must be b')).toBe(
      'spec.x: Invalid value: "a": must be b',
    )
    expect(shortWords('x'.repeat(400))).toHaveLength(160)
    expect(shortWords('two\n  lines ')).toBe('two lines')
  })
})
