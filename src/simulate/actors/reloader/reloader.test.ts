import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { CONFIGMAPS, configMap, CRONJOBS, cronJob, job, JOBS, READS, Scene } from '../testing.ts'
import { reloader } from './index.ts'

const AUTO = { 'reloader.stakater.com/auto': 'true' }

function scene(settings: JsonObject = {}): Scene {
  return new Scene({ second: [[reloader, { kind: 'reloader', ...settings }]] })
}

function change(stage: Scene, value: string): void {
  stage.patch(CONFIGMAPS, 'settings', { data: { value } })
}

describe('Reloader', () => {
  it('runs a finished Job again when a ConfigMap that it reads changes (RL-1, RL-5)', () => {
    const stage = scene()
    stage.create(configMap('a'))
    stage.create(job({ annotations: AUTO, container: READS }))
    stage.until(60)
    change(stage, 'b')
    stage.until(120)
    expect(stage.runs('work')).toEqual([0, 60])
    expect(stage.told('reloader')).toEqual([
      'RL-1 reloaded what uses it: ConfigMap shop/settings',
      'RL-5 deleted Job to run it again: Job shop/work',
      'RL-5 created Job: Job shop/work',
    ])
    const [round] = stage.causes.filter(({ trigger, actor }) => trigger && actor === 'reloader')
    expect(round?.trigger).toEqual({
      kind: 'watch',
      words: 'the data of ConfigMap shop/settings changed',
    })
  })

  it('says nothing and does nothing for a change of labels, or of data nobody reads (RL-1)', () => {
    const stage = scene()
    stage.create(configMap('a'))
    stage.create(job({ annotations: AUTO }))
    stage.until(60)
    stage.patch(CONFIGMAPS, 'settings', { metadata: { labels: { tier: 'one' } } })
    change(stage, 'b')
    stage.until(120)
    expect(stage.runs('work')).toEqual([0])
    expect(stage.told('reloader')).toEqual([])
  })

  it('creates a Job from a CronJob at once, next to one that runs and though it is suspended (RL-4)', () => {
    const stage = scene()
    stage.create(configMap('a'))
    const cron = { concurrencyPolicy: 'Forbid', suspend: true }
    stage.create(cronJob({ annotations: AUTO, container: READS, cron, seconds: 600 }))
    stage.until(60)
    change(stage, 'b')
    stage.until(120)
    change(stage, 'c')
    stage.until(180)
    expect(stage.created).toHaveLength(2)
    const [first = ''] = stage.created.map((line) => line.split(' ')[0])
    const made = stage.get(JOBS, first)
    expect(made?.metadata.annotations).toMatchObject({
      'cronjob.kubernetes.io/instantiate': 'manual',
    })
    expect(made?.metadata.ownerReferences?.[0]?.name).toBe('nightly')
    expect(JSON.stringify(made)).toContain('STAKATER_SETTINGS_CONFIGMAP')
    expect(JSON.stringify(stage.get(CRONJOBS, 'nightly'))).not.toContain('STAKATER')
  })

  it('runs each kept Job of a CronJob again when the mark is in the pod template (RL-2)', () => {
    const stage = scene()
    stage.create(configMap('a'))
    const cron = { schedule: '* * * * *', successfulJobsHistoryLimit: 3 }
    stage.create(cronJob({ template: AUTO, container: READS, cron }))
    stage.until(200)
    const before = stage.created.length
    stage.patch(CRONJOBS, 'nightly', { spec: { suspend: true } })
    change(stage, 'b')
    stage.until(230)
    expect(before).toBe(3)
    // One from the CronJob, and three that had run already.
    expect(stage.created.length - before).toBe(4)
  })

  it.each<[string, JsonObject, JsonObject, boolean]>([
    ['names it', { 'configmap.reloader.stakater.com/reload': 'other, settings' }, {}, true],
    ['names it by a pattern', { 'configmap.reloader.stakater.com/reload': 'set.*' }, {}, true],
    ['names Secrets only', { 'secret.reloader.stakater.com/reload': 'settings' }, {}, false],
    ['has auto for ConfigMaps', { 'configmap.reloader.stakater.com/auto': 'true' }, {}, true],
    ['has auto for Secrets', { 'secret.reloader.stakater.com/auto': 'true' }, {}, false],
    [
      'excludes it',
      { ...AUTO, 'configmaps.exclude.reloader.stakater.com/reload': 'settings' },
      {},
      false,
    ],
    [
      'searches, and the ConfigMap does not match',
      { 'reloader.stakater.com/search': 'true' },
      {},
      false,
    ],
    [
      'searches, and the ConfigMap matches',
      { 'reloader.stakater.com/search': 'true' },
      { 'reloader.stakater.com/match': 'true' },
      true,
    ],
    [
      'has auto, and the ConfigMap is ignored',
      AUTO,
      { 'reloader.stakater.com/ignore': 'true' },
      false,
    ],
    ['has no mark', {}, {}, false],
  ])('a Job that %s', (_, own, marks, runs) => {
    const stage = scene()
    stage.create(configMap('a', marks))
    stage.create(job({ annotations: own, container: READS }))
    stage.until(60)
    change(stage, 'b')
    stage.until(120)
    expect(stage.runs('work')).toEqual(runs ? [0, 60] : [0])
  })

  it('leaves kinds alone that its flags name, and Jobs before 1.3', () => {
    for (const settings of [{ ignoredWorkloadTypes: ['jobs'] }, { version: '1.2.1' }]) {
      const stage = scene(settings)
      stage.create(configMap('a'))
      stage.create(job({ annotations: AUTO, container: READS }))
      stage.until(60)
      change(stage, 'b')
      stage.until(120)
      expect(stage.runs('work')).toEqual([0])
    }
  })

  it('with the strategy annotations marks the template instead of a container (RL-3)', () => {
    const stage = scene({ reloadStrategy: 'annotations' })
    stage.create(configMap('a'))
    stage.create(job({ annotations: AUTO, container: READS }))
    stage.until(60)
    change(stage, 'b')
    stage.until(120)
    const text = JSON.stringify(stage.get(JOBS, 'work'))
    expect(text).toContain('reloader.stakater.com/last-reloaded-from')
    expect(text).not.toContain('STAKATER')
    expect(stage.runs('work')).toEqual([0, 60])
  })

  it('leaves a Job that a finalizer holds deleted, after six tries (RL-5, RL-6)', () => {
    const stage = scene()
    stage.create(configMap('a'))
    const held = job({ annotations: AUTO, container: READS })
    const metadata = { ...(held['metadata'] as JsonObject), finalizers: ['example.test/keep'] }
    stage.create({ ...held, metadata })
    stage.create(cronJob({ annotations: AUTO, container: READS }))
    stage.until(60)
    change(stage, 'b')
    stage.until(120)
    expect(stage.get(JOBS, 'work')?.metadata.deletionTimestamp).toBeDefined()
    const refused = stage.told('reloader').filter((line) => line.includes('refused Job'))
    expect(refused).toHaveLength(6)
    // Each try began with the CronJob.
    expect(stage.created.filter((line) => line.startsWith('nightly'))).toHaveLength(6)
  })

  it('never hears of what changes while it is down (RL-8)', () => {
    const stage = scene()
    stage.create(configMap('a'))
    stage.create(job({ annotations: AUTO, container: READS }))
    stage.until(60)
    stage.cluster.stop('reloader')
    change(stage, 'b')
    stage.until(120)
    stage.cluster.start('reloader')
    stage.until(180)
    expect(stage.runs('work')).toEqual([0])
  })

  it('is found by its annotations, on the object or in a template', () => {
    expect(reloader.foundIn([job(), configMap('a')])).toEqual([])
    expect(reloader.foundIn([job({ annotations: AUTO })])).toEqual([{ kind: 'reloader' }])
    expect(reloader.foundIn([cronJob({ template: AUTO })])).toEqual([{ kind: 'reloader' }])
  })
})
