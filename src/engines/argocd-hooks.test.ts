import { describe, expect, it } from 'vitest'
import { answer, application, job, type Row } from '../../test/engines/objects.ts'
import { argocd } from './argocd.ts'

const OPTIONS = 'argocd.argoproj.io/sync-options'
const HOOK = 'argocd.argoproj.io/hook'
const POLICY = 'argocd.argoproj.io/hook-delete-policy'

const automated = application({ automated: {} })
const healing = application({ automated: { prune: true, selfHeal: true } })

const hookWaiter = {
  who: 'the Argo CD sync',
  timeoutSeconds: undefined,
  pollSeconds: undefined,
  suspended: 'waits',
  absent: 'hangs',
  afterFailure: 'recreates',
  rule: 'A-21, A-34, A-37',
}

const hooks: readonly Row[] = [
  {
    says: 'A-14, A-33, traces 020, 009: a hook with the default policy runs at every full sync',
    carrier: healing,
    object: job({ [HOOK]: 'PreSync' }),
    expect: {
      applies: true,
      restoresAbsent: { when: 'never', rule: 'A-14' },
      templateChange: 'recreates',
      updatesBy: 'apply',
      recreatesUnchanged: undefined,
      hook: {
        annotation: HOOK,
        phases: ['PreSync'],
        runsOn: 'every full sync',
        deletePolicies: ['before-hook-creation'],
        policyAnnotations: [],
        existing: 'reused-or-refused',
      },
      waiter: hookWaiter,
      health: undefined,
      removesUndeclared: false,
      generateName: 'hooks-only',
      recreatesFailed: undefined,
    },
  },
  {
    says: 'chart hooks are phases of the sync, install hooks too (A-31)',
    carrier: automated,
    object: job({ 'helm.sh/hook': 'pre-install' }),
    expect: {
      hook: expect.objectContaining({ phases: ['PreSync'], runsOn: 'every full sync' }),
    },
  },
  {
    says: 'traces 021, 119: HookSucceeded alone, and one failure blocks the app',
    carrier: automated,
    object: job({ [HOOK]: 'Sync', [POLICY]: 'HookSucceeded' }),
    expect: {
      templateChange: 'refused',
      hook: expect.objectContaining({
        deletePolicies: ['hook-succeeded'],
        policyAnnotations: [POLICY],
      }),
      waiter: { ...hookWaiter, afterFailure: 'stays-failed' },
    },
  },
  {
    says: 'trace 022: HookFailed alone, and the retry runs the new template',
    carrier: automated,
    object: job({ [HOOK]: 'PreSync', [POLICY]: 'HookFailed' }),
    expect: { templateChange: 'refused', waiter: hookWaiter },
  },
  {
    says: 'A-9, trace 028: a sync by hand does not retry',
    carrier: application(),
    object: job({ [HOOK]: 'PreSync' }),
    expect: { waiter: { ...hookWaiter, afterFailure: 'stays-failed' } },
  },
  {
    says: 'a retry block without a limit retries nothing',
    carrier: application({ automated: {}, retry: { backoff: { duration: '5s' } } }),
    object: job({ [HOOK]: 'PreSync' }),
    expect: { waiter: { ...hookWaiter, afterFailure: 'stays-failed' } },
  },
  {
    says: 'a negative limit repeats a failing hook for ever',
    carrier: application({ automated: {}, retry: { limit: -1 } }),
    object: job({ [HOOK]: 'PreSync' }),
    expect: { recreatesFailed: 'every retry of the sync, without a limit', waiter: hookWaiter },
  },
  {
    says: 'trace 029: a SyncFail hook belongs to no ordinary sync',
    carrier: automated,
    object: job({ [HOOK]: 'SyncFail' }),
    expect: {
      hook: expect.objectContaining({
        runsOn: 'every failed attempt of a sync',
        onlyOn: 'a failed sync',
      }),
    },
  },
  {
    says: 'A-40, traces 062, 088: a failing PreDelete hook repeats and blocks the deletion',
    carrier: automated,
    object: job({ [HOOK]: 'PreDelete', [POLICY]: 'HookSucceeded' }),
    expect: {
      hook: expect.objectContaining({
        onlyOn: 'deletion of the Application',
        deletePolicies: ['hook-succeeded', 'before-hook-creation'],
      }),
      waiter: { ...hookWaiter, who: 'the deletion of the Application' },
      recreatesFailed: 'every reconcile while the Application is being deleted',
    },
  },
  {
    says: 'trace 061: a PostDelete hook is not waited for',
    carrier: automated,
    object: job({ 'helm.sh/hook': 'post-delete' }),
    expect: { waiter: undefined, recreatesFailed: undefined },
  },
  {
    says: 'A-31, trace 025: a misspelt type leaves the object out',
    carrier: healing,
    object: job({ [HOOK]: 'Presync' }),
    expect: {
      applies: false,
      appliesNot: `Argo CD knows no hook in ${HOOK}: Presync`,
      restoresAbsent: { when: 'never', rule: 'A-31' },
    },
  },
  {
    says: 'a Helm test is left out as well',
    carrier: healing,
    object: job({ 'helm.sh/hook': 'test' }),
    expect: { applies: false },
  },
  {
    says: 'a templated type is a hook of no known occasion, and nobody is said to wait',
    carrier: healing,
    object: job({ [HOOK]: '{{ .Values.phase }}' }),
    expect: {
      restoresAbsent: { when: 'never', rule: 'A-14' },
      hook: expect.objectContaining({ onlyOn: 'what rendering decides' }),
      waiter: undefined,
      recreatesFailed: undefined,
    },
  },
  {
    says: 'Replace on a hook is a PUT only when nothing deletes it first',
    carrier: automated,
    object: job({ [HOOK]: 'Sync', [OPTIONS]: 'Replace=true', [POLICY]: 'HookFailed' }),
    expect: { updatesBy: 'put' },
  },
  {
    says: 'with BeforeHookCreation there is nothing to replace',
    carrier: automated,
    object: job({ [HOOK]: 'Sync', [OPTIONS]: 'Force=true,Replace=true' }),
    expect: { updatesBy: 'apply', recreatesUnchanged: undefined },
  },
]

describe('Argo CD, hooks', () => {
  it.each(hooks)('$says', (row) => {
    expect(answer(argocd, row)).toEqual(row.expect)
  })
})
