import { describe, expect, test } from 'vitest'
import { at } from '../../core/json.ts'
import {
  imageOf,
  job,
  lineOf,
  nameOf,
  notesOf,
  onlySubject,
  repositoryOf,
  ttlOf,
  type Files,
} from '../../../test/ownership/harness.ts'

function named(files: Files): readonly string[] {
  return repositoryOf(files).subjects.map(nameOf)
}

describe('what a kustomization builds', () => {
  test.each<[string, Files, readonly string[]]>([
    ['files', { 'kustomization.yaml': 'resources: [a.yaml]', 'a.yaml': job('a') }, ['Job a']],
    [
      'a file without a kind or version of its own',
      {
        kustomization: '',
        'k/Kustomization': 'resources: [a.yaml]\nnamePrefix: p-',
        'k/a.yaml': job('a'),
      },
      ['Job p-a'],
    ],
    [
      'folders and bases',
      {
        'o/kustomization.yml': 'bases: [../b]\nresources: [../c/]\nnameSuffix: -s',
        'b/kustomization.yaml': 'resources: [b.yaml]',
        'b/b.yaml': job('b'),
        'c/kustomization.yaml': 'resources: [./c.yaml]',
        'c/c.yaml': job('c'),
      },
      ['Job b-s', 'Job c-s'],
    ],
    [
      'the inner prefix first',
      {
        'o/kustomization.yaml': 'resources: [../b]\nnamePrefix: o-',
        'b/kustomization.yaml': 'resources: [b.yaml]\nnamePrefix: b-',
        'b/b.yaml': job('x'),
      },
      ['Job o-b-x'],
    ],
    [
      'one base by two overlays: two Jobs',
      {
        'one/kustomization.yaml': 'resources: [../b]\nnamespace: one',
        'two/kustomization.yaml': 'resources: [../b]\nnamespace: two',
        'b/kustomization.yaml': 'resources: [b.yaml]',
        'b/b.yaml': job('x'),
      },
      ['Job one/x', 'Job two/x'],
    ],
    [
      'what is listed twice once',
      { 'kustomization.yaml': 'resources: [a.yaml, ./a.yaml]', 'a.yaml': job('a') },
      ['Job a'],
    ],
    [
      'the items of a list',
      {
        'kustomization.yaml': 'resources: [a.yaml]\nnamespace: ns',
        'a.yaml': `apiVersion: v1\nkind: List\nitems:\n  - ${job('x').trim().replaceAll('\n', '\n    ')}\n`,
      },
      ['Job ns/x'],
    ],
    [
      'nothing that is marked as local',
      {
        'kustomization.yaml':
          'resources: [a.yaml]\ncommonAnnotations: {config.kubernetes.io/local-config: "true"}',
        'a.yaml': job('a'),
      },
      // What no build applies stands for itself.
      ['Job a'],
    ],
    [
      'no Job without a name gets one',
      {
        'kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: p-',
        'a.yaml': job('a').replace('name: a', 'generateName: a-'),
      },
      ['Job a-*'],
    ],
  ])('%s', (_, files, expected) => {
    expect(named(files)).toEqual(expected)
  })

  test('a component sees what was gathered before it, and the overlay what the component did', () => {
    const subject = onlySubject({
      'o/kustomization.yaml':
        'resources: [a.yaml]\ncomponents: [../c]\nimages: [{name: mirror.example.test/app, newTag: "9"}]',
      'o/a.yaml': job('a'),
      'c/kustomization.yaml':
        'kind: Component\nnamePrefix: c-\nimages: [{name: registry.example.test/app, newName: mirror.example.test/app}]',
    })
    expect(nameOf(subject)).toBe('Job c-a')
    expect(imageOf(subject)).toBe('mirror.example.test/app:9')
  })

  test('a component that nobody includes is no owner', () => {
    const { subjects } = repositoryOf({
      'c/kustomization.yaml': 'kind: Component\nresources: [a.yaml]',
      'c/a.yaml': job('a'),
    })
    expect(subjects.map(({ chain }) => chain)).toEqual([[]])
  })

  test('patches in kustomize’s order: text before names, JSON patches before images', () => {
    const subject = onlySubject({
      'kustomization.yaml': `resources: [a.yaml]
namePrefix: p-
patchesStrategicMerge: [late.yaml]
patches:
  - target: {kind: Job, name: a}
    patch: '[{"op": "replace", "path": "/spec/ttlSecondsAfterFinished", "value": 2}]'
patchesJson6902:
  - target: {group: batch, version: v1, kind: Job, name: a}
    path: ops.yaml
images: [{name: other.example.test/app, newTag: "3"}]
`,
      'late.yaml':
        'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {ttlSecondsAfterFinished: 1}',
      'ops.yaml':
        '- {op: replace, path: /spec/template/spec/containers/0/image, value: "other.example.test/app:1"}',
      'a.yaml': job('a'),
    })
    expect([nameOf(subject), ttlOf(subject), imageOf(subject)]).toEqual([
      'Job p-a',
      2,
      'other.example.test/app:3',
    ])
    expect(lineOf(subject.placeOf(['spec', 'ttlSecondsAfterFinished']))).toBe(
      'kustomization.yaml:6',
    )
    expect(lineOf(subject.placeOf(['metadata', 'name']))).toBe('a.yaml:4')
  })

  test('a patch with a target keeps name, kind and namespace unless it may change them', () => {
    const patch = (options: string): Files => ({
      'kustomization.yaml': `resources: [a.yaml]
patches:
  - target: {kind: Job}
    ${options}
    patch: |
      apiVersion: batch/v1
      kind: Job
      metadata: {name: other, namespace: other}
`,
      'a.yaml': job('a'),
    })
    expect(named(patch('options: {}'))).toEqual(['Job a'])
    expect(named(patch('options: {allowNameChange: true}'))).toEqual(['Job other'])
  })

  test('one text may hold several patches', () => {
    const subject = onlySubject({
      'kustomization.yaml': `resources: [a.yaml]
patches:
  - path: p.yaml
`,
      'p.yaml': `apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec: {backoffLimit: 1}
---
apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec: {suspend: true}
`,
      'a.yaml': job('a'),
    })
    expect(subject.object['spec']).toMatchObject({ backoffLimit: 1, suspend: true })
    expect(lineOf(subject.placeOf(['spec', 'suspend']))).toBe('p.yaml:9')
  })

  test('a Job that a patch deletes is nobody’s, and the file of a patch is no Job', () => {
    const { subjects } = repositoryOf({
      'kustomization.yaml': 'resources: [a.yaml, b.yaml]\npatches: [{path: p.yaml}]',
      'p.yaml': 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\n$patch: delete\n',
      'a.yaml': job('a'),
      'b.yaml': job('b'),
    })
    expect(subjects.map(nameOf)).toEqual(['Job b'])
  })

  test('names that get a hash of their content are told', () => {
    const { generatedNames } = onlySubject({
      'o/kustomization.yaml':
        'resources: [../b]\nsecretGenerator: [{name: token}, {name: fixed, options: {disableNameSuffixHash: true}}]',
      'b/kustomization.yaml': 'resources: [a.yaml]\nconfigMapGenerator: [{name: settings}]',
      'b/a.yaml': job('a'),
    })
    expect(generatedNames.map(({ kind, name, place }) => [kind, name, lineOf(place)])).toEqual([
      ['ConfigMap', 'settings', 'b/kustomization.yaml:2'],
      ['Secret', 'token', 'o/kustomization.yaml:2'],
    ])
  })

  test('kustomize reads `yes` as text, a plain file as a truth value', () => {
    const text = job('a').replace('value: info', 'value: yes')
    const path = ['spec', 'template', 'spec', 'containers', 0, 'env', 0, 'value']
    const value = (files: Files): unknown => at(onlySubject(files).object, path)
    expect(value({ 'a.yaml': text })).toBe(true)
    expect(value({ 'a.yaml': text, 'kustomization.yaml': 'resources: [a.yaml]' })).toBe('yes')
  })
})

describe('what cannot be built is noted, with its place', () => {
  test.each<[string, string, string]>([
    [
      'a file that is missing',
      'resources: [a.yaml, b.yaml]',
      'kustomization.yaml:1 b.yaml does not exist',
    ],
    [
      'a folder without a kustomization',
      'resources: [a.yaml, d]',
      'kustomization.yaml:1 d holds no kustomization file',
    ],
    [
      'another repository',
      'resources: [a.yaml, "github.com/a/b?ref=v1"]',
      'kustomization.yaml:1 github.com/a/b?ref=v1 is in another repository',
    ],
    [
      'a way out',
      'resources: [a.yaml, ../../x]',
      'kustomization.yaml:1 ../../x leads out of this repository',
    ],
    [
      'a component that is missing',
      'resources: [a.yaml]\ncomponents: [c]',
      'kustomization.yaml:2 the component c is not in this repository',
    ],
    [
      'a patch for a Job that is not there',
      'resources: [a.yaml]\npatches:\n- patch: |\n    apiVersion: batch/v1\n    kind: Job\n    metadata: {name: x}',
      'kustomization.yaml:4 this patch is for Job x, which this kustomization does not hold',
    ],
    [
      'text where a list must stand',
      'resources: a.yaml',
      'kustomization.yaml:1 `resources` in this kustomization holds something of the wrong type',
    ],
    [
      'replacements',
      'resources: [a.yaml]\nreplacements: [{}]',
      'kustomization.yaml:2 `replacements` is not followed',
    ],
    [
      'a chart that kustomize renders',
      'resources: [a.yaml]\nhelmCharts: [{name: redis}]',
      'kustomization.yaml:2 the chart redis is rendered by kustomize',
    ],
  ])('%s', (_, kustomization, expected) => {
    const repository = repositoryOf({
      'kustomization.yaml': kustomization,
      'a.yaml': job('a'),
      'd/readme.md': '',
    })
    expect(notesOf(repository)).toEqual([expected])
    expect(repository.subjects.map(nameOf)).toEqual(['Job a'])
  })

  test('a patch that finds nothing says nothing when a part is elsewhere', () => {
    const { notes } = repositoryOf({
      'kustomization.yaml':
        'resources: [a.yaml, "https://git.example.test/b"]\npatches:\n- patch: |\n    apiVersion: batch/v1\n    kind: Job\n    metadata: {name: x}',
      'a.yaml': job('a'),
    })
    expect(notes.map(({ what }) => what)).toEqual([
      'https://git.example.test/b is in another repository',
    ])
  })

  test('what changes other objects only is no concern of ours', () => {
    const { notes } = repositoryOf({
      'kustomization.yaml':
        'resources: [web.yaml]\nreplacements: [{}]\npatches:\n- patch: |\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: x}',
      'web.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}',
    })
    expect(notes).toEqual([])
  })

  test('kustomizations that double each other come to an end', () => {
    const files: Record<string, string> = {
      'k0/kustomization.yaml': 'resources: [a.yaml]',
      'k0/a.yaml': job('a'),
    }
    for (let level = 1; level <= 40; level += 1) {
      for (const side of ['x', 'y']) {
        const below = level === 1 ? '../k0' : `../x${level - 1}, ../y${level - 1}`
        files[`${side}${level}/kustomization.yaml`] = `resources: [${below}]\nnamePrefix: ${side}`
      }
    }
    expect(repositoryOf(files).subjects.length).toBeLessThanOrEqual(100)
  })
})
