import { describe, expect, test } from 'vitest'
import { argo, job } from '../../../test/ownership/harness.ts'
import { lanesIn, played, snapshotIn } from '../../../test/simulate/repository.ts'

const CHART = 'apiVersion: v2\nname: web\nversion: 1.0.0\n'

const release = (spec = ''): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  interval: 10m
  chart:
    spec:
      chart: ./charts/web
      sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}
${spec}`

const template = (name: string, annotations = '{}', ttl = '600'): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  annotations: ${annotations}
spec:
  ttlSecondsAfterFinished: ${ttl}
  template: {spec: {restartPolicy: Never, containers: [{name: a, image: "{{ .Values.image }}"}]}}
`

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {image: "{{ .Values.image }}"}
`

/** A kind that no API server of the model serves. */
const MONITOR = 'apiVersion: monitoring.example.test/v1\nkind: Monitor\nmetadata: {name: m}\n'

const files = {
  'release.yaml': release(),
  'charts/web/Chart.yaml': CHART,
  'charts/web/values.yaml': 'image: web:1\nttl: 3600\n',
  'charts/web/templates/_names.tpl': '{{ define "web.name" }}{{ .Release.Name }}-web{{ end }}',
  'charts/web/templates/job.yaml': template(
    '{{ include "web.name" . }}',
    '{}',
    '{{ .Values.ttl }}',
  ),
  'charts/web/templates/web.yaml': WEB,
  'charts/web/templates/monitor.yaml': MONITOR,
}

describe('a HelmRelease', () => {
  test('is played with its chart, without the templates of anything but Jobs', () => {
    const { lanes, worlds, notes } = snapshotIn(files)
    expect(lanes).toMatchObject([
      { name: 'shop/web-web', appliedBy: 'Flux HelmRelease shop/web', ttlSeconds: 3600 },
    ])
    expect(Object.keys(worlds[0]?.files ?? {}).toSorted()).toEqual([
      'shop.web/Chart.yaml',
      'shop.web/templates/_names.tpl',
      'shop.web/templates/job.yaml',
      'shop.web/values.yaml',
    ])
    expect(notes).toHaveLength(1)
  })

  test('runs a hook at each upgrade, and other values are one', () => {
    const at = (image: string) =>
      snapshotIn({
        ...files,
        'release.yaml': release(`  values: {image: "${image}"}\n`),
        'charts/web/templates/job.yaml': template(
          'h',
          '{helm.sh/hook: "post-install,post-upgrade"}',
        ),
      })
    const later = [
      [10, at('web:1')],
      [20, at('web:2')],
    ] as const
    expect(played(at('web:1'), { days: 2, later })).toEqual(['shop/h: 0 20'])
  })

  test('takes the Jobs alone from a template that holds more', () => {
    const both = { ...files, 'charts/web/templates/job.yaml': `${template('a')}---\n${MONITOR}` }
    const snapshot = snapshotIn(both)
    expect(Object.keys(snapshot.worlds[0]?.files ?? {})).toContain('shop.web/templates/job.0.yaml')
    expect(played(snapshot, { days: 1 })).toEqual(['shop/a: 0'])
  })

  test('takes what was made where Jobs hang together with more', () => {
    const loop = `{{ range list "a" "b" }}\n---\n${template('{{ . }}').replace('.Values.image', '$.Values.image')}---\n${MONITOR}{{ end }}`
    const snapshot = snapshotIn({ ...files, 'charts/web/templates/job.yaml': loop })
    expect(played(snapshot, { days: 1 })).toEqual(['shop/a: 0', 'shop/b: 0'])
  })

  test('has values from ConfigMaps of the repository, also generated ones', () => {
    const from = release(
      '  valuesFrom:\n    - {kind: ConfigMap, name: one}\n    - {kind: ConfigMap, name: two, valuesKey: v.yaml}\n',
    )
    const { lanes } = snapshotIn({
      ...files,
      'release.yaml': from,
      'one.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: shop}\ndata: {values.yaml: "ttl: 60"}\n',
      'kustomization.yaml':
        'resources: [release.yaml, one.yaml]\nconfigMapGenerator: [{name: two, files: [v.yaml=two.yaml]}]\n',
      'two.yaml': 'ttl: 120\n',
    })
    expect(lanes).toMatchObject([{ name: 'shop/web-web', ttlSeconds: 120 }])
  })

  test('is not played where values that are not known decide', () => {
    const from = release('  valuesFrom: [{kind: Secret, name: s}]\n')
    const { lanes, notes } = snapshotIn({ ...files, 'release.yaml': from })
    expect(lanes[0]?.unknown).toBe(
      'metadata.name is {{ include "web.name" . }}, which only rendering can tell',
    )
    expect(notes).toContainEqual({
      id: 'assumed',
      what: 'its chart could not be rendered, so its Jobs were taken as its templates write them',
      why: 'values come from the Secret s, which is not in this repository',
      lanes: ['shop/{{ include "web.name" . }}'],
    })
  })

  test('is played as its templates write it where they do not', () => {
    const snapshot = snapshotIn({
      ...files,
      'release.yaml': release('  valuesFrom: [{kind: Secret, name: s}]\n'),
      'charts/web/templates/job.yaml': template('a'),
    })
    expect(lanesIn(snapshot)).toEqual(['shop/a: Flux HelmRelease shop/web'])
    expect(played(snapshot, { days: 1 })).toEqual(['shop/a: 0'])
  })

  test('has no lane for what its values leave out, and says so', () => {
    const off = `{{ if .Values.on }}\n${template('a')}{{ end }}`
    const { lanes, notes } = snapshotIn({ ...files, 'charts/web/templates/job.yaml': off })
    expect(lanes).toEqual([])
    expect(notes.map(({ what }) => what)).toContain('charts/web/templates/job.yaml makes no Job')
  })

  test('is played where a template of something else is more than can be rendered', () => {
    const odd = `${WEB}# {{ if .Capabilities.APIVersions.Has "v1" }}{{ lookup "v1" "Pod" "" "" }}{{ end }}\n`
    const { lanes, notes } = snapshotIn({ ...files, 'charts/web/templates/web.yaml': odd })
    expect(lanes).toMatchObject([{ name: 'shop/web-web' }])
    expect(notes).toHaveLength(1)
  })

  test('is refused where the chart asks for a value that nobody gives', () => {
    const wanting = `${WEB}# {{ required "give a host" .Values.host }}\n`
    const { lanes, notes } = snapshotIn({ ...files, 'charts/web/templates/web.yaml': wanting })
    expect(lanes[0]?.unknown).toContain('metadata.name is')
    expect(notes.map(({ why }) => why).join()).toContain('give a host')
  })

  test('finds named templates of charts inside of the chart', () => {
    const { lanes } = snapshotIn({
      ...files,
      'charts/web/templates/_names.tpl': '',
      'charts/web/charts/lib/Chart.yaml':
        'apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n',
      'charts/web/charts/lib/templates/_names.tpl': '{{ define "web.name" }}lib{{ end }}',
    })
    expect(lanes).toMatchObject([{ name: 'shop/lib' }])
  })
})

describe('an Application over a chart', () => {
  const app = (helm = ''): string =>
    argo('x', 'charts/web', helm, '  syncPolicy: {automated: {}}\n')
  const chart = { ...files, 'release.yaml': app() }

  test('has the values of its files, texts and parameters, later ones over earlier ones', () => {
    const helm = `    helm:
      valueFiles: [prod.yaml]
      values: "ttl: 200"
      parameters: [{name: ttl, value: "300"}]
`
    const { lanes, worlds } = snapshotIn({
      ...chart,
      'release.yaml': app(helm),
      'charts/web/prod.yaml': 'ttl: 100\nimage: prod\n',
    })
    expect(lanes).toMatchObject([{ name: 'shop/x-web', ttlSeconds: 300 }])
    expect(worlds[0]?.carriers[0]).toMatchObject({
      spec: { source: { helm: { releaseName: 'x', valuesObject: { ttl: 300, image: 'prod' } } } },
    })
  })

  test('runs hooks when another template changes', () => {
    const at = (web: string) =>
      snapshotIn({
        ...chart,
        'charts/web/templates/job.yaml': template('h', '{helm.sh/hook: post-upgrade}'),
        'charts/web/templates/web.yaml': `${WEB}# ${web}\n`.replace(
          '{name: web}',
          `{name: ${web}}`,
        ),
      })
    const later = [
      [10, at('one')],
      [20, at('two')],
    ] as const
    expect(played(at('one'), { days: 2, later })).toEqual(['shop/h: 0 20'])
  })

  test('with a file that is not here stands as its templates write it', () => {
    const { lanes } = snapshotIn({
      ...chart,
      'release.yaml': app('    helm: {valueFiles: [gone.yaml]}\n'),
      'charts/web/templates/job.yaml': template('a'),
    })
    expect(lanes).toMatchObject([{ name: 'shop/a', ttlSeconds: 600 }])
  })
})

test('a chart that nobody installs is installed once, with its own values', () => {
  const { 'release.yaml': _, ...chart } = files
  const snapshot = snapshotIn(chart)
  expect(lanesIn(snapshot)).toEqual(['web/web-web: Helm charts/web/Chart.yaml'])
  expect(played(snapshot, { days: 1 })).toEqual(['web/web-web: 0'])
})

test('plain Jobs beside it are no part of the chart', () => {
  expect(lanesIn(snapshotIn({ ...files, 'other.yaml': job('b', 'shop') }))).toEqual([
    'shop/web-web: Flux HelmRelease shop/web',
    'shop/b: kubectl (assumed)',
  ])
})
