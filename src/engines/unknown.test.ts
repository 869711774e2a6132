import { describe, expect, it } from 'vitest'
import { answer, cronJob, job, type Row } from '../../test/engines/objects.ts'
import { unknown } from './unknown.ts'

const ARGO = 'argocd.argoproj.io/hook'
const HELM = 'helm.sh/hook'
const never = { when: 'never', rule: 'A-14, H-1' }

const rows: readonly Row[] = [
  {
    says: 'cases 049, 054, 060: restores what is absent, nobody knows how often; nobody waits',
    object: job({}, { ttlSecondsAfterFinished: 100 }),
    expect: {
      applies: true,
      restoresAbsent: { when: 'interval', periodSeconds: undefined, rule: '9.2' },
      templateChange: 'refused',
      updatesBy: 'apply',
      recreatesUnchanged: undefined,
      hook: undefined,
      waiter: undefined,
      health: undefined,
      removesUndeclared: undefined,
      generateName: 'hooks-only',
      recreatesFailed: undefined,
      assumed: true,
    },
  },
  {
    says: 'an Argo CD hook is a hook, and a hook is not restored',
    object: job({ [ARGO]: 'PreSync', 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' }),
    expect: {
      restoresAbsent: never,
      templateChange: 'refused',
      hook: {
        annotation: ARGO,
        phases: ['PreSync'],
        runsOn: 'every full sync',
        deletePolicies: ['hook-succeeded'],
        policyAnnotations: ['argocd.argoproj.io/hook-delete-policy'],
        existing: 'reused-or-refused',
      },
    },
  },
  {
    says: 'a Helm hook is one too, with the occasions of Helm',
    object: job({ [HELM]: 'pre-install,pre-upgrade' }),
    expect: {
      restoresAbsent: never,
      templateChange: 'recreates',
      hook: expect.objectContaining({
        annotation: HELM,
        runsOn: 'every install and upgrade',
        deletePolicies: ['before-hook-creation'],
      }),
    },
  },
  {
    says: 'an install hook is claimed for the install only',
    object: job({ [HELM]: 'post-install' }),
    expect: { hook: expect.objectContaining({ onlyOn: 'install' }) },
  },
  {
    says: 'a SyncFail hook for failures only',
    object: job({ [ARGO]: 'SyncFail' }),
    expect: {
      hook: expect.objectContaining({
        onlyOn: 'a failed sync or the deletion of the application',
      }),
    },
  },
  {
    says: 'an unknown policy word does not drop the default: Argo CD would keep it',
    object: job({ [HELM]: 'pre-upgrade', 'helm.sh/hook-delete-policy': 'typo' }),
    expect: {
      hook: expect.objectContaining({
        deletePolicies: ['before-hook-creation'],
        policyAnnotations: [],
      }),
    },
  },
  {
    says: 'a misspelt hook is no hook, and not said to be restored either',
    object: job({ [ARGO]: 'Presync' }),
    expect: { applies: true, hook: undefined, restoresAbsent: never },
  },
  {
    says: 'a CronJob is patched and never a hook',
    object: cronJob({ [HELM]: 'pre-upgrade' }),
    expect: { hook: undefined, templateChange: 'patched' },
  },
]

describe('an unknown engine', () => {
  it.each(rows)('$says', (row) => {
    expect(answer(unknown, row)).toEqual(row.expect)
  })
})
