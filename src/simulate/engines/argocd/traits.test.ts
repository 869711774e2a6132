import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { argocd } from '../../../engines/argocd.ts'
import { AUTO, configMap, HEALING, hook, job, JOBS, Stage } from './testing.ts'

const ONLY_CHANGED = { syncPolicy: { automated: {}, syncOptions: ['ApplyOutOfSyncOnly=true'] } }
const SERVER_SIDE = { 'argocd.argoproj.io/sync-options': 'Force=true,ServerSideApply=true' }
const policies = { AUTO, HEALING, ONLY_CHANGED }
const annotations: { readonly [name: string]: JsonObject | undefined } = {
  'no option': undefined,
  'Force=true': { 'argocd.argoproj.io/sync-options': 'Force=true' },
  'Force=true,Replace=true': { 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true' },
  'Force=true,ServerSideApply=true': SERVER_SIDE,
}
const combinations = Object.entries(policies).flatMap(([name, policy]) =>
  Object.entries(annotations).map(([option, given]) => ({ name, policy, option, given })),
)

/** What lint asks of the engine is what the model does. */
describe.each(combinations)('$name with $option: the traits say what the model does', (one) => {
  const carrier = { spec: { source: {}, ...one.policy } }
  const more = one.given === undefined ? {} : { annotations: one.given }
  const traits = argocd.traits(carrier, job(more))

  it('about an unchanged Job in a full sync', () => {
    const stage = new Stage(one.policy).commit(job(more), configMap('1')).start().until(10)
    stage.commit(job(more), configMap('2')).until(60)
    expect(stage.created().length > 1).toBe(traits.recreatesUnchanged !== undefined)
  })

  it('about a changed pod template', () => {
    const stage = new Stage(one.policy).commit(job(more)).start().until(10)
    stage.commit(job({ ...more, image: 'work:2' })).until(600)
    expect(stage.created().length > 1).toBe(traits.templateChange === 'recreates')
    const isRefused = stage.state('operationState', 'phase') === 'Failed'
    expect(isRefused).toBe(traits.templateChange === 'refused')
  })

  it('about a Job that is gone', () => {
    const short = job({ ...more, spec: { ttlSecondsAfterFinished: 5 } })
    const stage = new Stage(one.policy).commit(short, configMap('1')).start().until(60)
    expect(stage.created().length > 1).toBe(traits.restoresAbsent.when === 'watch')
  })

  it('about a Job that Git has no more', () => {
    const stage = new Stage(one.policy).commit(job(more), configMap('1')).start().until(10)
    stage.commit(configMap('2')).until(60)
    const isGone = stage.cluster.api.read.get(JOBS, 'shop', 'work') === undefined
    expect(isGone).toBe(traits.removesUndeclared)
  })
})

describe('hooks: the traits say what the model does', () => {
  const pre = job({ name: 'pre', annotations: hook('PreSync') })
  const traits = argocd.traits({ spec: { source: {}, ...HEALING } }, pre)

  it('runs at every full sync and is never removed', () => {
    const stage = new Stage(HEALING).commit(pre, configMap('1')).start().until(10)
    stage.commit(pre, configMap('2')).until(60)
    expect(stage.created('pre')).toHaveLength(2)
    expect(traits.hook?.runsOn).toBe('every full sync')
    stage.commit(configMap('3')).until(120)
    expect(stage.cluster.api.read.get(JOBS, 'shop', 'pre')).toBeDefined()
    expect(traits.removesUndeclared).toBe(false)
  })

  it('is not restored', () => {
    const short = job({
      name: 'pre',
      annotations: hook('PreSync'),
      spec: { ttlSecondsAfterFinished: 5 },
    })
    const stage = new Stage(HEALING).commit(short, configMap('1')).start().until(300)
    expect(stage.created('pre')).toHaveLength(1)
    expect(traits.restoresAbsent.when).toBe('never')
  })
})
