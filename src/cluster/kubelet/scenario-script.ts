import { controllerOf, type KubeObject } from '../object.ts'
import type { Pod } from '../pod.ts'
import { pinOf } from './registry.ts'
import type { ContainerPlan, ContainerRun, Need, PodPlan, PodScript } from './script.ts'

/** How the pods of one workload behave, as scenarios state it. */
export interface Workload {
  /** `namespace/name` of its Job, CronJob or Deployment; `*` stands for any text. */
  readonly name: string
  /** Left out: until it is stopped. */
  readonly durationMs?: number
  /** False: the work never ends by itself, whatever its outcome would be. */
  readonly completes?: boolean
  /**
   * Default `ok`. A map goes by commit, by the content (digest) behind the image when the container
   * starts, by the image as it is written, or by its tag.
   */
  readonly exits?: Outcome | { readonly [commitOrImage: string]: Outcome }
  /** Outcomes by attempt, before `exits` counts: `[fail, fail]` for work that succeeds the third time. */
  readonly attempts?: readonly Outcome[]
  /** From running to Ready, or that it never is. */
  readonly readyMs?: number | 'never'
  /** The same by commit, image or tag, where it goes before `readyMs`. */
  readonly readyMsOf?: { readonly [commitOrImage: string]: number | 'never' }
  readonly stopMs?: number
  /** What has to be there when the work starts. */
  readonly needs?: readonly Need[]
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

/** As `scenarioScript` sees it by default: whether a container only runs beside the work. */
export function isInjectedSidecar(container: string): boolean {
  return INJECTED_SIDECARS.includes(container)
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
      const commit = options.commitOf?.(pod)
      const runs = runsOf(workload, pod, attempt, commit)
      return { ...planOf(workload, pod, runs, sidecars), ...readinessOf(workload, pod, commit) }
    },
  }
}

function planOf(
  workload: Workload,
  pod: Pod,
  { run, runsOf }: Runs,
  sidecars: ReadonlySet<string>,
): PodPlan {
  const work = pod.spec.containers.filter(({ name }) => !sidecars.has(name))
  const { readyMs, stopMs, needs, containers = {} } = workload
  const plan: ContainerPlan = {
    runs: [run],
    ...(runsOf === undefined ? {} : { runsOf }),
    ...(needs === undefined ? {} : { needs }),
  }
  return {
    containers: {
      ...Object.fromEntries(work.map(({ name }) => [name, plan])),
      ...containers,
    },
    ...(readyMs === undefined ? {} : { readyMs }),
    ...(stopMs === undefined ? {} : { stopMs }),
  }
}

interface Runs {
  readonly run: ContainerRun
  /** By content; left out where something goes before it. */
  readonly runsOf?: { readonly [digest: string]: readonly ContainerRun[] }
}

function runsOf(workload: Workload, pod: Pod, attempt: number, commit: string | undefined): Runs {
  const { attempts, exits = 'ok' } = workload
  const ofAttempt = attempts?.[attempt]
  if (ofAttempt !== undefined) return { run: runOf(workload, ofAttempt) }
  if (typeof exits !== 'object') return { run: runOf(workload, exits) }
  const isOfCommit = commit !== undefined && Object.hasOwn(exits, commit)
  const ofCommit = isOfCommit ? exits[commit] : undefined
  if (ofCommit !== undefined) return { run: runOf(workload, ofCommit) }
  const key = keysOf(pod).find((one) => Object.hasOwn(exits, one))
  return {
    run: runOf(workload, (key === undefined ? undefined : exits[key]) ?? 'ok'),
    runsOf: Object.fromEntries(
      Object.entries(exits).map(([digest, outcome]) => [digest, [runOf(workload, outcome)]]),
    ),
  }
}

/** What a map by commit or image says of readiness. */
function readinessOf(
  { readyMsOf }: Workload,
  pod: Pod,
  commit: string | undefined,
): Pick<PodPlan, 'readyMs'> {
  if (readyMsOf === undefined) return {}
  const key = [commit ?? '', ...keysOf(pod)].find((one) => Object.hasOwn(readyMsOf, one))
  const readyMs = key === undefined ? undefined : readyMsOf[key]
  return readyMs === undefined ? {} : { readyMs }
}

function keysOf(pod: Pod): readonly string[] {
  return pod.spec.containers.flatMap(({ image = '' }) => [image, ...endsOf(image)])
}

function runOf({ durationMs, completes = true }: Workload, outcome: Outcome): ContainerRun {
  if (outcome === 'never' || !completes) return {}
  const exitCode = outcome === 'ok' ? 0 : outcome === 'fail' ? 1 : outcome
  return { ...(durationMs === undefined ? {} : { durationMs }), exitCode }
}

/** Tag and digest of an image. */
function endsOf(image: string): readonly string[] {
  const tag = /:([^:/]+)$/.exec(image.replace(/@.*$/, ''))?.[1]
  return [tag, pinOf(image)].filter((end) => end !== undefined)
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
