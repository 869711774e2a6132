import { describe, expect, it } from 'vitest'
import { engineOf, job, onlySubject } from '../../../test/ownership/harness.ts'

const CHART = { 'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n' }

const annotated = (key: string): string =>
  job('migrate').replace('metadata:\n', `metadata:\n  annotations:\n    ${key}: x\n`)

describe('a chart that nobody installs from this repository', () => {
  it('is taken for one of Helm', () => {
    const subject = onlySubject({ ...CHART, 'chart/templates/job.yaml': job('migrate') })
    expect(engineOf(subject)).toBe('helm')
  })

  it('stays with Helm when its Jobs are hooks of Helm', () => {
    const files = { ...CHART, 'chart/templates/job.yaml': annotated('helm.sh/hook') }
    expect(engineOf(onlySubject(files))).toBe('helm')
  })

  it('is unknown when its Jobs speak to Argo CD, which somebody elsewhere may let install it', () => {
    const files = { ...CHART, 'chart/templates/job.yaml': annotated('argocd.argoproj.io/hook') }
    const subject = onlySubject(files)
    expect(subject.manifest.object).toHaveProperty(['metadata', 'annotations'])
    expect(engineOf(subject)).toBe('unknown')
  })
})
