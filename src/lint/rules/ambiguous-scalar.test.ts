import { describe, expect, it } from 'vitest'
import { lintTree } from '../../../test/lint/rules-harness.ts'
import { ambiguousScalar } from './ambiguous-scalar.ts'

const FLUX = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec: {interval: 1h, path: ./shop, prune: true, sourceRef: {kind: GitRepository, name: fleet}}
`
const APP = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://git.example.test/apps.git, path: shop, targetRevision: main}
  destination: {server: https://kubernetes.default.svc, namespace: shop}
`
const job = (annotations: string, env = '[]'): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  namespace: shop
  annotations: {${annotations}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - {name: task, image: "api:41", env: ${env}}
`
const judge = (files: Readonly<Record<string, string>>) =>
  lintTree(files, { rules: [ambiguousScalar] })

describe('ambiguous-scalar', () => {
  it('says both meanings, and that it depends on who applies', () => {
    const [finding] = judge({ 'job.yaml': job('a: yes') })
    expect(finding).toMatchObject({ severity: 'warning', line: 6 })
    expect(finding?.what).toBe(
      'yes (metadata.annotations.a of Job shop/migrate) has two meanings without quotes',
    )
    expect(finding?.why).toContain(
      'read the truth value true, kustomize and so Flux the text "yes"; which one counts depends',
    )
    expect(finding?.remedy).toBe(
      'write what is meant: "yes" for the text, true for the truth value',
    )
  })

  it('names kustomize where it reads the file', () => {
    const [finding] = judge({ 'flux.yaml': FLUX, 'shop/job.yaml': job('a: on') })
    expect(finding?.why).toContain('here kustomize reads it (Kustomization flux-system/shop)')
  })

  it('says that the API server refuses a truth value where it wants text', () => {
    const env = '[{name: A, value: yes}]'
    const [finding] = judge({ 'app.yaml': APP, 'shop/job.yaml': job('', env) })
    expect(finding?.why).toContain('here the first one counts, and the API server refuses true')
  })

  it.each([
    ['a date', 'a: 2024-01-01', 'the text "2024-01-01T00:00:00Z"'],
    ['a key', 'y: north', 'the text "y"'],
  ])('speaks for %s', (_, annotations, kustomize) => {
    expect(judge({ 'job.yaml': job(annotations) })[0]?.why).toContain(`so Flux ${kustomize}`)
  })

  it('speaks for the object that carries the Job', () => {
    const flux = FLUX.replace('prune: true', 'prune: yes')
    const [finding] = judge({ 'flux.yaml': flux, 'shop/job.yaml': job('') })
    expect(finding?.what).toContain('spec.prune of Kustomization flux-system/shop')
  })

  it.each([
    ['quoted text', job('a: "yes"')],
    ['what both read alike', job('a: 0644, b: true, c: 1e3, d: no-such')],
    [
      'a ConfigMap beside the Job',
      `${job('')}---\napiVersion: v1\nkind: ConfigMap\ndata: {a: on}\n`,
    ],
  ])('is silent for %s', (_, text) => {
    expect(judge({ 'job.yaml': text })).toEqual([])
  })
})
