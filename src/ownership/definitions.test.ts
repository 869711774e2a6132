import { describe, expect, it } from 'vitest'
import { job, onlySubject } from '../../test/ownership/harness.ts'

const chart = (extra: Readonly<Record<string, string>>) =>
  onlySubject({
    'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'chart/templates/job.yaml': job('migrate'),
    ...extra,
  })

describe('named templates', () => {
  it('are those of the chart and of the charts in it', () => {
    const subject = chart({
      'chart/templates/_helpers.tpl':
        '{{- define "shop.labels" -}}\nhelm.sh/chart: x\n{{- end }}\n',
      'chart/charts/common/templates/_c.tpl':
        '{{ define "common.name" }}{{ if .a }}a{{ end }}{{ end }}',
    })
    expect(subject.definition('shop.labels')?.trim()).toBe('helm.sh/chart: x')
    expect(subject.definition('common.name')).toBe('{{ if .a }}a{{ end }}')
  })

  it('are unknown where there is none of the name, and outside of charts', () => {
    expect(chart({}).definition('shop.labels')).toBeUndefined()
    expect(onlySubject({ 'job.yaml': job('migrate') }).definition('x')).toBeUndefined()
  })
})
