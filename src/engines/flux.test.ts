import { describe, expect, it } from 'vitest'
import { answer, cronJob, job, type Row } from '../../test/engines/objects.ts'
import type { JsonObject } from '../core/json.ts'
import { flux } from './flux.ts'

const GROUP = 'kustomize.toolkit.fluxcd.io'

function kustomization(spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'Kustomization',
    metadata: { name: 'apps', namespace: 'flux-system' },
    spec: { interval: '10m', prune: true, ...spec },
  }
}

function retryOf(seconds: number): object {
  return { firstSeconds: seconds, mostSeconds: seconds }
}

const waiting = {
  who: "the Kustomization's health check",
  timeoutSeconds: 570,
  pollSeconds: 5,
  suspended: 'done',
  absent: 'timeout',
  afterFailure: 'stays-failed',
  rule: 'F-15, F-16',
}

const rows: readonly Row[] = [
  {
    says: 'F-1: an absent object is back at the next interval, the change of a template is refused',
    carrier: kustomization(),
    expect: {
      applies: true,
      restoresAbsent: { when: 'interval', periodSeconds: 600, retry: retryOf(600), rule: 'F-1' },
      templateChange: 'refused',
      updatesBy: 'apply',
      recreatesUnchanged: undefined,
      hook: undefined,
      waiter: undefined,
      health: undefined,
      removesUndeclared: true,
      generateName: 'refused',
      recreatesFailed: undefined,
      assumed: false,
    },
  },
  {
    says: 'traces 002, 005: prune has no say in what is restored',
    carrier: kustomization({ prune: false, interval: '1h' }),
    object: job({}, { ttlSecondsAfterFinished: 86_400 }),
    expect: {
      restoresAbsent: { when: 'interval', periodSeconds: 3600, retry: retryOf(3600), rule: 'F-1' },
      removesUndeclared: false,
    },
  },
  {
    says: 'an interval that only rendering knows, or none that the API takes, has no period',
    carrier: kustomization({ interval: '${interval:=1h}' }),
    expect: { restoresAbsent: { when: 'interval', periodSeconds: undefined, rule: 'F-1' } },
  },
  {
    says: 'a day is no unit of the API',
    carrier: kustomization({ interval: '1d' }),
    expect: { restoresAbsent: { when: 'interval', periodSeconds: undefined, rule: 'F-1' } },
  },
  {
    says: 'without a Kustomization only what always holds is said',
    expect: {
      restoresAbsent: { when: 'interval', periodSeconds: undefined, rule: 'F-1' },
      templateChange: 'refused',
      waiter: undefined,
      removesUndeclared: undefined,
    },
  },
  {
    says: 'trace 008: force of the Kustomization replaces',
    carrier: kustomization({ force: true }),
    expect: { templateChange: 'recreates', updatesBy: 'apply', recreatesUnchanged: undefined },
  },
  {
    says: 'trace 009: the annotation forces too, in any case',
    carrier: kustomization(),
    object: job({ [`${GROUP}/force`]: 'Enabled' }),
    expect: { templateChange: 'recreates' },
  },
  {
    says: 'a templated force counts as off',
    carrier: kustomization({ force: '${force}' }),
    object: job({ [`${GROUP}/force`]: '${force}' }),
    expect: { templateChange: 'refused' },
  },
  {
    says: 'F-12: marks of commonMetadata count like those of the object',
    carrier: kustomization({
      commonMetadata: { labels: { [`${GROUP}/force`]: 'enabled' } },
    }),
    expect: { templateChange: 'recreates' },
  },
  {
    says: 'trace 013: IfNotPresent skips what exists and restores what is absent',
    carrier: kustomization({ wait: true }),
    object: job({ [`${GROUP}/ssa`]: 'ifnotpresent' }),
    expect: {
      applies: true,
      templateChange: 'skipped',
      restoresAbsent: {
        when: 'interval',
        periodSeconds: 600,
        retry: retryOf(600),
        waiterOfNew: waiting,
        rule: 'F-1',
      },
      waiter: undefined,
      removesUndeclared: true,
    },
  },
  {
    says: 'trace 015: Merge is an ordinary apply',
    carrier: kustomization(),
    object: job({ [`${GROUP}/ssa`]: 'Merge' }),
    expect: { applies: true, templateChange: 'refused' },
  },
  {
    says: 'trace 016: reconcile disabled leaves the object alone',
    carrier: kustomization(),
    object: job({ [`${GROUP}/reconcile`]: 'disabled' }),
    expect: {
      applies: false,
      appliesNot: `${GROUP}/reconcile is disabled`,
      restoresAbsent: { when: 'never', rule: 'F-3, F-12' },
      templateChange: 'skipped',
      removesUndeclared: false,
    },
  },
  {
    says: 'F-12: so does ssa Ignore, also as label',
    carrier: kustomization(),
    object: job({}, {}, { [`${GROUP}/ssa`]: 'Ignore' }),
    expect: { applies: false, appliesNot: `${GROUP}/ssa is Ignore` },
  },
  {
    says: 'a switch that only rendering knows claims nothing',
    carrier: kustomization(),
    object: job({ [`${GROUP}/reconcile`]: '${reconcile}' }),
    expect: {
      applies: false,
      appliesNot: `${GROUP}/reconcile is disabled, or not: a template decides`,
    },
  },
  {
    says: 'trace 036: a suspended Kustomization does nothing',
    carrier: kustomization({ suspend: true }),
    object: job({}, { ttlSecondsAfterFinished: 60 }),
    expect: { applies: false, restoresAbsent: { when: 'never', rule: 'F-3, F-12' } },
  },
  {
    says: 'trace 017: prune disabled keeps the object, as annotation or as label',
    carrier: kustomization(),
    object: job({}, {}, { [`${GROUP}/prune`]: 'Disabled' }),
    expect: { removesUndeclared: false },
  },
  {
    says: 'a templated prune mark is unknown',
    carrier: kustomization(),
    object: job({ [`${GROUP}/prune`]: '${prune}' }),
    expect: { removesUndeclared: undefined },
  },
  {
    says: 'F-2: the wait lasts the interval minus 30 s by default, poll 5 s (trace 020)',
    carrier: kustomization({ wait: true }),
    expect: { waiter: waiting },
  },
  {
    says: 'F-2: at least 30 s by default',
    carrier: kustomization({ wait: true, interval: '40s' }),
    expect: { waiter: { ...waiting, timeoutSeconds: 30 } },
  },
  {
    says: 'trace 027: the floor of 30 s also lifts a written timeout',
    carrier: kustomization({ wait: true, timeout: '10s' }),
    expect: { waiter: { ...waiting, timeoutSeconds: 30 } },
  },
  {
    says: 'a written timeout holds',
    carrier: kustomization({ wait: true, timeout: '5m' }),
    expect: { waiter: { ...waiting, timeoutSeconds: 300 } },
  },
  {
    says: 'traces 024, 025: an absent Job with a TTL counts as success',
    carrier: kustomization({ wait: true }),
    object: job({}, { ttlSecondsAfterFinished: 0 }),
    expect: { waiter: { ...waiting, absent: 'success' } },
  },
  {
    says: 'trace 021: force does not repeat a failed Job that is unchanged (064)',
    carrier: kustomization({ wait: true, force: true }),
    expect: { waiter: waiting, recreatesFailed: undefined },
  },
  {
    says: 'F-17: without wait nobody looks',
    carrier: kustomization({ timeout: '5m' }),
    expect: { waiter: undefined },
  },
  {
    says: 'a wait that only rendering knows is not claimed',
    carrier: kustomization({ wait: '${wait}' }),
    expect: { waiter: undefined },
  },
  {
    says: 'a timeout that only rendering knows must not read as for ever',
    carrier: kustomization({ wait: true, timeout: '${timeout}' }),
    expect: { waiter: undefined },
  },
  {
    says: 'trace 028: healthChecks names the Job',
    carrier: kustomization({
      healthChecks: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'migrate', namespace: 'shop' }],
    }),
    expect: { waiter: waiting },
  },
  {
    says: 'trace 028: healthChecks names another Job',
    carrier: kustomization({
      healthChecks: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'other', namespace: 'shop' }],
    }),
    expect: { waiter: undefined },
  },
  {
    says: 'F-13, trace 049: hook annotations mean nothing, so the TTL loop runs',
    carrier: kustomization(),
    object: job({ 'helm.sh/hook': 'pre-install', 'argocd.argoproj.io/hook': 'PreSync' }),
    expect: {
      hook: undefined,
      restoresAbsent: { when: 'interval', periodSeconds: 600, retry: retryOf(600), rule: 'F-1' },
    },
  },
  {
    says: 'F-15: a CronJob passes every check, and its template is patched',
    carrier: kustomization({ wait: true, force: true }),
    object: cronJob(),
    expect: { waiter: undefined, templateChange: 'patched' },
  },
]

describe('Flux', () => {
  it.each(rows)('$says', (row) => {
    expect(answer(flux, row)).toEqual(row.expect)
  })
})

describe('settings of a Kustomization', () => {
  it('lists what is written with its path, and the defaults without', () => {
    const carrier = kustomization({
      timeout: '10s',
      retryInterval: '2m',
      dependsOn: [{ name: 'db' }, { name: 'crds', namespace: 'base' }],
      patches: [{ patch: '' }, { patch: '' }],
      postBuild: { substitute: { TAG: '1' } },
    })
    const settings = flux.settings(carrier)
    expect(settings).toContainEqual({
      name: 'interval',
      path: ['spec', 'interval'],
      value: '10m',
    })
    expect(Object.fromEntries(settings.map(({ name, value }) => [name, value]))).toEqual({
      path: './',
      interval: '10m',
      retryInterval: '2m',
      timeout: '10s (raised to 30s)',
      prune: 'true',
      force: 'false',
      wait: 'false',
      suspend: 'false',
      deletionPolicy: 'MirrorPrune',
      dependsOn: 'db, base/crds',
      patches: '2',
      postBuild: 'substitute',
    })
    expect(settings.find(({ name }) => name === 'force')).toEqual({ name: 'force', value: 'false' })
  })

  it('fills retryInterval with the interval and timeout with interval minus 30 s', () => {
    const settings = flux.settings(kustomization())
    expect(settings).toContainEqual({ name: 'retryInterval', value: '10m' })
    expect(settings).toContainEqual({ name: 'timeout', value: '9m30s' })
  })

  it('has nothing to say without a Kustomization', () => {
    expect(flux.settings(undefined)).toEqual([])
  })
})
