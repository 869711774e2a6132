import { describe, expect, test } from 'vitest'
import {
  engineOf,
  flux,
  imageOf,
  job,
  lineOf,
  nameOf,
  notesOf,
  onlySubject,
  repositoryOf,
  type Files,
} from '../../../test/ownership/harness.ts'

describe('the folder of a Kustomization', () => {
  test.each<[string, string, string]>([
    ['as it is', 'apps/shop', 'apps/shop/job.yaml'],
    ['with ./ and a trailing slash', './apps/shop/', 'apps/shop/job.yaml'],
    ['with a leading slash', '/apps/shop', 'apps/shop/job.yaml'],
    ['with files at any depth', 'apps', 'apps/shop/deep/er/job.yml'],
    ['the root, when the source is the only one', './', 'job.yaml'],
    ['the root, when nothing is written', '""', 'job.yaml'],
  ])('%s', (_, path, file) => {
    const subject = onlySubject({ 'ks.yaml': flux('a', path), [file]: job('a') })
    expect(engineOf(subject)).toBe('flux')
    expect(subject.chain.map(({ label }) => label)).toEqual(['Kustomization flux-system/a'])
  })

  test('without spec.path it is the root', () => {
    const text = flux('a', 'x').replace(/ {2}path: x\n/, '')
    expect(engineOf(onlySubject({ 'ks.yaml': text, 'job.yaml': job('a') }))).toBe('flux')
  })

  test('below a folder without a kustomization file, inner kustomizations count as such', () => {
    const { subjects } = repositoryOf({
      'ks.yaml': flux('a', 'apps'),
      'apps/a.yaml': job('a'),
      'apps/b/kustomization.yaml': 'resources: [b.yaml]\nnamePrefix: p-',
      'apps/b/b.yaml': job('b'),
      'apps/b/left-out.yaml': job('left-out'),
      'apps/b/c/kustomization.yaml': 'resources: [c.yaml]',
      'apps/b/c/c.yaml': job('c'),
      'apps/d.json': '{}',
    })
    expect(subjects.map((subject) => [nameOf(subject), engineOf(subject)])).toEqual([
      ['Job a', 'flux'],
      ['Job p-b', 'flux'],
      ['Job c', 'unknown'],
      ['Job left-out', 'unknown'],
    ])
  })

  test('what .sourceignore keeps out of the source is not carried', () => {
    const files = { 'ks.yaml': flux('a', 'apps'), 'apps/a.yaml': job('a'), 'apps/b.yaml': job('b') }
    const { subjects } = repositoryOf(files, { isSourceIgnored: (path) => path === 'apps/b.yaml' })
    expect(subjects.map(engineOf)).toEqual(['flux', 'unknown'])
  })

  test('Helm templates below it are not taken for objects', () => {
    const { subjects } = repositoryOf({
      'ks.yaml': flux('a', 'apps'),
      'apps/chart/Chart.yaml': 'name: c',
      'apps/chart/templates/a.yaml': job('{{ .Release.Name }}'),
    })
    expect(subjects.map(engineOf)).toEqual(['helm'])
  })

  test('a path that names no folder is noted at the path', () => {
    const repository = repositoryOf({
      'ks.yaml': flux('a', './gone'),
      'job.yaml': job('a'),
    })
    expect(notesOf(repository)).toEqual([
      'ks.yaml:8 spec.path ./gone does not exist in this repository',
    ])
    expect(repository.subjects.map(engineOf)).toEqual(['unknown'])
  })
})

describe('what a Kustomization adds', () => {
  const carried = (spec: string, files: Files = {}): ReturnType<typeof onlySubject> =>
    onlySubject({ 'ks.yaml': flux('a', 'apps', spec), 'apps/job.yaml': job('a'), ...files })

  test('its namespace wins over the one of the folder, and is shown where it is written', () => {
    const subject = carried('  targetNamespace: flux\n', {
      'apps/kustomization.yaml': 'resources: [job.yaml]\nnamespace: own',
    })
    expect(nameOf(subject)).toBe('Job flux/a')
    expect(lineOf(subject.placeOf(['metadata', 'namespace']))).toBe('ks.yaml:13')
  })

  test('name prefix and suffix', () => {
    expect(nameOf(carried('  namePrefix: p-\n  nameSuffix: -s\n'))).toBe('Job p-a-s')
  })

  test('images by name instead of those of the folder', () => {
    const subject = carried('  images: [{name: registry.example.test/app, newTag: "2"}]\n', {
      'apps/kustomization.yaml':
        'resources: [job.yaml]\nimages: [{name: registry.example.test/app, newName: x, newTag: "9"}]',
    })
    expect(imageOf(subject)).toBe('registry.example.test/app:2')
  })

  test('patches in their text, with the lines of that text', () => {
    const subject = carried(`  patches:
    - target: {kind: Job}
      patch: |
        apiVersion: batch/v1
        kind: Job
        metadata: {name: any}
        spec:
          activeDeadlineSeconds: 60
`)
    expect(subject.object['spec']).toMatchObject({ activeDeadlineSeconds: 60 })
    expect(lineOf(subject.placeOf(['spec', 'activeDeadlineSeconds']))).toBe('ks.yaml:20')
  })

  test('components beside those of the folder', () => {
    const subject = carried('  components: [../more]\n', {
      'more/kustomization.yaml': 'kind: Component\nnameSuffix: -more',
    })
    expect(nameOf(subject)).toBe('Job a-more')
  })

  test('common metadata over what the object says', () => {
    const subject = carried(`  commonMetadata:
    annotations:
      kustomize.toolkit.fluxcd.io/force: enabled
`)
    expect(subject.object['metadata']).toMatchObject({
      annotations: { 'kustomize.toolkit.fluxcd.io/force': 'enabled' },
    })
    expect(subject.traits.templateChange).toBe('recreates')
  })

  test('without any of these the object of the file itself', () => {
    const subject = carried('')
    expect(subject.object).toBe(subject.manifest.object)
  })
})

test('a Kustomization that applies itself is one owner', () => {
  const subject = onlySubject({ 'apps/ks.yaml': flux('a', 'apps'), 'apps/job.yaml': job('a') })
  expect(subject.chain.map(({ label }) => label)).toEqual(['Kustomization flux-system/a'])
})

test('two that apply each other are found all the same', () => {
  const { subjects } = repositoryOf({
    'a/ks.yaml': flux('one', 'b'),
    'b/ks.yaml': flux('two', 'a'),
    'b/job.yaml': job('x'),
  })
  expect(subjects.map(engineOf)).toEqual(['flux'])
})
