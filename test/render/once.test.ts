import { describe, expect, it } from 'vitest'
import { createCel } from '../../src/adapters/cel.ts'
import { isObject, type Json } from '../../src/core/json.ts'
import { yamlStream } from '../../src/core/yaml/write-stream.ts'
import { render } from '../../src/render/render.ts'
import type { Run, Scenario } from '../../src/simulate/scenario/format.ts'
import { playScenario } from '../../src/simulate/scenario/play.ts'
import { scenarioEngines } from '../../src/simulate/scenario/stages/index.ts'

const RELEASE = { name: 'shop', namespace: 'shop', chart: 'shop' }

/** Jobs of job groups, as YAML; every v has another command. */
function rendered(v: number): string {
  const values = {
    image: { repository: 'registry.example.test/shop', tag: '1.0' },
    jobGroups: {
      migrations: {
        jobs: { schema: { command: ['migrate', `--to=${v}`] }, seed: { command: ['seed'] } },
      },
    },
  }
  const { objects, problems } = render(values, { release: RELEASE })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return yamlStream(objects.map(({ object }) => inNamespace(object)))
}

function inNamespace(object: { readonly [key: string]: Json | undefined }) {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {}
  return { ...object, metadata: { ...metadata, namespace: 'shop' } }
}

const KUSTOMIZATION = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec:
  interval: 10m
  path: ./deploy
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: fleet}
`

const APPLICATION = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://git.example.test/shop.git, path: deploy, targetRevision: main}
  destination: {server: https://kubernetes.default.svc, namespace: shop}
  syncPolicy: {automated: {prune: true, selfHeal: true}}
`

const ENGINES: readonly (readonly [string, Scenario['engine'], { [path: string]: string }])[] = [
  ['Flux', { kind: 'flux-kustomization' }, { 'kustomization-flux.yaml': KUSTOMIZATION }],
  ['Argo CD with self-heal', { kind: 'argocd' }, { 'application.yaml': APPLICATION }],
  ['kubectl', { kind: 'kubectl' }, {}],
  ['a watching reconciler', { kind: 'generic-reconciler', detects_deletion: 'watch' }, {}],
]

describe('Jobs of semel render under an engine', () => {
  it.each(ENGINES)('%s: one run per changed spec, none at an unchanged sync', (_, engine, own) => {
    const files = {
      ...own,
      'deploy/jobs.yaml': rendered(1),
      'commits/006h-jobs.yaml': rendered(1),
      'commits/012h-jobs.yaml': rendered(2),
      'commits/018h-jobs.yaml': rendered(2),
    }
    const scenario: Scenario = {
      format: 'job-scenario/1',
      horizon: '24h',
      engine,
      workloads: [{ job: 'shop/*', duration: '60s', exits: 'ok' }],
      events: [
        { at: '0h', commit: 'c1', apply: ['deploy/jobs.yaml'] },
        { at: '6h', commit: 'c2', apply: ['commits/006h-jobs.yaml'] },
        { at: '12h', commit: 'c3', apply: ['commits/012h-jobs.yaml'] },
        { at: '18h', commit: 'c4', apply: ['commits/018h-jobs.yaml'] },
      ],
    }
    const [played] = playScenario(scenario, files, scenarioEngines, {
      tools: { cel: createCel() },
    })
    expect(played?.unplayable).toBeUndefined()
    expect(played?.runs.map(startOf)).toEqual(['schema at 0 h', 'seed at 0 h', 'schema at 12 h'])
    expect(new Set(played?.runs.map(({ job }) => job)).size).toBe(3)
  })
})

function startOf({ job, startedAtSeconds }: Run): string {
  const what = job.includes('-schema-') ? 'schema' : 'seed'
  return `${what} at ${Math.round(startedAtSeconds / 3600)} h`
}
