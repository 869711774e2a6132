import { describe, expect, it } from 'vitest'
import { made, manifestOf } from '../../test/lint/subject.ts'
import type { JsonObject } from '../core/json.ts'
import type { Link, Subject } from '../ownership/subject.ts'
import { kustomizeLink, linkName, namespaceOf, sameCluster } from './chain.ts'

const link = (path: string, apiVersion?: string): Link => ({
  label: `link ${path}`,
  path,
  settings: [],
  ...(apiVersion === undefined ? {} : { manifest: manifestOf({ apiVersion }, path) }),
})
const FLUX = link('flux/apps.yaml', 'kustomize.toolkit.fluxcd.io/v1')
const RELEASE = link('apps/release.yaml', 'helm.toolkit.fluxcd.io/v2')
const APP = link('argocd/app.yaml', 'argoproj.io/v1alpha1')
const FILE = link('apps/kustomization.yaml')

describe('what reads a file with kustomize', () => {
  it.each<[string, readonly Link[], Link | undefined]>([
    ['a Flux Kustomization', [FLUX], FLUX],
    ['a kustomization.yaml of an Application', [APP, FILE], FILE],
    ['no HelmRelease, also below Flux', [FLUX, RELEASE], undefined],
    ['no folder of an Application', [FLUX, APP], undefined],
    ['no chart', [APP, link('chart/Chart.yaml')], undefined],
    ['nobody', [], undefined],
  ])('%s', (_, chain, expected) => {
    expect(kustomizeLink(chain)).toBe(expected)
  })

  it('is called by its object, or by its path', () => {
    expect(linkName(FLUX)).toBe('link flux/apps.yaml')
    expect(linkName(FILE)).toBe('apps/kustomization.yaml')
  })
})

function carried(path: string, spec: JsonObject = {}, chain: readonly Link[] = []): Subject {
  return { ...made(), carrier: manifestOf({ spec }, path), chain }
}

describe('two carriers surely meet in one cluster', () => {
  const there = { destination: { server: 'https://east.example.test' } }
  const here = { destination: { server: 'https://kubernetes.default.svc' } }

  it.each<[string, Subject, Subject, boolean]>([
    ['in one folder', carried('a/x.yaml'), carried('a/y.yaml'), true],
    ['in two folders', carried('a/x.yaml'), carried('b/y.yaml'), false],
    ['with one remote cluster', carried('a/x.yaml', there), carried('b/y.yaml', there), true],
    ['each in its own cluster', carried('a/x.yaml', here), carried('b/y.yaml', here), false],
    ['with two clusters', carried('a/x.yaml', there), carried('a/y.yaml', here), false],
    [
      'below one object',
      carried('a/x.yaml', {}, [FLUX, APP]),
      carried('b/y.yaml', {}, [FLUX, APP]),
      true,
    ],
    [
      'below themselves alone',
      carried('a/x.yaml', {}, [FLUX]),
      carried('b/y.yaml', {}, [FLUX]),
      false,
    ],
  ])('%s', (_, one, other, expected) => {
    expect(sameCluster(one, other)).toBe(expected)
  })
})

it.each<[string, JsonObject, string | undefined]>([
  ['its own', { destination: { namespace: 'other' } }, 'shop'],
  ['none when rendering decides', {}, undefined],
])('the namespace of a Job: %s', (_, spec, expected) => {
  const subject = carried('a/x.yaml', spec)
  const metadata = { name: 'migrate', namespace: expected ?? '{{ .Values.namespace }}' }
  expect(namespaceOf({ ...subject, object: { ...subject.object, metadata } })).toBe(expected)
})

it('the namespace of a Job without one is that of its carrier', () => {
  const subject = carried('a/x.yaml', { destination: { namespace: 'other' } })
  const object = { ...subject.object, metadata: { name: 'migrate' } }
  expect(namespaceOf({ ...subject, object })).toBe('other')
})
