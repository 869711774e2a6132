import { describe, expect, it } from 'vitest'
import { AUTO, configMap, FORCE_REPLACE, HEALING, hook, job, JOBS, Stage } from './testing.ts'

const SHOP = 'Application argocd/shop'
/** What was told since `from`, comparisons left out. */
function since(stage: Stage, from: number): readonly string[] {
  return stage.causes.filter(
    (line) => Number(line.split(' ')[0]) >= from && !line.includes('A-1 refreshed'),
  )
}

function synced(at: number, rule: string, why: string): string {
  return `${at} ${rule} synced: ${SHOP}, because ${why}`
}

const did = (at: number, rule: string, effect: string, name = 'work', phase = ''): string =>
  `${at} ${rule} ${effect}: Job shop/${name} for ${SHOP}${phase === '' ? '' : ` [${phase}]`}`

function removeJob(stage: Stage, name = 'work'): void {
  const place = { resource: JOBS, namespace: 'shop', name }
  const options = { propagationPolicy: 'Background' as const }
  stage.cluster.request({ verb: 'delete', ...place, options, user: 'person' })
}

describe('every sync has a trigger, and every write a cause', () => {
  it('A-4: a new Application, then a revision with its name', () => {
    const stage = new Stage(AUTO).commit(job(), configMap('1')).start().until(10)
    expect(since(stage, 0)[0]).toBe(synced(0, 'A-4', 'the Application was created (revision)'))
    expect(since(stage, 0)).toContain(did(0, 'A-26', 'created Job'))
    stage.commit(job(), configMap('2')).until(20)
    const hash = '2'.padStart(40, '0').slice(0, 7)
    expect(since(stage, 10)).toEqual([
      synced(10, 'A-4', `revision ${hash} came (revision)`),
      `10 A-26 configured ConfigMap: ConfigMap shop/conf for ${SHOP}`,
    ])
  })

  it('A-1: a comparison with another end than the one before', () => {
    const stage = new Stage(AUTO).commit(job()).start().until(10)
    expect(stage.causes[0]).toBe(
      `0 A-1 refreshed: OutOfSync, because the Application was created: ${SHOP}`,
    )
  })

  it('comparisons that find nothing new tell nothing', () => {
    const stage = new Stage(HEALING).commit(job()).start().until(10)
    const { length } = stage.causes
    stage.until(4000)
    expect(stage.causes).toHaveLength(length)
  })

  it('A-10: a self-heal, by what went away, and how long it waited', () => {
    const stage = new Stage(HEALING).commit(job()).start().until(100)
    removeJob(stage)
    stage.until(101)
    removeJob(stage)
    stage.until(110)
    expect(since(stage, 100)).toEqual([
      synced(100, 'A-10', 'Job shop/work went away (watch)'),
      did(100, 'A-26', 'created Job'),
      synced(
        102,
        'A-10',
        'Job shop/work went away, and the wait of 2s since the last sync was over (watch)',
      ),
      did(102, 'A-26', 'created Job'),
    ])
  })

  it('A-26, A-9: a refused Job, and the retries', () => {
    const stage = new Stage(AUTO).commit(job()).start().until(10)
    stage.commit(job({ image: 'work:2' })).until(600)
    const told = since(stage, 10)
    expect(told[1]).toContain(`10 A-26 refused Job: `)
    expect(told[1]).toContain('is invalid: spec.template: ')
    const retries = told.filter((line) => line.includes('A-9'))
    expect(retries).toHaveLength(5)
    expect(retries[0]).toContain('because the sync had failed, and retry 1 of 5 was due: ')
    expect(retries[0]).not.toContain('Retrying attempt')
  })

  it('A-6, A-38: a sync by a person, whole or in part', () => {
    const stage = new Stage({}).commit(job()).start().until(10)
    stage.sync().until(20)
    expect(since(stage, 10)[0]).toBe(synced(10, 'A-6', 'somebody asked for a sync (request)'))
    removeJob(stage)
    const resources = [{ group: 'batch', kind: 'Job', name: 'work' }]
    const initiatedBy = { username: 'ann' }
    stage
      .until(30)
      .patch({ operation: { initiatedBy, sync: { resources } } })
      .until(40)
    const why = 'ann asked for a sync of Job work alone (request)'
    expect(since(stage, 20)[0]).toBe(synced(30, 'A-38', why))
  })

  it('A-31, A-33, A-34: hooks, with their phase', () => {
    const pre = job({ name: 'pre', annotations: hook('PreSync') })
    const gone = { 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' }
    const post = job({ name: 'post', annotations: hook('PostSync', gone) })
    const stage = new Stage(AUTO).commit(pre, post, configMap('1')).start().until(60)
    expect(since(stage, 0)).toContain(did(0, 'A-31', 'created Job', 'pre', 'PreSync'))
    const ended = since(stage, 0).find((line) => line.includes('A-34'))
    expect(ended).toContain('deleted finished Job: Job shop/post')
    stage.commit(pre, post, configMap('2')).until(120)
    expect(since(stage, 60)).toContain(
      did(60, 'A-33', 'deleted Job to replace it', 'pre', 'PreSync'),
    )
  })

  it('A-27: Force with Replace', () => {
    const forced = job({ annotations: FORCE_REPLACE })
    const stage = new Stage(AUTO).commit(forced, configMap('1')).start().until(10)
    stage.commit(forced, configMap('2')).until(20)
    expect(since(stage, 10)).toContain(did(10, 'A-27', 'deleted Job to replace it'))
    expect(since(stage, 10)).toContain(did(10, 'A-26', 'created Job'))
  })

  it('A-25: a pruned Job', () => {
    const stage = new Stage(HEALING).commit(job(), configMap('1')).start().until(10)
    stage.commit(configMap('1')).until(20)
    expect(since(stage, 10)).toContain(did(10, 'A-25', 'pruned Job'))
  })

  it('A-40: the end of the Application', () => {
    const stage = new Stage(HEALING).commit(job()).start().until(10)
    const finalizers = ['resources-finalizer.argocd.argoproj.io']
    stage.patch({ metadata: { finalizers } }).until(11)
    const resource = { group: 'argoproj.io', version: 'v1alpha1', resource: 'applications' }
    const place = { resource, namespace: 'argocd', name: 'shop' }
    stage.cluster.request({ verb: 'delete', ...place, user: 'person' })
    stage.until(20)
    expect(since(stage, 11)).toEqual([
      synced(11, 'A-40', 'somebody deleted the Application (request)'),
      did(11, 'A-40', 'pruned Job'),
    ])
  })
})
