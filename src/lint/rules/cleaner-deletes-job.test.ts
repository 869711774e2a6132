import { describe, expect, it } from 'vitest'
import type { Waiter } from '../../engines/engine.ts'
import { context, hook, made, waiter, type Made } from '../../../test/lint/subject.ts'
import { cleanerDeletesJob } from './cleaner-deletes-job.ts'

const restored: Made['traits'] = {
  restoresAbsent: { when: 'interval', periodSeconds: 600, rule: 'test' },
}
const annotations = { 'janitor/ttl': '2h' }
const judge = (options: Made) => cleanerDeletesJob.check?.(made(options), context()) ?? []

describe('cleaner-deletes-job', () => {
  it.each<[string, Made, string]>([
    ['janitor/ttl', { annotations }, '2h after its creation'],
    ['janitor/expires', { annotations: { 'janitor/expires': '2027-01-31' } }, 'at 2027-01-31'],
    ['k8s-ttl-controller', { annotations: { 'k8s-ttl-controller.twin.sh/ttl': '1h' } }, '1h after'],
    ['Kyverno', { labels: { 'cleanup.kyverno.io/ttl': '5m' } }, '5m after its creation'],
    ['Kyverno, by date', { labels: { 'cleanup.kyverno.io/ttl': '2027-01-31' } }, 'at 2027-01-31'],
  ])('knows the mark of %s', (_case, options, words) => {
    const [finding] = judge({ ...options, traits: restored })
    expect(finding?.what).toContain(words)
    expect(finding?.why).toContain('which runs again')
  })

  it.each<[Waiter['absent'], string]>([
    ['hangs', 'hangs until a person terminates it'],
    ['failure', 'a retry runs the work again'],
    ['timeout', 'waits until its timeout and fails'],
    ['success', 'a Job that is gone has succeeded'],
  ])('says what a waiter makes of a hook that is gone: %s', (absent, words) => {
    const [finding] = judge({ annotations, traits: { hook: hook(), waiter: waiter({ absent }) } })
    expect(finding?.why).toContain(words)
    expect(finding?.remedy).toContain('delete policy')
  })

  it.each<[string, Made]>([
    ['for forever', { annotations: { 'janitor/ttl': 'forever' }, traits: restored }],
    [
      'for a templated mark',
      { annotations: { 'janitor/ttl': '{{ .Values.t }}' }, traits: restored },
    ],
    ['where nothing follows', { annotations }],
    [
      'where a repeat converges and nobody waits',
      { annotations: { ...annotations, 'semel.dev/contract': 'converges' }, traits: restored },
    ],
    ['where the engine leaves it alone', { annotations, traits: { ...restored, applies: false } }],
  ])('is silent %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })
})
