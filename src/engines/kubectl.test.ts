import { expect, it } from 'vitest'
import { answer, cronJob, job, type Row } from '../../test/engines/objects.ts'
import { kubectl } from './kubectl.ts'

const rows: readonly Row[] = [
  {
    says: 'K 1.7, traces kubernetes/080, 092, 093: only the command acts, in its plain form',
    expect: {
      applies: true,
      restoresAbsent: { when: 'change', on: 'the next kubectl apply', rule: 'K, 1.7' },
      templateChange: 'refused',
      updatesBy: 'apply',
      hook: undefined,
      waiter: undefined,
      removesUndeclared: undefined,
      generateName: 'refused',
      recreatesFailed: undefined,
      assumed: false,
    },
  },
  {
    says: 'annotations of engines mean nothing',
    object: job({ 'helm.sh/hook': 'pre-install', 'argocd.argoproj.io/hook': 'Sync' }),
    expect: { applies: true, hook: undefined, templateChange: 'refused' },
  },
  { says: 'a CronJob is patched', object: cronJob(), expect: { templateChange: 'patched' } },
]

it.each(rows)('kubectl: $says', (row) => {
  expect(answer(kubectl, row)).toEqual(row.expect)
})
