import { describe, expect, it } from 'vitest'
import { lintTree } from '../../../test/lint/rules-harness.ts'
import { copyFromLaterStep } from './copy-from-later-step.ts'

const JOB =
  '{apiVersion: batch/v1, kind: Job, metadata: {name: migrate, namespace: shop}, spec: {template: {spec: {containers: [{name: task, image: "registry.example.test/api:1"}]}}}}'

const judge = (first: string, second: string, job = JOB) =>
  lintTree(
    {
      'set.yaml': `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: shop, namespace: shop}
spec:
  steps:
    - name: one
      resources:
        - ${first}
        - ${job}
    - name: two
      resources:
        - ${second}
`,
    },
    { rules: [copyFromLaterStep] },
  )

const copies = (kind: string, annotation: string): string =>
  `{apiVersion: v1, kind: ${kind}, metadata: {name: copy, namespace: shop, annotations: {fluxcd.controlplane.io/${annotation}}}}`
const plain = (kind: string, namespace = 'shop'): string =>
  `{apiVersion: v1, kind: ${kind}, metadata: {name: source, namespace: ${namespace}}}`

describe('copy-from-later-step', () => {
  it.each([
    ['ConfigMap', 'copyFrom: shop/source', plain('ConfigMap')],
    ['Secret', 'copyFrom: shop/source', plain('Secret')],
    ['ConfigMap', 'convertKubeConfigFrom: "shop/source:value"', plain('Secret')],
    [
      'ConfigMap',
      'checksumFrom: Secret/shop/source',
      '{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {name: source, namespace: shop}}',
    ],
  ])('speaks for a %s with %s', (kind, annotation, source) => {
    const [finding] = judge(copies(kind, annotation), source)
    expect(finding?.what).toContain('which this ResourceSet itself creates (in step two)')
    expect(finding?.why).toContain('no step is ever applied')
    expect(finding?.related[0]?.line).toBe(12)
  })

  it('reads objects without a namespace as those of the set', () => {
    const source = '{apiVersion: v1, kind: ConfigMap, metadata: {name: source}}'
    expect(judge(copies('ConfigMap', 'copyFrom: shop/source'), source)).toHaveLength(1)
  })

  it.each([
    ['another namespace', copies('ConfigMap', 'copyFrom: shop/source'), plain('ConfigMap', 'blog')],
    ['another kind', copies('ConfigMap', 'copyFrom: shop/source'), plain('Secret')],
    [
      'a checksum of an object of the set',
      copies('ConfigMap', 'checksumFrom: ConfigMap/shop/source'),
      plain('ConfigMap'),
    ],
    ['text that is no reference', copies('ConfigMap', 'copyFrom: source'), plain('ConfigMap')],
  ])('is silent for %s', (_, first, second) => {
    expect(judge(first, second)).toEqual([])
  })

  it('is silent in sets without a Job', () => {
    const other = plain('ConfigMap').replace('source', 'other')
    expect(judge(copies('ConfigMap', 'copyFrom: shop/source'), plain('ConfigMap'), other)).toEqual(
      [],
    )
  })
})
