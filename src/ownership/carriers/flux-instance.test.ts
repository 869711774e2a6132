import { expect, test } from 'vitest'
import {
  engineOf,
  job,
  lineOf,
  onlySubject,
  repositoryOf,
} from '../../../test/ownership/harness.ts'

const instance = (sync: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: FluxInstance
metadata: {name: flux, namespace: flux-system}
spec:
${sync}`

test('the sync of a FluxInstance is a Kustomization', () => {
  const subject = onlySubject({
    'flux.yaml': instance(
      '  sync:\n    kind: GitRepository\n    url: https://git.example.test/fleet\n    path: clusters/a\n',
    ),
    'clusters/a/job.yaml': job('a'),
  })
  expect(engineOf(subject)).toBe('flux')
  const [link] = subject.chain
  expect(link?.label).toBe('FluxInstance flux-system/flux')
  const path = link?.settings.find(({ name }) => name === 'path')
  expect(path?.place && lineOf(path.place)).toBe('flux.yaml:8')
  expect(subject.traits.restoresAbsent).toMatchObject({ when: 'interval', periodSeconds: 600 })
})

test('its source is known to the Kustomizations below', () => {
  const { subjects, notes } = repositoryOf({
    'flux.yaml': instance(
      '  sync: {kind: OCIRepository, url: "oci://registry.example.test/fleet", path: clusters/a}\n',
    ),
    'clusters/a/ks.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: a, namespace: flux-system}
spec: {interval: 1m, path: apps, prune: true, sourceRef: {kind: OCIRepository, name: flux-system}}
`,
    'apps/job.yaml': job('a'),
  })
  expect(subjects.map(({ chain }) => chain.map(({ label }) => label))).toEqual([
    ['FluxInstance flux-system/flux', 'Kustomization flux-system/a'],
  ])
  expect(notes).toEqual([])
})

test('without a sync it carries nothing', () => {
  const { subjects, notes } = repositoryOf({
    'flux.yaml': instance('  components: []\n'),
    'job.yaml': job('a'),
  })
  expect(subjects.map(engineOf)).toEqual(['unknown'])
  expect(notes).toEqual([])
})
