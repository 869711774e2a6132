import { describe, expect, test } from 'vitest'
import {
  engineOf,
  job,
  nameOf,
  notesOf,
  onlySubject,
  repositoryOf,
  type Files,
} from '../../../test/ownership/harness.ts'

const release = (spec: string): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: shop}
spec:
  interval: 10m
${spec}`
const chartSpec = (chart: string, kind = 'GitRepository'): string =>
  `  chart: {spec: {chart: ${chart}, sourceRef: {kind: ${kind}, name: fleet}}}\n`
const CHART: Files = {
  'charts/shop/Chart.yaml': 'name: shop\nversion: 1.0.0',
  'charts/shop/templates/job.yaml': job('{{ .Release.Name }}-a'),
}

describe('the chart of a HelmRelease', () => {
  test.each([
    ['a folder', chartSpec('charts/shop')],
    ['with ./ and a trailing slash', chartSpec('./charts/shop/')],
    ['of a Bucket', chartSpec('charts/shop', 'Bucket')],
  ])('%s', (_, spec) => {
    const subject = onlySubject({ ...CHART, 'hr.yaml': release(spec) })
    expect([engineOf(subject), nameOf(subject)]).toEqual([
      'helm-controller',
      'Job shop/{{ .Release.Name }}-a',
    ])
    expect(subject.chain.map(({ label }) => label)).toEqual(['HelmRelease shop/shop', 'Chart.yaml'])
  })

  test('by a HelmChart object', () => {
    const subject = onlySubject({
      ...CHART,
      'hr.yaml': release('  chartRef: {kind: HelmChart, name: made}\n'),
      'hc.yaml':
        'apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmChart\nmetadata: {name: made, namespace: shop}\nspec: {chart: charts/shop, sourceRef: {kind: GitRepository, name: fleet}}',
    })
    expect(engineOf(subject)).toBe('helm-controller')
  })

  test.each([
    [
      chartSpec('redis', 'HelmRepository'),
      'hr.yaml:6 the chart redis comes from the HelmRepository fleet',
    ],
    [
      '  chartRef: {kind: OCIRepository, name: oci}\n',
      'hr.yaml:6 the chart oci comes from the OCIRepository oci',
    ],
    [
      '  chartRef: {kind: HelmChart, name: gone}\n',
      'hr.yaml:6 the HelmChart gone is not in this repository',
    ],
    [chartSpec('charts/gone'), 'hr.yaml:6 the chart charts/gone does not exist in this repository'],
    [chartSpec('charts'), 'hr.yaml:6 the chart charts does not exist in this repository'],
  ])('%s is noted', (spec, expected) => {
    const repository = repositoryOf({ ...CHART, 'hr.yaml': release(spec) })
    expect(notesOf(repository)).toEqual([expected])
    expect(repository.subjects.map(engineOf)).toEqual(['helm'])
  })

  test('its namespace is where the release goes', () => {
    const subject = onlySubject({
      ...CHART,
      'hr.yaml': release(`  targetNamespace: live\n${chartSpec('charts/shop')}`),
    })
    expect(nameOf(subject)).toBe('Job live/{{ .Release.Name }}-a')
  })

  test('post-renderers patch hooks and plain objects', () => {
    const subject = onlySubject({
      ...CHART,
      'hr.yaml': release(`${chartSpec('charts/shop')}  postRenderers:
    - kustomize:
        images: [{name: registry.example.test/app, newTag: "5"}]
        patches:
          - target: {kind: Job}
            patch: |
              - op: add
                path: /spec/backoffLimit
                value: 0
`),
    })
    expect(subject.object['spec']).toMatchObject({
      backoffLimit: 0,
      template: { spec: { containers: [{ image: 'registry.example.test/app:5' }] } },
    })
  })
})

describe('what a chart brings along', () => {
  test('sub-charts, and dependencies in other folders, but no library and no helpers', () => {
    const { subjects, notes } = repositoryOf({
      'shop/Chart.yaml':
        'name: shop\ndependencies:\n- {name: common, repository: "file://../common"}\n- {name: inner}\n- {name: redis, repository: "https://charts.example.test"}',
      'shop/templates/a.yaml': job('a'),
      'shop/templates/_helpers.yaml': job('helper'),
      'shop/charts/inner/Chart.yaml': 'name: inner',
      'shop/charts/inner/templates/b.yaml': job('b'),
      'common/Chart.yaml': 'name: common',
      'common/templates/c.yaml': job('c'),
      'lib/Chart.yaml': 'name: lib\ntype: library',
      'lib/templates/d.yaml': job('d'),
      'app.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop}
spec: {source: {path: shop}}
`,
    })
    expect(
      subjects.map((subject) => [nameOf(subject), engineOf(subject), subject.chain.length]),
    ).toEqual([
      ['Job c', 'argocd', 3],
      ['Job d', 'unknown', 0],
      ['Job b', 'argocd', 3],
      ['Job helper', 'unknown', 0],
      ['Job a', 'argocd', 2],
    ])
    expect(notes.map(({ what }) => what)).toEqual([
      'the dependency redis of this chart comes from a chart repository',
    ])
  })

  test('charts that depend on each other come to an end', () => {
    const { subjects } = repositoryOf({
      'a/Chart.yaml': 'name: a\ndependencies: [{name: b, repository: "file://../b"}]',
      'b/Chart.yaml': 'name: b\ndependencies: [{name: a, repository: "file://../a"}]',
      'b/templates/j.yaml': job('j'),
    })
    expect(subjects.map(engineOf)).toEqual(['helm'])
  })
})

test('a chart that nobody installs from here belongs to Helm', () => {
  const subject = onlySubject(CHART)
  expect([engineOf(subject), subject.carrier]).toEqual(['helm', undefined])
  const [link] = subject.chain
  expect(link?.settings.map(({ name, value }) => `${name}=${value}`)).toEqual([
    'name=shop',
    'version=1.0.0',
  ])
})

test('what an action may add to is open, in templates only', () => {
  const text = job('a').replace(
    '  template:',
    '  {{- toYaml .Values.more | nindent 2 }}\n  template:',
  )
  const subject = onlySubject({ ...CHART, 'charts/shop/templates/job.yaml': text })
  expect(subject.isOpen(['spec'])).toBe(true)
  expect(subject.isOpen(['spec', 'backoffLimit'])).toBe(true)
  expect(subject.isOpen(['spec', 'template', 'spec'])).toBe(false)
  expect(onlySubject({ 'a.yaml': job('a') }).isOpen(['spec'])).toBe(false)
})
