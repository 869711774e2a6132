import { describe, expect, test } from 'vitest'
import {
  engineOf,
  job,
  nameOf,
  notesOf,
  repositoryOf,
  type Files,
} from '../../../test/ownership/harness.ts'

function carried(files: Files): readonly string[] {
  return repositoryOf(files)
    .subjects.filter((subject) => engineOf(subject) === 'fleet')
    .map(nameOf)
}

const gitRepo = (spec: string): string =>
  `apiVersion: fleet.cattle.io/v1alpha1\nkind: GitRepo\nmetadata: {name: repo, namespace: fleet-default}\nspec:\n${spec}`

describe('a bundle', () => {
  test.each<[string, Files, readonly string[]]>([
    [
      'of manifests at any depth',
      {
        'b/fleet.yaml': 'defaultNamespace: d',
        'b/a.yaml': job('a'),
        'b/in/c.yaml': job('c', 'own'),
      },
      ['Job d/a', 'Job own/c'],
    ],
    [
      'with a namespace for all',
      { 'b/fleet.yaml': 'namespace: all', 'b/a.yaml': job('a', 'own') },
      ['Job all/a'],
    ],
    [
      'without hidden files, overlays and inner bundles',
      {
        'b/fleet.yaml': 'x: y',
        'b/.git/a.yaml': job('a'),
        'b/overlays/o/b.yaml': job('b'),
        'b/in/fleet.yaml': 'defaultNamespace: in',
        'b/in/c.yaml': job('c'),
      },
      ['Job in/c'],
    ],
    [
      'of a chart beside it',
      {
        'b/fleet.yaml': 'helm: {chart: ./chart}',
        'b/chart/Chart.yaml': 'name: c',
        'b/chart/templates/a.yaml': job('a'),
        'b/other.yaml': job('other'),
      },
      ['Job a'],
    ],
    [
      'that is a chart itself',
      { 'b/fleet.yaml': 'x: y', 'b/Chart.yaml': 'name: c', 'b/templates/a.yaml': job('a') },
      ['Job a'],
    ],
    [
      'of a kustomization',
      {
        'b/fleet.yaml': 'x: y',
        'b/kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: p-',
        'b/a.yaml': job('a'),
      },
      ['Job p-a'],
    ],
    [
      'of a kustomization in another folder',
      {
        'b/fleet.yaml': 'kustomize: {dir: k}',
        'b/k/kustomization.yaml': 'resources: [a.yaml]',
        'b/k/a.yaml': job('a'),
        'b/x.yaml': job('x'),
      },
      ['Job a'],
    ],
    ['at the root', { 'fleet.yaml': 'defaultNamespace: d', 'a.yaml': job('a') }, ['Job d/a']],
  ])('%s', (_, files, expected) => {
    expect(carried(files)).toEqual(expected)
  })

  test.each([
    [
      'helm: {repo: https://charts.example.test, chart: redis}',
      'b/fleet.yaml:1 the chart redis comes from a chart repository',
    ],
    ['helm: {chart: ./gone}', 'b/fleet.yaml:1 there is no chart folder ./gone in this repository'],
  ])('%s is noted', (text, expected) => {
    expect(notesOf(repositoryOf({ 'b/fleet.yaml': text, 'b/a.yaml': job('a') }))).toEqual([
      expected,
    ])
  })
})

describe('a GitRepo', () => {
  test('makes bundles of its paths, whatever is in them', () => {
    const files = { 'a/a.yaml': job('a'), 'b/x/b.yaml': job('b'), 'c/c.yaml': job('c') }
    expect(
      carried({ ...files, 'repo.yaml': gitRepo('  paths: [a, "b/*"]\n  targetNamespace: t\n') }),
    ).toEqual(['Job t/a', 'Job t/b'])
  })

  test('without paths takes the whole repository', () => {
    expect(carried({ 'a/a.yaml': job('a'), 'repo.yaml': gitRepo('  branch: main\n') })).toEqual([
      'Job a',
    ])
  })

  test('leaves folders with a fleet.yaml to their own bundle, and switches drift correction on', () => {
    const { subjects } = repositoryOf({
      'repo.yaml': gitRepo('  paths: [b]\n  correctDrift: {enabled: true}\n'),
      'b/fleet.yaml': 'defaultNamespace: d',
      'b/a.yaml': job('a'),
    })
    expect(subjects.map(({ chain }) => chain.map(({ label }) => label))).toEqual([['fleet.yaml']])
    expect(subjects[0]?.traits.restoresAbsent.when).toBe('watch')
  })
})
