import { describe, expect, it } from 'vitest'
import { lintTree } from '../../../test/lint/rules-harness.ts'
import { ttlInSequence } from './ttl-in-sequence.ts'

const set = (
  spec: string,
  steps: readonly string[],
): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: shop, namespace: shop}
spec:
  steps:
    - name: migrate
      resources:
        - apiVersion: batch/v1
          kind: Job
          metadata: {name: migrate, namespace: shop}
          spec:
            ${spec}
            template: {spec: {restartPolicy: Never, containers: [{name: task, image: "registry.example.test/api:1"}]}}
${steps.map((name) => `    - {name: ${name}, resources: []}\n`).join('')}`

const judge = (spec: string, ...steps: readonly string[]) =>
  lintTree({ 'set.yaml': set(spec, steps) }, { rules: [ttlInSequence] })

describe('ttl-in-sequence', () => {
  it('names the steps that are held', () => {
    const [finding] = judge('ttlSecondsAfterFinished: 3600', 'web', 'seed')
    expect(finding?.what).toBe(
      'Job shop/migrate in step migrate is deleted 1 h after it finishes, and the steps behind it (web, seed) wait for it again',
    )
  })

  it.each([
    ['the last step', 'ttlSecondsAfterFinished: 3600', []],
    ['no TTL', 'backoffLimit: 1', ['web']],
    ['a TTL that the wait does not see', 'ttlSecondsAfterFinished: 5', ['web']],
    ['a TTL that rendering decides', 'ttlSecondsAfterFinished: "<< inputs.ttl >>"', ['web']],
  ])('is silent for %s', (_, spec, steps) => {
    expect(judge(spec, ...steps)).toEqual([])
  })
})
