import { describe, expect, it } from 'vitest'
import { answer, cronJob, job, type Row } from '../../test/engines/objects.ts'
import type { JsonObject } from '../core/json.ts'
import { resourceset } from './resourceset.ts'

const GROUP = 'fluxcd.controlplane.io'

function set(spec: JsonObject = {}, annotations: JsonObject = {}): JsonObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'ResourceSet',
    metadata: { name: 'store', namespace: 'apps', annotations },
    spec,
  }
}

/** Set by the rate limiter of its workers, whatever the set says. */
const RETRY = { firstSeconds: 1.5, mostSeconds: 900 }

const steps = [
  { name: 'pre-deploy', timeout: '6m', resources: [job()] },
  { name: 'deploy', resources: [{ kind: 'ConfigMap', metadata: { name: 'done' } }] },
]
const waiting = {
  who: 'step pre-deploy of the ResourceSet',
  timeoutSeconds: 360,
  pollSeconds: 5,
  suspended: 'done',
  absent: 'timeout',
  afterFailure: 'stays-failed',
  rule: 'O-6, O-11',
}
const recreating = { [`${GROUP}/recreateOnFailure`]: 'enabled' }

const rows: readonly Row[] = [
  {
    says: 'O-1, trace 002: an absent Job is back within an hour by default',
    carrier: set(),
    expect: {
      applies: true,
      restoresAbsent: { when: 'interval', periodSeconds: 3600, retry: RETRY, rule: 'O-1' },
      templateChange: 'refused',
      updatesBy: 'apply',
      hook: undefined,
      waiter: undefined,
      removesUndeclared: true,
      generateName: 'refused',
      recreatesFailed: undefined,
      assumed: false,
    },
  },
  {
    says: 'O-1: reconcileEvery is read as Go reads durations',
    carrier: set({}, { [`${GROUP}/reconcileEvery`]: '1h30m' }),
    expect: {
      restoresAbsent: { when: 'interval', periodSeconds: 5400, retry: RETRY, rule: 'O-1' },
    },
  },
  {
    says: 'what Go cannot read is the default again',
    carrier: set({}, { [`${GROUP}/reconcileEvery`]: '1d' }),
    expect: {
      restoresAbsent: { when: 'interval', periodSeconds: 3600, retry: RETRY, rule: 'O-1' },
    },
  },
  {
    says: 'a templated reconcileEvery has no known period',
    carrier: set({}, { [`${GROUP}/reconcileEvery`]: '${every}' }),
    expect: {
      restoresAbsent: { when: 'interval', periodSeconds: undefined, retry: RETRY, rule: 'O-1' },
    },
  },
  {
    says: 'without a ResourceSet the period is unknown',
    expect: {
      restoresAbsent: { when: 'interval', periodSeconds: undefined, retry: RETRY, rule: 'O-1' },
    },
  },
  {
    says: 'O-9, traces 004, 005: force replaces, on the object in any case',
    carrier: set(),
    object: job({ [`${GROUP}/force`]: 'Enabled' }),
    expect: { templateChange: 'recreates' },
  },
  {
    says: 'O-9: and on the set',
    carrier: set({}, { [`${GROUP}/force`]: 'enabled' }),
    expect: { templateChange: 'recreates' },
  },
  {
    says: 'the marks of kustomize-controller mean nothing here (O-3)',
    carrier: set(),
    object: job({
      'kustomize.toolkit.fluxcd.io/force': 'enabled',
      'kustomize.toolkit.fluxcd.io/reconcile': 'disabled',
      'helm.sh/hook': 'pre-install',
    }),
    expect: { applies: true, templateChange: 'refused', hook: undefined },
  },
  {
    says: 'O-3, trace 042: a paused set does nothing',
    carrier: set({}, { [`${GROUP}/reconcile`]: 'Disabled' }),
    expect: { applies: false, restoresAbsent: { when: 'never', rule: 'O-3' } },
  },
  {
    says: 'O-3: the same switch on an object is none',
    carrier: set(),
    object: job({ [`${GROUP}/reconcile`]: 'disabled' }),
    expect: { applies: true },
  },
  {
    says: 'O-8, trace 030: prune disabled keeps it',
    carrier: set(),
    object: job({ [`${GROUP}/prune`]: 'disabled' }),
    expect: { removesUndeclared: false },
  },
  {
    says: 'O-6, O-11, traces 010, 015, 016: a step that is not the last is always waited for',
    carrier: set({ steps }),
    expect: { waiter: waiting },
  },
  {
    says: 'O-11, trace 036: a TTL is no excuse for an absent Job',
    carrier: set({ steps }),
    object: job({}, { ttlSecondsAfterFinished: 3 }),
    expect: { waiter: waiting },
  },
  {
    says: 'O-6: the last step only with wait',
    carrier: set({ steps: steps.toReversed() }),
    expect: { waiter: undefined },
  },
  {
    says: 'with wait the last step too',
    carrier: set({ wait: true, steps: steps.toReversed() }),
    expect: { waiter: waiting },
  },
  {
    says: 'without steps the set is one step, reconcileTimeout is 5 min',
    carrier: set({ wait: true }),
    expect: { waiter: { ...waiting, who: 'the ResourceSet', timeoutSeconds: 300 } },
  },
  {
    says: 'reconcileTimeout can be written',
    carrier: set({ wait: true }, { [`${GROUP}/reconcileTimeout`]: '10m' }),
    expect: { waiter: { ...waiting, who: 'the ResourceSet', timeoutSeconds: 600 } },
  },
  {
    says: 'a step is also found by the name in its template',
    carrier: set({
      steps: [
        { name: 'first', resourcesTemplate: 'kind: Job\nmetadata: {name: migrate}\n' },
        { name: 'second', resourcesTemplate: 'kind: ConfigMap\n' },
      ],
    }),
    expect: {
      waiter: { ...waiting, who: 'step first of the ResourceSet', timeoutSeconds: 300 },
    },
  },
  {
    says: 'a name in two steps says nothing',
    carrier: set({
      steps: [{ resourcesTemplate: 'name: migrate' }, { resourcesTemplate: 'job: migrate' }],
    }),
    expect: { waiter: undefined },
  },
  {
    says: 'a timeout that only rendering knows must not read as for ever',
    carrier: set({ wait: true }, { [`${GROUP}/reconcileTimeout`]: '${timeout}' }),
    expect: { waiter: undefined },
  },
  {
    says: 'O-2, O-10, trace 006, case 040: a failed Job runs again at every retry of the wait',
    carrier: set({ steps }),
    object: job(recreating),
    expect: {
      waiter: { ...waiting, afterFailure: 'recreates' },
      recreatesFailed: 'every retry after a failed wait (after 0.75 s, doubling to 15 min)',
      templateChange: 'refused',
    },
  },
  {
    says: 'trace 007: without a wait it follows the interval',
    carrier: set({}, { [`${GROUP}/reconcileEvery`]: '30m' }),
    object: job(recreating),
    expect: { recreatesFailed: 'every reconcile (each 30m)' },
  },
  {
    says: 'O-10: only the exact word counts',
    carrier: set(),
    object: job({ [`${GROUP}/recreateOnFailure`]: 'Enabled' }),
    expect: { recreatesFailed: undefined },
  },
  {
    says: 'O-10: and only as annotation',
    carrier: set(),
    object: job({}, {}, recreating),
    expect: { recreatesFailed: undefined },
  },
  {
    says: 'a templated word is not claimed',
    carrier: set(),
    object: job({ [`${GROUP}/recreateOnFailure`]: '<< inputs.recreate >>' }),
    expect: { recreatesFailed: undefined },
  },
  {
    says: 'O-4: commonMetadata counts like the annotations of the object',
    carrier: set({ commonMetadata: { annotations: recreating } }),
    expect: { recreatesFailed: 'every reconcile (each 1h)' },
  },
  {
    says: 'a CronJob is patched and not waited for',
    carrier: set({ wait: true }),
    object: cronJob(recreating),
    expect: { templateChange: 'patched', waiter: undefined, recreatesFailed: undefined },
  },
]

describe('ResourceSet', () => {
  it.each(rows)('$says', (row) => {
    expect(answer(resourceset, row)).toEqual(row.expect)
  })

  it('lists its settings, annotations with their place', () => {
    const carrier = set({ wait: true, steps }, { [`${GROUP}/reconcileEvery`]: '30m' })
    const settings = resourceset.settings(carrier)
    expect(settings).toContainEqual({
      name: 'reconcileEvery',
      value: '30m',
      path: ['metadata', 'annotations', `${GROUP}/reconcileEvery`],
    })
    expect(Object.fromEntries(settings.map(({ name, value }) => [name, value]))).toEqual({
      reconcileEvery: '30m',
      reconcileTimeout: '5m',
      reconcile: 'enabled',
      force: 'disabled',
      wait: 'true',
      steps: 'pre-deploy, deploy',
    })
  })
})
