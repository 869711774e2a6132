import { describe, expect, test } from 'vitest'
import {
  argo,
  engineOf,
  imageOf,
  job,
  lineOf,
  nameOf,
  notesOf,
  onlySubject,
  repositoryOf,
  type Files,
} from '../../../test/ownership/harness.ts'

function carried(files: Files): readonly string[] {
  return repositoryOf(files)
    .subjects.filter((subject) => engineOf(subject) === 'argocd')
    .map(nameOf)
}

describe('a folder of manifests', () => {
  const files = {
    'deploy/a.yaml': job('a'),
    'deploy/b.json': JSON.stringify({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'b', namespace: 'own' },
      spec: {},
    }),
    'deploy/in/c.yml': job('c'),
    'deploy/in/skip/d.yaml': job('d'),
    'deploy/e.txt': job('e'),
  }

  test.each([
    ['without its sub-folders', '', ['Job shop/a', 'Job own/b']],
    [
      'with them when it says so',
      '    directory: {recurse: true}\n',
      ['Job shop/a', 'Job own/b', 'Job shop/c', 'Job shop/d'],
    ],
    ['only what it includes', '    directory: {recurse: true, include: "*.yml"}\n', ['Job shop/c']],
    [
      'a star includes folders',
      '    directory: {recurse: true, include: "in/*"}\n',
      ['Job shop/c', 'Job shop/d'],
    ],
    [
      'without what it excludes',
      '    directory: {recurse: true, exclude: "{in/skip/*,*.json}"}\n',
      ['Job shop/a', 'Job shop/c'],
    ],
  ])('%s', (_, source, expected) => {
    expect(carried({ ...files, 'app.yaml': argo('x', 'deploy', source) })).toEqual(expected)
  })

  test('an object without a namespace goes to that of the destination, shown there', () => {
    const subject = onlySubject({ 'app.yaml': argo('x', 'deploy'), 'deploy/a.yaml': job('a') })
    expect(lineOf(subject.placeOf(['metadata', 'namespace']))).toBe('app.yaml:14')
  })

  test('a pattern that cannot be read is noted', () => {
    const repository = repositoryOf({
      'app.yaml': argo('x', 'deploy', '    directory: {include: "[b-a]"}\n'),
      'deploy/a.yaml': job('a'),
    })
    expect(notesOf(repository)).toEqual(['app.yaml:12 the pattern [b-a] cannot be read'])
  })
})

describe('a folder with a kustomization', () => {
  test('is built, with what the application adds', () => {
    const subject = onlySubject({
      'app.yaml': argo(
        'x',
        'deploy',
        `    kustomize:
      namePrefix: p-
      nameSuffix: -s
      images: ["registry.example.test/app=mirror.example.test/app:7"]
      commonLabels: {team: red}
      patches:
        - target: {kind: Job}
          patch: |
            - op: add
              path: /spec/suspend
              value: true
`,
      ),
      'deploy/kustomization.yaml': 'resources: [a.yaml]',
      'deploy/a.yaml': job('a'),
    })
    expect([nameOf(subject), imageOf(subject)]).toEqual([
      'Job shop/p-a-s',
      'mirror.example.test/app:7',
    ])
    expect(subject.object).toMatchObject({
      metadata: { labels: { team: 'red' } },
      spec: { suspend: true, template: { metadata: { labels: { team: 'red' } } } },
    })
    expect(lineOf(subject.placeOf(['spec', 'suspend']))).toBe('app.yaml:22')
  })

  test.each([
    ['name=other:tag', 'registry.example.test/app=x:2', 'x:2'],
    ['name:tag', 'registry.example.test/app:3', 'registry.example.test/app:3'],
    ['name@digest', 'registry.example.test/app@sha256:abc', 'registry.example.test/app@sha256:abc'],
    ['another name', 'other:4', 'registry.example.test/app:1'],
  ])('images are written as %s', (_, image, expected) => {
    const subject = onlySubject({
      'app.yaml': argo('x', 'deploy', `    kustomize: {images: ["${image}"]}\n`),
      'deploy/kustomization.yaml': 'resources: [a.yaml]',
      'deploy/a.yaml': job('a'),
    })
    expect(imageOf(subject)).toBe(expected)
  })

  test('labels may stay off the selectors and pods', () => {
    const subject = onlySubject({
      'app.yaml': argo(
        'x',
        'deploy',
        '    kustomize: {commonLabels: {team: red}, labelWithoutSelector: true}\n',
      ),
      'deploy/kustomization.yaml': 'resources: [a.yaml]',
      'deploy/a.yaml': job('a'),
    })
    expect(subject.object).not.toHaveProperty('spec.template.metadata')
  })

  test('an explicit directory is none', () => {
    expect(
      carried({
        'app.yaml': argo('x', 'deploy', '    directory: {recurse: true}\n'),
        'deploy/kustomization.yaml': 'resources: []',
        'deploy/a.yaml': job('a'),
      }),
    ).toEqual(['Job shop/a'])
  })
})

describe('other sources', () => {
  test('a chart folder', () => {
    const subject = onlySubject({
      'app.yaml': argo('x', 'chart', '    helm: {releaseName: r}\n'),
      'chart/Chart.yaml': 'name: c',
      'chart/templates/a.yaml': job('{{ .Release.Name }}-a'),
    })
    expect(subject.chain.map(({ label }) => label)).toEqual(['Application argocd/x', 'Chart.yaml'])
    expect(nameOf(subject)).toBe('Job shop/{{ .Release.Name }}-a')
  })

  test('each of several, and the dry source of a hydrated one', () => {
    const app = (sources: string): string =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: x}\nspec:\n${sources}`
    const files = { 'a/a.yaml': job('a'), 'b/b.yaml': job('b') }
    expect(
      carried({ ...files, 'app.yaml': app('  sources: [{path: a}, {path: b}, {ref: values}]\n') }),
    ).toEqual(['Job a', 'Job b'])
    expect(
      carried({ ...files, 'app.yaml': app('  sourceHydrator: {drySource: {path: b}}\n') }),
    ).toEqual(['Job b'])
  })

  test.each([
    [
      'a chart of a repository',
      '    chart: redis\n',
      'app.yaml:12 the chart redis comes from a chart repository',
    ],
    [
      'a plugin',
      '    plugin: {name: tanka}\n',
      'app.yaml:12 this application is rendered by a plugin',
    ],
  ])('%s is noted', (_, source, expected) => {
    const repository = repositoryOf({ 'app.yaml': argo('x', 'a', source), 'a/a.yaml': job('a') })
    expect(notesOf(repository)).toEqual([expected])
    expect(repository.subjects.map(engineOf)).toEqual(['unknown'])
  })

  test('a path that is missing, out of the repository or templated is noted', () => {
    const what = (path: string): readonly string[] =>
      notesOf(repositoryOf({ 'app.yaml': argo('x', path), 'a/a.yaml': job('a') }))
    expect(what('gone')).toEqual(['app.yaml:10 path gone does not exist in this repository'])
    expect(what('../b')).toEqual(['app.yaml:10 path ../b leads out of the source'])
    expect(what("'{{ .Values.path }}'")).toEqual([
      'app.yaml:10 the path {{ .Values.path }} is known only after rendering',
    ])
  })
})

test('applications of an application show the way to their files', () => {
  const subject = onlySubject({
    'root.yaml': argo('root', 'apps'),
    'apps/x.yaml': argo('x', 'deploy'),
    'deploy/a.yaml': job('a'),
  })
  expect(subject.chain.map(({ label }) => label)).toEqual([
    'Application argocd/root',
    'Application argocd/x',
  ])
})
