import { describe, expect, it } from 'vitest'
import { context, made, waiter, type Made } from '../../../test/lint/subject.ts'
import { recreateOnFailureUnseen } from './recreate-on-failure-unseen.ts'

const KEY = 'fluxcd.controlplane.io/recreateOnFailure'
const annotations = { [KEY]: 'enabled' }
const traits = { recreatesFailed: 'every reconcile (each 1h)' }
const judge = (options: Made) => recreateOnFailureUnseen.check?.(made(options), context()) ?? []

describe('recreate-on-failure-unseen', () => {
  it('says when the next attempt comes, and points at the mark', () => {
    const [finding] = judge({ traits, annotations })
    expect(finding?.why).toContain('at every reconcile (each 1h)')
    expect(finding?.at).toEqual(['metadata', 'annotations', KEY])
  })

  it.each<[string, Made]>([
    ['when the Job is waited for', { traits: { ...traits, waiter: waiter() }, annotations }],
    ['when failed Jobs stay', { annotations }],
    ['without the mark', { traits }],
    ['where the engine leaves it alone', { traits: { ...traits, applies: false }, annotations }],
  ])('is silent %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })
})
