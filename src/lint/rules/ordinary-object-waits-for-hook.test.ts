import { describe, expect, it } from 'vitest'
import { lintTree } from '../../../test/lint/rules-harness.ts'
import { ordinaryObjectWaitsForHook } from './ordinary-object-waits-for-hook.ts'

const APP = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  source: {repoURL: https://git.example.test/apps.git, path: shop}
  destination: {server: https://kubernetes.default.svc, namespace: shop}
`

const hook = (annotations: string): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {${annotations}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: task, image: "registry.example.test/api:1"}]}}}
`

const waiting = (container: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      initContainers:
        - {name: first, ${container}}
      containers: [{name: web, image: "registry.example.test/web:1"}]
`

const judge = (job: string, other: string) =>
  lintTree(
    { 'app.yaml': APP, 'shop/all.yaml': `${job}---\n${other}` },
    { rules: [ordinaryObjectWaitsForHook] },
  )

const POST = hook('argocd.argoproj.io/hook: PostSync')
const KUBECTL =
  'image: "registry.example.test/kubectl:1", command: [kubectl, wait, --for=condition=complete, job/migrate]'

describe('ordinary-object-waits-for-hook', () => {
  it.each([
    ['kubectl wait', KUBECTL],
    [
      'a helper with arguments',
      'image: "registry.example.test/k8s-wait-for:2", args: [job, migrate]',
    ],
    [
      'a shell',
      'image: "registry.example.test/kubectl:1", command: [sh, -c, "until kubectl get job migrate; do sleep 1; done"]',
    ],
    ['a variable', 'image: "registry.example.test/wait:1", env: [{name: JOB, value: migrate}]'],
  ])('knows a wait by %s', (_, container) => {
    const [finding] = judge(POST, waiting(container))
    expect(finding?.what).toBe(
      'Deployment web waits for Job shop/migrate, which runs only after Deployment web is ready',
    )
    expect(finding?.severity).toBe('error')
    expect(finding?.related[0]?.note).toBe('Deployment web waits here')
  })

  it('says that later pods wait for a hook that was deleted', () => {
    const job = hook(
      'argocd.argoproj.io/hook: PreSync, argocd.argoproj.io/hook-delete-policy: HookSucceeded',
    )
    const [finding] = judge(job, waiting(KUBECTL))
    expect(finding?.what).toContain('deleted as soon as it has succeeded')
    expect(finding?.why).toContain('start later')
  })

  it.each([
    ['a hook that runs before and stays', hook('argocd.argoproj.io/hook: PreSync'), KUBECTL],
    ['a longer name', POST, KUBECTL.replace('job/migrate', 'job/migrate-users')],
    ['a name inside another word', POST, KUBECTL.replace('job/migrate', 'job/pre-migrate')],
    [
      'a command that does not wait',
      POST,
      'image: "registry.example.test/cp:1", args: [copy, migrate]',
    ],
    ['a plain Job', hook('a: b'), KUBECTL],
  ])('is silent for %s', (_, job, container) => {
    expect(judge(job, waiting(container))).toEqual([])
  })
})
