import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cause } from '../../../cluster/actor.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { controllerManager } from '../../../cluster/controllers/index.ts'
import { createCluster } from '../../../cluster/index.ts'
import { annotationScript } from '../../../cluster/kubelet/annotation-script.ts'
import { kubelet } from '../../../cluster/kubelet/kubelet.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { kindFinder } from '../kinds.ts'
import { helmClient, historyOf, type HelmCall, type HelmVersion } from './index.ts'

/** What the tests of Helm share: a terminal, a cluster in idealised mode, and what happened there. */
export const HELM3: HelmVersion = { major: 3, minor: 21 }
export const HELM4: HelmVersion = { major: 4, minor: 2 }

export const JOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'jobs' }
export const MAPS: ResourceId = { group: '', version: 'v1', resource: 'configmaps' }

export interface Typed {
  readonly command: string
  readonly chart?: HelmCall['chart']
  /** Seconds since the start; default: when the one before it has ended. */
  readonly at?: number
  readonly killAt?: number
  readonly version?: HelmVersion
}

export interface Session {
  readonly cluster: Cluster
  /** `3.2 s, exit 0`, and what was printed. */
  readonly answers: readonly Typing[]
  /** `one 1.0`: Jobs as they were created, with the seconds. */
  readonly jobs: readonly string[]
  readonly causes: readonly Cause[]
  readonly history: () => readonly string[]
  readonly get: (resource: ResourceId, name: string) => KubeObject | undefined
}

export interface Typing {
  readonly seconds: number
  readonly exit: number | null
  readonly output: string
}

export type Between = readonly (readonly [seconds: number, act: (cluster: Cluster) => void])[]

/** Types the commands on an empty cluster and runs until all is quiet, at most for 20 minutes. */
export function session(
  version: HelmVersion,
  typed: readonly Typed[],
  between: Between = [],
): Session {
  const zero = Date.UTC(2026, 0, 5, 10)
  const since = (at: number): number => Math.round(at - zero) / 1000
  const answers: Typing[] = []
  const jobs: string[] = []
  const causes: Cause[] = []
  let chart: HelmCall['chart'] = {}
  const calls = typed.map((one): HelmCall => {
    chart = one.chart ?? chart
    return {
      command: one.command,
      chart,
      version: one.version ?? version,
      at: zero + (one.at ?? 0) * 1000,
      ...(one.killAt === undefined ? {} : { killAt: zero + one.killAt * 1000 }),
    }
  })
  const client = helmClient({
    calls,
    namespace: 'shop',
    ports: { kindOf: kindFinder() },
    ended: (_call, run) => answers.push({ ...run, seconds: since(cluster.now) }),
  })
  const cluster: Cluster = createCluster({
    now: zero,
    actors: [...controllerManager({ rules: { minor: 36 } }), kubelet(annotationScript), client],
    listener: {
      cause: (cause) => causes.push(cause),
      write: ({ type, resource, object }, at) => {
        if (type === 'ADDED' && resource.resource === 'jobs') {
          jobs.push(`${object.metadata.name} ${since(at)}`)
        }
      },
    },
  })
  cluster.request({
    verb: 'create',
    resource: { group: '', version: 'v1', resource: 'namespaces' },
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    user: 'test',
  })
  for (const [seconds, act] of between) {
    cluster.runUntil(zero + seconds * 1000)
    act(cluster)
  }
  cluster.runUntil(zero + 1_200_000)
  return {
    cluster,
    answers,
    jobs,
    causes,
    history: () => historyOfSession(cluster),
    get: (resource, name) => cluster.api.read.get(resource, 'shop', name),
  }
}

function historyOfSession(cluster: Cluster): readonly string[] {
  const read = { read: cluster.api.read } as Parameters<typeof historyOf>[0]
  return historyOf(read, 'shop', 'rel').map(
    ({ version, status, description }) => `${version} ${status}: ${description.trim()}`,
  )
}

export interface JobParts {
  readonly name?: string
  readonly image?: string
  readonly seconds?: number
  readonly exit?: number
  readonly annotations?: { readonly [key: string]: string }
  /** Lines of the spec beside the template: `ttlSecondsAfterFinished: 0`. */
  readonly spec?: string
}

/** The manifest of a Job whose pod runs for a second. */
export function jobText({
  name = 'one',
  image = '1',
  seconds = 1,
  exit = 0,
  annotations = {},
  spec = '',
}: JobParts = {}): string {
  const own = Object.entries(annotations).map(
    ([key, value]) => `    ${key}: ${JSON.stringify(value)}`,
  )
  return [
    'apiVersion: batch/v1',
    'kind: Job',
    'metadata:',
    `  name: ${name}`,
    ...(own.length === 0 ? [] : ['  annotations:', ...own]),
    'spec:',
    '  backoffLimit: 0',
    ...(spec === '' ? [] : [`  ${spec}`]),
    '  template:',
    '    metadata:',
    '      annotations:',
    `        play/duration: "${seconds * 1000}"`,
    `        play/exit: "${exit}"`,
    '    spec:',
    '      restartPolicy: Never',
    '      containers:',
    `        - {name: main, image: 'registry.example.test/one:${image}'}`,
    '',
  ].join('\n')
}

export function hookText(events: string, parts: JobParts = {}): string {
  return jobText({ ...parts, annotations: { 'helm.sh/hook': events, ...parts.annotations } })
}

export function mapText(name: string, value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {v: "${value}"}\n`
}

/** A chart with these templates. */
export function chart(templates: { readonly [name: string]: string }): HelmCall['chart'] {
  const files = Object.entries(templates).map(([name, text]) => [`templates/${name}.yaml`, text])
  return {
    'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\n',
    ...(Object.fromEntries(files) as { [path: string]: string }),
  }
}

export function imageOf(object: KubeObject | undefined): string | undefined {
  return stringAt(object, ['spec', 'template', 'spec', 'containers', 0, 'image'])
}

/** Somebody gives the Job `one` finalizers, or takes them away. */
export function hold(finalizers: string[] | null): (cluster: Cluster) => void {
  return patchOne({ metadata: { finalizers } })
}

export function patchOne(
  body: JsonObject,
  fieldManager = 'kubectl-edit',
): (cluster: Cluster) => void {
  return (cluster) => {
    const place = { resource: JOBS, namespace: 'shop', name: 'one', user: 'test' }
    const patch = { type: 'merge' as const, body }
    cluster.request({ verb: 'patch', ...place, patch, options: { fieldManager } })
  }
}

export function removeOne(cluster: Cluster): void {
  const place = { resource: JOBS, namespace: 'shop', name: 'one', user: 'test' }
  cluster.request({ verb: 'delete', ...place, options: { propagationPolicy: 'Background' } })
}
