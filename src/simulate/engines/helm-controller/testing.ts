import { stringAt, type JsonObject } from '../../../core/json.ts'
import { sha256Hex } from '../../../core/hash.ts'
import type { Cause } from '../../../cluster/actor.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import { createCluster } from '../../../cluster/index.ts'
import { controllerManager } from '../../../cluster/controllers/index.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import { kubelet } from '../../../cluster/kubelet/kubelet.ts'
import {
  HELM_RELEASES,
  helmController,
  helmControllerKinds,
  IDEALISED_TIMING,
  SOURCE_RESOURCES,
  type ControllerOptions,
} from './index.ts'

export const JOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'jobs' }
const NAMESPACES: ResourceId = { group: '', version: 'v1', resource: 'namespaces' }

export interface JobSketch {
  readonly name: string
  /** `{{ ... }}` is the template's. */
  readonly image?: string
  readonly ttl?: number
  readonly seconds?: number
  readonly exit?: number | string
  readonly annotations?: { readonly [key: string]: string }
}

/** A chart of a ConfigMap that changes with `v`, and of Jobs. */
export function chart(jobs: readonly JobSketch[], version = '1.0.0'): { [path: string]: string } {
  const files: { [path: string]: string } = {
    'Chart.yaml': `apiVersion: v2\nname: demo\nversion: ${version}\n`,
    'values.yaml': 'v: "1"\nimage: one:1\nexit: "0"\n',
    'templates/cm.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf\ndata:\n  v: "{{ .Values.v }}"\n',
  }
  for (const job of jobs) files[`templates/${job.name.replaceAll(/\W/g, '')}.yaml`] = jobText(job)
  return files
}

function jobText({
  name,
  image = 'one:1',
  ttl,
  seconds = 1,
  exit,
  annotations = {},
}: JobSketch): string {
  const notes = Object.entries(annotations).map(([key, value]) => `    ${key}: "${value}"\n`)
  return [
    `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ${name}\n`,
    notes.length === 0 ? '' : `  annotations:\n${notes.join('')}`,
    'spec:\n  backoffLimit: 0\n',
    ttl === undefined ? '' : `  ttlSecondsAfterFinished: ${ttl}\n`,
    '  template:\n    metadata:\n      annotations:\n',
    `        play/duration: "${seconds * 1000}"\n`,
    exit === undefined ? '' : `        play/exit: "${exit}"\n`,
    '    spec:\n      restartPolicy: Never\n      containers:\n',
    `        - name: main\n          image: ${image}\n`,
  ].join('')
}

export interface Run {
  readonly name: string
  readonly second: number
}

/** A cluster with helm-controller, in whole seconds from 0. */
export class Stage {
  readonly cluster: Cluster
  readonly #zero = Date.UTC(2026, 0, 1)
  readonly #charts = new Map<string, { readonly [path: string]: string }>()
  readonly #runs: Run[] = []
  readonly warnings: string[] = []
  requests = 0
  readonly causes: Cause[] = []

  constructor(options: Partial<ControllerOptions> = {}) {
    const engine = helmController({
      artifact: (_source, { digest }) => this.#charts.get(digest),
      timing: IDEALISED_TIMING,
      ...options,
    })
    this.cluster = createCluster({
      now: this.#zero,
      kinds: helmControllerKinds,
      actors: [...controllerManager({ rules: { minor: 36 } }), kubelet(annotationScript), engine],
      listener: {
        write: ({ type, resource, object }, at) => {
          if (type !== 'ADDED' || resource.resource !== 'jobs') return
          this.#runs.push({ name: object.metadata.name, second: this.#second(at) })
        },
        event: ({ type, message, about }) => {
          if (type === 'Warning' && about.kind === 'HelmRelease') this.warnings.push(message)
        },
        cause: (cause) => this.causes.push(cause),
        request: ({ user }) => {
          if (user === 'helm-controller') this.requests += 1
        },
      },
    })
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
    this.cluster.request({ verb: 'create', resource: NAMESPACES, body, user: 'test' })
  }

  #second(at: number): number {
    return Math.floor((at - this.#zero) / 1000)
  }

  /** Names of created Jobs and the second of each. */
  get runs(): readonly string[] {
    return this.#runs.map(({ name, second }) => `${name} ${second}`)
  }

  /** `600 interval: its interval of 10m0s was over`, and `600 R-5 created Job <- Job shop/one`. */
  get told(): readonly string[] {
    return this.causes
      .filter(({ carrier }) => carrier === 'HelmRelease shop/app')
      .map(({ at, rule, effect, object, trigger, carrier }) => {
        const second = this.#second(at)
        if (trigger === undefined) {
          return `${second} ${rule} ${effect}${object === carrier ? '' : ` <- ${object ?? ''}`}`
        }
        return `${second} ${rule} ${effect}, because ${trigger.words} (${trigger.kind})`
      })
  }

  until(second: number): void {
    this.cluster.runUntil(this.#zero + second * 1000)
  }

  commit(files: { readonly [path: string]: string }, revision = '1.0.0', kind = 'HelmChart'): void {
    const digest = `sha256:${sha256Hex(JSON.stringify(files))}`
    this.#charts.set(digest, files)
    const resource = SOURCE_RESOURCES.get(kind) ?? JOBS
    const metadata = { name: 'demo', namespace: 'shop' }
    const body = { apiVersion: 'source.toolkit.fluxcd.io/v1', kind, metadata, spec: {} }
    const place = { resource, namespace: 'shop', user: 'test' }
    this.cluster.request({ verb: 'create', ...place, body })
    const status = {
      artifact: { revision, digest },
      conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded', message: '' }],
    }
    const patch = { type: 'merge' as const, body: { status } }
    this.cluster.request({ verb: 'patch', ...place, name: 'demo', subresource: 'status', patch })
  }

  apply(spec: JsonObject = {}, name = 'app'): void {
    const body = {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name, namespace: 'shop' },
      spec: {
        interval: '10s',
        timeout: '60s',
        chartRef: { kind: 'HelmChart', name: 'demo' },
        ...spec,
      },
    }
    const place = { resource: HELM_RELEASES, namespace: 'shop', user: 'test' }
    this.cluster.request({ verb: 'create', ...place, body })
  }

  patch(body: JsonObject, name = 'app', resource: ResourceId = HELM_RELEASES): void {
    const place = { resource, namespace: 'shop', name, user: 'test' }
    this.cluster.request({ verb: 'patch', ...place, patch: { type: 'merge', body } })
  }

  delete(name: string, resource: ResourceId = JOBS): void {
    const options = { propagationPolicy: 'Background' as const }
    const place = { resource, namespace: 'shop', name, user: 'test', options }
    this.cluster.request({ verb: 'delete', ...place })
  }

  /** `True InstallSucceeded`, and `Stalled` behind it. */
  ready(name = 'app'): string {
    const object = this.cluster.api.read.get(HELM_RELEASES, 'shop', name)
    const status = object?.['status'] as { readonly conditions?: readonly JsonObject[] } | undefined
    const of = (type: string): JsonObject | undefined =>
      status?.conditions?.find((one) => one['type'] === type)
    const ready = of('Ready')
    const word = (field: string): string => stringAt(ready, [field]) ?? ''
    const text = `${word('status')} ${word('reason')}`
    return of('Stalled') === undefined ? text : `${text} Stalled`
  }
}
