import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringAt, type JsonObject } from '../../core/json.ts'
import { secondActorRules, secondActors } from './index.ts'
import { kueue } from './kueue/index.ts'
import { reloader } from './reloader/index.ts'
import {
  CONFIGMAPS,
  configMap,
  cronJob,
  HOUR,
  job,
  JOBS,
  pushes,
  READS,
  Scene,
  ZERO,
} from './testing.ts'
import { APPLICATIONS, ArgoScene, FluxScene } from './testing-engines.ts'

function pageText(): string {
  const place = new URL('../../../docs/engines/second-actors.md', import.meta.url)
  return readFileSync(place, 'utf8')
}

describe('the list of second actors', () => {
  it('names each kind once, in order', () => {
    const kinds = secondActors.flatMap((one) => one.kinds)
    expect(kinds).toEqual([...new Set(kinds)].sort())
  })

  it('has the rules of its page, all of them unconfirmed', () => {
    const onPage = [
      ...pageText().matchAll(/^\| (?:<a [^|]*<\/a>)?((?:RL|IU|IA|KU|ME)-\d+) \|/gm),
    ].map(([, id]) => id)
    expect(onPage).toEqual(secondActorRules.map(({ id }) => id))
    expect(secondActorRules.some(({ isConfirmed }) => isConfirmed)).toBe(false)
  })

  it('has the settings that its page names', () => {
    for (const { kinds, settings } of secondActors) {
      const row =
        pageText().match(new RegExp(`^\\| \\[.*\\| \`${kinds[0]}\` \\|.*$`, 'm'))?.[0] ?? ''
      const named = [...(row.split('|').at(-2) ?? '').matchAll(/`([A-Za-z]+)`/g)].map(
        ([, key]) => key,
      )
      expect(new Set(named)).toEqual(new Set(settings))
    }
  })

  it('finds nothing in a repository of plain Jobs', () => {
    expect(secondActors.flatMap((one) => one.foundIn([job(), cronJob(), configMap('a')]))).toEqual(
      [],
    )
  })
})

const AUTO = { 'reloader.stakater.com/auto': 'true' }
const REPLACE = { 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true' }

function filesOf(value: string, work: JsonObject): { readonly [path: string]: string } {
  return { 'conf.yaml': JSON.stringify(configMap(value)), 'job.yaml': JSON.stringify(work) }
}

describe('Reloader beside an engine', () => {
  const second = [[reloader, { kind: 'reloader' }]] as const
  const healing = { syncPolicy: { automated: { selfHeal: true } } }
  const synced = (stage: ArgoScene): string | undefined =>
    stringAt(stage.get(APPLICATIONS, 'shop', 'argocd'), ['status', 'sync', 'status'])

  it('under Argo CD a commit to a ConfigMap alone runs the Job; self-heal sees no difference', () => {
    const work = job({ annotations: AUTO, container: READS })
    const stage = new ArgoScene(filesOf('a', work), { second }, healing)
    stage.until(600)
    stage.commit(filesOf('b', work))
    stage.until(3600)
    expect(stage.runs('work')).toEqual([0, 600])
    expect(synced(stage)).toBe('Synced')
  })

  it('leaves a Job alone that the engine creates in one go with the ConfigMap (RL-1)', () => {
    const work = job({ annotations: { ...AUTO, ...REPLACE }, container: READS })
    const stage = new ArgoScene(filesOf('a', work), { second }, healing)
    stage.until(600)
    stage.commit(filesOf('b', work))
    stage.until(3600)
    expect(stage.runs('work')).toEqual([0, 600])
    expect(stage.told('reloader').at(-1)).toMatch(/^RL-1 left Job alone.*: Job shop\/work$/)
  })

  it('under Flux it runs once for each commit to the ConfigMap, and no interval undoes it', () => {
    const work = job({ annotations: AUTO, container: READS })
    const stage = new FluxScene(filesOf('a', work), { second })
    stage.until(1000)
    stage.commit(filesOf('b', work))
    stage.until(24 * 3600)
    expect(stage.runs('work')).toEqual([0, 1000])
    expect(JSON.stringify(stage.get(JOBS, 'work'))).toContain('STAKATER_SETTINGS_CONFIGMAP')
    expect(stage.message).toContain('Applied revision')
  })

  it('finds nothing to do for a Job that its TTL has taken away; Flux restores it as ever', () => {
    const work = job({ annotations: AUTO, container: READS, spec: { ttlSecondsAfterFinished: 60 } })
    const stage = new FluxScene(filesOf('a', work), { second })
    stage.until(300)
    stage.commit(filesOf('b', work))
    stage.until(1000)
    // The commit is a revision, and brings the Job back: Flux, not Reloader.
    expect(stage.runs('work')).toEqual([0, 300, 900])
    expect(stage.told('reloader').filter((line) => line.startsWith('RL-5'))).toEqual([])
  })
})

describe('second actors that have nothing to do', () => {
  it('cost no wakes over a year', () => {
    const registry = pushes([0, 'registry.example.test/shop/work:1.0.0'])
    const apiVersion = 'image.toolkit.fluxcd.io/v1'
    const metadata = { name: 'work', namespace: 'shop' }
    const objects = [
      {
        apiVersion,
        kind: 'ImageRepository',
        metadata,
        spec: { image: 'registry.example.test/shop/work', interval: '1m' },
      },
      {
        apiVersion,
        kind: 'ImagePolicy',
        metadata,
        spec: { imageRepositoryRef: { name: 'work' }, policy: { semver: { range: '1.x' } } },
      },
      { apiVersion, kind: 'ImageUpdateAutomation', metadata, spec: { interval: '1m' } },
    ]
    const second = secondActors.map((one) => [one, { objects }] as const)
    const stage = new ArgoScene({ 'job.yaml': JSON.stringify(job()) }, { second, registry })
    stage.until(600)
    let steps = 0
    const owners = new Set<string>()
    for (;;) {
      const at = stage.cluster.nextAt()
      if (at === undefined || at > ZERO + 365 * 24 * HOUR) break
      for (const { owner } of stage.cluster.planned()) owners.add(owner)
      stage.cluster.step()
      steps += 1
      if (steps > 1000) break
    }
    const own = [...owners].filter((name) =>
      /^(reloader|kueue|image-|istiod|linkerd|argocd-image)/.test(name),
    )
    expect(own).toEqual([])
  })
})

describe('a copy of a cluster', () => {
  it('goes on alike, with what its second actors remember', () => {
    const event = fc.record({
      at: fc.integer({ min: 1, max: 600 }),
      what: fc.constantFrom('config', 'job', 'resume', 'suspend', 'delete'),
      which: fc.integer({ min: 0, max: 2 }),
    })
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 12 }),
        fc.integer({ min: 1, max: 900 }),
        (events, cut) => {
          const stage = new Scene({
            second: [
              [reloader, {}],
              [kueue, { quota: { pods: 1 } }],
            ],
          })
          stage.create(configMap('a'))
          for (const [nth, { at, what, which }] of events
            .toSorted((a, b) => a.at - b.at)
            .entries()) {
            stage.until(at)
            act(stage, what, `job-${which}`, nth)
          }
          stage.until(Math.max(cut, 600))
          const twin = stage.cluster.copy()
          stage.until(7200)
          twin.runUntil(ZERO + 7200_000)
          const state = (cluster: Scene['cluster']): unknown =>
            [...cluster.api.read.all()].map(({ object }) => object)
          expect(state(twin)).toEqual(state(stage.cluster))
        },
      ),
      { numRuns: 15 },
    )
  })
})

function act(stage: Scene, what: string, name: string, nth: number): void {
  const send = (request: Parameters<Scene['send']>[0]): void => {
    stage.cluster.request({ user: 'person', ...request })
  }
  const place = { resource: JOBS, namespace: 'shop', name }
  const labels = { 'kueue.x-k8s.io/queue-name': 'batch' }
  if (what === 'config') stage.patch(CONFIGMAPS, 'settings', { data: { value: `v${nth}` } })
  else if (what === 'job') {
    const body = job({ name, annotations: AUTO, labels, container: READS, seconds: 50 })
    send({ verb: 'create', resource: JOBS, namespace: 'shop', body })
  } else if (what === 'delete') {
    send({ verb: 'delete', ...place, options: { propagationPolicy: 'Background' } })
  } else {
    const body = { spec: { suspend: what === 'suspend' } }
    send({ verb: 'patch', ...place, patch: { type: 'merge', body } })
  }
}
