import { describe, expect, it } from 'vitest'
import { lintTree } from '../../../test/lint/rules-harness.ts'
import { hookDeletesNeededObject } from './hook-deletes-needed-object.ts'

const judge = (...texts: readonly string[]) =>
  lintTree(
    {
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/templates/all.yaml': texts.join('---\n'),
    },
    { rules: [hookDeletesNeededObject] },
  )

const vanishing = (kind: string, policy: string, rest = ''): string => `apiVersion: v1
kind: ${kind}
metadata:
  name: shop
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-delete-policy: ${policy}
${rest}`

const workload = (
  kind: string,
  name: string,
  pod: string,
  annotations = '',
): string => `apiVersion: v1
kind: ${kind}
metadata:
  name: ${name}
${annotations}
spec:
  template:
    spec:
      restartPolicy: Never
${pod}
      containers: [{name: task, image: "registry.example.test/shop/api:41"}]
`

const ACCOUNT = '      serviceAccountName: shop'
const HOOK = workload(
  'Job',
  'migrate',
  ACCOUNT,
  '  annotations: {helm.sh/hook: pre-install}',
).replace('apiVersion: v1', 'apiVersion: batch/v1')

describe('hook-deletes-needed-object', () => {
  it.each(['Deployment', 'StatefulSet', 'DaemonSet'])('speaks for a %s', (kind) => {
    const [finding] = judge(
      vanishing('ServiceAccount', 'hook-succeeded'),
      HOOK,
      workload(kind, 'web', ACCOUNT),
    )
    expect(finding?.what).toContain(`but ${kind} web needs it`)
    expect(finding?.line).toBe(7)
  })

  it('names one object once, however many hooks there are', () => {
    const second = HOOK.replace('name: migrate', 'name: seed')
    const web = workload('Deployment', 'web', ACCOUNT)
    expect(judge(vanishing('ServiceAccount', 'hook-succeeded'), HOOK, second, web)).toHaveLength(1)
  })

  it('shows no line of a Secret', () => {
    const secret = vanishing('Secret', 'hook-succeeded', 'stringData: {password: s3cr3t-value}\n')
    const web = workload(
      'Deployment',
      'web',
      '      volumes: [{name: s, secret: {secretName: shop}}]',
    )
    const [finding] = judge(secret, HOOK, web)
    expect(finding?.line).toBe(13)
    expect(JSON.stringify(finding)).not.toContain('s3cr3t-value')
  })

  it.each([
    [
      'other policies',
      [
        vanishing('ServiceAccount', 'before-hook-creation,hook-failed'),
        HOOK,
        workload('Deployment', 'web', ACCOUNT),
      ],
    ],
    ['hooks that need it alone', [vanishing('ServiceAccount', 'hook-succeeded'), HOOK]],
    [
      'another kind of that name',
      [vanishing('ConfigMap', 'hook-succeeded'), HOOK, workload('Deployment', 'web', ACCOUNT)],
    ],
    [
      'an ordinary object of the name beside it',
      [
        vanishing('ServiceAccount', 'hook-succeeded'),
        HOOK,
        workload('Deployment', 'web', ACCOUNT),
        'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: shop}\n',
      ],
    ],
    [
      'a policy that rendering decides',
      [
        vanishing('ServiceAccount', '{{ .Values.policy }}'),
        HOOK,
        workload('Deployment', 'web', ACCOUNT),
      ],
    ],
  ])('is silent for %s', (_, texts) => {
    expect(judge(...texts)).toEqual([])
  })
})
