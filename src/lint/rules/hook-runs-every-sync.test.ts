import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import type { Hook } from '../../engines/engine.ts'
import { hookRunsEverySync } from './hook-runs-every-sync.ts'

const POLICY = 'argocd.argoproj.io/hook-delete-policy'

function judge(parts: Partial<Hook> | undefined, rest: Made = {}) {
  const traits = { ...rest.traits, ...(parts === undefined ? {} : { hook: hook(parts) }) }
  return hookRunsEverySync.check?.(made({ ...rest, traits }), context()) ?? []
}

describe('hook-runs-every-sync', () => {
  it('says on which occasion the hook runs', () => {
    const [finding] = judge({})
    expect(finding?.what).toBe('Job shop/migrate is a PreSync hook: it runs at every full sync')
    expect(finding?.at).toEqual(['metadata', 'annotations', 'argocd.argoproj.io/hook'])
    expect(finding?.severity).toBeUndefined()
  })

  it('is an error where the author said never-again', () => {
    const annotations = { 'semel.dev/contract': 'never-again' }
    expect(judge({}, { annotations })[0]?.severity).toBe('error')
    const open = ['metadata.annotations']
    expect(judge({}, { annotations, open })[0]?.severity).toBeUndefined()
  })

  it('names the doubt where rendering may add a policy that keeps the Job', () => {
    const [finding] = judge({}, { open: ['metadata.annotations'] })
    expect(finding?.why).toContain('unless rendering adds')
  })

  it('speaks for generateName, whatever the policies are', () => {
    const kept = { deletePolicies: [], policyAnnotations: [POLICY] }
    expect(judge(kept, { generateName: 'migrate-' })).toHaveLength(1)
  })

  it.each<[string, Partial<Hook> | undefined, Made]>([
    ['for an ordinary Job', undefined, {}],
    ['where a repeat converges', {}, { annotations: { 'semel.dev/contract': 'converges' } }],
    ['for a test hook', { phases: ['test'], onlyOn: 'test run' }, {}],
    ['for a hook of a deletion', { phases: ['PostDelete'], onlyOn: 'the deletion' }, {}],
    ['for a hook of a failure', { phases: ['SyncFail'], onlyOn: 'a failed sync' }, {}],
    ['for a hook of the install only', { phases: ['pre-install'], onlyOn: 'install' }, {}],
    ['for a kept hook', { deletePolicies: ['hook-failed'], policyAnnotations: [POLICY] }, {}],
    ['for a name that follows the content', {}, { name: 'migrate-5d1e77aa' }],
    [
      'where rendering decides the policy',
      { policyAnnotations: [POLICY] },
      { annotations: { [POLICY]: '{{ .Values.policy }}' } },
    ],
    ['where the engine leaves the object alone', {}, { traits: { applies: false } }],
  ])('is silent %s', (_case, parts, rest) => {
    expect(judge(parts, rest)).toEqual([])
  })
})
