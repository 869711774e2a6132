import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import type { Hook } from '../../engines/engine.ts'
import { hashWithDeleteOnSuccess } from './hash-with-delete-on-success.ts'

const ARGO = 'argocd.argoproj.io/hook-delete-policy'
const HELM = 'helm.sh/hook-delete-policy'

function judge(parts: Partial<Hook> | undefined, rest: Made = {}) {
  const traits = { ...rest.traits, ...(parts === undefined ? {} : { hook: hook(parts) }) }
  return (
    hashWithDeleteOnSuccess.check?.(
      made({ name: 'migrate-5d1e77aa', ...rest, traits }),
      context(),
    ) ?? []
  )
}

const helm: Partial<Hook> = {
  annotation: 'helm.sh/hook',
  phases: ['pre-upgrade'],
  runsOn: 'every upgrade',
  existing: 'reused-or-refused',
}

describe('hash-with-delete-on-success', () => {
  it.each<[string, Partial<Hook>, string]>([
    ['the default policy', {}, 'no delete policy is written'],
    [
      'hook-succeeded',
      { deletePolicies: ['hook-succeeded'], policyAnnotations: [ARGO] },
      'once it has succeeded, so its name is free at the next full sync',
    ],
    [
      'before-hook-creation in a list',
      {
        deletePolicies: ['hook-failed', 'before-hook-creation'],
        policyAnnotations: [ARGO, HELM],
      },
      'delete the old Job first',
    ],
    ['a Helm hook of any policy', { ...helm, deletePolicies: ['hook-failed'] }, 'Helm 3 stops'],
  ])('speaks for %s', (_case, parts, why) => {
    const [finding] = judge(parts)
    expect(finding?.what).toContain('content hash 5d1e77aa')
    expect(finding?.why).toContain(why)
    expect(finding?.severity).toBeUndefined()
  })

  it('points at the policy, or at the hook where none is written', () => {
    expect(judge({})[0]?.at).toEqual(['metadata', 'annotations', 'argocd.argoproj.io/hook'])
    const two = judge({ deletePolicies: ['hook-succeeded'], policyAnnotations: [ARGO, HELM] })
    expect(two[0]?.at).toEqual(['metadata', 'annotations', ARGO])
    expect(two[0]?.related).toHaveLength(1)
  })

  it.each([
    'shop-{{ toYaml .Values.job | sha256sum | trunc 8 }}',
    'shop-<< inputs.tag | adler32sum >>',
  ])('takes the hash function in %s for a hash', (name) => {
    expect(judge({}, { name })).toHaveLength(1)
  })

  it('only warns where the author says that a repeat converges', () => {
    const annotations = { 'semel.dev/contract': 'converges' }
    expect(judge({}, { annotations })[0]?.severity).toBe('warning')
  })

  it('only warns where rendering may add another policy', () => {
    expect(judge({}, { open: ['metadata.annotations'] })[0]?.severity).toBe('warning')
  })

  it('does not claim a deletion that rendering decides', () => {
    const annotations = { [HELM]: '{{ .Values.policy }}' }
    const [finding] = judge({ ...helm, policyAnnotations: [HELM] }, { annotations })
    expect(finding?.severity).toBe('warning')
    expect(finding?.why).not.toContain('deletes')
  })

  it('only warns, and says so, where the engine is assumed', () => {
    const [finding] = judge({}, { traits: { assumed: true } })
    expect(finding?.severity).toBe('warning')
    expect(finding?.why).toMatch(/^engine unknown; assuming one that runs hooks: /)
  })

  it.each<[string, Partial<Hook> | undefined, Made]>([
    ['for an ordinary Job', undefined, {}],
    ['for a name without a hash', {}, { name: 'migrate' }],
    [
      'for a kept hook that is taken for done',
      { deletePolicies: ['hook-failed'], policyAnnotations: [ARGO] },
      {},
    ],
    ['for a hook of another occasion', { phases: ['SyncFail'], onlyOn: 'a failed sync' }, {}],
    [
      'where rendering decides the policy',
      { policyAnnotations: [ARGO] },
      { annotations: { [ARGO]: '{{ .Values.policy }}' } },
    ],
    ['where the engine leaves the object alone', {}, { traits: { applies: false } }],
  ])('is silent %s', (_case, parts, rest) => {
    expect(judge(parts, rest)).toEqual([])
  })
})
