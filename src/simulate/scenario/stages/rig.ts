import { stringAt, type JsonObject } from '../../../core/json.ts'
import { IDEALISED, REALISTIC, type Cause } from '../../../cluster/actor.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { controllerManager } from '../../../cluster/controllers/index.ts'
import { createCluster } from '../../../cluster/index.ts'
import { kubelet } from '../../../cluster/kubelet/kubelet.ts'
import { scenarioScript, type Workload } from '../../../cluster/kubelet/scenario-script.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import type { PlayTools } from '../../trace/player.ts'
import type { Files, ScenarioEngine, Stage, StageInput } from '../stage.ts'

/** A stage on a cluster of its own, for the stages' tests; seconds count from its beginning. */
export interface Rig {
  readonly cluster: Cluster
  readonly stage: Stage
  readonly causes: readonly Cause[]
  /** `name seconds` of each Job that was created. */
  readonly jobs: readonly string[]
  commit(files: Files, carriers?: readonly JsonObject[]): void
  until(seconds: number): void
  get(resource: ResourceId, namespace: string | undefined, name: string): KubeObject | undefined
  /** `kind: words` of each trigger of the engine, without those that repeat the one before. */
  triggers(): readonly string[]
}

export interface RigInput {
  readonly settings?: JsonObject
  readonly carriers?: readonly JsonObject[]
  readonly changes?: JsonObject
  readonly files?: Files
  readonly tools?: PlayTools
  readonly timing?: 'idealised' | 'realistic'
  readonly workloads?: readonly Workload[]
  readonly namespaces?: readonly string[]
}

export const JOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'jobs' }
const ZERO: number = Date.UTC(2026, 0, 5)

export function rigOf(engine: ScenarioEngine, input: RigInput = {}): Rig {
  const { timing = 'idealised', tools = {} } = input
  const given: StageInput = {
    settings: { kind: engine.kinds[0] ?? '', ...input.settings },
    carriers: input.carriers ?? [],
    changes: input.changes ?? {},
    files: input.files ?? {},
    start: ZERO,
    tools,
    timing,
  }
  const stage = engine.stage(given)
  const causes: Cause[] = []
  const jobs: string[] = []
  const cluster = createCluster({
    now: ZERO,
    latencies: timing === 'realistic' ? REALISTIC : IDEALISED,
    kinds: stage.kinds,
    ...(tools.cel === undefined ? {} : { cel: tools.cel }),
    actors: [
      ...controllerManager(),
      kubelet(scenarioScript({ workloads: input.workloads ?? [MINUTE] })),
      ...stage.actors,
    ],
    listener: {
      cause: (cause) => causes.push(cause),
      write({ type, resource, object: { metadata } }, at) {
        if (resource.resource !== 'jobs' || type !== 'ADDED') return
        jobs.push(`${metadata.generateName ?? metadata.name} ${(at - ZERO) / 1000}`)
      },
    },
  })
  for (const name of input.namespaces ?? ['shop']) {
    const resource = { group: '', version: 'v1', resource: 'namespaces' }
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    cluster.request({ verb: 'create', resource, body, user: 'test' })
  }
  cluster.runBefore(ZERO)
  stage.prepare(cluster)
  let commits = 0
  return {
    cluster,
    stage,
    causes,
    jobs,
    commit(files, carriers) {
      commits += 1
      stage.commit(cluster, `c${commits}`, files, carriers)
    },
    until: (seconds) => cluster.runBefore(ZERO + seconds * 1000),
    get: (resource, namespace, name) => cluster.api.read.get(resource, namespace, name),
    triggers() {
      const own = new Set(stage.actors.map(({ name }) => name))
      const words = causes.flatMap(({ actor, trigger }) =>
        trigger === undefined || !own.has(actor) ? [] : `${trigger.kind}: ${trigger.words}`,
      )
      return words.filter((one, at) => one !== words[at - 1])
    },
  }
}

const MINUTE: Workload = { name: '*', durationMs: 60_000 }

export interface JobShape {
  readonly name?: string
  readonly image?: string
  readonly ttl?: number
}

/** A Job of the namespace shop, as the text of a file. */
export function jobFile({ name = 'migrate', image = 'shop:1', ttl }: JobShape = {}): string {
  return JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'shop' },
    spec: {
      backoffLimit: 0,
      ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }),
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'task', image }] } },
    },
  })
}

/** What somebody at the cluster does to a Job of shop. */
export function removeJob({ cluster }: Rig, name: string): void {
  const options = { propagationPolicy: 'Background' } as const
  const place = { resource: JOBS, namespace: 'shop', name }
  cluster.request({ verb: 'delete', ...place, options, user: 'person' })
}

export function conditionText(object: KubeObject | undefined, type: string): string {
  const conditions = (object?.['status'] as JsonObject | undefined)?.['conditions']
  const all = Array.isArray(conditions) ? (conditions as readonly JsonObject[]) : []
  const found = all.find((one) => one['type'] === type)
  return `${stringAt(found, ['status']) ?? ''} ${stringAt(found, ['message']) ?? ''}`.trim()
}
