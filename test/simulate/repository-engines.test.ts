import { describe, expect, test } from 'vitest'
import { createCel } from '../../src/adapters/cel.ts'
import { job } from '../ownership/harness.ts'
import { lanesIn, played, snapshotIn } from './repository.ts'

const indented = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(by))

describe('a ResourceSet', () => {
  const set = (spec: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: set, namespace: apps}
spec:
${spec}`
  const listed = (name: string): string => `- ${indented(job(name, 'shop'), 2).trimStart()}`

  test('makes the Jobs of each of its inputs', () => {
    const snapshot = snapshotIn({
      'set.yaml': set(`  inputs: [{app: one}, {app: two}]
  resources:
${indented(listed('"<< inputs.app >>"'), 4)}`),
    })
    expect(lanesIn(snapshot)).toEqual([
      'shop/one: Flux ResourceSet apps/set',
      'shop/two: Flux ResourceSet apps/set',
    ])
    expect(played(snapshot, { days: 0.5 }).map((line) => line.replace(/: .*/, ''))).toEqual([
      'shop/one',
      'shop/two',
    ])
  })

  test('keeps its steps, without those that hold no Job', () => {
    const { worlds } = snapshotIn({
      'set.yaml': set(`  wait: true
  steps:
    - name: one
      timeout: 2m
      resources:
${indented(listed('a'), 8)}    - name: two
      resources: [{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}]
`),
    })
    expect(worlds[0]?.carriers[0]).toMatchObject({
      spec: { wait: true, steps: [{ name: 'one', timeout: '2m', resources: [{ kind: 'Job' }] }] },
    })
  })

  test('reads what a Static provider says', () => {
    const { lanes } = snapshotIn({
      'set.yaml': set(`  inputsFrom: [{name: p}]
  resources:
${indented(listed('"<< inputs.app >>"'), 4)}`),
      'provider.yaml': `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSetInputProvider
metadata: {name: p, namespace: apps}
spec: {type: Static, defaultValues: {app: three}}
`,
    })
    expect(lanes).toMatchObject([{ name: 'shop/three' }])
  })

  test('is unknown where a name comes from a provider that asks elsewhere', () => {
    const { lanes, worlds } = snapshotIn({
      'set.yaml': set(`  inputsFrom: [{name: p}]
  resources:
${indented(listed('"<< inputs.app >>"'), 4)}`),
    })
    expect(worlds).toEqual([])
    expect(lanes[0]?.unknown).toBe(
      'metadata.name is << inputs.app >>, which only rendering can tell',
    )
  })
})

describe('a ResourceGraphDefinition', () => {
  const definition = (extra = ''): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: lab.example.test}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Lab
    spec: {target: string | default="east"}
  resources:
    - id: starter
      template:
        apiVersion: batch/v1
        kind: Job
        metadata: {name: "\${schema.metadata.name}-\${schema.spec.target}"}
        spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: x}]}}}
${extra}`
  const instance = `apiVersion: kro.run/v1alpha1
kind: Lab
metadata: {name: one, namespace: lab}
spec: {target: west}
---
apiVersion: kro.run/v1alpha1
kind: Lab
metadata: {name: two, namespace: lab}
spec: {}
`

  test('makes its Jobs for each instance', () => {
    const snapshot = snapshotIn({ 'rgd.yaml': definition(), 'labs.yaml': instance })
    expect(snapshot.lanes.map(({ name }) => name)).toEqual(['lab/one-west', 'lab/two-east'])
    const tools = { cel: createCel() } as NonNullable<Parameters<typeof played>[1]>['tools']
    expect(played(snapshot, { days: 1, ...(tools === undefined ? {} : { tools }) })).toEqual([
      'lab/one-west: 0',
      'lab/two-east: 0',
    ])
  })

  test.each([
    ['without an instance', {}, 'no Lab in this repository asks for it'],
    [
      'with a kind that nobody knows',
      { 'labs.yaml': instance },
      'its graph also makes a Bucket, a kind that this model does not know',
    ],
  ])('is unknown %s', (_, more, expected) => {
    const bucket =
      '    - {id: b, template: {apiVersion: x.test/v1, kind: Bucket, metadata: {name: b}}}\n'
    const rgd = definition('labs.yaml' in more ? bucket : '')
    const { lanes, worlds } = snapshotIn({ 'rgd.yaml': rgd, ...more })
    expect(worlds).toEqual([])
    expect(lanes[0]?.unknown).toBe(expected)
  })
})

describe('a Fleet bundle', () => {
  const ttl = job('a').replace('ttlSecondsAfterFinished: 600', 'ttlSecondsAfterFinished: 86400')

  test('corrects drift where its GitRepo says so', () => {
    const snapshot = snapshotIn({
      'bundle/fleet.yaml': 'defaultNamespace: help\ncorrectDrift: {enabled: true}\n',
      'bundle/a.yaml': ttl,
    })
    expect(lanesIn(snapshot)).toEqual(['help/a: Rancher Fleet Bundle fleet-local/repo-bundle'])
    expect(played(snapshot, { days: 2 })).toEqual(['help/a: 0 24.02'])
  })

  test('without it leaves what is gone', () => {
    const snapshot = snapshotIn({ 'bundle/fleet.yaml': 'namespace: help\n', 'bundle/a.yaml': ttl })
    expect(played(snapshot, { days: 2 })).toEqual(['help/a: 0'])
  })

  test('installs its chart with its values', () => {
    const { lanes, worlds } = snapshotIn({
      'bundle/fleet.yaml':
        'defaultNamespace: help\nhelm: {releaseName: r, chart: ./chart, values: {ttl: 60}}\n',
      'bundle/chart/Chart.yaml': 'name: c\nversion: 1.0.0\n',
      'bundle/chart/values.yaml': 'ttl: 30\n',
      'bundle/chart/templates/a.yaml': job('{{ .Release.Name }}-a').replace(
        '600',
        '{{ .Values.ttl }}',
      ),
    })
    expect(lanes).toMatchObject([{ name: 'help/r-a', ttlSeconds: 60 }])
    expect(Object.keys(worlds[0]?.files ?? {})).toContain('bundle/chart/templates/a.yaml')
  })
})
