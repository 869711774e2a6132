import { describe, expect, it } from 'vitest'
import { stringAt } from '../../../core/json.ts'
import type { Cause } from '../../../cluster/actor.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { controllerManager } from '../../../cluster/controllers/index.ts'
import { createCluster } from '../../../cluster/index.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import { kubelet } from '../../../cluster/kubelet/kubelet.ts'
import { bundleOf, BUNDLES, fleet, fleetKinds, seenAt } from './index.ts'

const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }
const WEEK = 7 * 24 * 3600

interface World {
  readonly cluster: Cluster
  readonly causes: readonly Cause[]
  readonly jobs: readonly string[]
  put(name: string, files: { readonly [path: string]: string }): void
  drop(name: string): void
  dropJob(name: string): void
  until(seconds: number): void
  state(name: string): string | undefined
}

function world(): World {
  const zero = Date.UTC(2026, 0, 5)
  const causes: Cause[] = []
  const jobs: string[] = []
  const cluster = createCluster({
    now: zero,
    kinds: fleetKinds,
    actors: [...controllerManager({ rules: { minor: 36 } }), kubelet(annotationScript), fleet()],
    listener: {
      cause: (cause) => causes.push(cause),
      write({ type, resource, object }, at) {
        if (type === 'ADDED' && resource.resource === 'jobs') {
          jobs.push(`${object.metadata.name} ${(at - zero) / 1000}`)
        }
      },
    },
  })
  const user = 'test'
  const namespace = 'fleet-local'
  cluster.request({
    verb: 'create',
    resource: { group: '', version: 'v1', resource: 'namespaces' },
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    user,
  })
  return {
    cluster,
    causes,
    jobs,
    put(name, files) {
      const body = bundleOf(name, namespace, files)
      const isThere = cluster.api.read.get(BUNDLES, namespace, name) !== undefined
      const place = { resource: BUNDLES, namespace, user }
      const answer = cluster.request(
        isThere
          ? { verb: 'patch', ...place, name, patch: { type: 'merge', body } }
          : { verb: 'create', ...place, body },
      )
      if (answer.code >= 300) throw new Error(JSON.stringify(answer.body))
    },
    drop: (name) =>
      void cluster.request({ verb: 'delete', resource: BUNDLES, namespace, name, user }),
    dropJob(name) {
      const options = { propagationPolicy: 'Background' } as const
      cluster.request({ verb: 'delete', resource: JOBS, namespace: 'help', name, options, user })
    },
    until: (seconds) => cluster.runUntil(zero + seconds * 1000),
    state(name) {
      const status = cluster.api.read.get(BUNDLES, namespace, name)?.['status']
      return stringAt(status, ['display', 'state'])
    },
  }
}

function job(name: string, spec = '', image = 'task:1'): string {
  return `
apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec:
  backoffLimit: 0
${spec}
  template:
    metadata: {annotations: {play/duration: "30000"}}
    spec:
      restartPolicy: Never
      containers: [{name: task, image: "${image}"}]
`
}

const CORRECTS = '{defaultNamespace: help, correctDrift: {enabled: true}}'
const PLAIN = '{defaultNamespace: help}'
const TTL = '  ttlSecondsAfterFinished: 300'

describe('E-4: drift', () => {
  it('a TTL loops with correction: 1500 to 1835 runs in a week, so 214 to 262 a day (case 036)', () => {
    const w = world()
    w.put('help', { 'fleet.yaml': CORRECTS, 'job.yaml': job('help-init', TTL) })
    w.until(WEEK / 7)
    expect(w.jobs.length).toBeGreaterThan(214)
    expect(w.jobs.length).toBeLessThan(262)
  })

  it('without correction it runs once, and the bundle stays Modified (case 036)', () => {
    const w = world()
    w.put('help', { 'fleet.yaml': PLAIN, 'job.yaml': job('help-init', TTL) })
    w.until(60)
    expect(w.state('help')).toBe('Ready')
    w.until(WEEK)
    expect(w.jobs).toHaveLength(1)
    expect(w.state('help')).toBe('Modified')
    expect(w.cluster.nextAt()).toBeUndefined()
  })

  it('the rollback comes 5 s after the deletion and runs rollback hooks', () => {
    const w = world()
    const hook = job('hook').replace(
      'metadata: {name: hook}',
      'metadata: {name: hook, annotations: {helm.sh/hook: post-rollback}}',
    )
    w.put('help', {
      'fleet.yaml': CORRECTS,
      'job.yaml': job('help-init'),
      'hook.yaml': hook,
    })
    w.until(100)
    expect(w.jobs).toEqual(['help-init 0'])
    w.dropJob('help-init')
    w.until(200)
    expect(w.jobs).toEqual(['help-init 0', 'help-init 105', 'hook 105'])
    expect(w.causes.filter(({ actor }) => actor === 'fleet').map(({ rule }) => rule)).toEqual([
      'E-1',
      'E-4',
    ])
  })

  it('a status is no drift: a finished Job stays alone', () => {
    const w = world()
    w.put('help', { 'fleet.yaml': CORRECTS, 'job.yaml': job('help-init') })
    w.until(WEEK)
    expect(w.jobs).toHaveLength(1)
    expect(w.state('help')).toBe('Ready')
  })
})

describe('E-1: deployments', () => {
  it('a missing Job runs at the next deployment; an equal bundle deploys nothing', () => {
    const w = world()
    const files = { 'fleet.yaml': PLAIN, 'job.yaml': job('help-init', TTL) }
    w.put('help', files)
    w.until(3600)
    w.put('help', files)
    w.until(7200)
    expect(w.jobs).toEqual(['help-init 0'])
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'
    w.put('help', { ...files, 'map.yaml': map })
    w.until(9000)
    expect(w.jobs).toEqual(['help-init 0', 'help-init 7200'])
  })

  it('a renamed Job: the new one runs, the old one is deleted (S8)', () => {
    const w = world()
    w.put('help', { 'fleet.yaml': PLAIN, 'job.yaml': job('one') })
    w.until(3600)
    w.put('help', { 'fleet.yaml': PLAIN, 'job.yaml': job('two') })
    w.until(7200)
    expect(w.cluster.api.read.list(JOBS, 'help').map(({ metadata }) => metadata.name)).toEqual([
      'two',
    ])
  })

  it('a changed template is refused as immutable and tried again with growing distance (E-5)', () => {
    const w = world()
    w.put('help', { 'fleet.yaml': PLAIN, 'job.yaml': job('one') })
    w.until(3600)
    w.put('help', { 'fleet.yaml': PLAIN, 'job.yaml': job('one', '', 'task:2') })
    w.until(7200)
    expect(w.jobs).toHaveLength(1)
    expect(w.state('help')).toBe('ErrApplied')
    const tries = w.causes.filter(({ effect }) => effect === 'upgraded release help')
    expect(tries.length).toBeGreaterThan(5)
    expect(tries.length).toBeLessThan(20)
  })

  it('a restart with an equal deployment does nothing (S7)', () => {
    const w = world()
    w.put('help', { 'fleet.yaml': PLAIN, 'job.yaml': job('one', TTL) })
    w.until(3600)
    w.cluster.stop('fleet')
    w.cluster.start('fleet')
    w.until(7200)
    expect(w.jobs).toHaveLength(1)
    expect(w.state('help')).toBe('Modified')
  })

  it('a paused bundle is left alone', () => {
    const w = world()
    w.put('help', { 'fleet.yaml': '{defaultNamespace: help, paused: true}', 'j.yaml': job('one') })
    w.until(3600)
    expect(w.jobs).toEqual([])
  })

  it('a removed bundle takes its Job along, with the pods', () => {
    const w = world()
    w.put('help', { 'fleet.yaml': PLAIN, 'job.yaml': job('one') })
    w.until(3600)
    w.drop('help')
    w.until(7200)
    expect(w.cluster.api.read.list(JOBS, 'help')).toEqual([])
  })
})

describe('readiness', () => {
  it('a suspended Job keeps the bundle NotReady and its dependents away (case 037)', () => {
    const w = world()
    w.put('dr', { 'fleet.yaml': PLAIN, 'job.yaml': job('restore-db', '  suspend: true') })
    w.put('next', {
      'fleet.yaml': '{defaultNamespace: help, dependsOn: [{name: dr}]}',
      'job.yaml': job('after'),
    })
    w.until(WEEK)
    expect(w.jobs.map((one) => one.split(' ')[0])).toEqual(['restore-db'])
    expect(w.state('dr')).toBe('NotReady')
    expect(w.state('next')).toBe('WaitApplied')
  })

  it('a dependent is deployed when the Job before it is complete', () => {
    const w = world()
    w.put('next', {
      'fleet.yaml': '{defaultNamespace: help, dependsOn: [{name: first}]}',
      'job.yaml': job('after'),
    })
    w.put('first', { 'fleet.yaml': PLAIN, 'job.yaml': job('before') })
    w.until(3600)
    expect(w.jobs).toEqual(['before 0', 'after 30'])
    expect(w.state('next')).toBe('Ready')
  })

  it('a failed Job keeps it NotReady without another run (S5)', () => {
    const w = world()
    const failing = job('one').replace('play/duration', 'play/exit: "1", play/duration')
    w.put('help', { 'fleet.yaml': CORRECTS, 'job.yaml': failing })
    w.until(3600)
    expect(w.jobs).toHaveLength(1)
    expect(w.state('help')).toBe('NotReady')
  })
})

describe('what is not known', () => {
  it('a chart from elsewhere is said to be unknown, and nothing starts', () => {
    const w = world()
    w.put('help', { 'fleet.yaml': '{helm: {repo: "https://charts.example.test", chart: x}}' })
    w.until(3600)
    expect(w.jobs).toEqual([])
    expect(w.state('help')).toBe('ErrApplied')
  })
})

describe('seenAt', () => {
  it.each([
    [0, 0],
    [1, 15_000],
    [15_000, 15_000],
    [15_001, 30_000],
  ])('a commit at %i ms is seen at %i ms', (commit, seen) => {
    expect(seenAt(commit, 0)).toBe(seen)
  })
})
