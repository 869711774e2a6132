import { describe, expect, it } from 'vitest'
import { configMapText, jobText, started, type Scene } from './testing.ts'

const APPS = 'Kustomization shop/apps'

/** What was told since `from`. */
function since(shop: Scene, from: number): readonly string[] {
  return shop.causes.filter((line) => Number(line.split(' ')[0]) >= from)
}

function reconciled(at: number, rule: string, why: string): string {
  return `${at} ${rule} reconciled: ${APPS}, because ${why}`
}

const made = (at: number): string => `${at} F-8 created Job: Job shop/one for ${APPS}`

describe('every write has a cause, and every reconcile that writes a trigger', () => {
  it('F-1: a new Kustomization', () => {
    const shop = started({}, jobText())
    shop.until(10)
    expect(shop.causes).toEqual([
      reconciled(0, 'F-1', 'the Kustomization was created (revision)'),
      made(0),
    ])
  })

  it('F-1: the interval, with its length, over a Job that went away', () => {
    const shop = started({}, jobText({ ttl: 5 }))
    shop.until(700)
    const why = 'its interval of 10m0s was over (interval)'
    expect(since(shop, 1)).toEqual([reconciled(600, 'F-1', why), made(600)])
  })

  it('an interval over what is as it should be tells nothing', () => {
    const shop = started({}, jobText())
    shop.until(4000)
    expect(since(shop, 1)).toEqual([])
  })

  it('F-1: a revision, with its name; F-9: what it changes; F-14: what it leaves out', () => {
    const shop = started({ prune: true }, jobText(), configMapText('map', '1'))
    shop.until(100)
    shop.commit({ 'a.yaml': configMapText('map', '2') }, 'main@sha1:abc')
    shop.until(200)
    expect(since(shop, 1)).toEqual([
      reconciled(100, 'F-1', 'revision main@sha1:abc came (revision)'),
      `100 F-9 configured ConfigMap: ConfigMap shop/map for ${APPS}`,
      `100 F-14 pruned Job: Job shop/one for ${APPS}`,
    ])
  })

  it('F-1: a request, a change of spec, a resume, a start', () => {
    const reasons = (change: (shop: Scene) => void): readonly string[] => {
      const shop = started({}, jobText())
      shop.until(10)
      shop.remove('one')
      shop.until(20)
      change(shop)
      shop.until(100)
      return since(shop, 11).slice(0, 1)
    }
    const asked = { metadata: { annotations: { 'reconcile.fluxcd.io/requestedAt': 'now' } } }
    const patch =
      (body: Parameters<Scene['patch']>[1]) =>
      (shop: Scene): void =>
        shop.patch('apps', body, 'Kustomization')
    expect(reasons(patch(asked))).toEqual([
      reconciled(20, 'F-1', 'somebody asked for a reconcile (request)'),
    ])
    expect(reasons(patch({ spec: { force: true } }))).toEqual([
      reconciled(20, 'F-1', 'its spec.force changed (revision)'),
    ])
    const resumed = (shop: Scene): void => {
      patch({ spec: { suspend: true } })(shop)
      shop.until(30)
      patch({ spec: { suspend: false } })(shop)
    }
    expect(reasons(resumed)).toEqual([
      reconciled(30, 'F-1', 'the Kustomization was resumed (request)'),
    ])
    const restarted = ({ cluster }: Scene): void => {
      cluster.stop('kustomize-controller')
      cluster.start('kustomize-controller')
    }
    expect(reasons(restarted)).toEqual([
      reconciled(20, 'F-1', 'kustomize-controller started (start)'),
    ])
  })

  it('F-8: a refused Job, once, with the first words of the server', () => {
    const shop = started({ retryInterval: '1m' }, jobText())
    shop.until(10)
    shop.commit({ 'a.yaml': jobText({ image: '2' }) }, 'main@sha1:two')
    shop.until(1000)
    const [first, refused, ...rest] = since(shop, 1)
    expect(first).toBe(reconciled(10, 'F-1', 'revision main@sha1:two came (revision)'))
    expect(refused).toMatch(/^10 F-8 refused Job: Job\.batch "one" is invalid: spec\.template: /)
    expect(rest).toEqual([])
  })

  it('F-2: a retry that gets further, with its distance', () => {
    const shop = started({ retryInterval: '1m' }, jobText())
    shop.until(10)
    shop.commit({ 'a.yaml': jobText({ image: '2' }) })
    shop.until(20)
    shop.remove('one')
    shop.until(1000)
    const [retry, created] = since(shop, 11)
    expect(retry).toContain('70 F-2 reconciled: Kustomization shop/apps, because its retryInterval')
    expect(retry).toContain('of 1m0s was over after a failure: Job/shop/one dry-run failed')
    expect(created).toBe(made(70))
  })

  it('F-11: a Job that is replaced', () => {
    const shop = started({ force: true }, jobText())
    shop.until(10)
    shop.commit({ 'a.yaml': jobText({ image: '2' }) })
    shop.until(100)
    expect(since(shop, 5).slice(1)).toEqual([
      `10 F-11 deleted Job to replace it: Job shop/one for ${APPS}`,
      made(10),
    ])
  })

  it('F-18: a dependency that became ready', () => {
    const shop = started({ dependsOn: [{ name: 'base' }] }, jobText())
    shop.until(10)
    shop.apply({}, 'base')
    shop.until(100)
    const why = 'what it depends on became ready (dependency)'
    expect(shop.causes).toContain(reconciled(30, 'F-18', why))
  })

  it('F-1: a ConfigMap that asks to be watched', () => {
    const variables = { substituteFrom: [{ kind: 'ConfigMap', name: 'vars', optional: true }] }
    const shop = started({ postBuild: variables }, jobText({ image: '${tag:=1}' }))
    shop.until(10)
    const metadata = { name: 'vars', namespace: 'shop' }
    const labels = { 'reconcile.fluxcd.io/watch': 'Enabled' }
    const body = { apiVersion: 'v1', kind: 'ConfigMap', data: { tag: '1' } }
    shop.remove('one')
    shop.until(20)
    shop.cluster.request({
      verb: 'create',
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      namespace: 'shop',
      body: { ...body, metadata: { ...metadata, labels } },
      user: 'person',
    })
    shop.until(30)
    expect(since(shop, 15)).toEqual([
      reconciled(20, 'F-1', 'ConfigMap shop/vars changed (watch)'),
      made(20),
    ])
  })

  it('F-14: the end of the Kustomization', () => {
    const shop = started({ prune: true }, jobText())
    shop.until(10)
    shop.remove('apps', 'Kustomization')
    shop.until(20)
    expect(since(shop, 5)).toEqual([
      reconciled(10, 'F-1', 'somebody deleted the Kustomization (request)'),
      `10 F-14 pruned Job: Job shop/one for ${APPS}`,
    ])
  })
})
