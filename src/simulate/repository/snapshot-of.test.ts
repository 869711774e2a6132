import { describe, expect, test } from 'vitest'
import { argo, flux, job } from '../../../test/ownership/harness.ts'
import { lanesIn, played, snapshotIn } from '../../../test/simulate/repository.ts'

const ttl = (seconds: number, name = 'a', namespace = 'shop'): string =>
  job(name, namespace).replace(
    'ttlSecondsAfterFinished: 600',
    `ttlSecondsAfterFinished: ${seconds}`,
  )

describe('a Flux Kustomization', () => {
  test('restores what a TTL deletes at its interval', () => {
    const snapshot = snapshotIn({ 'ks.yaml': flux('x', './apps'), 'apps/a.yaml': ttl(86_400) })
    expect(lanesIn(snapshot)).toEqual(['shop/a: Flux Kustomization flux-system/x'])
    expect(played(snapshot, { days: 3 })).toEqual(['shop/a: 0 24.17 48.33'])
  })

  test('gets objects that are patched, named and moved already, and does none of it again', () => {
    const snapshot = snapshotIn({
      'ks.yaml': flux(
        'x',
        './apps',
        `  namePrefix: p-
  targetNamespace: moved
  commonMetadata: {labels: {team: red}}
  postBuild: {substitute: {TTL: "3600"}}
  patches:
    - target: {kind: Job}
      patch: |
        - {op: add, path: /spec/suspend, value: true}
`,
      ),
      'apps/a.yaml': job('a').replace('600', '${TTL}'),
    })
    const [world] = snapshot.worlds
    expect(snapshot.lanes).toMatchObject([{ name: 'moved/p-a', ttlSeconds: 3600 }])
    expect(world?.carriers).toEqual([
      {
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata: { name: 'x', namespace: 'flux-system' },
        spec: {
          interval: '10m',
          prune: true,
          sourceRef: { kind: 'GitRepository', name: 'flux-system' },
          path: './flux-system.x',
        },
      },
    ])
    expect(Object.keys(world?.files ?? {})).toEqual(['flux-system.x/job.moved.p-a.yaml'])
    expect(world?.namespaces).toEqual(['moved', 'flux-system'])
  })

  test.each([
    [
      'its interval is a variable',
      '${EVERY}',
      'spec.interval is ${EVERY}, which only rendering can tell',
    ],
    ['its interval is zero', '0s', 'spec.interval "0s" is no duration above zero'],
  ])('is unknown where %s', (_, interval, expected) => {
    const snapshot = snapshotIn({
      'ks.yaml': flux('x', './apps').replace('interval: 10m', `interval: ${interval}`),
      'apps/a.yaml': job('a', 'shop'),
    })
    expect(snapshot.worlds).toEqual([])
    expect(lanesIn(snapshot)).toEqual([`shop/a: ${expected}`])
  })

  test('waits for another one that carries Jobs, also through one that carries none', () => {
    const on = (name: string): string => `  dependsOn: [{name: ${name}}]\n`
    const { worlds } = snapshotIn({
      'a.yaml': flux('first', './one'),
      'b.yaml': flux('between', './none', on('first')),
      'c.yaml': flux('last', './two', `${on('between')}  retryInterval: 1m\n`),
      'one/a.yaml': job('a', 'shop'),
      'two/b.yaml': job('b', 'shop'),
      'none/x.yaml': 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\n',
    })
    const specs = (worlds[0]?.carriers ?? []).map(({ spec }) => spec)
    expect(specs).toMatchObject([
      { path: './flux-system.first' },
      { dependsOn: [{ name: 'first', namespace: 'flux-system' }] },
    ])
    expect(specs[0]).not.toHaveProperty('dependsOn')
  })

  test('takes health checks of objects that nobody plays for passed', () => {
    const checks = `  healthChecks:
    - {apiVersion: apps/v1, kind: Deployment, name: web, namespace: shop}
    - {apiVersion: batch/v1, kind: Job, name: a, namespace: shop}
`
    const { worlds } = snapshotIn({
      'ks.yaml': flux('x', './apps', checks),
      'apps/a.yaml': job('a', 'shop'),
    })
    expect(worlds[0]?.carriers[0]).toMatchObject({ spec: { healthChecks: [{ name: 'a' }] } })
  })
})

describe('an Argo CD Application', () => {
  const policy = '  syncPolicy: {automated: {prune: true, selfHeal: true}}\n'
  const hook = (name: string, image = 'x:1'): string =>
    job(name, 'shop', image)
      .replace('spec:', `  annotations: {argocd.argoproj.io/hook: Sync}\nspec:`)
      .replace('  ttlSecondsAfterFinished: 600\n', '')
  const web = (image: string): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {image: "${image}"}\n`

  test('heals what a TTL deletes', () => {
    const snapshot = snapshotIn({
      'app.yaml': argo('x', 'deploy', '', policy),
      'deploy/a.yaml': ttl(86_400),
    })
    expect(lanesIn(snapshot)).toEqual(['shop/a: Argo CD Application argocd/x'])
    expect(played(snapshot, { days: 2 })).toEqual(['shop/a: 0 24.02'])
  })

  test('runs its hooks when anything else of it changes, and not when only they do', () => {
    const at = (image: string, own: string) =>
      snapshotIn({
        'app.yaml': argo('x', 'deploy', '', policy),
        'deploy/hook.yaml': hook('h', own),
        'deploy/web.yaml': web(image),
      })
    const later = [
      [10, at('web:1', 'x:2')],
      [20, at('web:2', 'x:2')],
    ] as const
    expect(played(at('web:1', 'x:1'), { days: 2, later })).toEqual(['shop/h: 0 20'])
  })

  test('with nothing but hooks is in sync and never runs them', () => {
    const snapshot = snapshotIn({
      'app.yaml': argo('x', 'deploy', '', policy),
      'deploy/h.yaml': hook('h'),
    })
    expect(played(snapshot, { days: 1 })).toEqual(['shop/h: '])
  })

  test('of an ApplicationSet is one for each set of parameters', () => {
    const set = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set, namespace: argocd}
spec:
  generators:
    - list: {elements: [{app: one}, {app: two}]}
  template:
    metadata: {name: "app-{{app}}"}
    spec:
      source: {repoURL: "https://git.example.test/a", path: "{{app}}"}
      destination: {namespace: "ns-{{app}}", server: "https://kubernetes.default.svc"}
      syncPolicy: {automated: {}}
`
    const snapshot = snapshotIn({ 'set.yaml': set, 'one/a.yaml': job('a'), 'two/a.yaml': job('a') })
    expect(lanesIn(snapshot)).toEqual([
      'ns-one/a: Argo CD Application argocd/app-one',
      'ns-two/a: Argo CD Application argocd/app-two',
    ])
    expect(played(snapshot, { days: 0.1 })).toEqual(['ns-one/a: 0', 'ns-two/a: 0'])
  })

  test('of a set whose patch decides how it is synced is unknown', () => {
    const files = {
      'set.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set, namespace: argocd}
spec:
  templatePatch: "spec: {syncPolicy: {automated: {}}}"
  generators: [{list: {elements: [{app: one}]}}]
  template:
    metadata: {name: app}
    spec: {source: {repoURL: "https://git.example.test/a", path: "one"}}
`,
      'one/a.yaml': job('a', 'shop'),
    }
    const { worlds, lanes } = snapshotIn(files)
    expect(worlds).toEqual([])
    expect(lanes[0]?.unknown).toContain('templatePatch')
  })
})

describe('clusters', () => {
  const files = {
    'clusters/prod/apps.yaml': flux('apps', './apps/prod'),
    'clusters/staging/apps.yaml': flux('apps', './apps/staging'),
    'apps/prod/kustomization.yaml': 'resources: [../base]\n',
    'apps/staging/kustomization.yaml': 'resources: [../base]\n',
    'apps/base/kustomization.yaml': 'resources: [a.yaml]\n',
    'apps/base/a.yaml': job('a', 'shop'),
  }

  test('are told apart by the folders of carriers that cannot live in one', () => {
    expect(lanesIn(snapshotIn(files))).toEqual([
      '[clusters/prod] shop/a: Flux Kustomization flux-system/apps',
      '[clusters/staging] shop/a: Flux Kustomization flux-system/apps',
    ])
  })

  test('share what one carrier carries alike in both, which is played once', () => {
    const shared = {
      'clusters/prod/apps.yaml': flux('apps', './apps'),
      'clusters/staging/apps.yaml': flux('apps', './apps'),
      'apps/inner.yaml': flux('inner', './jobs'),
      'jobs/a.yaml': job('a', 'shop'),
    }
    const { lanes, notes } = snapshotIn(shared)
    expect(lanes).toHaveLength(1)
    expect(notes.map(({ what }) => what)).toContain(
      'clusters/staging carries it in the same way as clusters/prod',
    )
  })

  test('take everything below their folder along', () => {
    const more = {
      ...files,
      'clusters/prod/more.yaml': flux('more', './more'),
      'more/b.yaml': job('b', 'shop'),
    }
    expect(lanesIn(snapshotIn(more))).toContain(
      '[clusters/prod] shop/b: Flux Kustomization flux-system/more',
    )
  })

  test('are one where two carriers of one folder carry the same Job: they fight', () => {
    const snapshot = snapshotIn({
      'flux/a.yaml': flux('one', './apps', '  force: true\n'),
      'flux/b.yaml': flux('two', './apps', '  force: true\n  commonMetadata: {labels: {a: b}}\n'),
      'apps/a.yaml': job('a', 'shop'),
    })
    expect(lanesIn(snapshot)).toEqual([
      'shop/a: Flux Kustomization flux-system/one and Flux Kustomization flux-system/two',
    ])
    expect(snapshot.worlds).toHaveLength(1)
    expect(snapshot.lanes[0]?.subjects).toHaveLength(2)
  })

  test('are one where nothing tells them apart', () => {
    const snapshot = snapshotIn({
      'clusters/a/x.yaml': flux('x', './one'),
      'clusters/b/y.yaml': flux('y', './two'),
      'one/a.yaml': job('a', 'shop'),
      'two/b.yaml': job('b', 'shop'),
    })
    expect(snapshot.worlds.map(({ cluster }) => cluster)).toEqual([''])
  })

  test('are named by a destination', () => {
    const remote = argo('x', 'deploy').replace(
      'https://kubernetes.default.svc',
      'https://eu.example.test',
    )
    const { lanes } = snapshotIn({ 'app.yaml': remote, 'deploy/a.yaml': job('a') })
    expect(lanes[0]?.cluster).toBe('https://eu.example.test')
  })
})

describe('Jobs that nobody carries', () => {
  test('are applied once by somebody, which is said', () => {
    const snapshot = snapshotIn({ 'a.yaml': ttl(600) })
    expect(lanesIn(snapshot)).toEqual(['shop/a: kubectl (assumed)'])
    expect(snapshot.notes.map(({ what, lanes }) => [what.slice(0, 45), lanes])).toContainEqual([
      'nothing in this repository applies them: some',
      ['shop/a'],
    ])
    expect(played(snapshot, { days: 2 })).toEqual(['shop/a: 0'])
  })

  test('are applied again when they change, and not with a commit that leaves them alone', () => {
    const at = (other: string) => snapshotIn({ 'a.yaml': ttl(600), 'b.yaml': job(other, 'shop') })
    const later = [[10, at('c')]] as const
    expect(played(at('b'), { days: 2, later })).toEqual(['shop/a: 0', 'shop/b: 0', 'shop/c: 10'])
  })

  test('are left out where somebody carries one of the same name', () => {
    const snapshot = snapshotIn({
      'ks.yaml': flux('x', './apps'),
      'apps/a.yaml': job('a', 'shop'),
      'old/a.yaml': job('a', 'shop'),
    })
    expect(lanesIn(snapshot)).toEqual(['shop/a: Flux Kustomization flux-system/x'])
  })

  test('of an engine that is given are unknown where nothing says how it is set up', () => {
    const { lanes, worlds } = snapshotIn({ 'a.yaml': job('a', 'shop') }, { engine: 'flux' })
    expect(lanes[0]?.unknown).toBe(
      '--engine or semel.yaml says Flux, and nothing here says how it is set up',
    )
    expect(worlds).toEqual([])
  })

  test('with generateName are a lane of their own', () => {
    const text = job('a', 'shop').replace('name: a', 'generateName: a-')
    expect(snapshotIn({ 'a.yaml': text }).lanes[0]?.name).toBe('shop/a-*')
  })

  test('without a namespace go to default', () => {
    expect(snapshotIn({ 'a.yaml': job('a') }).lanes[0]?.name).toBe('default/a')
  })

  test('stand in lists too', () => {
    const list = `apiVersion: v1
kind: List
items:
  - {apiVersion: batch/v1, kind: Job, metadata: {name: a, namespace: shop}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: x}]}}}}
  - {apiVersion: batch/v1, kind: CronJob, metadata: {name: b, namespace: shop}, spec: {schedule: "0 3 * * *", timeZone: Europe/Berlin, jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: x}]}}}}}}
`
    const snapshot = snapshotIn({ 'a.yaml': list })
    expect(snapshot.lanes).toMatchObject([
      { name: 'shop/a', kind: 'Job' },
      { name: 'shop/b', kind: 'CronJob', schedule: '0 3 * * *', timeZone: 'Europe/Berlin' },
    ])
    expect(played(snapshot, { days: 2 })).toEqual(['shop/a: 0', 'shop/b: 2 26'])
  })
})

test('a field that is left out is a note', () => {
  const text = job('a', 'shop').replace('spec:', "spec:\n  backoffLimit: '{{ .limit }}'")
  expect(snapshotIn({ 'a.yaml': text }).notes).toContainEqual({
    id: 'assumed',
    what: 'spec.backoffLimit is known only after rendering',
    why: 'the default of the field was taken',
    lanes: ['shop/a'],
  })
})

test('what ownership could not follow is a note with its place', () => {
  const { notes } = snapshotIn({ 'ks.yaml': flux('x', './gone'), 'apps/a.yaml': job('a', 'shop') })
  expect(notes).toContainEqual({
    id: 'not-followed',
    what: 'spec.path ./gone does not exist in this repository',
    why: 'either its source is another repository, or Flux reports that the path is missing',
    place: { path: 'ks.yaml', line: 8 },
  })
})

test('who acts beside the engines is named with its settings', () => {
  const { actors } = snapshotIn({
    'a.yaml': job('a', 'shop').replace(
      'metadata:',
      'metadata:\n  labels: {kueue.x-k8s.io/queue-name: q}',
    ),
    'queue.yaml':
      'apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: q, namespace: shop}\nspec: {}\n',
  })
  expect(actors).toMatchObject([{ kind: 'kueue', objects: [{ kind: 'LocalQueue' }] }])
})

test('an empty repository is an empty snapshot', () => {
  expect(snapshotIn({})).toEqual({ worlds: [], lanes: [], actors: [], notes: [] })
})
