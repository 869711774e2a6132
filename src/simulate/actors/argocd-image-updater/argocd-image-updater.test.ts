import { describe, expect, it } from 'vitest'
import { listAt, type JsonObject } from '../../../core/json.ts'
import { registryOf } from '../registry.ts'
import type { ActorTools } from '../second-actor.ts'
import { cronJob, HOUR, job, JOBS, MINUTE, pushes, ZERO } from '../testing.ts'
import { APPLICATIONS, ArgoScene } from '../testing-engines.ts'
import { argocdImageUpdater } from './index.ts'

const REPO = 'registry.example.test/shop/work'
const PREFIX = 'argocd-image-updater.argoproj.io'
const DAY = 24 * 3600

function scene(
  object: JsonObject,
  registry: ActorTools['registry'],
  annotations: JsonObject = {},
  app: JsonObject = {},
): ArgoScene {
  const marks = { [`${PREFIX}/image-list`]: `work=${REPO}`, ...annotations }
  return new ArgoScene(
    { 'work.json': JSON.stringify(object) },
    { second: [[argocdImageUpdater, { kind: 'argocd-image-updater' }]], registry },
    { annotations: marks, syncPolicy: { automated: { selfHeal: true } }, ...app },
  )
}

const GIT = { [`${PREFIX}/write-back-method`]: 'git' }
const imagesIn = (stage: ArgoScene): unknown =>
  listAt(stage.get(APPLICATIONS, 'shop', 'argocd'), ['spec', 'source', 'kustomize', 'images'])
const REPLACE = { 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true' }
const NEW_AT_10H = pushes([0, `${REPO}:1.0.0`], [10 * 3600 + 1, `${REPO}:1.1.0`])

describe('Argo CD Image Updater', () => {
  it('sets the new tag in the Application at its next look; Argo CD runs the Job (IU-1, IU-5)', () => {
    const stage = scene(job({ annotations: REPLACE }), NEW_AT_10H)
    stage.until(2 * DAY)
    expect(imagesIn(stage)).toEqual([`${REPO}:1.1.0`])
    expect(stage.runs('work').at(-1)).toBe(10 * 3600 + 120)
    expect(stage.told('argocd-image-updater')).toEqual([
      'IU-1 updated images: Application argocd/shop',
      `IU-5 set ${REPO}:1.1.0: Application argocd/shop`,
    ])
    const round = stage.causes.find(({ rule }) => rule === 'IU-1')
    expect(round?.trigger?.words).toBe(`its look every 2m found ${REPO}:1.1.0 in the registry`)
  })

  it('makes a plain Job unchangeable: the sync is refused, and nothing runs (A-9)', () => {
    const stage = scene(job(), NEW_AT_10H)
    stage.until(DAY)
    expect(stage.runs('work')).toEqual([0])
    const app = JSON.stringify(stage.get(APPLICATIONS, 'shop', 'argocd'))
    expect(app).toContain('field is immutable')
    expect(stage.told('argocd-image-updater')).toHaveLength(2)
  })

  it('with Git commits once, though ended pods keep the old image in the list for days (IU-3, IU-6)', () => {
    const cron = { schedule: '0 4 * * *', successfulJobsHistoryLimit: 3 }
    const stage = scene(cronJob({ cron }), NEW_AT_10H, GIT)
    stage.until(7 * DAY)
    expect(stage.commits).toHaveLength(1)
    const images = stage.cluster.api.read
      .list(JOBS)
      .map((one) => JSON.stringify(one).includes('work:1.1.0'))
    expect(images).toEqual([true, true, true])
  })

  it('does nothing before a pod runs the image: a CronJob that has not run keeps its tag (IU-3)', () => {
    const registry = pushes([0, `${REPO}:1.0.0`], [0, `${REPO}:1.1.0`])
    const cron = { schedule: '0 4 * * *' }
    const stage = scene(cronJob({ cron }), registry)
    stage.until(4 * 3600)
    expect(imagesIn(stage)).toEqual([])
    stage.until(4 * 3600 + 240)
    expect(imagesIn(stage)).toEqual([`${REPO}:1.1.0`])
    const forced = scene(cronJob({ cron }), registry, { [`${PREFIX}/work.force-update`]: 'true' })
    forced.until(240)
    expect(imagesIn(forced)).toEqual([`${REPO}:1.1.0`])
  })

  it('leaves an Application of plain manifests alone (IU-2)', () => {
    const source = { repoURL: 'git://git.example.test/shop', path: '.' }
    const stage = scene(job(), NEW_AT_10H, {}, { source })
    stage.until(DAY)
    expect(stage.told('argocd-image-updater')).toEqual([])
  })

  it('with digest pins the tag that is there, and each digest that it moves to (IU-4)', () => {
    const [one, two] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`]
    const registry = pushes([0, `${REPO}:dev`, one], [DAY, `${REPO}:dev`, two])
    const stage = scene(job({ annotations: REPLACE, image: `${REPO}:dev` }), registry, {
      [`${PREFIX}/image-list`]: `work=${REPO}:dev`,
      [`${PREFIX}/work.update-strategy`]: 'digest',
    })
    stage.until(DAY - 1)
    expect(imagesIn(stage)).toEqual([`${REPO}:dev@${one}`])
    stage.until(2 * DAY)
    expect(imagesIn(stage)).toEqual([`${REPO}:dev@${two}`])
    expect(stage.runs('work')).toEqual([0, 120, DAY])
  })

  it.each<[string, JsonObject, string]>([
    ['semver takes the highest release', {}, '1.10.0'],
    ['semver keeps to its range', { [`${PREFIX}/image-list`]: `work=${REPO}:~1.2` }, '1.2.7'],
    ['alphabetical goes by the text', { [`${PREFIX}/work.update-strategy`]: 'name' }, 'nightly'],
    [
      'newest-build goes by the time',
      { [`${PREFIX}/work.update-strategy`]: 'newest-build' },
      '1.2.7',
    ],
    [
      'tags that are not allowed do not count',
      {
        [`${PREFIX}/work.update-strategy`]: 'name',
        [`${PREFIX}/work.allow-tags`]: 'regexp:^[0-9.]+$',
      },
      '1.2.7',
    ],
    ['ignored tags do not count', { [`${PREFIX}/work.ignore-tags`]: '1.10.*, 1.2.*' }, '1.0.0'],
  ])('%s (IU-4)', (_, annotations, wanted) => {
    const registry = pushes(
      [0, `${REPO}:1.0.0`],
      [1, `${REPO}:1.10.0`],
      [2, `${REPO}:2.0.0-rc.1`],
      [3, `${REPO}:nightly`],
      [4, `${REPO}:1.2.7`],
    )
    const stage = scene(job({ image: `${REPO}:0.9.0` }), registry, annotations)
    stage.until(600)
    expect(imagesIn(stage)).toEqual([`${REPO}:${wanted}`])
  })

  it('reads its settings from an ImageUpdater where there is one (IU-1)', () => {
    const stage = scene(job({ annotations: REPLACE }), NEW_AT_10H, {
      [`${PREFIX}/image-list`]: 'other=registry.example.test/other',
    })
    stage.create({
      apiVersion: `${PREFIX}/v1alpha1`,
      kind: 'ImageUpdater',
      metadata: { name: 'shop', namespace: 'argocd' },
      spec: {
        applicationRefs: [{ namePattern: 'sh*', images: [{ alias: 'work', imageName: REPO }] }],
      },
    })
    stage.until(DAY)
    expect(imagesIn(stage)).toEqual([`${REPO}:1.1.0`])
  })

  it('takes no decision while the registry is silent, and the right one after it (IU-7)', () => {
    const outages = [{ from: ZERO + 10 * HOUR, until: ZERO + 12 * HOUR + MINUTE }]
    const at = ZERO + 10 * HOUR + 1000
    const first = { at: ZERO, image: `${REPO}:1.0.0` }
    const registry = registryOf([first, { at, image: `${REPO}:1.1.0` }], outages)
    const stage = scene(job({ annotations: REPLACE }), registry)
    stage.until(12 * 3600 + 119)
    expect(imagesIn(stage)).toEqual([])
    stage.until(12 * 3600 + 120)
    expect(imagesIn(stage)).toEqual([`${REPO}:1.1.0`])
  })

  it('makes no look that can find nothing new', () => {
    const stage = scene(job(), NEW_AT_10H)
    stage.until(600)
    const planned = stage.cluster.planned().filter(({ owner }) => owner === 'argocd-image-updater')
    expect(planned.map(({ at }) => (at - ZERO) / 1000)).toEqual([10 * 3600 + 120])
    stage.until(DAY)
    expect(stage.cluster.planned().filter(({ owner }) => owner === 'argocd-image-updater')).toEqual(
      [],
    )
  })

  it('is found by its annotation and by its own object', () => {
    const app = {
      kind: 'Application',
      metadata: { annotations: { [`${PREFIX}/image-list`]: 'a' } },
    }
    expect(argocdImageUpdater.foundIn([app])).toEqual([{ kind: 'argocd-image-updater' }])
    expect(argocdImageUpdater.foundIn([{ kind: 'ImageUpdater' }])).toHaveLength(1)
    expect(argocdImageUpdater.foundIn([{ kind: 'Application', metadata: {} }])).toEqual([])
  })
})
