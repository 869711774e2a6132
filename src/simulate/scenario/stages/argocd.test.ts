import { describe, expect, it } from 'vitest'
import { at, stringAt, type JsonObject } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { APPLICATIONS } from '../../engines/argocd/application.ts'
import { argocdStage } from './argocd.ts'
import { versionOf, withSettings } from './argocd-settings.ts'
import { operationOf } from './argocd-sync.ts'
import { JOBS, removeJob, rigOf, type Rig, type RigInput } from './rig.ts'

const ENGINE = 'argocd-application-controller'

function jobText(name: string, image = '1', annotations: JsonObject = {}): string {
  return [
    'apiVersion: batch/v1',
    'kind: Job',
    `metadata: {name: ${name}, namespace: shop, annotations: ${JSON.stringify(annotations)}}`,
    'spec:',
    '  backoffLimit: 0',
    '  template:',
    '    spec:',
    '      restartPolicy: Never',
    `      containers: [{name: task, image: "shop:${image}"}]`,
    '',
  ].join('\n')
}

const CONF =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: shop}\ndata: {v: "1"}\n'
const FILES = { 'deploy/job.yaml': jobText('migrate'), 'deploy/conf.yaml': CONF }

function app(spec: JsonObject = {}, name = 'shop'): JsonObject {
  const source = { repoURL: 'git://git.example.test/shop', targetRevision: 'main', path: 'deploy' }
  const destination = { namespace: 'shop' }
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name },
    spec: { project: 'default', source, destination, ...spec },
  }
}

const AUTO = { syncPolicy: { automated: {} } }

function installed(input: RigInput = {}): Rig {
  const rig = rigOf(argocdStage, { files: FILES, carriers: [app(AUTO)], ...input })
  rig.stage.commit(rig.cluster, 'c1', input.files ?? FILES)
  rig.until(100)
  return rig
}

function appOf(rig: Rig, name = 'shop'): JsonObject | undefined {
  return rig.cluster.api.read.get(APPLICATIONS, 'argocd', name)
}

function jobOf(rig: Rig, name: string): KubeObject | undefined {
  return rig.get(JOBS, 'shop', name)
}

function statusOf(rig: Rig): string {
  return stringAt(appOf(rig), ['status', 'sync', 'status']) ?? ''
}

/** What Argo CD did to Jobs since the start: `created Job migrate`. */
function done(rig: Rig): readonly string[] {
  return rig.causes
    .filter(({ actor, object }) => actor === ENGINE && object?.startsWith('Job ') === true)
    .map(({ effect, object }) => `${effect} ${object?.split('/')[1] ?? ''}`)
}

describe('settings of a scenario', () => {
  const policyOf = (settings: JsonObject, spec: JsonObject = {}): unknown =>
    at(withSettings(app(spec), { settings, changes: {} }), ['spec', 'syncPolicy'])

  it.each<[string, JsonObject, JsonObject, JsonObject | undefined]>([
    ['nothing makes nothing automated', {}, {}, undefined],
    ['selfHeal makes it automated', { selfHeal: true }, {}, { automated: { selfHeal: true } }],
    ['selfHeal: false does not', { selfHeal: false }, {}, undefined],
    ['automated: false takes it out', { automated: false, selfHeal: true }, AUTO, {}],
    ['prune counts before the file', { prune: true }, AUTO, { automated: { prune: true } }],
    ['a number of retries', { retry: 3 }, {}, { retry: { limit: 3 } }],
    [
      'retries with their backoff',
      { retry: { limit: 2, duration: '10s' } },
      {},
      { retry: { limit: 2, backoff: { duration: '10s' } } },
    ],
    [
      'options',
      { applyOutOfSyncOnly: true },
      { syncPolicy: { syncOptions: ['PruneLast=true'] } },
      { syncOptions: ['PruneLast=true', 'ApplyOutOfSyncOnly=true'] },
    ],
    [
      'options that are taken away',
      { applyOutOfSyncOnly: false },
      { syncPolicy: { syncOptions: ['ApplyOutOfSyncOnly=true'], automated: {} } },
      { automated: {} },
    ],
  ])('%s', (_, settings, spec, policy) => {
    expect(policyOf(settings, spec) ?? {}).toMatchObject(policy ?? {})
    if (policy?.['automated'] === undefined) {
      expect(policyOf(settings, spec) ?? {}).not.toHaveProperty('automated')
    }
  })

  it('reads versions', () => {
    expect(['3.6.1', '2.10', 'v3.5', '3.x', undefined].map(versionOf)).toEqual([
      306,
      210,
      305,
      undefined,
      undefined,
    ])
  })

  it('A-37: hooks have a finalizer from 2.14 on', () => {
    const files = { ...FILES, 'deploy/job.yaml': hookText }
    const finalizers = (version: string): unknown => {
      const rig = rigOf(argocdStage, { files, carriers: [app(AUTO)], settings: { version } })
      rig.stage.commit(rig.cluster, 'c1', files)
      rig.until(1)
      return jobOf(rig, 'migrate')?.metadata.finalizers
    }
    expect(finalizers('2.10')).toBeUndefined()
    expect(finalizers('3.5')).toHaveLength(1)
  })

  it('A-23: before 3.4 a hook that is gone is waited for without end', () => {
    const files = { ...FILES, 'deploy/job.yaml': hookText.replace('spec:', TTL) }
    const phase = (version: string): unknown => {
      const rig = installed({ files, settings: { version } })
      rig.until(2000)
      return at(appOf(rig), ['status', 'operationState', 'phase'])
    }
    expect(phase('2.10')).toBe('Running')
    expect(phase('3.5')).toBe('Succeeded')
  })
})

const TTL = 'spec:\n  ttlSecondsAfterFinished: 0'
const hookText = jobText('migrate', '1', { 'argocd.argoproj.io/hook': 'PreSync' })

describe('syncs by a person', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['of all', { sync: true }, {}],
    ['pruning', { sync: { prune: true } }, { prune: true }],
    ['by force', { sync: { force: true } }, { syncStrategy: { hook: { force: true } } }],
    ['replacing', { sync: { replace: true } }, { syncOptions: ['Replace=true'] }],
    ['without hooks', { sync: { strategy: 'apply' } }, { syncStrategy: { apply: {} } }],
  ])('%s', (_, event, sync) => {
    expect(operationOf(event, app(), undefined)['sync']).toEqual(sync)
  })

  it.each<[JsonObject[string], JsonObject]>([
    ['Job/shop/migrate', { group: 'batch', kind: 'Job', namespace: 'shop', name: 'migrate' }],
    ['Job/migrate', { group: 'batch', kind: 'Job', name: 'migrate' }],
    ['batch/Job/migrate', { group: 'batch', kind: 'Job', name: 'migrate' }],
    ['batch:Job:migrate', { group: 'batch', kind: 'Job', name: 'migrate' }],
    ['batch:Job:shop/migrate', { group: 'batch', kind: 'Job', namespace: 'shop', name: 'migrate' }],
    ['ConfigMap/conf', { kind: 'ConfigMap', name: 'conf' }],
    [
      { kind: 'ConfigMap', name: 'conf' },
      { kind: 'ConfigMap', name: 'conf' },
    ],
  ])('names %j', (text, resource) => {
    const event = { sync: { resources: [text] } } as JsonObject
    expect(at(operationOf(event, app(), undefined), ['sync', 'resources'])).toEqual([resource])
  })

  it('A-38: of named objects run no hooks', () => {
    const files = { ...FILES, 'deploy/hook.yaml': hookText.replace('name: migrate', 'name: pre') }
    const rig = installed({ files, carriers: [app()] })
    expect(done(rig)).toEqual([])
    rig.stage.sync?.(rig.cluster, { sync: { by: 'ann', resources: ['Job/shop/migrate'] } })
    rig.until(200)
    expect(done(rig)).toEqual(['created Job migrate'])
    rig.stage.sync?.(rig.cluster, { sync: true })
    rig.until(300)
    expect(done(rig)).toContain('created Job pre')
  })
})

describe('commits', () => {
  it('create, change and delete the Applications that they bring', () => {
    const rig = installed()
    const other = app(
      { ...AUTO, source: { repoURL: 'x', targetRevision: 'main', path: 'other' } },
      'two',
    )
    const files = { ...FILES, 'other/job.yaml': jobText('second') }
    rig.stage.commit(rig.cluster, 'c2', files, [app(AUTO), other])
    rig.until(200)
    expect(done(rig)).toEqual(['created Job migrate', 'created Job second'])
    rig.stage.commit(rig.cluster, 'c3', files, [app(AUTO)])
    rig.until(300)
    expect(appOf(rig, 'two')).toBeUndefined()
    expect(jobOf(rig, 'second')).toBeDefined()
  })

  it('without a webhook are found by the next refresh', () => {
    const rig = installed({ settings: { webhook: false, refresh: '60s' } })
    const files = { ...FILES, 'deploy/two.yaml': jobText('two') }
    rig.until(610)
    rig.stage.commit(rig.cluster, 'c2', files)
    rig.until(659)
    expect(jobOf(rig, 'two')).toBeUndefined()
    rig.until(661)
    expect(jobOf(rig, 'two')).toBeDefined()
  })

  it('are built where the folder has a kustomization, bases beside it included', () => {
    const files = {
      'base/kustomization.yaml': 'resources: [job.yaml]\n',
      'base/job.yaml': jobText('migrate'),
      'deploy/kustomization.yaml': 'resources: [../base]\nnamePrefix: live-\n',
    }
    const rig = installed({ files })
    expect(done(rig)).toEqual(['created Job live-migrate'])
  })
})

describe('outages and new beginnings', () => {
  it('Git cannot be reached: the next refresh says so, and nothing is healed until it is back', () => {
    const rig = installed({ settings: { selfHeal: true, refresh: '60s' } })
    rig.stage.sources?.(rig.cluster, false)
    rig.until(200)
    expect(statusOf(rig)).toBe('Unknown')
    removeJob(rig, 'migrate')
    rig.until(300)
    expect(jobOf(rig, 'migrate')).toBeUndefined()
    rig.stage.sources?.(rig.cluster, true)
    rig.until(400)
    expect(statusOf(rig)).toBe('Synced')
    expect(jobOf(rig, 'migrate')).toBeDefined()
  })

  it('realistic timing finds a change that nobody tells of within refresh, jitter and cache', () => {
    const rig = installed({ settings: { webhook: false }, timing: 'realistic' })
    rig.until(10_000)
    rig.stage.commit(rig.cluster, 'c2', { ...FILES, 'deploy/two.yaml': jobText('two') })
    rig.until(10_000 + 500)
    expect(jobOf(rig, 'two')).toBeDefined()
  })
})
