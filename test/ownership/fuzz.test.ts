import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { repositoryOf } from './harness.ts'

const word = fc.constantFrom(
  '.',
  './',
  '..',
  '/',
  '',
  'apps',
  './apps/',
  'apps/base',
  '../apps',
  'Job',
  'job',
  '*',
  '**',
  '[a',
  '(a+)+$',
  '{{path}}',
  '{{ .x }}',
  '${A}',
  '<< inputs.a >>',
  'app=x',
  'kind: Job',
  '- op: add\n  path: /spec\n',
  'a: [',
  'https://git.example.test/a?ref=b',
)
const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null))
const key = fc.constantFrom(
  'spec',
  'path',
  'source',
  'sources',
  'chart',
  'resources',
  'components',
  'patches',
  'patch',
  'target',
  'op',
  'value',
  'images',
  'name',
  'namespace',
  'metadata',
  'generators',
  'list',
  'elements',
  'git',
  'directories',
  'files',
  'template',
  'kustomize',
  'helm',
  'steps',
  'resourcesTemplate',
  'postBuild',
  'substitute',
  'substituteFrom',
  'commonMetadata',
  'labels',
  'pairs',
  'annotations',
  'sync',
  'destination',
  'paths',
  'dependencies',
  'repository',
  '$patch',
  '__proto__',
  'containers',
)
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('map')),
  list: fc.array(tie('any'), { maxLength: 3 }),
  map: fc.dictionary(key, tie('any'), { maxKeys: 5 }),
})).any

const KINDS = [
  ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization'],
  ['argoproj.io/v1alpha1', 'Application'],
  ['argoproj.io/v1alpha1', 'ApplicationSet'],
  ['helm.toolkit.fluxcd.io/v2', 'HelmRelease'],
  ['fluxcd.controlplane.io/v1', 'ResourceSet'],
  ['fluxcd.controlplane.io/v1', 'FluxInstance'],
  ['kro.run/v1alpha1', 'ResourceGraphDefinition'],
  ['fleet.cattle.io/v1alpha1', 'GitRepo'],
  ['source.toolkit.fluxcd.io/v1', 'GitRepository'],
  ['batch/v1', 'Job'],
  ['batch/v1', 'CronJob'],
] as const

const object = fc
  .tuple(fc.constantFrom(...KINDS), value, value)
  .map(([[apiVersion, kind], spec, metadata]) => ({ apiVersion, kind, metadata, spec }))
const path = fc.constantFrom(
  'a.yaml',
  'apps/b.yaml',
  'apps/base/c.yaml',
  'apps/kustomization.yaml',
  'apps/base/kustomization.yaml',
  'kustomization.yaml',
  'chart/Chart.yaml',
  'chart/templates/d.yaml',
  'apps/fleet.yaml',
)
const tree = fc.dictionary(path, fc.oneof(object, value), { maxKeys: 9 })

test('nothing in the files makes it throw, and every subject has places and traits', () => {
  fc.assert(
    fc.property(tree, (files) => {
      const texts = Object.fromEntries(
        Object.entries(files).map(([name, content]) => [name, JSON.stringify(content) ?? '']),
      )
      const repository = repositoryOf(texts)
      for (const subject of repository.subjects) {
        expect(subject.traits).toBeDefined()
        expect(subject.placeOf(['spec', 'template', 'spec']).span.start).toBeGreaterThanOrEqual(0)
        expect(subject.isOpen(['spec'])).toBe(false)
        for (const { settings } of subject.chain) for (const { place } of settings) void place
      }
      for (const { place, what, why } of repository.notes) {
        expect(place.span.start).toBeGreaterThanOrEqual(0)
        expect(what).not.toBe('')
        expect(why).not.toBe('')
      }
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) },
  )
})
