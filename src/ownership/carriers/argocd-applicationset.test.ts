import { describe, expect, test } from 'vitest'
import {
  engineOf,
  job,
  lineOf,
  nameOf,
  notesOf,
  repositoryOf,
  type Files,
} from '../../../test/ownership/harness.ts'

interface Parts {
  readonly generators: string
  readonly path: string
  readonly namespace?: string
  readonly go?: boolean
}

function set({ generators, path, namespace = 'x', go = false }: Parts): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set, namespace: argocd}
spec:
  goTemplate: ${go}
  template:
    metadata:
      name: '${path}'
    spec:
      source:
        repoURL: https://git.example.test/apps
        path: '${path}'
      destination: {server: https://kubernetes.default.svc, namespace: '${namespace}'}
  generators:
${generators}`
}

function carried(files: Files): readonly string[] {
  return repositoryOf(files)
    .subjects.filter((subject) => engineOf(subject) === 'argocd')
    .map(nameOf)
}

const FILES = {
  'apps/a/job.yaml': job('a'),
  'apps/b/job.yaml': job('b'),
  'apps/deep/er/job.yaml': job('deep'),
  'config/one/config.json': '{"team": {"path": "apps/a", "space": "red"}}',
  'config/two/config.json': '[{"team": {"path": "apps/b", "space": "blue"}}]',
}

describe('the applications of a set', () => {
  test.each<[string, Parts, readonly string[]]>([
    [
      'one for each element of a list',
      {
        generators: '    - list: {elements: [{name: a}, {name: b}]}\n',
        path: 'apps/{{name}}',
        namespace: 'ns-{{ name }}',
      },
      ['Job ns-a/a', 'Job ns-b/b'],
    ],
    [
      'one for each folder that a pattern names',
      {
        generators: '    - git: {directories: [{path: apps/*}, {path: apps/b, exclude: true}]}\n',
        path: '{{path}}',
        namespace: '{{path.basename}}',
      },
      ['Job a/a'],
    ],
    [
      'with Go templates, too',
      {
        generators: '    - git: {directories: [{path: apps/deep/*}]}\n',
        path: '{{ .path.path }}',
        namespace: '{{ index .path.segments 1 }}-{{.path.basenameNormalized}}',
        go: true,
      },
      ['Job deep-er/deep'],
    ],
    [
      'and the segments of a path without them',
      {
        generators: '    - git: {directories: [{path: apps/a}]}\n',
        path: '{{path}}',
        namespace: '{{path[0]}}',
      },
      ['Job apps/a'],
    ],
    [
      'one for each file, with what it says',
      {
        generators: '    - git: {files: [{path: "config/**/config.json"}]}\n',
        path: '{{team.path}}',
        namespace: '{{team.space}}-{{path.basename}}',
      },
      ['Job red-one/a', 'Job blue-two/b'],
    ],
    [
      'under a prefix of its own',
      {
        generators: '    - git: {pathParamPrefix: repo, directories: [{path: apps/a}]}\n',
        path: '{{repo.path}}',
      },
      ['Job x/a'],
    ],
    [
      'a matrix, whose unknown half leaves the path alone',
      {
        generators:
          '    - matrix: {generators: [{clusters: {}}, {list: {elements: [{name: b}]}}]}\n',
        path: 'apps/{{name}}',
      },
      ['Job x/b'],
    ],
    [
      'a merge: the first of its generators',
      {
        generators:
          '    - merge: {mergeKeys: [name], generators: [{list: {elements: [{name: b}]}}, {clusters: {}}]}\n',
        path: 'apps/{{name}}',
      },
      ['Job x/b'],
    ],
    [
      'one for a path that needs no parameter, whatever the generator',
      { generators: '    - scmProvider: {}\n', path: 'apps/a' },
      ['Job x/a'],
    ],
    [
      'none for a path that needs one that is not known',
      { generators: '    - clusters: {}\n', path: 'apps/{{name}}' },
      [],
    ],
    [
      'none for a function that is not followed',
      {
        generators: '    - list: {elements: [{name: A}]}\n',
        path: 'apps/{{ .name | lower }}',
        go: true,
      },
      [],
    ],
  ])('%s', (_, parts, expected) => {
    expect(carried({ ...FILES, 'set.yaml': set(parts) })).toEqual(expected)
  })

  test('applications that do the same elsewhere are one subject', () => {
    const generators = '    - list: {elements: [{name: a, at: one}, {name: a, at: two}]}\n'
    const files = { ...FILES, 'set.yaml': set({ generators, path: 'apps/{{name}}' }) }
    expect(carried(files)).toEqual(['Job x/a'])
  })

  test('numbers of any size are parameters', () => {
    const generators = '    - list: {elements: [{id: 12345678901234567890}]}\n'
    const files = { 'apps/a/job.yaml': job('a'), 'set.yaml': set({ generators, path: 'apps/a' }) }
    expect(carried(files)).toEqual(['Job x/a'])
  })

  test('the chain names the application, and settings lead into the template', () => {
    const { subjects } = repositoryOf({
      'apps/a/job.yaml': job('a'),
      'set.yaml': set({
        generators: '    - list: {elements: [{name: a}]}\n',
        path: 'apps/{{name}}',
      }).replace('    spec:\n', '    spec:\n      syncPolicy: {automated: {selfHeal: true}}\n'),
    })
    const [link] = subjects[0]?.chain ?? []
    expect(link?.label).toBe('ApplicationSet argocd/set')
    const written = link?.settings.flatMap(({ name, value, place }) =>
      place === undefined ? [] : [`${name}=${value} ${lineOf(place)}`],
    )
    expect(written).toContain('application=apps/a set.yaml:8')
    expect(written).toContain('selfHeal=true set.yaml:10')
    expect(subjects[0]?.traits.restoresAbsent.when).toBe('watch')
  })

  test('what a generator asks elsewhere is noted', () => {
    const { notes } = repositoryOf({
      'set.yaml': set({ generators: '    - pullRequest: {}\n', path: 'apps/{{name}}' }),
      'job.yaml': job('a'),
    })
    expect(notes.map(({ what }) => what)).toEqual([
      'the generator pullRequest asks something outside of this repository',
      'the path apps/{{name}} is known only after rendering',
    ])
  })

  test('a generator that reads another repository finds nothing here', () => {
    const own = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: own}
spec: {source: {repoURL: https://git.example.test/apps, path: apps/b}}
`
    const repository = repositoryOf({
      ...FILES,
      'own.yaml': own,
      'set.yaml': set({
        generators:
          '    - git: {repoURL: https://git.example.test/other, directories: [{path: apps/*}]}\n',
        path: '{{path}}',
      }),
    })
    expect(
      repository.subjects.filter((subject) => engineOf(subject) === 'argocd').map(nameOf),
    ).toEqual(['Job b'])
    expect(notesOf(repository)).toContain('set.yaml:15 this generator reads another repository')
  })
})
