import { describe, expect, it } from 'vitest'
import { lintTree } from '../../test/lint/rules-harness.ts'

const job = (annotations: string): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: one
  annotations:
    ${annotations}
spec:
  template: {}
`

const judge = (
  annotations: string,
  file = 'job.yaml',
  more: Readonly<Record<string, string>> = {},
) => lintTree({ [file]: job(annotations), ...more }, { rules: [] })

describe('contract-invalid', () => {
  it.each([
    ['no contract', 'a: b'],
    ['once', 'semel.dev/contract: once'],
    ['never-again', 'semel.dev/contract: never-again'],
    [
      'converges with a reason',
      'semel.dev/contract: converges\n    semel.dev/contract-reason: it compares before it writes',
    ],
    ['a word that only rendering knows', 'semel.dev/contract: ${CONTRACT}'],
  ])('is silent for %s', (_case, annotations) => {
    expect(judge(annotations)).toEqual([])
  })

  it('is silent where rendering may add the reason', () => {
    const chart = { 'c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n' }
    const open = 'semel.dev/contract: converges\n    {{- include "notes" . | nindent 4 }}'
    expect(judge(open, 'c/templates/job.yaml', chart)).toEqual([])
  })

  it.each([
    [
      'an unknown word',
      'semel.dev/contract: convergent',
      'the contract "convergent", which Semel does not know',
    ],
    ['a mistyped word', 'semel.dev/contract: converge', 'Did you mean converges?'],
    ['another case', 'semel.dev/contract: Once', 'Did you mean once?'],
    ['no text', 'semel.dev/contract: true', 'the contract true'],
    ['an empty text', 'semel.dev/contract: ""', 'the contract ""'],
    ['converges without a reason', 'semel.dev/contract: converges', 'does not say why'],
    [
      'converges with an empty reason',
      'semel.dev/contract: converges\n    semel.dev/contract-reason: " "',
      'does not say why',
    ],
  ])('speaks for %s', (_case, annotations, words) => {
    const found = judge(annotations)
    expect(found.map(({ rule, severity, line }) => [rule, severity, line])).toEqual([
      ['contract-invalid', 'error', 6],
    ])
    expect(found[0]?.what).toContain(words)
  })
})
