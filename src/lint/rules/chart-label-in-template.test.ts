import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import { chartLabelInTemplate } from './chart-label-in-template.ts'

const judge = (options: Made) => chartLabelInTemplate.check?.(made(options), context()) ?? []

const labelled = (labels: Record<string, string>, image = 'registry.example.test/api:1') => ({
  template: { metadata: { labels }, spec: { containers: [{ name: 'task', image }] } },
})
const annotated = (annotations: Record<string, string>) => ({
  template: { metadata: { annotations }, spec: {} },
})
const CHART = { 'helm.sh/chart': 'shop-1.4.0' }

describe('chart-label-in-template', () => {
  it('points at the label and says what fails', () => {
    const [finding] = judge({ spec: labelled(CHART) })
    expect(finding?.what).toContain('carries the version of the chart (the label helm.sh/chart)')
    expect(finding?.why).toContain('field is immutable')
    expect(finding?.at).toEqual(['spec', 'template', 'metadata', 'labels', 'helm.sh/chart'])
  })

  it.each([
    ['chart', '{{ .Chart.Name }}-{{ .Chart.Version }}'],
    ['app.kubernetes.io/version', '{{ .Chart.AppVersion | quote }}'],
  ])('knows the version in the label %s', (key, value) => {
    expect(judge({ spec: labelled({ [key]: value }) })).toHaveLength(1)
  })

  it.each([
    { 'checksum/config': 'abc' },
    { config: '{{ include "x" . | sha256sum }}' },
    { 'fluxcd.controlplane.io/checksumFrom': 'ConfigMap/shop/settings' },
  ])('knows the checksum %j', (annotations) => {
    expect(judge({ spec: annotated(annotations) })[0]?.what).toContain(
      'a checksum of other content',
    )
  })

  it('says of a hash in the name that it runs for nothing or is refused', () => {
    const [finding] = judge({ name: 'migrate-5d1e77aa', spec: labelled(CHART) })
    expect(finding?.why).toContain('runs the Job again for nothing')
  })

  it.each<[string, Made]>([
    ['the metadata of the Job itself', { labels: CHART, spec: labelled({}) }],
    ['a hook', { spec: labelled(CHART), traits: { hook: hook() } }],
    [
      'a Job that rendering may make a hook',
      {
        spec: labelled(CHART),
        open: ['metadata.annotations'],
        hookTraits: { hook: hook() },
      },
    ],
    [
      'an engine that re-creates a changed Job',
      { spec: labelled(CHART), traits: { templateChange: 'recreates' } },
    ],
    ['a name with the version', { name: 'm-{{ .Chart.Version }}', spec: labelled(CHART) }],
    ['a name with a hash', { name: 'm-{{ .Values | toJson | sha256sum }}', spec: labelled(CHART) }],
    [
      'a name of a helper that has the version in it',
      {
        name: '{{ include "shop.job" . }}',
        spec: labelled(CHART),
        definitions: {
          'shop.job': 'shop-{{ include "shop.v" . }}',
          'shop.v': '{{ .Chart.Version }}',
        },
      },
    ],
    [
      'a name of a helper that is not in the chart',
      { name: '{{ include "common.job" . }}', spec: labelled(CHART) },
    ],
    [
      'a version that the image has too',
      {
        spec: labelled(
          { 'app.kubernetes.io/version': '{{ .Chart.AppVersion }}' },
          'registry.example.test/api:{{ .Chart.AppVersion }}',
        ),
      },
    ],
  ])('is silent for %s', (_, options) => {
    expect(judge(options)).toEqual([])
  })
})
