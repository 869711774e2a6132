import { describe, expect, it } from 'vitest'
import { answer, application, cronJob, job, type Row } from '../../test/engines/objects.ts'
import { argocd } from './argocd.ts'

const OPTIONS = 'argocd.argoproj.io/sync-options'

const automated = application({ automated: {} })
const healing = application({ automated: { prune: true, selfHeal: true } })

const heals = {
  when: 'watch',
  delaySeconds: 0,
  maxDelaySeconds: 300,
  pausesSeconds: [0, 2, 6, 18, 54, 162, 300],
  rule: 'A-10',
}
const byHand = { when: 'change', on: 'the next sync by hand', byHand: true, rule: 'A-2, A-6' }
const undecided = {
  when: 'change',
  on: 'the next sync by hand',
  orSooner: true,
  rule: 'A-2, A-6',
}
const byRevision = {
  when: 'change',
  on: 'the next revision of the source or a sync by hand',
  rule: 'A-4, A-6',
}

const plain: readonly Row[] = [
  {
    says: 'A-10, traces 010, 014: self-heal restores at once',
    carrier: healing,
    object: job({}, { ttlSecondsAfterFinished: 3600 }),
    expect: {
      applies: true,
      restoresAbsent: heals,
      templateChange: 'refused',
      updatesBy: 'apply',
      recreatesUnchanged: undefined,
      hook: undefined,
      waiter: undefined,
      removesUndeclared: true,
      generateName: 'hooks-only',
      recreatesFailed: undefined,
      assumed: false,
    },
  },
  {
    says: 'A-4, trace 012: automated without self-heal restores with the next revision',
    carrier: automated,
    expect: { restoresAbsent: byRevision, removesUndeclared: false },
  },
  {
    says: 'A-2: no automated sync, then only a sync by hand does, and it chooses what to prune',
    carrier: application(),
    expect: { restoresAbsent: byHand, removesUndeclared: undefined },
  },
  {
    says: 'automated: null is off',
    carrier: application({ automated: null }),
    expect: { restoresAbsent: byHand },
  },
  {
    says: 'enabled: false switches the block off, self-heal with it',
    carrier: application({ automated: { enabled: false, selfHeal: true, prune: true } }),
    expect: { restoresAbsent: byHand, removesUndeclared: undefined },
  },
  {
    says: 'enabled: true is the default',
    carrier: application({ automated: { enabled: true, selfHeal: true } }),
    expect: { restoresAbsent: heals },
  },
  {
    says: 'a templated self-heal is not claimed',
    carrier: application({ automated: { selfHeal: '{{ selfHeal }}', prune: '{{ prune }}' } }),
    expect: {
      restoresAbsent: { ...byRevision, orSooner: true },
      removesUndeclared: undefined,
    },
  },
  {
    says: 'without an Application nothing is claimed that a setting decides',
    expect: { restoresAbsent: undecided, removesUndeclared: undefined, updatesBy: 'apply' },
  },
  {
    says: 'an ApplicationSet carries the policy in its template',
    carrier: {
      kind: 'ApplicationSet',
      spec: { template: { spec: { syncPolicy: { automated: { selfHeal: true } } } } },
    },
    expect: { restoresAbsent: heals, removesUndeclared: false },
  },
  {
    says: 'the syncPolicy of the ApplicationSet itself is another one',
    carrier: { kind: 'ApplicationSet', spec: { syncPolicy: { automated: { selfHeal: true } } } },
    expect: { restoresAbsent: byHand },
  },
  {
    says: 'a templatePatch that touches the policy makes it unknown',
    carrier: {
      kind: 'ApplicationSet',
      spec: {
        template: { spec: { syncPolicy: { automated: { selfHeal: true } } } },
        templatePatch: 'spec:\n  syncPolicy:\n    automated: {{ .auto }}\n',
      },
    },
    expect: { restoresAbsent: undecided, removesUndeclared: undefined },
  },
  {
    says: 'skip-reconcile leaves the Application alone',
    carrier: {
      ...healing,
      metadata: { annotations: { 'argocd.argoproj.io/skip-reconcile': 'true' } },
    },
    expect: { applies: false, restoresAbsent: { when: 'never', rule: 'A-2' } },
  },
  {
    says: 'A-25: Prune=false on the object keeps it',
    carrier: healing,
    object: job({ [OPTIONS]: 'Replace=false, Prune=false' }),
    expect: { removesUndeclared: false },
  },
  {
    says: 'A-25: Prune=confirm waits for a person',
    carrier: healing,
    object: job({ [OPTIONS]: 'Prune=confirm' }),
    expect: { removesUndeclared: false },
  },
  {
    says: 'A-27, traces 041, 100: Force and Replace run it at every full sync',
    carrier: healing,
    object: job({ [OPTIONS]: 'Force=true,Replace=true' }),
    expect: {
      updatesBy: 'delete-and-create',
      recreatesUnchanged: 'every full sync',
      templateChange: 'recreates',
    },
  },
  {
    says: 'Replace of the Application with Force of the object is the same',
    carrier: application({ automated: {}, syncOptions: ['Replace=true'] }),
    object: job({ [OPTIONS]: 'Force=true' }),
    expect: { updatesBy: 'delete-and-create', recreatesUnchanged: 'every full sync' },
  },
  {
    says: 'Force as sync option of the Application is none',
    carrier: application({ automated: {}, syncOptions: ['Force=true', 'Replace=true'] }),
    expect: { updatesBy: 'put', recreatesUnchanged: undefined, templateChange: 'refused' },
  },
  {
    says: 'A-28, traces 045, 101, case 009: ApplyOutOfSyncOnly leaves the unchanged Job alone',
    carrier: application({ automated: {}, syncOptions: ['ApplyOutOfSyncOnly=true'] }),
    object: job({ [OPTIONS]: 'Force=true,Replace=true' }),
    expect: {
      updatesBy: 'delete-and-create',
      recreatesUnchanged: undefined,
      templateChange: 'recreates',
    },
  },
  {
    says: 'A-27, trace 040: Replace alone is a PUT',
    carrier: healing,
    object: job({ [OPTIONS]: 'Replace=true' }),
    expect: { updatesBy: 'put', templateChange: 'refused' },
  },
  {
    says: 'Replace=false of the object wins over the Application',
    carrier: application({ automated: {}, syncOptions: ['Replace=true'] }),
    object: job({ [OPTIONS]: 'Replace=false' }),
    expect: { updatesBy: 'apply' },
  },
  {
    says: 'trace 042: Force alone replaces what is refused, and only that',
    carrier: healing,
    object: job({ [OPTIONS]: 'Force=true' }),
    expect: { updatesBy: 'apply', recreatesUnchanged: undefined, templateChange: 'recreates' },
  },
  {
    says: 'traces 037, 044, 093: Force has no effect under server-side apply',
    carrier: application({ automated: {}, syncOptions: ['ServerSideApply=true'] }),
    object: job({ [OPTIONS]: 'Force=true' }),
    expect: { templateChange: 'refused' },
  },
  {
    says: 'trace 093: nor with server-side apply on the Job itself',
    carrier: automated,
    object: job({ [OPTIONS]: 'Force=true,ServerSideApply=true' }),
    expect: { templateChange: 'refused' },
  },
  {
    says: 'ServerSideApply=false of the object brings Force back',
    carrier: application({ automated: {}, syncOptions: ['ServerSideApply=true'] }),
    object: job({ [OPTIONS]: 'Force=true,ServerSideApply=false' }),
    expect: { templateChange: 'recreates' },
  },
  {
    says: 'trace 044: Force and Replace win over server-side apply',
    carrier: application({ automated: {}, syncOptions: ['ServerSideApply=true'] }),
    object: job({ [OPTIONS]: 'Force=true,Replace=true' }),
    expect: { updatesBy: 'delete-and-create', recreatesUnchanged: 'every full sync' },
  },
  {
    says: 'options are read in their exact spelling',
    carrier: healing,
    object: job({ [OPTIONS]: 'force=true,replace=true' }),
    expect: { updatesBy: 'apply', templateChange: 'refused' },
  },
  {
    says: 'templated options are not claimed',
    carrier: healing,
    object: job({ [OPTIONS]: '{{ .Values.syncOptions }}' }),
    expect: { updatesBy: 'apply', templateChange: 'refused' },
  },
  {
    says: 'trace 048: an ignored pod template is never applied',
    carrier: application(
      { automated: {}, syncOptions: ['RespectIgnoreDifferences=true'] },
      {
        ignoreDifferences: [{ group: 'batch', kind: 'Job', jsonPointers: ['/spec/template'] }],
      },
    ),
    expect: { templateChange: 'skipped' },
  },
  {
    says: 'ignored in the comparison alone, it is still applied and refused',
    carrier: application(
      { automated: {} },
      {
        ignoreDifferences: [{ group: 'batch', kind: 'Job', jsonPointers: ['/spec/template'] }],
      },
    ),
    expect: { templateChange: 'refused' },
  },
  {
    says: 'A-21, traces 053, 095: nobody waits for a plain Job, the health of the app shows it',
    carrier: healing,
    expect: {
      waiter: undefined,
      health: {
        where: 'the health of the Application',
        suspended: 'Suspended',
        failed: 'Degraded',
        rule: 'A-16',
      },
    },
  },
  {
    says: 'A-17: a suspended CronJob is Healthy',
    carrier: healing,
    object: cronJob(),
    expect: {
      templateChange: 'patched',
      health: {
        where: 'the health of the Application',
        suspended: 'Healthy',
        failed: 'Degraded',
        rule: 'A-17',
      },
    },
  },
  {
    says: 'A-21 to A-23, traces 033, 054, 064: what something follows is waited for',
    carrier: automated,
    surroundings: { followed: true },
    expect: {
      waiter: {
        who: 'the Argo CD sync',
        timeoutSeconds: undefined,
        pollSeconds: undefined,
        suspended: 'waits',
        absent: 'failure',
        afterFailure: 'stays-failed',
        rule: 'A-21, A-22, A-23',
      },
    },
  },
  {
    says: 'traces 050, 095: the last wave is not',
    carrier: automated,
    surroundings: { followed: false },
    expect: { waiter: undefined, comesLast: 'the last wave' },
  },
  {
    says: 'nothing is said of the last wave where more may follow',
    carrier: automated,
    expect: { waiter: undefined, comesLast: undefined },
  },
  {
    says: 'traces 037, 094: under server-side apply a refused change soon reads as applied',
    carrier: application({ automated: {}, syncOptions: ['ServerSideApply=true'] }),
    expect: {
      templateChange: 'refused',
      refusedReadsApplied: { setting: 'ServerSideApply', words: 'ServerSideApply=true' },
    },
  },
  {
    says: 'trace 115: unless server-side diff is switched off',
    carrier: {
      ...application({ automated: {}, syncOptions: ['ServerSideApply=true'] }),
      metadata: {
        annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=false' },
      },
    },
    expect: { refusedReadsApplied: undefined },
  },
  {
    says: 'trace 079: the option of an object alone does not switch it on',
    carrier: automated,
    object: job({ [OPTIONS]: 'ServerSideApply=true' }),
    expect: { refusedReadsApplied: undefined },
  },
  {
    says: 'a CronJob may be changed',
    carrier: application({ automated: {}, syncOptions: ['ServerSideApply=true'] }),
    object: cronJob(),
    expect: { refusedReadsApplied: undefined },
  },
  {
    says: 'trace 118: Force and a finalizer lose the work',
    carrier: automated,
    object: job({ [OPTIONS]: 'Force=true' }),
    expect: { whileHeld: expect.stringContaining('nothing makes the new one') },
  },
  {
    says: 'trace 121: Force,Replace waits for the finalizer',
    carrier: automated,
    object: job({ [OPTIONS]: 'Force=true,Replace=true' }),
    expect: { whileHeld: expect.stringContaining('up to 5 min') },
  },
  {
    says: 'trace 052: there a retry runs a Force,Replace Job again',
    carrier: automated,
    object: job({ [OPTIONS]: 'Force=true,Replace=true' }),
    surroundings: { followed: true },
    expect: { waiter: expect.objectContaining({ afterFailure: 'recreates' }) },
  },
]

describe('Argo CD, plain objects', () => {
  it.each(plain)('$says', (row) => {
    expect(answer(argocd, row)).toEqual(row.expect)
  })
})
