import { expect, it } from 'vitest'
import { answer, cronJob, job, type Row } from '../../test/engines/objects.ts'
import { helm } from './helm.ts'

const HOOK = 'helm.sh/hook'
const POLICY = 'helm.sh/hook-delete-policy'

const rows: readonly Row[] = [
  {
    says: 'H-7, H-8, traces 009, 010, case 020: every upgrade restores, none changes a template',
    expect: {
      applies: true,
      restoresAbsent: { when: 'change', on: 'the next helm upgrade or rollback', rule: 'H-7' },
      templateChange: 'refused',
      updatesBy: 'apply',
      hook: undefined,
      waiter: undefined,
      removesUndeclared: true,
      recreatesFailed: undefined,
      assumed: false,
    },
  },
  {
    says: 'trace 019: no name, no object, for hooks neither',
    object: job({ [HOOK]: 'pre-install' }),
    expect: { generateName: 'refused' },
  },
  {
    says: 'H-12, trace 020: resource-policy keep',
    object: job({ 'helm.sh/resource-policy': 'keep' }),
    expect: { removesUndeclared: false },
  },
  {
    says: 'H-1 to H-3, traces 001, 018, case 023: a hook runs with the command and is waited for',
    object: job({ [HOOK]: 'pre-install,pre-upgrade' }),
    expect: {
      restoresAbsent: { when: 'never', rule: 'H-1' },
      templateChange: 'recreates',
      hook: {
        annotation: HOOK,
        phases: ['pre-install', 'pre-upgrade'],
        runsOn: 'every install and upgrade',
        deletePolicies: ['before-hook-creation'],
        policyAnnotations: [],
        existing: 'reused-or-refused',
      },
      waiter: {
        who: 'the helm command',
        timeoutSeconds: 300,
        pollSeconds: undefined,
        suspended: 'waits',
        absent: 'success',
        afterFailure: 'stays-failed',
        rule: 'H-2, H-5',
      },
      removesUndeclared: false,
    },
  },
  {
    says: 'H-3, traces 003, 031, case 022: a list drops the default, and a change is refused',
    object: job({ [HOOK]: 'pre-upgrade', [POLICY]: 'hook-succeeded' }),
    expect: {
      templateChange: 'refused',
      hook: expect.objectContaining({
        deletePolicies: ['hook-succeeded'],
        policyAnnotations: [POLICY],
        existing: 'reused-or-refused',
      }),
    },
  },
  {
    says: 'trace 021: a test runs only when asked for',
    object: job({ [HOOK]: 'test' }),
    expect: { hook: expect.objectContaining({ onlyOn: 'test run' }) },
  },
  {
    says: 'a templated event claims no occasion and no waiter',
    object: job({ [HOOK]: '{{ .Values.event }}' }),
    expect: {
      hook: expect.objectContaining({ onlyOn: 'what rendering decides' }),
      waiter: undefined,
    },
  },
  {
    says: 'an unknown event leaves the object out',
    object: job({ [HOOK]: 'pre-instal' }),
    expect: { applies: false, restoresAbsent: { when: 'never', rule: 'H-1' } },
  },
  {
    says: 'the annotation of Argo CD is nothing to Helm',
    object: job({ 'argocd.argoproj.io/hook': 'PreSync' }),
    expect: { hook: undefined, templateChange: 'refused' },
  },
  {
    says: 'a CronJob is patched, and nobody waits for one',
    object: cronJob({ [HOOK]: 'pre-upgrade', [POLICY]: 'hook-failed' }),
    expect: { templateChange: 'patched', waiter: undefined },
  },
]

it.each(rows)('Helm: $says', (row) => {
  expect(answer(helm, row)).toEqual(row.expect)
})

it('has no settings: they are flags of the command', () => {
  expect(helm.settings({ apiVersion: 'v2', name: 'chart' })).toEqual([])
})
