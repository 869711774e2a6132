import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import type { DeletePolicy, Hook } from '../../engines/engine.ts'
import { hookDeletePolicyDropsDefault } from './hook-delete-policy-drops-default.ts'

const ARGO = 'argocd.argoproj.io/hook-delete-policy'
const HELM = 'helm.sh/hook-delete-policy'

const written = (
  text: string,
  existing: Hook['existing'] | 'argo' = 'reused-or-refused',
): Partial<Hook> => {
  const deletePolicies = text.split(',').filter((word) => word !== '') as DeletePolicy[]
  if (existing === 'argo') {
    return { deletePolicies, policyAnnotations: [ARGO], existing: 'reused-or-refused' }
  }
  return {
    annotation: 'helm.sh/hook',
    phases: ['pre-upgrade'],
    runsOn: 'every upgrade',
    deletePolicies,
    policyAnnotations: [HELM],
    existing,
  }
}

function judge(parts: Partial<Hook> | undefined, rest: Made = {}) {
  const traits = { ...rest.traits, ...(parts === undefined ? {} : { hook: hook(parts) }) }
  return hookDeletePolicyDropsDefault.check?.(made({ ...rest, traits }), context()) ?? []
}

describe('hook-delete-policy-drops-default', () => {
  it.each<[string, Hook['existing'] | 'argo', string, string, 'warning' | undefined]>([
    ['hook-succeeded', 'refused', 'first failure of the hook stops', 'already exists', undefined],
    ['hook-succeeded', 'argo', 'first failure of the hook stops', 'failed at once', undefined],
    ['hook-succeeded', 'reused-or-refused', 'first failure', 'Helm 4 takes the old', undefined],
    ['hook-failed', 'refused', 'finished Job stays and stops', 'already exists', undefined],
    ['hook-failed', 'argo', 'does not run it', 'done without a run', 'warning'],
    ['hook-failed', 'reused-or-refused', 'does not run it', 'does not run an unchanged', undefined],
    ['', 'refused', 'finished Job stays and stops', 'already exists', undefined],
    ['hook-succeeded,hook-failed', 'refused', 'client is killed', 'while the client', 'warning'],
  ])('%s where an old Job is %s', (text, existing, what, why, severity) => {
    const found = judge(written(text, existing))
    expect(found).toHaveLength(1)
    expect(found[0]?.what).toContain(what)
    expect(found[0]?.why).toContain(why)
    expect(found[0]?.severity).toBe(severity)
  })

  it('writes the list that repairs it in the spelling of its family', () => {
    const helm = judge(written('hook-succeeded'), { annotations: { [HELM]: 'hook-succeeded ' } })
    expect(helm[0]?.remedy).toBe(`write ${HELM}: before-hook-creation,hook-succeeded`)
    const argo = judge(
      { deletePolicies: ['hook-succeeded'], policyAnnotations: [ARGO] },
      { annotations: { [ARGO]: 'HookSucceeded' } },
    )
    expect(argo[0]?.remedy).toBe(`write ${ARGO}: BeforeHookCreation,HookSucceeded`)
  })

  it('speaks for hooks of install and test, which may be repeated too', () => {
    const test = { ...written('hook-succeeded'), phases: ['test'], onlyOn: 'test run' }
    expect(judge(test)).toHaveLength(1)
  })

  it('only warns, and says so, where the engine is assumed', () => {
    const [finding] = judge(written('hook-succeeded'), { traits: { assumed: true } })
    expect(finding?.severity).toBe('warning')
    expect(finding?.why).toMatch(/^engine unknown; assuming one that runs hooks: /)
  })

  it.each<[string, Partial<Hook> | undefined, Made]>([
    ['for an ordinary Job', undefined, {}],
    ['when no policy is written', {}, {}],
    ['when before-hook-creation is in the list', written('before-hook-creation,hook-failed'), {}],
    ['where rendering decides it', written('hook-failed'), { annotations: { [HELM]: '{{ .p }}' } }],
    ['for hooks of a deletion', { ...written('hook-succeeded'), phases: ['post-delete'] }, {}],
    ['where rendering decides the phase', { ...written('hook-failed'), phases: ['{{ .p }}'] }, {}],
    ['for generateName', written('hook-succeeded'), { generateName: 'migrate-' }],
    ['for a name that follows the content', written('hook-failed'), { name: 'migrate-5d1e77aa' }],
    [
      'where the engine itself carries out both other policies',
      written('hook-succeeded,hook-failed', 'argo'),
      {},
    ],
    [
      'where the engine leaves the object alone',
      written('hook-failed'),
      { traits: { applies: false } },
    ],
  ])('is silent %s', (_case, parts, rest) => {
    expect(judge(parts, rest)).toEqual([])
  })
})
