import { describe, expect, test } from 'vitest'
import { at } from '../../core/json.ts'
import {
  engineOf,
  flux,
  job,
  lineOf,
  nameOf,
  onlySubject,
  repositoryOf,
} from '../../../test/ownership/harness.ts'

const set = (spec: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: set, namespace: apps}
spec:
${spec}`
const indented = (text: string, by: number): string =>
  text.trim().replaceAll('\n', `\n${' '.repeat(by)}`)

describe('a ResourceSet', () => {
  test('holds its objects in a list', () => {
    const subject = onlySubject({
      'set.yaml': set(`  resources:\n    - ${indented(job('a-<< inputs.x >>'), 6)}\n`),
    })
    expect([engineOf(subject), nameOf(subject)]).toEqual(['resourceset', 'Job a-<< inputs.x >>'])
    expect(subject.manifest.root).toEqual(['spec', 'resources', 0])
    expect(lineOf(subject.placeOf(['metadata', 'name']))).toBe('set.yaml:9')
  })

  test('in steps, which stand in the chain', () => {
    const subject = onlySubject({
      'set.yaml': set(
        `  steps:\n    - name: before\n      timeout: 1m\n      resources:\n        - ${indented(job('a'), 10)}\n`,
      ),
    })
    expect(subject.chain.map(({ label }) => label)).toEqual(['ResourceSet apps/set', 'step before'])
    expect(subject.chain[1]?.settings.map(({ value }) => value)).toEqual(['1m'])
  })

  test('in the text of a template, whose lines are those of the file', () => {
    const { subjects, manifests } = repositoryOf({
      'set.yaml': set(
        `  resourcesTemplate: |\n    ---\n    ${indented(job('a'), 4)}\n    ---\n    ${indented(job('b'), 4)}\n`,
      ),
    })
    expect(
      subjects.map((subject) => [nameOf(subject), lineOf(subject.placeOf(['metadata', 'name']))]),
    ).toEqual([
      ['Job a', 'set.yaml:10'],
      ['Job b', 'set.yaml:26'],
    ])
    expect(manifests.map(({ kind }) => kind)).toEqual(['ResourceSet', 'Job', 'Job'])
  })

  test('gives its common metadata to all of them', () => {
    const subject = onlySubject({
      'set.yaml': set(
        `  commonMetadata: {labels: {team: red}}\n  resources:\n    - ${indented(job('a'), 6)}\n`,
      ),
    })
    expect(at(subject.object, ['metadata', 'labels', 'team'])).toBe('red')
  })

  test('may hold carriers', () => {
    const subject = onlySubject({
      'set.yaml': set(`  resources:\n    - ${indented(flux('tenant', 'apps'), 6)}\n`),
      'apps/job.yaml': job('a'),
    })
    expect(subject.chain.map(({ label }) => label)).toEqual([
      'ResourceSet apps/set',
      'Kustomization flux-system/tenant',
    ])
  })

  test('that holds other things, or no list, carries nothing', () => {
    for (const spec of [
      '  resources: {a: b}\n',
      '  resources: [text, {kind: Job}]\n',
      '  steps: 7\n',
    ]) {
      expect(repositoryOf({ 'set.yaml': set(spec) }).subjects).toEqual([])
    }
  })
})

const TEMPLATED = '${schema.metadata.name}-a'

test('a graph of kro holds its objects as templates', () => {
  const subject = onlySubject({
    'graph.yaml': `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: graph}
spec:
  resources:
    - id: one
      externalRef: {kind: ConfigMap}
    - id: two
      template:
        ${indented(job(TEMPLATED), 8)}
`,
  })
  expect([engineOf(subject), nameOf(subject)]).toEqual(['kro', 'Job ${schema.metadata.name}-a'])
  expect(subject.manifest.root).toEqual(['spec', 'resources', 1, 'template'])
})
