import { describe, expect, it } from 'vitest'
import { context, hook, made, repositoryOf, waiter, type Made } from '../../../test/lint/subject.ts'
import type { JsonObject } from '../../core/json.ts'
import { failedJobBlocks } from './failed-job-blocks.ts'

const kustomization = (name: string, ...dependsOn: readonly JsonObject[]): JsonObject => ({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name, namespace: 'flux-system' },
  spec: { dependsOn },
})

function judge(options: Made = {}, others: readonly JsonObject[] = []) {
  const subject = made({
    carrier: kustomization('migrate'),
    ...options,
    traits: { waiter: waiter(), ...options.traits },
  })
  return failedJobBlocks.checkRepository?.(repositoryOf([subject], others), context()) ?? []
}

describe('failed-job-blocks', () => {
  it('names what stops, and that only a person ends it', () => {
    const [finding] = judge()
    expect(finding?.what).toBe(
      'one failure of Job shop/migrate holds up Kustomization flux-system/migrate until a person deletes the Job',
    )
    expect(finding?.subject?.kind).toBe('Job')
  })

  it('names the dependents, the distant ones too, nearest first', () => {
    const [finding] = judge({}, [
      kustomization('monitoring', { name: 'app' }),
      kustomization('app', { name: 'migrate' }),
      kustomization('other', { name: 'migrate', namespace: 'elsewhere' }),
      kustomization('apart', { name: 'something' }),
    ])
    expect(finding?.what).toContain(
      'and with it Kustomization flux-system/app, Kustomization flux-system/monitoring, until',
    )
    expect(finding?.related).toHaveLength(2)
  })

  it('names three of many dependents and counts the rest', () => {
    const many = Array.from({ length: 12 }, (_, at) =>
      kustomization(`app-${at}`, { name: 'migrate' }),
    )
    const [finding] = judge({}, many)
    expect(finding?.what).toContain('flux-system/app-2 and 9 more, until')
    expect(finding?.related).toHaveLength(10)
  })

  it('survives a circle of dependencies', () => {
    const circle = [
      kustomization('a', { name: 'migrate' }, { name: 'b' }),
      kustomization('b', { name: 'a' }),
    ]
    expect(judge({}, circle)[0]?.related).toHaveLength(2)
  })

  it('follows a kind that an entry names', () => {
    const set: JsonObject = {
      apiVersion: 'fluxcd.controlplane.io/v1',
      kind: 'ResourceSet',
      metadata: { name: 'apps', namespace: 'flux-system' },
      spec: { dependsOn: [{ kind: 'Kustomization', name: 'migrate' }] },
    }
    expect(judge({}, [set])[0]?.what).toContain('ResourceSet flux-system/apps')
  })

  it('offers force only where the engine has it', () => {
    expect(judge({ settings: { force: 'false' } })[0]?.remedy).toContain('force')
    expect(judge()[0]?.remedy).not.toContain('force')
  })

  it.each<[string, Made]>([
    ['when nobody waits', { traits: { waiter: undefined } as never }],
    ['when a change replaces the Job', { traits: { templateChange: 'recreates' } }],
    ['when the failure is repeated', { traits: { waiter: waiter({ afterFailure: 'recreates' }) } }],
    ['when failed Jobs are recreated', { traits: { recreatesFailed: 'at every reconcile' } }],
    ['when the name follows the content', { name: 'migrate-5d1e77aa' }],
    ['when a TTL removes the Job', { spec: { ttlSecondsAfterFinished: 3600 } }],
    ['when rendering may add a TTL', { open: ['spec'] }],
    ['for suspended Jobs', { spec: { suspend: true } }],
    ['for hooks', { traits: { hook: hook() } }],
    [
      'when rendering may make it a hook',
      { open: ['metadata.annotations'], hookTraits: { hook: hook() } },
    ],
    ['when the engine is not known', { traits: { assumed: true } }],
    ['where the engine leaves the object alone', { traits: { applies: false } }],
    ['for CronJobs', { kind: 'CronJob' }],
  ])('is silent %s', (_case, options) => {
    expect(judge(options)).toEqual([])
  })
})
