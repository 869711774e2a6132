import { describe, expect, it } from 'vitest'
import { listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { scenarioScript } from '../../../cluster/kubelet/scenario-script.ts'
import { isFinished, asJob } from '../../../cluster/controllers/job/job.ts'
import { job, JOBS, NAMESPACES, PODS, Scene, type JobParts } from '../testing.ts'
import { FluxScene } from '../testing-engines.ts'
import { istioMesh, linkerdMesh } from './index.ts'
import type { SecondActor } from '../second-actor.ts'

const script = scenarioScript({ workloads: [{ name: 'shop/*', durationMs: 1000 }] })

interface Home {
  readonly labels?: JsonObject
  readonly annotations?: JsonObject
}

function scene(second: SecondActor, settings: JsonObject, home: Home, minor = 36): Scene {
  const stage = new Scene({ second: [[second, settings]], script, minor })
  stage.patch(NAMESPACES, 'shop', { metadata: { ...home } })
  return stage
}

/** `task, istio-proxy; init istio-init`: the containers of the only pod. */
function containers(stage: Scene): string {
  const [pod] = stage.cluster.api.read.list(PODS)
  const names = (key: string): string =>
    listAt(pod, ['spec', key])
      .map(
        (one) =>
          `${stringAt(one, ['name']) ?? ''}${stringAt(one, ['restartPolicy']) === 'Always' ? '*' : ''}`,
      )
      .join(', ')
  const inits = names('initContainers')
  return `${names('containers')}${inits === '' ? '' : `; init ${inits}`}`
}

const isOver = (stage: Scene, name = 'work'): boolean => {
  const found = stage.get(JOBS, name)
  return found !== undefined && isFinished(asJob(found))
}

function labelled(labels: JsonObject, parts: JobParts = {}): JsonObject {
  const made = job(parts) as { readonly spec: { readonly template: JsonObject } } & JsonObject
  const template = {
    ...made.spec.template,
    metadata: { ...(made.spec.template['metadata'] as JsonObject), labels },
  }
  return { ...made, spec: { ...made.spec, template } }
}

const ENABLED = { labels: { 'istio-injection': 'enabled' } }
const CLASSIC = { kind: 'istio', version: '1.26.0' }

describe('Istio', () => {
  it('as a container keeps a Job from ending, for as long as nobody stops it (ME-1, ME-2)', () => {
    const stage = scene(istioMesh, CLASSIC, ENABLED)
    stage.create(job())
    stage.until(24 * 3600)
    expect(containers(stage)).toBe('main, istio-proxy; init istio-init')
    expect(isOver(stage)).toBe(false)
    expect(stage.told('istiod')).toEqual([
      'ME-1 injected its proxy: Namespace shop',
      'ME-2 added istio-proxy to a pod as a container, without whose end the Job does not end: ' +
        'Job shop/work',
    ])
  })

  it('as a native sidecar ends with the work (ME-3)', () => {
    const stage = scene(istioMesh, { kind: 'istio' }, ENABLED)
    stage.create(job())
    stage.until(60)
    expect(containers(stage)).toBe('main; init istio-init, istio-proxy*')
    expect(isOver(stage)).toBe(true)
  })

  it.each<[string, JsonObject, number, JsonObject, boolean]>([
    ['1.27 on Kubernetes 1.33', { version: '1.27.1' }, 33, {}, true],
    ['1.27 on Kubernetes 1.32', { version: '1.27.1' }, 32, {}, false],
    ['1.26 on Kubernetes 1.36', { version: '1.26.4' }, 36, {}, false],
    ['switched on for all', { version: '1.24.0', native: true }, 30, {}, true],
    ['switched off for all', { native: false }, 36, {}, false],
    ['asked for by the pod', CLASSIC, 36, { 'sidecar.istio.io/nativeSidecar': 'true' }, true],
    ['not wanted by the pod', {}, 36, { 'sidecar.istio.io/nativeSidecar': 'false' }, false],
  ])('is native or not: %s (ME-3)', (_, settings, minor, template, isNative) => {
    const stage = scene(istioMesh, { kind: 'istio', ...settings }, ENABLED, minor)
    stage.create(job({ template }))
    stage.until(60)
    expect(isOver(stage)).toBe(isNative)
  })

  it.each<[string, Home, JsonObject, boolean]>([
    ['a namespace without a label', {}, {}, false],
    ['a namespace with a revision', { labels: { 'istio.io/rev': 'canary' } }, {}, true],
    [
      'a namespace in ambient mode',
      { labels: { 'istio.io/dataplane-mode': 'ambient' } },
      {},
      false,
    ],
    [
      'a namespace that opted out',
      { labels: { 'istio-injection': 'disabled' } },
      { 'sidecar.istio.io/inject': 'true' },
      false,
    ],
    ['a pod that opted out', ENABLED, { 'sidecar.istio.io/inject': 'false' }, false],
    ['a pod that asks by itself', {}, { 'sidecar.istio.io/inject': 'true' }, true],
  ])('%s (ME-1, ME-5)', (_, home, labels, isMeant) => {
    const stage = scene(istioMesh, CLASSIC, home)
    stage.create(labelled(labels))
    stage.until(60)
    expect(containers(stage).includes('istio-proxy')).toBe(isMeant)
    expect(isOver(stage)).toBe(!isMeant)
  })

  it('while istiod is down no pod starts in its namespaces, and Jobs wait (ME-6)', () => {
    const stage = scene(istioMesh, { kind: 'istio' }, ENABLED)
    stage.cluster.stop('istiod')
    stage.create(job())
    stage.until(60)
    expect(stage.pods).toEqual([])
    stage.cluster.start('istiod')
    stage.until(1200)
    expect(isOver(stage)).toBe(true)
  })

  it('beside Flux with wait: one start, no end, a health check that times out (case 045)', () => {
    const home = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop', labels: ENABLED.labels },
    }
    const files = { 'job.yaml': JSON.stringify(job()), 'home.yaml': JSON.stringify(home) }
    const second = [[istioMesh, CLASSIC]] as const
    const stage = new FluxScene(files, { second, script }, { wait: true, timeout: '5m' })
    stage.until(24 * 3600)
    expect(stage.runs('work')).toEqual([0])
    expect(stage.pods).toHaveLength(1)
    expect(stage.message).toContain('Job/shop/work')
  })

  it('is found by labels of namespaces and pods', () => {
    const home = { kind: 'Namespace', metadata: { name: 'shop', labels: ENABLED.labels } }
    expect(istioMesh.foundIn([home])).toEqual([{ kind: 'istio' }])
    expect(istioMesh.foundIn([labelled({ 'sidecar.istio.io/inject': 'true' })])).toHaveLength(1)
    const ambient = { 'istio.io/dataplane-mode': 'ambient' }
    expect(istioMesh.foundIn([{ kind: 'Namespace', metadata: { labels: ambient } }])).toEqual([])
    expect(istioMesh.foundIn([labelled({ 'sidecar.istio.io/inject': 'false' })])).toEqual([])
  })
})

const MESHED = { annotations: { 'linkerd.io/inject': 'enabled' } }

describe('Linkerd', () => {
  it.each<[string, Home, JsonObject, string]>([
    ['as a container', MESHED, {}, 'main, linkerd-proxy; init linkerd-init'],
    [
      'as a native sidecar, asked for by the namespace',
      {
        annotations: {
          ...MESHED.annotations,
          'config.alpha.linkerd.io/proxy-enable-native-sidecar': 'true',
        },
      },
      {},
      'main; init linkerd-init, linkerd-proxy*',
    ],
    [
      'as a native sidecar, asked for by the pod',
      MESHED,
      { 'config.beta.linkerd.io/proxy-enable-native-sidecar': 'true' },
      'main; init linkerd-init, linkerd-proxy*',
    ],
    ['not at all in a pod that opted out', MESHED, { 'linkerd.io/inject': 'disabled' }, 'main'],
    [
      'in a pod that asks by itself',
      {},
      { 'linkerd.io/inject': 'enabled' },
      'main, linkerd-proxy; init linkerd-init',
    ],
  ])('injects its proxy %s (ME-4)', (_, home, template, wanted) => {
    const stage = scene(linkerdMesh, { kind: 'linkerd' }, home)
    stage.create(job({ template }))
    stage.until(60)
    expect(containers(stage)).toBe(wanted)
    expect(isOver(stage)).toBe(!wanted.startsWith('main, '))
  })

  it('while its injector is down pods go without a proxy (ME-6)', () => {
    const stage = scene(linkerdMesh, { kind: 'linkerd' }, MESHED)
    stage.cluster.stop('linkerd-proxy-injector')
    stage.create(job())
    stage.until(60)
    expect(containers(stage)).toBe('main')
    expect(isOver(stage)).toBe(true)
  })

  it('is found by the annotation of a namespace or a template', () => {
    const home = { kind: 'Namespace', metadata: { annotations: MESHED.annotations } }
    expect(linkerdMesh.foundIn([home])).toEqual([{ kind: 'linkerd' }])
    expect(linkerdMesh.foundIn([job({ template: MESHED.annotations })])).toHaveLength(1)
    expect(linkerdMesh.foundIn([job()])).toEqual([])
  })
})
