import { describe, expect, it } from 'vitest'
import { REALISTIC, type Latencies } from '../actor.ts'
import { RESOURCEQUOTAS } from '../admission/resource-quota.ts'
import { CRONJOBS, JOBS } from './cronjob-job.ts'
import { resourceQuotaController } from './resource-quota.ts'
import { cronManifest, jobSpec, PODS, world, type World } from './testing.ts'

function limited(hard: { readonly [name: string]: string }, latencies?: Latencies): World {
  const times = latencies === undefined ? {} : { latencies }
  const given = world({ ...times, actors: [resourceQuotaController] })
  given.create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } })
  return given
}

const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'one' },
  spec: jobSpec({ duration: '5000' }),
}

describe('a quota on numbers of objects (K-80)', () => {
  it('keeps a Job waiting, which tries after 1, 2, 4 s and so on, also after it is gone (106)', () => {
    const given = limited({ pods: '0' }, REALISTIC)
    given.create(job)
    given.until(40)
    given.remove(RESOURCEQUOTAS, 'q')
    given.until(70)
    const tries = given.requests.filter(({ what }) => what === 'create pods')
    expect(tries.map(({ at, code }) => `${Math.floor(at)} ${code}`)).toEqual([
      '0 403',
      '1 403',
      '3 403',
      '7 403',
      '15 403',
      '31 403',
      '63 201',
    ])
    const told = given.events.find(({ reason }) => reason === 'FailedCreate')?.message
    expect(told?.replace(/one-\w{5}/, 'one-xxxxx')).toBe(
      'Error creating: pods "one-xxxxx" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
    )
  })

  it('delays the tick of a CronJob by a pause that doubles from 5 ms (106b)', () => {
    const given = limited({ 'count/jobs.batch': '0' })
    given.create(cronManifest({ play: { duration: '1000' } }))
    given.until(60)
    given.remove(RESOURCEQUOTAS, 'q')
    given.until(109)
    expect(given.jobs().map((text) => text.split('@')[1])).toEqual(['60.335'])
    const told = given.events.find(({ reason }) => reason === 'FailedCreate')?.message
    expect(told).toMatch(
      /^Error creating job: jobs\.batch "tick-\d+" is forbidden: exceeded quota: q, requested: count\/jobs\.batch=1, used: count\/jobs\.batch=0, limited: count\/jobs\.batch=0$/,
    )
    expect(given.get(CRONJOBS, 'tick')).toBeDefined()
  })

  it('does not count pods that have ended', () => {
    const given = limited({ pods: '1' })
    given.create(job)
    given.until(6)
    given.create({ ...job, metadata: { name: 'two' } })
    given.until(12)
    expect(given.cluster.api.read.list(PODS)).toHaveLength(2)
    expect(
      given.cluster.api.read.list(JOBS).every((one) => JSON.stringify(one).includes('"Complete"')),
    ).toBe(true)
  })

  it('shows what is used', () => {
    const given = limited({ pods: '5', 'count/jobs.batch': '2' })
    given.create(job)
    given.until(1)
    expect(given.get(RESOURCEQUOTAS, 'q')?.['status']).toEqual({
      hard: { pods: '5', 'count/jobs.batch': '2' },
      used: { pods: '1', 'count/jobs.batch': '1' },
    })
    given.until(6)
    expect(given.get(RESOURCEQUOTAS, 'q')).toMatchObject({ status: { used: { pods: '0' } } })
  })

  it('of another namespace, or on something else, is not asked', () => {
    const given = limited({ 'requests.cpu': '0' })
    given.create(job)
    given.until(1)
    expect(given.cluster.api.read.list(PODS)).toHaveLength(1)
  })
})
