import { describe, expect, it } from 'vitest'
import { answer, cronJob, job, type Row } from '../../test/engines/objects.ts'
import { fleet } from './fleet.ts'

const HOOK = 'helm.sh/hook'
const watches = { when: 'watch', delaySeconds: 5, rule: 'E-4' }
const onDeploy = {
  when: 'change',
  on: 'the next deploy of the bundle (any change of its content or options)',
  rule: 'E-1, E-4',
}
const readiness = {
  who: 'the readiness of the bundle',
  timeoutSeconds: undefined,
  pollSeconds: undefined,
  suspended: 'not-ready',
  absent: 'hangs',
  afterFailure: 'stays-failed',
  rule: 'E-4',
}
const helmWait = {
  who: 'the Helm deployment of the bundle',
  timeoutSeconds: 600,
  pollSeconds: undefined,
  suspended: 'waits',
  absent: 'success',
  afterFailure: 'stays-failed',
  rule: 'E-2, H-2',
}

const rows: readonly Row[] = [
  {
    says: 'E-1, E-4, cases 036, 037: missing is only shown, and a suspended Job is not ready',
    carrier: { defaultNamespace: 'shop' },
    expect: {
      applies: true,
      restoresAbsent: onDeploy,
      templateChange: 'refused',
      updatesBy: 'apply',
      hook: undefined,
      waiter: readiness,
      removesUndeclared: true,
      generateName: 'refused',
      recreatesFailed: undefined,
      assumed: false,
    },
  },
  {
    says: 'E-4, case 036: correctDrift restores after 5 s',
    carrier: { correctDrift: { enabled: true } },
    expect: { restoresAbsent: watches, updatesBy: 'apply' },
  },
  {
    says: 'for one target is enough',
    carrier: { targetCustomizations: [{ name: 'prod', correctDrift: { enabled: true } }] },
    expect: { restoresAbsent: watches },
  },
  {
    says: 'a Bundle and a GitRepo have the same fields below spec',
    carrier: { kind: 'GitRepo', spec: { correctDrift: { enabled: true } } },
    expect: { restoresAbsent: watches },
  },
  {
    says: 'a correction that only rendering knows is not claimed',
    carrier: { correctDrift: { enabled: '{{ .on }}' } },
    expect: { restoresAbsent: onDeploy },
  },
  {
    says: 'E-2, K-10: force is a PUT',
    carrier: { helm: { force: true } },
    expect: { updatesBy: 'put' },
  },
  {
    says: 'E-2: also the force of the correction',
    carrier: { correctDrift: { enabled: true, force: true } },
    expect: { updatesBy: 'put', restoresAbsent: watches },
  },
  {
    says: 'waitForJobs with a timeout is a wait of Helm',
    carrier: { helm: { waitForJobs: true, timeoutSeconds: 600 } },
    expect: { waiter: { ...helmWait, absent: 'timeout' } },
  },
  {
    says: 'without a timeout it is none',
    carrier: { helm: { waitForJobs: true } },
    expect: { waiter: readiness },
  },
  {
    says: 'a paused bundle is left alone',
    carrier: { paused: true },
    expect: { applies: false, restoresAbsent: { when: 'never', rule: 'E-1' } },
  },
  {
    says: 'H-12: keep',
    carrier: {},
    object: job({ 'helm.sh/resource-policy': 'keep' }),
    expect: { removesUndeclared: false },
  },
  {
    says: 'E-3: hooks are those of Helm, and drift does not see them',
    carrier: { correctDrift: { enabled: true }, helm: { timeoutSeconds: 600 } },
    object: job({ [HOOK]: 'pre-install,pre-upgrade' }),
    expect: {
      restoresAbsent: { when: 'never', rule: 'E-3, H-1' },
      templateChange: 'recreates',
      hook: expect.objectContaining({ runsOn: 'every install and upgrade' }),
      waiter: helmWait,
      removesUndeclared: false,
    },
  },
  {
    says: 'how long a hook is waited for without a timeout is not known',
    carrier: {},
    object: job({ [HOOK]: 'pre-upgrade' }),
    expect: { waiter: undefined },
  },
  {
    says: 'E-4: a correction is a rollback, so rollback hooks become ordinary',
    carrier: { correctDrift: { enabled: true } },
    object: job({ [HOOK]: 'post-rollback' }),
    expect: { hook: expect.not.objectContaining({ onlyOn: expect.anything() }) },
  },
  {
    says: 'without correction they are not',
    carrier: {},
    object: job({ [HOOK]: 'post-rollback' }),
    expect: { hook: expect.objectContaining({ onlyOn: 'rollback' }) },
  },
  {
    says: 'a CronJob is patched, and ready at once',
    carrier: {},
    object: cronJob(),
    expect: { templateChange: 'patched', waiter: undefined },
  },
]

describe('Fleet', () => {
  it.each(rows)('$says', (row) => {
    expect(answer(fleet, row)).toEqual(row.expect)
  })

  it('lists the settings of a fleet.yaml and of a GitRepo at their own places', () => {
    expect(fleet.settings({ correctDrift: { enabled: true } })).toContainEqual({
      name: 'correctDrift.enabled',
      value: 'true',
      path: ['correctDrift', 'enabled'],
    })
    const repository = fleet.settings({ kind: 'GitRepo', spec: { paused: true } })
    expect(repository).toContainEqual({ name: 'paused', value: 'true', path: ['spec', 'paused'] })
    expect(repository).toContainEqual({ name: 'pollingInterval', value: '15s' })
  })
})
