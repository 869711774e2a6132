import { describe, expect, it } from 'vitest'
import { lintTree } from '../../../test/lint/rules-harness.ts'
import { droppedText } from './dropped-text.ts'

const job = (name: string): string =>
  `{apiVersion: batch/v1, kind: Job, metadata: {name: ${name}, namespace: shop}, spec: {}}\n`
const judge = (text: string) => lintTree({ 'jobs.yaml': text }, { rules: [droppedText] })

describe('dropped-text', () => {
  it('is an error when it holds a Job, and stands at its first line of content', () => {
    const [finding] = judge(`${job('first')}...\n\n# the second\n${job('second')}`)
    expect(finding).toMatchObject({ severity: 'error', line: 5, column: 1 })
    expect(finding?.what).toBe('this Job is ignored: it follows "..." without a "---" line')
  })

  it('is an error when that Job is the only one of the file', () => {
    const [finding] = judge(`kind: Other\n...\n${job('only')}`)
    expect(finding?.severity).toBe('error')
  })

  it.each(['kind: CronJob\n', '"kind": "CronJob",\n', '{"kind":"CronJob"}\n', '  kind: CronJob\n'])(
    'knows a CronJob in %j',
    (text) => {
      expect(judge(`${job('first')}...\n${text}`)[0]?.why).toContain('the CronJob is never created')
    },
  )

  it('is a warning for other text in a file with a Job', () => {
    expect(judge(`${job('first')}...\nkind: ConfigMap\n`)[0]?.severity).toBe('warning')
  })

  it('counts bytes, not letters, before its first line', () => {
    expect(judge(`${job('first')}...\n# ünïcödé\n  kind: Job\n`)[0]).toMatchObject({ line: 4 })
  })

  it.each([
    ['comments and blank lines', `${job('first')}...\n\n# the end\n`],
    ['the text after the next ---', `${job('first')}...\n---\n${job('second')}`],
    ['a file without a Job', 'kind: ConfigMap\n...\nkind: ConfigMap\n'],
    ['a word that only begins like a Job', 'kind: ConfigMap\n...\nkind: JobSet\n'],
  ])('is silent for %s', (_, text) => {
    expect(judge(text)).toEqual([])
  })
})
