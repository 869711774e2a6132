import { describe, expect, it } from 'vitest'
import { BUNDLES, GIT_REPOS } from '../../engines/fleet/index.ts'
import { fleetStage } from './fleet.ts'
import { conditionText, jobFile, removeJob, rigOf, type Rig } from './rig.ts'

const HOUR = 3600
const FLEET = 'defaultNamespace: shop\n'

function rig(input: Parameters<typeof rigOf>[1] = {}): Rig {
  return rigOf(fleetStage, input)
}

function repo(spec: object = {}) {
  const metadata = { name: 'git', namespace: 'fleet-local' }
  return { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'GitRepo', metadata, spec: { ...spec } }
}

const bundles = ({ cluster }: Rig): readonly string[] =>
  cluster.api.read.list(BUNDLES).map(({ metadata }) => metadata.name)

describe('the stage of Fleet', () => {
  it('makes a bundle of a folder without any GitRepo, and runs its Job once', () => {
    const world = rig()
    world.commit({ 'fleet.yaml': FLEET, 'job.yaml': jobFile() })
    world.until(24 * HOUR)
    expect(bundles(world)).toEqual(['repo'])
    expect(world.jobs).toEqual(['migrate 0'])
    expect(conditionText(world.get(BUNDLES, 'fleet-local', 'repo'), 'Ready')).toBe('True')
  })

  it('takes fleet.yaml and chart from the folder when only a manifest is applied', () => {
    const chart = {
      'fleet.yaml': 'defaultNamespace: shop\nhelm: {chart: ./chart, releaseName: shop}\n',
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/templates/job.yaml': jobFile({ name: '{{ .Release.Name }}-init' }),
      'commits/010h-job.yaml': jobFile(),
    }
    const world = rig({ files: chart })
    world.commit({})
    world.until(HOUR)
    expect(world.jobs).toEqual(['shop-init 0'])
  })

  it('sees a commit at the next poll of its GitRepo', () => {
    const world = rig({ carriers: [repo({ pollingInterval: '1m' })] })
    world.commit({ 'fleet.yaml': FLEET, 'job.yaml': jobFile({ name: 'one' }) })
    world.until(100)
    world.commit({ 'fleet.yaml': FLEET, 'job.yaml': jobFile({ name: 'two' }) })
    world.until(HOUR)
    expect(world.jobs).toEqual(['one 0', 'two 120'])
    expect(world.triggers().slice(-2)).toEqual([
      'revision: commit c2 was there at its poll every 60s',
      'revision: commit c2 came',
    ])
  })

  it('makes a bundle of each folder with a fleet.yaml, and of a path without one', () => {
    const world = rig({ carriers: [repo({ paths: ['apps', 'plain'] })] })
    world.commit({
      'apps/a/fleet.yaml': FLEET,
      'apps/a/job.yaml': jobFile({ name: 'a' }),
      'apps/b/fleet.yaml': FLEET,
      'apps/b/job.yaml': jobFile({ name: 'b' }),
      'plain/job.yaml': jobFile({ name: 'plain' }),
      'other/job.yaml': jobFile({ name: 'other' }),
    })
    world.until(HOUR)
    expect(bundles(world)).toEqual(['git-apps-a', 'git-apps-b', 'git-plain'])
    expect(world.jobs.toSorted()).toEqual(['a 0', 'b 0', 'plain 0'])
    world.commit({ 'plain/job.yaml': jobFile({ name: 'plain' }) })
    world.until(2 * HOUR)
    expect(bundles(world)).toEqual(['git-plain'])
  })

  it('waits for Git while it cannot be reached', () => {
    const world = rig({ carriers: [repo()] })
    world.commit({ 'fleet.yaml': FLEET, 'job.yaml': jobFile({ name: 'one' }) })
    world.until(HOUR)
    world.stage.sources?.(world.cluster, false)
    world.commit({ 'fleet.yaml': FLEET, 'job.yaml': jobFile({ name: 'two' }) })
    world.until(2 * HOUR)
    expect(world.jobs).toHaveLength(1)
    world.stage.sources?.(world.cluster, true)
    world.until(3 * HOUR)
    expect(world.jobs).toEqual(['one 0', 'two 7200'])
  })

  it('a forced sync deploys again, which creates a Job that went away', () => {
    const world = rig()
    world.commit({ 'fleet.yaml': FLEET, 'job.yaml': jobFile({ ttl: 60 }) })
    world.until(HOUR)
    world.stage.sync?.(world.cluster, { sync: true })
    world.until(2 * HOUR)
    expect(world.jobs).toEqual(['migrate 0', 'migrate 3600'])
    expect(world.triggers().at(-1)).toBe(
      'request: a person forced a sync of Bundle fleet-local/repo',
    )
  })

  it('correctDrift of the GitRepo counts for its bundles, and can be switched on later', () => {
    const world = rig({ settings: { correctDrift: false } })
    world.commit({ 'fleet.yaml': FLEET, 'job.yaml': jobFile() })
    world.until(HOUR)
    removeJob(world, 'migrate')
    world.until(2 * HOUR)
    expect(world.jobs).toHaveLength(1)
    world.stage.change?.(world.cluster, { change: { 'spec.correctDrift.enabled': true } })
    world.until(3 * HOUR)
    expect(world.jobs).toEqual(['migrate 0', 'migrate 7205'])
  })

  it('other values reach the chart of a Bundle', () => {
    const template = jobFile({ name: 'job-{{ .Values.tag }}' })
    const resources = [
      { name: 'Chart.yaml', content: 'apiVersion: v2\nname: shop\nversion: 1.0.0\n' },
      { name: 'templates/job.yaml', content: template },
    ]
    const metadata = { name: 'own', namespace: 'fleet-local' }
    const spec = { namespace: 'shop', helm: { values: { tag: 'a' } }, resources }
    const bundle = { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Bundle', metadata, spec }
    const world = rig({ carriers: [bundle] })
    world.commit({})
    world.until(HOUR)
    world.stage.change?.(world.cluster, { values: { tag: 'b' } })
    world.until(2 * HOUR)
    expect(world.jobs).toEqual(['job-a 0', 'job-b 3600'])
  })

  it('carriers come and go with their bundles', () => {
    const world = rig({ carriers: [repo()] })
    const files = { 'fleet.yaml': FLEET, 'job.yaml': jobFile() }
    world.commit(files)
    world.until(HOUR)
    const other = { ...repo(), metadata: { name: 'other', namespace: 'fleet-local' } }
    world.commit(files, [other])
    world.until(2 * HOUR)
    expect(bundles(world)).toEqual(['other'])
    expect(world.get(GIT_REPOS, 'fleet-local', 'git')).toBeUndefined()
    expect(world.triggers()).toContain('revision: it was deleted')
  })
})

describe('what begins work of Fleet', () => {
  const start = (spec: object = {}, extra = ''): Rig => {
    const world = rig({ carriers: [repo(spec)] })
    world.commit({ 'fleet.yaml': FLEET + extra, 'job.yaml': jobFile() })
    world.until(HOUR)
    return world
  }

  it('watch: an object went away 5s before the rollback', () => {
    const world = start({ correctDrift: { enabled: true } })
    removeJob(world, 'migrate')
    world.until(2 * HOUR)
    expect(world.jobs).toEqual(['migrate 0', 'migrate 3605'])
    expect(world.triggers().at(-1)).toBe('watch: Job shop/migrate went away 5s ago')
    const made = world.causes.findLast(({ effect }) => effect === 'created Job')
    expect(made).toMatchObject({ object: 'Job shop/migrate', carrier: 'Bundle fleet-local/git' })
  })

  it('start: Fleet was down when it went', () => {
    const world = start({ correctDrift: { enabled: true } })
    world.cluster.stop('fleet')
    removeJob(world, 'migrate')
    world.until(2 * HOUR)
    world.cluster.start('fleet')
    world.until(3 * HOUR)
    expect(world.jobs.at(-1)).toBe('migrate 7205')
    expect(world.triggers().at(-1)).toBe('start: fleet started')
  })

  it('retry: a refused deployment, each time with what was refused', () => {
    const world = start()
    world.commit({ 'fleet.yaml': FLEET, 'job.yaml': jobFile({ image: 'shop:2' }) })
    world.until(HOUR + 10)
    expect(world.triggers().slice(-2)).toEqual([
      'retry: its deployment failed 2s ago',
      'retry: its deployment failed 4s ago',
    ])
    const effects = world.causes.map(({ effect }) => effect)
    expect(effects).toContainEqual(expect.stringMatching(/^refused Job: /))
    expect(effects).toContainEqual(expect.stringMatching(/^failed: .*field is immutable/))
  })

  it('dependency: the bundle before it became ready', () => {
    const world = rig({ carriers: [repo({ paths: ['a', 'b'] })] })
    world.commit({
      'a/fleet.yaml': FLEET,
      'a/job.yaml': jobFile({ name: 'a' }),
      'b/fleet.yaml': `${FLEET}dependsOn: [{name: git-a}]\n`,
      'b/job.yaml': jobFile({ name: 'b' }),
    })
    world.until(HOUR)
    expect(world.jobs).toEqual(['a 0', 'b 60'])
    expect(world.triggers().at(-1)).toMatch(/^dependency: /)
  })
})
