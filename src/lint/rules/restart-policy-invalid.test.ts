import { describe, expect, it } from 'vitest'
import { context, made, type Made } from '../../../test/lint/subject.ts'
import type { JsonObject } from '../../core/json.ts'
import { restartPolicyInvalid } from './restart-policy-invalid.ts'

const template = (podSpec: JsonObject): JsonObject => ({ template: { spec: podSpec } })

function judge(podSpec: JsonObject, options: Made = {}) {
  const spec = options.spec ?? template(podSpec)
  return restartPolicyInvalid.check?.(made({ ...options, spec }), context()) ?? []
}

describe('restart-policy-invalid', () => {
  it('speaks when it is missing: pods restart always', () => {
    const [finding] = judge({ containers: [] })
    expect(finding?.at).toEqual(['spec', 'template', 'spec'])
    expect(finding?.why).toContain('the API server answers 422, so the Job is never created')
  })

  it('takes null for missing', () => {
    expect(judge({ restartPolicy: null })[0]?.what).toBe('Job shop/migrate has no restartPolicy')
  })

  it.each([
    ['Always', 'set restartPolicy: Never'],
    ['never', 'write Never'],
    ['on-failure', 'write OnFailure'],
    [true, 'set restartPolicy: Never'],
  ])('speaks for %s', (word, remedy) => {
    const [finding] = judge({ restartPolicy: word })
    expect(finding?.what).toBe(`Job shop/migrate has restartPolicy ${JSON.stringify(word)}`)
    expect(finding?.remedy).toContain(remedy)
  })

  it('looks into the jobTemplate of a CronJob', () => {
    const spec = { jobTemplate: { spec: template({ restartPolicy: 'Always' }) } }
    expect(judge({}, { kind: 'CronJob', spec })[0]?.at).toEqual([
      'spec',
      'jobTemplate',
      'spec',
      'template',
      'spec',
      'restartPolicy',
    ])
  })

  it('speaks for OnFailure with a podFailurePolicy', () => {
    const spec = { ...template({ restartPolicy: 'OnFailure' }), podFailurePolicy: { rules: [] } }
    expect(judge({}, { spec })[0]?.remedy).toBe('set restartPolicy: Never')
  })

  it.each<[string, JsonObject, Made?]>([
    ['Never', { restartPolicy: 'Never' }],
    ['OnFailure', { restartPolicy: 'OnFailure' }],
    ['a word that rendering decides', { restartPolicy: '{{ .Values.restartPolicy }}' }],
    ['a pod that rendering may add it to', { containers: [] }, { open: ['spec.template.spec'] }],
    ['a native sidecar', { restartPolicy: 'Never', initContainers: [{ restartPolicy: 'Always' }] }],
    ['an object that the engine leaves alone', {}, { traits: { applies: false } }],
    ['a Job without a pod template, which is another fault', {}, { spec: {} }],
    [
      'Never with a podFailurePolicy',
      {},
      { spec: { ...template({ restartPolicy: 'Never' }), podFailurePolicy: { rules: [] } } },
    ],
  ])('is silent for %s', (_, podSpec, options) => {
    expect(judge(podSpec, options)).toEqual([])
  })
})
