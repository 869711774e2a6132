import { describe, expect, it } from 'vitest'
import { answer, cronJob, job, type Row } from '../../test/engines/objects.ts'
import type { JsonObject } from '../core/json.ts'
import { kro } from './kro.ts'

function graph(node: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'lab' },
    spec: {
      resources: [
        { id: 'conf', template: { kind: 'ConfigMap', metadata: { name: 'migrate' } } },
        { id: 'run', template: job(), ...node },
      ],
    },
  }
}

const rows: readonly Row[] = [
  {
    says: 'X-1, X-4, X-6, traces 003, 004: an absent Job is back at once, and no switch stops it',
    carrier: graph(),
    object: job({}, { ttlSecondsAfterFinished: 0 }),
    expect: {
      applies: true,
      restoresAbsent: { when: 'watch', delaySeconds: 0, rule: 'X-1, X-6' },
      templateChange: 'refused',
      updatesBy: 'apply',
      hook: undefined,
      waiter: undefined,
      removesUndeclared: true,
      orphansPods: true,
      generateName: 'refused',
      recreatesFailed: undefined,
      assumed: false,
    },
  },
  {
    says: 'X-5, trace 014: readyWhen waits without an end, and a failure is no error',
    carrier: graph({ readyWhen: ['${run.status.completionTime != null}'] }),
    expect: {
      waiter: {
        who: 'the instance and what depends on the Job (readyWhen)',
        timeoutSeconds: undefined,
        pollSeconds: undefined,
        suspended: 'waits',
        absent: 'hangs',
        afterFailure: 'stays-failed',
        rule: 'X-5',
      },
    },
  },
  {
    says: 'readyWhen of another node is not about this Job',
    carrier: graph({ template: { kind: 'Job', metadata: { name: 'other' } }, readyWhen: ['x'] }),
    expect: { waiter: undefined },
  },
  { says: 'without a graph only what always holds is said', expect: { waiter: undefined } },
  {
    says: 'X-4: a suspended instance is left alone',
    carrier: { kind: 'Lab', metadata: { annotations: { 'kro.run/reconcile': 'suspended' } } },
    expect: { applies: false, restoresAbsent: { when: 'never', rule: 'X-4' } },
  },
  {
    says: 'hook annotations and switches of other engines mean nothing',
    carrier: graph(),
    object: job({ 'helm.sh/hook': 'pre-install', 'kustomize.toolkit.fluxcd.io/force': 'enabled' }),
    expect: { hook: undefined, templateChange: 'refused' },
  },
  {
    says: 'a CronJob is patched',
    carrier: graph(),
    object: cronJob(),
    expect: { templateChange: 'patched' },
  },
]

describe('kro', () => {
  it.each(rows)('$says', (row) => {
    expect(answer(kro, row)).toEqual(row.expect)
  })

  it('lists what gates a node, with its place', () => {
    const carrier = graph({ includeWhen: ['${schema.spec.on}'], readyWhen: ['${a}', '${b}'] })
    expect(kro.settings(carrier)).toEqual([
      {
        name: 'run.includeWhen',
        value: '${schema.spec.on}',
        path: ['spec', 'resources', 1, 'includeWhen'],
      },
      { name: 'run.readyWhen', value: '${a}; ${b}', path: ['spec', 'resources', 1, 'readyWhen'] },
    ])
  })
})
