import { describe, expect, it } from 'vitest'
import { jobText, scene, started } from './testing.ts'

describe('waiting', () => {
  it('F-15, trace 021: a failed Job ends the wait at the next look, and is never run again', () => {
    const shop = started({ wait: true, force: true, retryInterval: '30s' }, jobText({ exit: 1 }))
    shop.until(6)
    expect(shop.message()).toBe(
      "health check failed after 5s: failed early due to stalled resources: [Job/shop/one status: 'Failed']",
    )
    shop.until(5000)
    expect(shop.runs()).toEqual([0])
  })

  it('F-2, trace 027: 10 s of timeout are 30 s', () => {
    const shop = started({ wait: true, timeout: '10s' }, jobText({ seconds: 1000 }))
    shop.until(29)
    expect(shop.ready()).toBe('Ready=Unknown Progressing')
    shop.until(30)
    expect(shop.message()).toBe(
      "health check failed after 30s: timeout waiting for: [Job/shop/one status: 'InProgress']",
    )
  })

  it('F-15, trace 023: a suspended Job is good at once', () => {
    const shop = started({ wait: true }, jobText({ suspend: true }))
    shop.until(1)
    expect(shop.ready()).toBe('Ready=True ReconciliationSucceeded')
  })

  it('F-16, trace 025: a failed Job that TTL 0 removed counts as good, from 1.8 on', () => {
    for (const [minor, ready] of [
      [9, 'True ReconciliationSucceeded'],
      [7, 'False HealthCheckFailed'],
    ] as const) {
      const shop = scene({ minor })
      shop.commit({ 'a.yaml': jobText({ exit: 1, ttl: 0 }) })
      shop.apply({ wait: true, timeout: '40s' })
      shop.until(45)
      expect(shop.ready()).toBe(`Ready=${ready}`)
    }
  })

  it('F-17, trace 028: only what healthChecks names is looked at', () => {
    const healthChecks = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'good', namespace: 'shop' }]
    const shop = started(
      { healthChecks },
      jobText({ name: 'good' }),
      jobText({ name: 'bad', exit: 1 }),
    )
    shop.until(10)
    expect(shop.ready()).toBe('Ready=True ReconciliationSucceeded')
  })

  it('trace 020: a revision that comes during the wait is applied after it', () => {
    const shop = started({ wait: true }, jobText({ seconds: 17 }))
    shop.until(6)
    shop.commit({ '0.yaml': jobText({ seconds: 17 }), 'b.yaml': jobText({ name: 'two' }) })
    shop.until(30)
    expect(shop.runs('two')).toEqual([20])
  })
})

describe('dependsOn (F-18)', () => {
  it('trace 067: waits for the new revision, and looks every 30 s', () => {
    const shop = scene()
    shop.commit({ 'a/job.yaml': jobText({ name: 'm1' }), 'b/job.yaml': jobText({ name: 'app1' }) })
    shop.apply({ path: './a', wait: true }, 'migrate')
    shop.apply({ path: './b', dependsOn: [{ name: 'migrate' }] }, 'app')
    shop.until(40)
    expect(shop.runs('app1')).toEqual([30])
    shop.until(50)
    shop.commit({
      'a/job.yaml': jobText({ name: 'm2', seconds: 12 }),
      'b/job.yaml': jobText({ name: 'app2' }),
    })
    shop.until(60)
    expect(shop.message('app')).toBe("dependency 'shop/migrate' revision is not up to date")
    shop.until(200)
    expect(shop.runs('app2')).toEqual([80])
  })

  it('a dependency that fails keeps its dependents back', () => {
    const shop = scene()
    shop.commit({ 'a/job.yaml': jobText({ exit: 1 }), 'b/job.yaml': jobText({ name: 'app' }) })
    shop.apply({ path: './a', wait: true }, 'migrate')
    shop.apply({ path: './b', dependsOn: [{ name: 'migrate' }] }, 'app')
    shop.until(86_400)
    expect(shop.runs('app')).toEqual([])
  })
})

describe('sources and builds', () => {
  it('trace 065: nothing comes back without an artifact', () => {
    const shop = started({ interval: '10s' }, jobText({ ttl: 2 }))
    shop.until(2)
    const resource = {
      group: 'source.toolkit.fluxcd.io',
      version: 'v1',
      resource: 'gitrepositories',
    }
    const patch = { type: 'merge' as const, body: { status: { artifact: null } } }
    const at = { namespace: 'shop', name: 'src', subresource: 'status', user: 'person' }
    shop.cluster.request({ verb: 'patch', resource, ...at, patch })
    shop.until(300)
    expect(shop.runs()).toEqual([0])
    expect(shop.message()).toBe('Source artifact not found, retrying in 30s')
    shop.commit({ '0.yaml': jobText({ ttl: 2 }) })
    shop.until(301)
    expect(shop.runs()).toEqual([0, 300])
  })

  it('trace 039: a changed variable is a changed template', () => {
    const shop = started({ postBuild: { substitute: { TAG: '1' } } }, jobText({ image: '${TAG}' }))
    shop.until(10)
    shop.patch('apps', { spec: { postBuild: { substitute: { TAG: '2' } } } }, 'Kustomization')
    shop.until(20)
    expect(shop.ready()).toBe('Ready=False ReconciliationFailed')
  })

  it('a variable without a value ends the build', () => {
    const shop = started(
      { postBuild: { substitute: { OTHER: '1' } } },
      jobText({ image: '${TAG}' }),
    )
    shop.until(10)
    expect(shop.ready()).toBe('Ready=False BuildFailed')
  })

  it('trace 068: a Namespace takes the name of the target namespace', () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: other\n'
    const shop = started({ prune: true, targetNamespace: 'target' }, namespace, jobText())
    shop.until(10)
    shop.commit({ '1.yaml': jobText() })
    shop.until(1000)
    expect(shop.message()).toBe('Job/target/one not found: namespaces "target" not found\n')
  })

  it('F-7: a kind and its objects come in one commit, definitions first', () => {
    const definition = [
      'apiVersion: apiextensions.k8s.io/v1',
      'kind: CustomResourceDefinition',
      'metadata: {name: widgets.example.test}',
      'spec:',
      '  group: example.test',
      '  scope: Namespaced',
      '  names: {plural: widgets, singular: widget, kind: Widget}',
      '  versions:',
      '    - name: v1',
      '      served: true',
      '      storage: true',
      '      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}',
    ].join('\n')
    const widget = 'apiVersion: example.test/v1\nkind: Widget\nmetadata: {name: w}\n'
    const shop = started({}, widget, definition)
    shop.until(10)
    expect(shop.message()).toMatch(/^Applied revision/)
  })

  it('a generated ConfigMap changes the template of the Job that reads it', () => {
    const files = (value: string): { readonly [path: string]: string } => ({
      'kustomization.yaml': `resources: [job.yaml]\nconfigMapGenerator:\n  - name: cfg\n    literals: [a=${value}]\n`,
      'job.yaml': jobText().replace(
        'name: main,',
        'name: main, envFrom: [{configMapRef: {name: cfg}}],',
      ),
    })
    const shop = scene()
    shop.commit(files('1'))
    shop.apply({})
    shop.until(10)
    expect(JSON.stringify(shop.job('one')?.['spec'])).toMatch(/"name":"cfg-[a-z0-9]{10}"/)
    shop.commit(files('2'))
    shop.until(20)
    expect(shop.ready()).toBe('Ready=False ReconciliationFailed')
  })

  it('names of generated objects carry the hash that kustomize gives', () => {
    const shop = scene()
    shop.commit({
      'kustomization.yaml': 'configMapGenerator:\n  - name: app\n    literals: [a=b]\n',
    })
    shop.apply({})
    shop.until(1)
    expect(shop.requests[0]).toMatch(/^dry app-[bcdfghkmt2456789]{10} 201$/)
  })
})

describe('two owners of one Job', () => {
  it('with force fight: each reconcile of one deletes the Job of the other', () => {
    const shop = scene()
    shop.commit({ 'a/job.yaml': jobText(), 'b/job.yaml': jobText({ image: '2' }) })
    shop.apply({ path: './a', force: true, interval: '10s' }, 'first')
    shop.apply({ path: './b', force: true, interval: '10s' }, 'second')
    shop.until(41)
    expect(shop.runs().length).toBe(10)
  })

  it('with equal manifests do not run it, and deleting one of them does', () => {
    const shop = scene()
    shop.commit({ 'job.yaml': jobText() })
    shop.apply({ prune: true, interval: '10s' }, 'first')
    shop.until(3)
    shop.apply({ prune: true, interval: '10s' }, 'second')
    shop.until(25)
    expect(shop.runs()).toEqual([0])
    const owner = shop.job('one')?.metadata.labels?.['kustomize.toolkit.fluxcd.io/name'] ?? ''
    shop.remove(owner, 'Kustomization')
    shop.until(50)
    expect(shop.runs().length).toBe(2)
  })
})
