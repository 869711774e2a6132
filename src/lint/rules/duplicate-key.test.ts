import { describe, expect, it } from 'vitest'
import { lintTree } from '../../../test/lint/rules-harness.ts'
import { duplicateKey } from './duplicate-key.ts'

const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n'
const job = (spec: string): string => `apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: shop}
spec:
${spec}`
const judge = (files: Readonly<Record<string, string>>) =>
  lintTree(files, { rules: [duplicateKey] })

describe('duplicate-key', () => {
  it('says which value is lost, at the second key', () => {
    const text = job('  backoffLimit: 0\n  parallelism: 1\n  backoffLimit: 6\n')
    const [finding] = judge({ 'job.yaml': text })
    expect(finding).toMatchObject({ severity: 'error', line: 7, column: 3 })
    expect(finding?.what).toBe(
      'spec.backoffLimit of Job shop/migrate stands twice, in line 5 and line 7',
    )
    expect(finding?.why).toContain('so "backoffLimit: 0" is lost')
    expect(finding?.related[0]).toMatchObject({ path: 'job.yaml', line: 5 })
  })

  it('is only a warning when both lines say the same', () => {
    const [finding] = judge({ 'job.yaml': job('  backoffLimit: 0\n  backoffLimit: 0\n') })
    expect(finding?.severity).toBe('warning')
  })

  it('fails the build below kustomize, whatever the lines say', () => {
    const [finding] = judge({
      'kustomization.yaml': `${KUSTOMIZATION}resources: [job.yaml]\n`,
      'job.yaml': job('  backoffLimit: 0\n  backoffLimit: 0\n'),
    })
    expect(finding?.severity).toBe('error')
    expect(finding?.why).toContain('kustomize (kustomization.yaml) refuses')
  })

  it.each([
    [
      'keys of two mappings',
      job('  template: {spec: {restartPolicy: Never}}\n  backoffLimit: 0\n'),
    ],
    [
      'a ConfigMap beside the Job',
      `${job('  backoffLimit: 0\n')}---\nkind: ConfigMap\ndata: {a: 1, a: 2}\n`,
    ],
  ])('is silent for %s', (_, text) => {
    expect(judge({ 'job.yaml': text })).toEqual([])
  })
})
