import { describe, expect, it } from 'vitest'
import { context, made, waiter, type Made } from '../../../test/lint/subject.ts'
import { recreateOnFailureWithoutConvergence as rule } from './recreate-on-failure-without-convergence.ts'

const KEY = 'fluxcd.controlplane.io/recreateOnFailure'
const recreates = { recreatesFailed: 'every reconcile attempt' }

const judge = (options: Made) => rule.check?.(made(options), context()) ?? []

describe('recreate-on-failure-without-convergence', () => {
  it('counts the runs of the first day when the failure is an error to somebody', () => {
    const [finding] = judge({
      traits: { ...recreates, waiter: waiter({ afterFailure: 'recreates' }) },
      annotations: { [KEY]: 'enabled' },
    })
    expect(finding?.why).toContain('up to 106 runs on the first day')
    expect(finding?.at).toEqual(['metadata', 'annotations', KEY])
    expect(finding?.severity).toBeUndefined()
  })

  it('follows the occasions of the engine when nobody waits', () => {
    const [finding] = judge({ traits: recreates, annotations: { [KEY]: 'enabled' } })
    expect(finding?.why).toContain('again at every reconcile attempt')
    expect(finding?.why).not.toContain('first day')
    expect(finding?.remedy).toContain('remove recreateOnFailure')
  })

  it('blames retries without a limit where no mark asks for it', () => {
    const traits = { ...recreates, waiter: waiter({ afterFailure: 'recreates' }) }
    const [finding] = judge({ traits, settings: { 'retry.limit': '-1' } })
    expect(finding?.remedy).toContain('set a limit to the retries')
    expect(finding?.why).not.toContain('first day')
    expect(finding?.related).toHaveLength(1)
  })

  it('is an error where the author said never-again', () => {
    const annotations = { 'semel.dev/contract': 'never-again' }
    expect(judge({ traits: recreates, annotations })[0]?.severity).toBe('error')
  })

  it.each<[string, Made]>([
    ['where failed Jobs stay', {}],
    [
      'where a repeat converges',
      { traits: recreates, annotations: { 'semel.dev/contract': 'converges' } },
    ],
    ['where the engine leaves the object alone', { traits: { ...recreates, applies: false } }],
  ])('is silent %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })
})
