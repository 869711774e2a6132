import { describe, expect, it } from 'vitest'
import { answer, cronJob, job, type Row } from '../../test/engines/objects.ts'
import type { JsonObject } from '../core/json.ts'
import { helmController } from './helm-controller.ts'

const GROUP = 'helm.toolkit.fluxcd.io'
const HOOK = 'helm.sh/hook'

function release(spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: `${GROUP}/v2`,
    kind: 'HelmRelease',
    metadata: { name: 'shop', namespace: 'shop' },
    spec: { interval: '10m', ...spec },
  }
}

function drift(ignore?: JsonObject): JsonObject {
  return release({
    driftDetection: { mode: 'enabled', ...(ignore === undefined ? {} : { ignore: [ignore] }) },
  })
}

const onUpgrade = {
  when: 'change',
  on: 'the next upgrade of the release (any change of chart, values or post-renderers)',
  rule: 'R-1, H-7',
}
const UNWAITED = { againSeconds: 0.75 }
const onInterval = { when: 'interval', periodSeconds: 600, unwaited: UNWAITED, rule: 'R-5' }
const waiting = {
  who: 'the HelmRelease',
  timeoutSeconds: 300,
  pollSeconds: 5,
  suspended: 'done',
  absent: 'timeout',
  afterFailure: 'stays-failed',
  rule: 'R-3, R-8',
}

const plain: readonly Row[] = [
  {
    says: 'R-1, traces 001, 002, case 027: intervals do nothing, an upgrade restores',
    carrier: release(),
    object: job({}, { ttlSecondsAfterFinished: 3600 }),
    expect: {
      applies: true,
      restoresAbsent: onUpgrade,
      templateChange: 'refused',
      updatesBy: 'apply',
      hook: undefined,
      removesUndeclared: true,
      recreatesFailed: undefined,
      assumed: false,
    },
  },
  {
    says: 'trace 004: warn only says so',
    carrier: release({ driftDetection: { mode: 'warn' } }),
    expect: { restoresAbsent: onUpgrade },
  },
  {
    says: 'R-5, traces 003, 005: enabled restores at the next interval',
    carrier: drift(),
    expect: { restoresAbsent: onInterval },
  },
  {
    says: 'a mode that only rendering knows is not claimed',
    carrier: release({ driftDetection: { mode: '${mode}' } }),
    expect: { restoresAbsent: { ...onUpgrade, orSooner: true } },
  },
  {
    says: 'trace 059: the mark on the object ends it, in any case',
    carrier: drift(),
    object: job({ [`${GROUP}/driftDetection`]: 'Disabled' }),
    expect: { restoresAbsent: onUpgrade },
  },
  {
    says: 'a templated mark may end it',
    carrier: drift(),
    object: job({ [`${GROUP}/driftDetection`]: '{{ .Values.drift }}' }),
    expect: { restoresAbsent: onUpgrade },
  },
  {
    says: 'trace 059: so does an ignore rule with the root path',
    carrier: drift({ paths: [''], target: { kind: 'Job', name: 'migr.*' } }),
    expect: { restoresAbsent: onUpgrade },
  },
  {
    says: 'an ignore rule for another name does not: patterns are anchored',
    carrier: drift({ paths: [''], target: { kind: 'Job', name: 'migr' } }),
    expect: { restoresAbsent: onInterval },
  },
  {
    says: 'nor one with another path',
    carrier: drift({ paths: ['/spec/suspend'], target: { kind: 'Job' } }),
    expect: { restoresAbsent: onInterval },
  },
  {
    says: 'a rule without a target is for every object',
    carrier: drift({ paths: ['/metadata', ''] }),
    expect: { restoresAbsent: onUpgrade },
  },
  {
    says: 'a selector that is not followed counts as matching',
    carrier: drift({ paths: [''], target: { labelSelector: 'app=shop' } }),
    expect: { restoresAbsent: onUpgrade },
  },
  {
    says: 'a pattern that cannot be read counts as matching',
    carrier: drift({ paths: [''], target: { name: '(' } }),
    expect: { restoresAbsent: onUpgrade },
  },
  {
    says: 'a pattern that could take for ever is not tried, and counts as matching',
    carrier: drift({ paths: [''], target: { name: '(m+)+x' } }),
    expect: { restoresAbsent: onUpgrade },
  },
  {
    says: 'a templated name may match',
    carrier: drift({ paths: [''], target: { name: 'shop-migrate' } }),
    object: {
      kind: 'Job',
      metadata: { name: '{{ .Release.Name }}-migrate' },
      spec: {},
    },
    expect: { restoresAbsent: onUpgrade },
  },
  {
    says: 'alternatives and wildcards are followed',
    carrier: drift({ paths: [''], target: { name: 'seed|backup-.*' } }),
    expect: { restoresAbsent: onInterval },
  },
  {
    says: 'R-1: a suspended release is left alone',
    carrier: release({ suspend: true }),
    expect: { applies: false, restoresAbsent: { when: 'never', rule: 'R-1' } },
  },
  {
    says: 'R-2, trace 012: upgrade.force has no effect under server-side apply',
    carrier: release({ upgrade: { force: true } }),
    expect: { updatesBy: 'apply' },
  },
  {
    says: 'trace 012b: without it force is a PUT',
    carrier: release({ upgrade: { force: true, serverSideApply: 'disabled' } }),
    expect: { updatesBy: 'put' },
  },
  {
    says: 'auto follows an install without server-side apply',
    carrier: release({ install: { serverSideApply: false }, upgrade: { force: true } }),
    expect: { updatesBy: 'put' },
  },
  {
    says: 'server-side apply without force is no PUT',
    carrier: release({ upgrade: { serverSideApply: 'disabled' } }),
    expect: { updatesBy: 'apply' },
  },
  {
    says: 'trace 073: generateName is refused, for hooks too',
    carrier: release(),
    object: job({ [HOOK]: 'pre-upgrade' }),
    expect: { generateName: 'refused' },
  },
  {
    says: 'H-12, trace 057: keep',
    carrier: release(),
    object: job({ 'helm.sh/resource-policy': 'keep' }),
    expect: { removesUndeclared: false },
  },
  {
    says: 'a templated policy may keep it',
    carrier: release(),
    object: job({ 'helm.sh/resource-policy': '{{ .Values.policy }}' }),
    expect: { removesUndeclared: undefined },
  },
  {
    says: 'a CronJob is patched and not waited for',
    carrier: release({ upgrade: { remediation: { retries: -1 } } }),
    object: cronJob(),
    expect: { templateChange: 'patched', waiter: undefined, recreatesFailed: undefined },
  },
  {
    says: 'without a HelmRelease nobody is said to wait',
    expect: {
      restoresAbsent: { ...onUpgrade, orSooner: true },
      waiter: undefined,
      updatesBy: 'apply',
    },
  },
]

const waits: readonly Row[] = [
  {
    says: 'R-3, trace 025: Jobs are waited for by default',
    carrier: release(),
    expect: { waiter: waiting },
  },
  {
    says: 'traces 010, 051: a Job that is gone with a TTL is a success',
    carrier: release(),
    object: job({}, { ttlSecondsAfterFinished: 3 }),
    expect: { waiter: { ...waiting, absent: 'success' } },
  },
  {
    says: 'the timeout of the action wins over that of the release',
    carrier: release({ timeout: '20m', upgrade: { timeout: '30m' } }),
    expect: { waiter: { ...waiting, timeoutSeconds: 1800 } },
  },
  {
    says: 'a timeout that only rendering knows must not read as for ever',
    carrier: release({ timeout: '${timeout}' }),
    expect: { waiter: undefined },
  },
  {
    says: 'trace 027: switched off for install and upgrade, nobody waits',
    carrier: release({
      install: { disableWaitForJobs: true },
      upgrade: { disableWait: true },
    }),
    expect: { waiter: undefined },
  },
  {
    says: 'switched off for the upgrade, the install still waits',
    carrier: release({ install: { timeout: '7m' }, upgrade: { disableWait: true } }),
    expect: { waiter: { ...waiting, timeoutSeconds: 420 } },
  },
  {
    says: 'trace 074: the legacy wait does not poll at 5 s',
    carrier: release({ waitStrategy: { name: 'legacy' } }),
    expect: { waiter: { ...waiting, pollSeconds: undefined } },
  },
  {
    says: 'R-8, traces 029, 044: remediation runs it again, a bounded number of times',
    carrier: release({ install: { remediation: { retries: 2 } } }),
    expect: { waiter: { ...waiting, afterFailure: 'recreates' }, recreatesFailed: undefined },
  },
  {
    says: 'trace 088: without a limit it never ends',
    carrier: release({ upgrade: { remediation: { retries: -1 } } }),
    expect: { recreatesFailed: 'every retry of the release, without a limit' },
  },
  {
    says: 'trace 064: RetryOnFailure only looks at a failed plain Job again',
    carrier: release({ upgrade: { strategy: { name: 'RetryOnFailure' } } }),
    expect: { waiter: waiting, recreatesFailed: undefined },
  },
]

const hooks: readonly Row[] = [
  {
    says: 'traces 013, 023: a hook runs at every install and upgrade, and drift does not see it',
    carrier: drift(),
    object: job({ [HOOK]: 'pre-install,pre-upgrade' }),
    expect: {
      restoresAbsent: { when: 'never', rule: 'R-5' },
      templateChange: 'recreates',
      hook: expect.objectContaining({ runsOn: 'every install and upgrade' }),
      waiter: waiting,
      removesUndeclared: false,
    },
  },
  {
    says: 'trace 019: after an uninstall the retry is an install, without the hooks of the upgrade',
    carrier: release({ upgrade: { remediation: { strategy: 'uninstall', retries: 1 } } }),
    object: job({ [HOOK]: 'pre-upgrade' }),
    expect: { hook: expect.objectContaining({ retrySkips: 'an install' }) },
  },
  {
    says: 'which runs those of both events',
    carrier: release({ upgrade: { remediation: { strategy: 'uninstall', retries: 1 } } }),
    object: job({ [HOOK]: 'pre-install,pre-upgrade' }),
    expect: { hook: expect.not.objectContaining({ retrySkips: 'an install' }) },
  },
  {
    says: 'and there is no retry without retries',
    carrier: release({ upgrade: { remediation: { strategy: 'uninstall' } } }),
    object: job({ [HOOK]: 'pre-upgrade' }),
    expect: { hook: expect.not.objectContaining({ retrySkips: 'an install' }) },
  },
  {
    says: 'trace 015: another policy, and a changed hook is refused',
    carrier: release(),
    object: job({ [HOOK]: 'pre-upgrade', 'helm.sh/hook-delete-policy': 'hook-failed' }),
    expect: { templateChange: 'refused' },
  },
  {
    says: 'trace 052: a hook with a TTL that vanished is a success',
    carrier: release(),
    object: job({ [HOOK]: 'pre-upgrade' }, { ttlSecondsAfterFinished: 0 }),
    expect: { waiter: { ...waiting, absent: 'success' } },
  },
  {
    says: 'trace 013: an install hook belongs to no upgrade',
    carrier: release({ install: { timeout: '1m' } }),
    object: job({ [HOOK]: 'post-install' }),
    expect: {
      hook: expect.objectContaining({ onlyOn: 'install' }),
      waiter: { ...waiting, timeoutSeconds: 60 },
    },
  },
  {
    says: 'trace 024: with its hooks switched off it is never applied',
    carrier: release({ install: { disableHooks: true }, upgrade: { disableHooks: true } }),
    object: job({ [HOOK]: 'pre-install,post-upgrade' }),
    expect: {
      applies: false,
      appliesNot: 'pre-install, post-upgrade hooks are switched off here',
    },
  },
  {
    says: 'switched off for the upgrade, only the install runs it',
    carrier: release({ upgrade: { disableHooks: true } }),
    object: job({ [HOOK]: 'pre-install,pre-upgrade' }),
    expect: { hook: expect.objectContaining({ phases: ['pre-install'], onlyOn: 'install' }) },
  },
  {
    says: 'tests are off by default',
    carrier: release(),
    object: job({ [HOOK]: 'test' }),
    expect: { applies: false },
  },
  {
    says: 'trace 032: enabled, a test runs once per revision',
    carrier: release({ test: { enable: true, timeout: '2m' } }),
    object: job({ [HOOK]: 'test' }),
    expect: {
      hook: expect.objectContaining({ onlyOn: 'test run' }),
      waiter: { ...waiting, timeoutSeconds: 120 },
    },
  },
  {
    says: 'traces 017, 080: each retry runs the hook again',
    carrier: release({ upgrade: { remediation: { retries: 1 } } }),
    object: job({ [HOOK]: 'pre-upgrade' }),
    expect: { waiter: { ...waiting, afterFailure: 'recreates' }, recreatesFailed: undefined },
  },
  {
    says: 'trace 021: RetryOnFailure runs it without an end',
    carrier: release({ upgrade: { strategy: { name: 'RetryOnFailure' } } }),
    object: job({ [HOOK]: 'pre-upgrade' }),
    expect: {
      waiter: { ...waiting, afterFailure: 'recreates' },
      recreatesFailed: 'every retry of the release, without a limit',
    },
  },
  {
    says: 'trace 023: RetryOnFailure of the install alone does not repeat an install hook',
    carrier: release({ install: { strategy: { name: 'RetryOnFailure' } } }),
    object: job({ [HOOK]: 'pre-install' }),
    expect: { waiter: waiting, recreatesFailed: undefined },
  },
  {
    says: 'a templated event claims no occasion and no waiter',
    carrier: release(),
    object: job({ [HOOK]: '{{ .Values.event }}' }),
    expect: {
      restoresAbsent: { when: 'never', rule: 'R-5' },
      hook: expect.objectContaining({ onlyOn: 'what rendering decides' }),
      waiter: undefined,
    },
  },
]

describe.each([
  ['plain objects', plain],
  ['waiting', waits],
  ['hooks', hooks],
])('helm-controller, %s', (_, rows) => {
  it.each(rows)('$says', (row) => {
    expect(answer(helmController, row)).toEqual(row.expect)
  })
})

describe('settings of a HelmRelease', () => {
  it('lists what is written with its path, and the defaults without', () => {
    const carrier = release({
      driftDetection: { mode: 'enabled', ignore: [{ paths: [''] }] },
      upgrade: { remediation: { retries: 3 } },
    })
    const settings = helmController.settings(carrier)
    expect(settings).toContainEqual({
      name: 'driftDetection.mode',
      value: 'enabled',
      path: ['spec', 'driftDetection', 'mode'],
    })
    expect(Object.fromEntries(settings.map(({ name, value }) => [name, value]))).toEqual({
      interval: '10m',
      timeout: '5m',
      suspend: 'false',
      'driftDetection.mode': 'enabled',
      'driftDetection.ignore': '1',
      'upgrade.force': 'false',
      'install.serverSideApply': 'true',
      'upgrade.serverSideApply': 'auto',
      'install.strategy.name': 'RemediateOnFailure',
      'upgrade.strategy.name': 'RemediateOnFailure',
      'install.remediation.retries': '0',
      'upgrade.remediation.retries': '3',
      'upgrade.remediation.strategy': 'rollback',
      'install.remediation.remediateLastFailure': 'false',
      'upgrade.remediation.remediateLastFailure': 'true',
      'install.disableWait': 'false',
      'upgrade.disableWait': 'false',
      'install.disableWaitForJobs': 'false',
      'upgrade.disableWaitForJobs': 'false',
      'install.disableHooks': 'false',
      'upgrade.disableHooks': 'false',
      'waitStrategy.name': 'poller',
      'test.enable': 'false',
    })
  })
})
