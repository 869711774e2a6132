import { controllerOf, type KubeObject } from '../object.ts'
import type { Pod } from '../pod.ts'
import type { ContainerPlan, ContainerRun, PodPlan, PodScript } from './script.ts'

/** How the pods of one workload behave, as scenarios state it. */
export interface Workload {
  /** `namespace/name` of its Job, CronJob or Deployment; `*` stands for any text. */
  readonly name: string
  /** Left out: until it is stopped. */
  readonly durationMs?: number
  /** Default `ok`. A map goes by commit, image, tag of the image, or digest. */
  readonly exits?: Outcome | { readonly [commitOrImage: string]: Outcome }
  /** Outcomes by attempt, before `exits` counts: `[fail, fail]` for work that succeeds the third time. */
  readonly attempts?: readonly Outcome[]
  /** From running to Ready, or that it never is. */
  readonly readyMs?: number | 'never'
  readonly stopMs?: number
  /** What containers beside the work do; default: those of `sidecars` never end, others as the work. */
  readonly containers?: { readonly [name: string]: ContainerPlan }
}

/** `ok`, `fail`, `never` (it hangs), or an exit code. */
export type Outcome = 'ok' | 'fail' | 'never' | number

export interface ScenarioOptions {
  readonly workloads: readonly Workload[]
  /** Containers that never end by themselves; default: the proxies and agents that meshes inject. */
  readonly sidecars?: readonly string[]
  /** The commit that a pod was made from; undefined where nobody knows. */
  readonly commitOf?: (pod: Pod) => string | undefined
  /** The owner of a pod's Job: its CronJob, so that a workload can be named by it. */
  readonly ownerOf?: (pod: Pod) => KubeObject | undefined
}

/** Containers that run beside the work for as long as the pod does, unless somebody stops them. */
const INJECTED_SIDECARS: readonly string[] = [
  'istio-proxy',
  'linkerd-proxy',
  'vault-agent',
  'consul-dataplane',
  'kuma-sidecar',
  'daprd',
  'cloud-sql-proxy',
  'cloudsql-proxy',
  'aws-appmesh-envoy',
  'envoy-sidecar',
]

/**
 * Pods play what the workloads of a scenario say. The work is done by all ordinary containers that
 * are no sidecars; native sidecars and init containers need no plan. A pod that no workload names
 * runs until it is stopped.
 */
export function scenarioScript(options: ScenarioOptions): PodScript {
  const workloads = options.workloads.map((workload) => ({
    workload,
    matches: matcherOf(workload.name),
  }))
  const sidecars = new Set(options.sidecars ?? INJECTED_SIDECARS)
  return {
    plan(pod, attempt) {
      const names = namesOf(pod, options)
      const found = workloads.find(({ matches }) => names.some((name) => matches.test(name)))
      if (found === undefined) return {}
      const { workload } = found
      const run = runOf(workload, pod, attempt, options.commitOf?.(pod))
      return planOf(workload, pod, run, sidecars)
    },
  }
}

function planOf(
  workload: Workload,
  pod: Pod,
  run: ContainerRun,
  sidecars: ReadonlySet<string>,
): PodPlan {
  const work = pod.spec.containers.filter(({ name }) => !sidecars.has(name))
  const { readyMs, stopMs, containers = {} } = workload
  return {
    containers: {
      ...Object.fromEntries(work.map(({ name }) => [name, { runs: [run] }])),
      ...containers,
    },
    ...(readyMs === undefined ? {} : { readyMs }),
    ...(stopMs === undefined ? {} : { stopMs }),
  }
}

function runOf(
  workload: Workload,
  pod: Pod,
  attempt: number,
  commit: string | undefined,
): ContainerRun {
  const outcome = workload.attempts?.[attempt] ?? outcomeOf(workload, pod, commit)
  if (outcome === 'never') return {}
  const { durationMs } = workload
  const exitCode = outcome === 'ok' ? 0 : outcome === 'fail' ? 1 : outcome
  return { ...(durationMs === undefined ? {} : { durationMs }), exitCode }
}

function outcomeOf(workload: Workload, pod: Pod, commit: string | undefined): Outcome {
  const { exits = 'ok' } = workload
  if (typeof exits !== 'object') return exits
  const keys = commit === undefined ? [] : [commit]
  for (const { image = '' } of pod.spec.containers) keys.push(image, ...endsOf(image))
  for (const key of keys) {
    const outcome = Object.hasOwn(exits, key) ? exits[key] : undefined
    if (outcome !== undefined) return outcome
  }
  return 'ok'
}

/** Tag and digest of an image. */
function endsOf(image: string): readonly string[] {
  const [name = '', digest] = image.split('@')
  const tag = /:([^:/]+)$/.exec(name)?.[1]
  return [tag, digest].filter((end) => end !== undefined)
}

/** What a workload may call the pod: its owner, the owner's owner, or itself. */
function namesOf(pod: Pod, { ownerOf }: ScenarioOptions): readonly string[] {
  const { namespace = '', name } = pod.metadata
  const owner = controllerOf(pod)?.name
  const top = ownerOf?.(pod)?.metadata.name
  const names = [top, owner, name].filter((one) => one !== undefined)
  // A CronJob's Job is named after it and the minute, a Deployment's ReplicaSet after it and a hash.
  const cut = owner?.replace(/-[a-z0-9]+$/, '')
  if (cut !== undefined && cut !== owner) names.push(cut)
  return names.map((one) => `${namespace}/${one}`)
}

function matcherOf(glob: string): RegExp {
  const text = glob.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${text}$`)
}
