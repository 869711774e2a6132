import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import { putCannotUpdateJob } from './put-cannot-update-job.ts'

const judge = (options: Made) => putCannotUpdateJob.check?.(made(options), context()) ?? []

describe('put-cannot-update-job', () => {
  it('says that an unchanged Job fails as well', () => {
    const [finding] = judge({ traits: { updatesBy: 'put' } })
    expect(finding?.what).toContain('changed or not')
    expect(finding?.why).toContain('field is immutable')
  })

  it('speaks for a hook that is kept', () => {
    const kept = hook({ deletePolicies: ['hook-failed'] })
    expect(judge({ traits: { updatesBy: 'put', hook: kept } })).toHaveLength(1)
  })

  it.each<[string, Made]>([
    ['for an engine that applies', {}],
    ['for an engine that deletes and creates', { traits: { updatesBy: 'delete-and-create' } }],
    ['for a hook that is deleted before each run', { traits: { updatesBy: 'put', hook: hook() } }],
    ['where the engine leaves the object alone', { traits: { updatesBy: 'put', applies: false } }],
  ])('is silent %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })

  it('is silent for CronJobs', () => {
    expect(putCannotUpdateJob.kinds).toEqual(['Job'])
  })
})
