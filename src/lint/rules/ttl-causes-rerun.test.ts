import { describe, expect, it } from 'vitest'
import { context, hook, made, waiter, type Made } from '../../../test/lint/subject.ts'
import type { Restore } from '../../engines/engine.ts'
import { ttlCausesRerun } from './ttl-causes-rerun.ts'

const every = (periodSeconds: number | undefined): Restore => ({
  when: 'interval',
  periodSeconds,
  rule: 'F-1',
})
const watch = (delaySeconds: number, maxDelaySeconds?: number): Restore => ({
  when: 'watch',
  delaySeconds,
  ...(maxDelaySeconds === undefined ? {} : { maxDelaySeconds }),
  rule: 'X-6',
})
const change: Restore = { when: 'change', on: 'the next upgrade', rule: 'H-7' }

function judge(ttl: number | string | undefined, restoresAbsent: Restore, rest: Made = {}) {
  const spec = {
    ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }),
    ...rest.spec,
  }
  const subject = made({ ...rest, spec, traits: { restoresAbsent, ...rest.traits } })
  return ttlCausesRerun.check?.(subject, context()) ?? []
}

describe('ttl-causes-rerun', () => {
  it.each([
    [86_400, 3600, '25 h'],
    [3600, 600, '70 min'],
    [3599, 600, '1 h'],
    [0, 600, '10 min'],
    [100, 600, '10 min'],
    [604_800, 3600, '169 h'],
  ])('with TTL %d s and an interval of %d s it runs about every %s', (ttl, interval, period) => {
    const [finding] = judge(ttl, every(interval))
    expect(finding?.what).toContain(`runs again about every ${period}`)
    expect(finding?.severity).toBeUndefined()
    expect(finding?.at).toEqual(['spec', 'ttlSecondsAfterFinished'])
  })

  it.each([
    ['an unknown interval', 600, every(undefined), 'about once per TTL (every 10 min'],
    ['a watch', 100, watch(0), 'about every 100 s plus the time that it takes'],
    ['a watch and TTL 0', 0, watch(0), 'at once, for ever'],
    ['a watch whose pauses grow', 10, watch(0, 300), 'soon at first, later about every 5 min'],
    ['a TTL longer than those pauses', 3600, watch(0, 300), 'about every 1 h plus'],
    ['changes only', 600, change, 'runs again with the next upgrade'],
  ])('says the period for %s', (_case, ttl, restore, words) => {
    expect(judge(ttl, restore)[0]?.what).toContain(words)
  })

  it('warns where only another change brings the Job back', () => {
    expect(judge(600, change)[0]?.severity).toBe('warning')
  })

  it('says that prune has no say in it, when prune is written', () => {
    const settings = { prune: 'true', interval: '1h' }
    const [finding] = judge(600, every(600), { settings })
    expect(finding?.why).toContain('prune has no say in it')
    expect(finding?.related?.map(({ note }) => note)).toContain(
      'Kustomization flux-system/apps: prune: true',
    )
    expect(judge(600, every(600))[0]?.why).not.toContain('prune')
  })

  it('names the retry without end when somebody waits and backoffLimit is 0', () => {
    const traits = { waiter: waiter() }
    const why = (rest: Made) => judge(3600, every(600), rest)[0]?.why
    expect(why({ traits, spec: { backoffLimit: 0 } })).toContain('retry without end')
    expect(why({ traits })).not.toContain('retry')
    expect(why({ spec: { backoffLimit: 0 } })).not.toContain('retry')
  })

  it('does not offer converges where the author said never-again', () => {
    const annotations = { 'semel.dev/contract': 'never-again' }
    expect(judge(600, every(600), { annotations })[0]?.remedy).not.toContain('converges')
  })

  it('says that the engine is assumed', () => {
    const [finding] = judge(600, every(undefined), { traits: { assumed: true } })
    expect(finding?.why).toMatch(/^engine unknown; assuming one that restores absent objects/)
    expect(finding?.severity).toBe('warning')
  })

  it('only warns where rendering may still make the Job a hook', () => {
    const rest = { open: ['metadata.annotations'], hookTraits: { hook: hook() } }
    expect(judge(600, every(600), rest)[0]?.severity).toBe('warning')
  })

  it('speaks for a kept hook, which an absent Job lets run again', () => {
    const kept = { hook: hook({ deletePolicies: ['hook-failed'] }) }
    const [finding] = judge(600, { when: 'never', rule: 'A-14' }, { traits: kept })
    expect(finding?.what).toContain('runs again with the next full sync')
    expect(finding?.severity).toBe('warning')
  })

  it('speaks for a suspended Job that Kueue resumes', () => {
    const labels = { 'kueue.x-k8s.io/queue-name': 'batch' }
    expect(judge(600, every(600), { spec: { suspend: true }, labels })).toHaveLength(1)
  })

  it.each<[string, number | string | undefined, Restore, Made]>([
    ['without a TTL', undefined, every(600), {}],
    ['for a TTL that only rendering knows', '{{ .Values.ttl }}', every(600), {}],
    ['where absent objects are left alone', 600, { when: 'never', rule: 'F-12' }, {}],
    ['where the engine leaves the object alone', 600, every(600), { traits: { applies: false } }],
    [
      'where a repeat converges',
      600,
      every(600),
      { annotations: { 'semel.dev/contract': 'converges' } },
    ],
    ['for a hook that runs anew each time anyway', 600, change, { traits: { hook: hook() } }],
    [
      'for a kept hook of another occasion',
      600,
      change,
      { traits: { hook: hook({ deletePolicies: [], onlyOn: 'a failed sync' }) } },
    ],
    [
      'for a kept hook with a new name each time',
      600,
      change,
      { traits: { hook: hook({ deletePolicies: [] }) }, generateName: 'migrate-' },
    ],
    ['for a Job that comes back suspended', 600, every(600), { spec: { suspend: true } }],
  ])('is silent %s', (_case, ttl, restore, rest) => {
    expect(judge(ttl, restore, rest)).toEqual([])
  })

  it('is silent for CronJobs', () => {
    expect(ttlCausesRerun.kinds).toEqual(['Job'])
  })
})
