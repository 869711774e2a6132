import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { context, made, repositoryOf, type Made } from '../../../test/lint/subject.ts'
import { dependsOnJobUnreliable } from './depends-on-job-unreliable.ts'

const EXPRESSION = { readyExpr: "status.conditions.exists(c, c.type == 'Complete')" }

const judge = (entry: JsonObject, jobs: readonly Made[] = []) => {
  const set: JsonObject = {
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSet',
    metadata: { name: 'app', namespace: 'shop' },
    spec: {
      dependsOn: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'migrate', ready: true, ...entry }],
    },
  }
  const repository = repositoryOf(jobs.map(made), [set])
  return dependsOnJobUnreliable.checkRepository?.(repository, context()) ?? []
}

const ttl: Made = { spec: { ttlSecondsAfterFinished: 3600 } }

describe('depends-on-job-unreliable', () => {
  it('says that a started Job is enough without an expression', () => {
    expect(judge({})[0]?.what).toContain('as soon as the Job migrate has started')
  })

  it('says that a TTL ends the dependency, whatever the expression', () => {
    const [finding] = judge(EXPRESSION, [ttl])
    expect(finding?.what).toContain('stands still once the TTL has deleted Job shop/migrate')
    expect(finding?.related).toHaveLength(1)
    expect(judge({}, [ttl])).toHaveLength(1)
  })

  it.each<[string, JsonObject, readonly Made[]]>([
    ['for an expression over a Job that stays', EXPRESSION, [{}]],
    ['for an expression over a Job elsewhere', EXPRESSION, []],
    ['where existence alone is asked for', { ready: false }, [{}]],
    ['for other kinds', { kind: 'Deployment' }, [ttl]],
    ['for a Job of another namespace', { ...EXPRESSION, namespace: 'other' }, [ttl]],
    ['for a templated name', { ...EXPRESSION, name: '<< inputs.name >>' }, [ttl]],
    [
      'for a templated TTL',
      EXPRESSION,
      [{ spec: { ttlSecondsAfterFinished: '<< inputs.ttl >>' } }],
    ],
  ])('is silent %s', (_case, entry, jobs) => {
    expect(judge(entry, jobs)).toEqual([])
  })
})
