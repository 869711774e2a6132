import { describe, expect, it } from 'vitest'
import { lintTree } from '../../../test/lint/rules-harness.ts'
import { hookNeedsLaterObject } from './hook-needs-later-object.ts'

const judge = (files: Readonly<Record<string, string>>) =>
  lintTree(files, { rules: [hookNeedsLaterObject] })

const CHART = { 'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n' }

const hookJob = (pod: string, event = 'pre-install,pre-upgrade'): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: shop-migrate
  annotations:
    helm.sh/hook: ${event}
spec:
  template:
    spec:
      restartPolicy: Never
${pod}
      containers:
        - {name: task, image: "registry.example.test/shop/api:41"}
`

const object = (kind: string, name: string, annotations = ''): string => `apiVersion: v1
kind: ${kind}
metadata:
  name: ${name}
${annotations}`

const inChart = (...texts: readonly string[]): Readonly<Record<string, string>> => ({
  ...CHART,
  'chart/templates/all.yaml': texts.join('---\n'),
})

describe('hook-needs-later-object', () => {
  it.each([
    ['ServiceAccount', '      serviceAccountName: shop', 'runs as ServiceAccount shop'],
    ['Secret', '      imagePullSecrets: [{name: shop}]', 'pulls its image with Secret shop'],
    [
      'PersistentVolumeClaim',
      '      volumes: [{name: data, persistentVolumeClaim: {claimName: shop}}]',
      'mounts PersistentVolumeClaim shop',
    ],
    [
      'ConfigMap',
      '      volumes: [{name: all, projected: {sources: [{configMap: {name: shop}}]}}]',
      'mounts ConfigMap shop',
    ],
  ])('knows a %s', (kind, pod, words) => {
    const [finding] = judge(inChart(object(kind, 'shop'), hookJob(pod)))
    expect(finding?.what).toContain(words)
    expect(finding?.severity).toBe('error')
    expect(finding?.related[0]?.note).toContain(`${kind} shop`)
  })

  it('names one object once, however often the pod reads it', () => {
    const pod = `      volumes: [{name: a, configMap: {name: shop}}, {name: b, configMap: {name: shop}}]`
    expect(judge(inChart(object('ConfigMap', 'shop'), hookJob(pod)))).toHaveLength(1)
  })

  it('only warns where rendering may make the object a hook', () => {
    const open =
      '  {{- with .Values.annotations }}\n  annotations:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}\n'
    const files = inChart(
      object('ServiceAccount', 'shop', open),
      hookJob('      serviceAccountName: shop'),
    )
    expect(judge(files).map(({ severity }) => severity)).toEqual(['warning'])
  })

  it('takes a templated name for the same where the texts are the same but for spelling', () => {
    const pod = '      serviceAccountName: {{ include "shop.account" $ | quote }}'
    const files = inChart(object('ServiceAccount', '{{- include "shop.account" . }}'), hookJob(pod))
    expect(judge(files)).toHaveLength(1)
  })

  it('shows nothing of a Secret but its name', () => {
    const secret = object('Secret', 'shop', 'stringData:\n  password: s3cr3t-value\n')
    const found = judge(
      inChart(secret, hookJob('      volumes: [{name: s, secret: {secretName: shop}}]')),
    )
    expect(found).toHaveLength(1)
    expect(JSON.stringify(found)).not.toContain('s3cr3t-value')
  })

  it.each([
    [
      'the account default',
      object('ServiceAccount', 'default'),
      '      serviceAccountName: default',
    ],
    ['another name', object('ServiceAccount', 'web'), '      serviceAccountName: shop'],
    [
      'a name that only rendering knows',
      object('ServiceAccount', 'shop'),
      '      serviceAccountName: {{ .Values.account }}',
    ],
    [
      'an optional volume',
      object('ConfigMap', 'shop'),
      '      volumes: [{name: a, configMap: {name: shop, optional: true}}]',
    ],
    [
      'a hook of equal weight, of which nobody says who is first',
      object(
        'ServiceAccount',
        'shop',
        '  annotations: {helm.sh/hook: "pre-install,pre-upgrade"}\n',
      ),
      '      serviceAccountName: shop',
    ],
  ])('is silent for %s', (_, other, pod) => {
    expect(judge(inChart(other, hookJob(pod)))).toEqual([])
  })

  it('is silent for a hook that does not run at an installation', () => {
    const job = hookJob('      serviceAccountName: shop', 'pre-upgrade,pre-rollback')
    expect(judge(inChart(object('ServiceAccount', 'shop'), job))).toEqual([])
  })
})
