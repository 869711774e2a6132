import { describe, expect, it } from 'vitest'
import { jobFile, JOBS, removeJob, rigOf, type Rig } from './rig.ts'
import { kubectlStage } from './kubectl-schedule.ts'

const HOUR = 3600
const DAY = 24 * HOUR

function rig(settings: { readonly [key: string]: string } = {}): Rig {
  return rigOf(kubectlStage, { settings: { kind: 'kubectl-schedule', ...settings } })
}

describe('kubectl at each commit', () => {
  it('runs an unchanged Job once, and one under another name again', () => {
    const world = rig()
    world.commit({ 'job.yaml': jobFile() })
    world.until(DAY)
    world.commit({ 'job.yaml': jobFile() })
    world.until(2 * DAY)
    world.commit({ 'job.yaml': jobFile({ name: 'other' }) })
    world.until(3 * DAY)
    expect(world.jobs).toEqual(['migrate 0', `other ${2 * DAY}`])
    expect(world.triggers()).toEqual(['revision: commit c1 came', 'revision: commit c3 came'])
    expect(world.get(JOBS, 'shop', 'migrate')).toBeDefined()
  })

  it('is refused with a changed template, and says so', () => {
    const world = rig()
    world.commit({ 'job.yaml': jobFile() })
    world.until(DAY)
    world.commit({ 'job.yaml': jobFile({ image: 'shop:2' }) })
    world.until(2 * DAY)
    const effects = world.causes.map(({ effect }) => effect).slice(-3)
    expect(effects).toEqual([
      'ran',
      'refused Job: Job.batch "migrate" is invalid: spec.template: field is immutable',
      expect.stringMatching(/^failed: .*field is immutable/),
    ])
  })

  it('a person may run it again', () => {
    const world = rig()
    world.commit({ 'job.yaml': jobFile({ ttl: 60 }) })
    world.until(DAY)
    world.stage.sync?.(world.cluster, { sync: true })
    world.until(2 * DAY)
    expect(world.jobs).toEqual(['migrate 0', `migrate ${DAY}`])
  })

  it('edits a live object by name', () => {
    const world = rig()
    world.commit({ 'a.yaml': jobFile({ name: 'a' }), 'b.yaml': jobFile({ name: 'b' }) })
    world.until(HOUR)
    const change = { 'spec.ttlSecondsAfterFinished': 60 }
    world.stage.change?.(world.cluster, { object: 'Job/shop/a', change })
    world.until(2 * HOUR)
    expect(world.get(JOBS, 'shop', 'a')).toBeUndefined()
    expect(world.get(JOBS, 'shop', 'b')).toBeDefined()
  })
})

describe('kubectl on a schedule', () => {
  it('brings back each night what its TTL took, and costs nothing in between', () => {
    const world = rig({ every: '24h' })
    world.commit({ 'job.yaml': jobFile({ ttl: 600 }) })
    world.until(7 * DAY)
    expect(world.jobs).toEqual([0, 1, 2, 3, 4, 5, 6].map((day) => `migrate ${day * DAY}`))
    expect(world.triggers()).toEqual(['interval: it runs every 24h'])
  })

  it('comes no more while it would change nothing', () => {
    const world = rig({ every: '1m' })
    world.commit({ 'job.yaml': jobFile() })
    world.until(HOUR)
    expect(world.cluster.nextAt()).toBeUndefined()
    removeJob(world, 'migrate')
    world.until(2 * HOUR)
    expect(world.jobs).toEqual(['migrate 0', `migrate ${HOUR}`])
  })

  it('replace --force runs the Job each time, with the deletion as a cause', () => {
    const world = rig({ every: '24h', command: 'kubectl replace --force -f jobs/' })
    world.commit({ 'job.yaml': jobFile() })
    world.until(3 * DAY)
    expect(world.jobs).toEqual(['migrate 0', `migrate ${DAY}`, `migrate ${2 * DAY}`])
    const own = world.causes.filter(({ actor }) => actor === 'kubectl')
    expect(own.slice(-3).map(({ rule, effect, carrier }) => [rule, effect, carrier])).toEqual([
      ['KC-4', 'ran', 'replace --force'],
      ['KC-4', 'deleted Job to replace it', 'replace --force'],
      ['KC-4', 'created Job', 'replace --force'],
    ])
  })

  it('goes by a crontab in its time zone', () => {
    const world = rig({ schedule: '0 2 * * *', timeZone: 'Europe/Berlin' })
    world.commit({ 'job.yaml': jobFile({ ttl: 60 }) })
    world.until(2 * DAY)
    expect(world.jobs).toEqual([`migrate ${HOUR}`, `migrate ${25 * HOUR}`])
    expect(world.triggers()).toEqual(['interval: its schedule 0 2 * * * came'])
  })

  it.each([
    { every: '0s' },
    { every: 'soon' },
    { schedule: '99 * * * *' },
    { schedule: '0 2 * * *', timeZone: 'Berlin' },
  ])('refuses %j', (settings) => {
    expect(() => rig(settings as never)).toThrow(/is no time to run at/)
  })
})

describe('kubectl apply -k', () => {
  const KUSTOMIZATION = 'namespace: shop\nresources: [job.yaml]\n'

  it('applies what kustomize builds', () => {
    const world = rig({ command: 'kubectl apply -k app' })
    const job = jobFile().replace('"namespace":"shop"', '"labels":{"a":"b"}')
    world.commit({ 'app/kustomization.yaml': KUSTOMIZATION, 'app/job.yaml': job })
    world.until(HOUR)
    expect(world.jobs).toEqual(['migrate 0'])
    expect(world.get(JOBS, 'shop', 'migrate')?.metadata.labels).toMatchObject({ a: 'b' })
    const labels = world.get(JOBS, 'shop', 'migrate')?.metadata.labels ?? {}
    expect(Object.keys(labels).filter((key) => key.includes('toolkit'))).toEqual([])
  })

  it('applies nothing when the build fails (case 035)', () => {
    const files = { 'kustomization.yaml': 'resources: [job.yaml]\n' }
    const world = rigOf(kubectlStage, { settings: { kind: 'kustomize' }, files })
    world.commit({ 'job.yaml': jobFile().replace('"name":"migrate"', '"generateName":"a-"') })
    world.until(HOUR)
    expect(world.jobs).toEqual([])
    expect(world.causes.map(({ effect }) => effect)).toContainEqual(
      expect.stringMatching(/^failed: error: .*missing metadata\.name in object/),
    )
  })
})
