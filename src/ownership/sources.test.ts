import { describe, expect, test } from 'vitest'
import {
  argo,
  engineOf,
  flux,
  job,
  nameOf,
  notesOf,
  repositoryOf,
  type Files,
} from '../../test/ownership/harness.ts'
import { addressOf } from './sources.ts'

test.each([
  'https://git.example.test/a/b',
  'https://git.example.test/a/b.git/',
  'ssh://git@git.example.test/a/b.git',
  'ssh://git@git.example.test:22/a/b',
  'git@git.example.test:a/b.git',
  'https://user:secret@GIT.example.test/a/b',
])('%s is one address', (url) => {
  expect(addressOf(url)).toBe('git.example.test/a/b')
})

test('a templated address says nothing', () => {
  expect(addressOf('https://{{ .Values.host }}/a')).toBeUndefined()
  expect(addressOf('')).toBeUndefined()
})

const source = (name: string, url: string): string =>
  `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {interval: 1m, url: ${url}}\n`
const from = (name: string, folder: string, origin: string): string =>
  flux(name, folder).replace('    name: flux-system', `    name: ${origin}`)

const OWN: Files = {
  'own.yaml': source('own', 'https://git.example.test/a/own'),
  'ks-a.yaml': from('a', './apps/a', 'own'),
  'ks-b.yaml': from('b', './apps/b', 'own'),
  'apps/a/job.yaml': job('a'),
  'apps/b/job.yaml': job('b'),
}

function owners(files: Files): readonly string[] {
  return repositoryOf(files).subjects.map(
    (subject) => `${nameOf(subject)} ${subject.chain[0]?.label ?? engineOf(subject)}`,
  )
}

describe('a source with another address', () => {
  const OTHER = { ...OWN, 'other.yaml': source('other', 'ssh://git@git.example.test/b/other.git') }

  test('does not own files that somebody else carries', () => {
    expect(owners({ ...OTHER, 'ks-c.yaml': from('c', 'apps/a', 'other') })).toEqual([
      'Job a Kustomization flux-system/a',
      'Job b Kustomization flux-system/b',
    ])
  })

  test('is tried where nobody else carries the file, and that is noted', () => {
    const files = {
      ...OTHER,
      'ks-c.yaml': from('c', 'apps/c', 'other'),
      'apps/c/job.yaml': job('c'),
    }
    expect(owners(files)).toContain('Job c Kustomization flux-system/c')
    expect(notesOf(repositoryOf(files))).toEqual([
      'ks-c.yaml:1 Kustomization flux-system/c has a source with another address than this repository',
    ])
  })

  test('says where its files are when they are not here', () => {
    const files = { ...OTHER, 'ks-c.yaml': from('c', 'config/default', 'other') }
    expect(notesOf(repositoryOf(files))).toEqual([
      'ks-c.yaml:8 spec.path config/default is in another repository',
    ])
  })

  test('never carries the whole repository by its root', () => {
    const files = { ...OTHER, 'ks-c.yaml': from('c', './', 'other'), 'loose.yaml': job('loose') }
    expect(owners(files)).toContain('Job loose unknown')
  })
})

test('the spelling of the address makes no difference', () => {
  const files = { ...OWN, 'same.yaml': source('same', 'git@git.example.test:a/own.git') }
  expect(owners({ ...files, 'ks-c.yaml': from('c', 'apps/a', 'same') })).toContain(
    'Job a Kustomization flux-system/c',
  )
})

test('a root path is followed for a source whose other paths are here', () => {
  expect(
    owners({ ...OWN, 'ks-c.yaml': from('c', '.', 'own'), 'loose.yaml': job('loose') }),
  ).toContain('Job loose Kustomization flux-system/c')
})

test('a root path of one among several unknown sources is not', () => {
  const files = { ...OWN, 'ks-c.yaml': from('c', '.', 'tenant'), 'loose.yaml': job('loose') }
  expect(owners(files)).toContain('Job loose unknown')
  expect(notesOf(repositoryOf(files))).toEqual([
    'ks-c.yaml:8 spec.path . is the top of a source that may be another repository',
  ])
})

test('applications and Kustomizations are weighed together', () => {
  const files = {
    ...OWN,
    'app.yaml': argo('one', 'apps/a').replace('platform/apps', 'b/other'),
    'app-b.yaml': argo('two', 'apps/b').replace('platform/apps', 'a/own'),
  }
  expect(owners(files)).toEqual([
    'Job a Kustomization flux-system/a',
    'Job shop/b Application argocd/two',
    'Job b Kustomization flux-system/b',
  ])
})

describe('a source that holds one folder of the repository', () => {
  const files = {
    'kubernetes/ks.yaml': `${flux('a', './apps/a')}---\n${flux('b', './apps/b')}`,
    'kubernetes/apps/a/job.yaml': job('a'),
    'kubernetes/apps/b/job.yaml': job('b'),
  }

  test('starts at that folder when most of its paths are there', () => {
    expect(owners(files)).toEqual([
      'Job a Kustomization flux-system/a',
      'Job b Kustomization flux-system/b',
    ])
  })

  test('one path alone proves nothing', () => {
    const { 'kubernetes/apps/b/job.yaml': _gone, ...rest } = files
    expect(owners(rest)).toEqual(['Job a unknown'])
  })

  test('nor do folders that are there twice', () => {
    const twice = Object.entries(files).map(([name, text]) => [
      name.replace('kubernetes', 'old'),
      text,
    ])
    const copies = Object.fromEntries(twice.filter(([name]) => !name?.endsWith('ks.yaml')))
    expect(owners({ ...files, ...copies })).toEqual([
      'Job a unknown',
      'Job b unknown',
      'Job a unknown',
      'Job b unknown',
    ])
  })
})

test('a run over one folder finds the paths that start above it', () => {
  const { subjects } = repositoryOf(
    {
      'ks.yaml': flux('a', './infra/apps/a') + `---\n${flux('b', 'infra/apps/b')}`,
      'a/job.yaml': job('a'),
      'b/job.yaml': job('b'),
    },
    { root: 'infra/apps' },
  )
  expect(subjects.map(engineOf)).toEqual(['flux', 'flux'])
})
