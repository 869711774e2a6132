import { describe, expect, it } from 'vitest'
import { context, hook, made, waiter, type Made } from '../../../test/lint/subject.ts'
import type { Waiter } from '../../engines/engine.ts'
import { suspendedUnderWaiter } from './suspended-under-waiter.ts'

const health = {
  where: 'the health of the Application',
  suspended: 'Suspended',
  failed: 'Degraded',
  rule: 'A-16',
}

function judge(parts: Partial<Waiter> | undefined, rest: Made = {}) {
  const traits = { ...rest.traits, ...(parts === undefined ? {} : { waiter: waiter(parts) }) }
  const subject = made({ spec: { suspend: true }, ...rest, traits })
  return suspendedUnderWaiter.check?.(subject, context()) ?? []
}

const forEver: Partial<Waiter> = {
  who: 'the Argo CD sync',
  suspended: 'waits',
  timeoutSeconds: undefined,
}

describe('suspended-under-waiter', () => {
  it('says that a wait without a timeout never ends', () => {
    const [finding] = judge(forEver, { traits: { hook: hook() } })
    expect(finding?.what).toBe('Job shop/migrate is suspended, so the Argo CD sync never ends')
    expect(finding?.why).toContain('PreSync hook')
    expect(finding?.severity).toBeUndefined()
    expect(finding?.at).toEqual(['spec', 'suspend'])
  })

  it('says when a wait with a timeout fails', () => {
    expect(judge({ suspended: 'waits', timeoutSeconds: 300 })[0]?.what).toContain(
      'fails after 5 min',
    )
  })

  it('warns where the Job only keeps something from being ready', () => {
    const [finding] = judge({ who: 'the Bundle', suspended: 'not-ready' })
    expect(finding?.what).toContain('holds up the Bundle')
    expect(finding?.severity).toBe('warning')
  })

  it('informs where nobody waits but the health shows it', () => {
    const [finding] = judge(undefined, { traits: { health } })
    expect(finding?.what).toContain('the health of the Application is Suspended')
    expect(finding?.severity).toBe('info')
  })

  it('only warns where rendering may add the label of a Kueue queue', () => {
    expect(judge(forEver, { open: ['metadata.labels'] })[0]?.severity).toBe('warning')
  })

  it.each<[string, Partial<Waiter> | undefined, Made]>([
    ['where a suspended Job counts as done', { suspended: 'done' }, {}],
    ['where nobody waits and nothing shows it', undefined, {}],
    [
      'where the health stays good',
      undefined,
      { traits: { health: { ...health, suspended: 'Healthy' } } },
    ],
    ['for a Job that is not suspended', forEver, { spec: { suspend: false } }],
    ['for a Job that says nothing', forEver, { spec: {} }],
    ['for a templated value', forEver, { spec: { suspend: '{{ .Values.suspend }}' } }],
    ['for a Job in a Kueue queue', forEver, { labels: { 'kueue.x-k8s.io/queue-name': 'batch' } }],
    ['where the engine leaves the object alone', forEver, { traits: { applies: false } }],
  ])('is silent %s', (_case, parts, rest) => {
    expect(judge(parts, rest)).toEqual([])
  })

  it('is silent for CronJobs', () => {
    expect(suspendedUnderWaiter.kinds).toEqual(['Job'])
  })
})
