import { IDEALISED, type Latencies } from './actor.ts'
import { admissionPolicies } from './admission/index.ts'
import { resourceQuota } from './admission/resource-quota.ts'
import type { Admission } from './api/admission.ts'
import type { ApiServer, Cel } from './api/contract.ts'
import type { Kind } from './api/kind.ts'
import { createApiServer } from './api/server.ts'
import { seededChance, type Chance } from './chance.ts'
import { Cluster, type AnyActor, type Listener } from './cluster.ts'
import { controllerManager } from './controllers/index.ts'
import { defaultKinds } from './kinds/index.ts'
import type { Instant } from './time.ts'

export interface CreateClusterOptions {
  /** Default 2026-01-01T00:00:00Z. */
  readonly now?: Instant
  readonly seed?: number
  /** Kubernetes 1.x; default 36. */
  readonly minor?: number
  readonly latencies?: Latencies
  /** Besides the default kinds; one of the same resource takes the place of the default. */
  readonly kinds?: readonly Kind[]
  readonly admission?: readonly Admission[]
  /** Who acts; default: what kube-controller-manager runs. */
  readonly actors?: readonly AnyActor[]
  /** Kinds that nobody registered are stored without opinion instead of 404. */
  readonly openKinds?: boolean
  /** Events that a watch may come back to; default 10,000. */
  readonly watchWindow?: number
  /** Evaluates CEL: admission policies, and the rules of CustomResourceDefinitions. */
  readonly cel?: Cel
  readonly listener?: Listener
}

/** A cluster as it is after its start: the system namespaces are there, nothing else. */
export function createCluster(options: CreateClusterOptions = {}): Cluster {
  const chance = seededChance(options.seed ?? 1)
  const now = options.now ?? Date.UTC(2026, 0, 1)
  const rules = { minor: options.minor ?? 36 }
  const kinds = [...defaultKinds, ...(options.kinds ?? [])]
  const apiOptions = {
    rules,
    kinds,
    chance,
    admission: admissionOf(options, kinds),
    ...(options.openKinds === undefined ? {} : { openKinds: options.openKinds }),
    ...(options.watchWindow === undefined ? {} : { watchWindow: options.watchWindow }),
    ...(options.cel === undefined ? {} : { cel: options.cel }),
  }
  const emptyApi = (at: Instant, draws: Chance): ApiServer =>
    createApiServer({ ...apiOptions, chance: draws }, at)
  return new Cluster({
    now,
    api: emptyApi(now, chance),
    emptyApi,
    chance,
    latencies: options.latencies ?? IDEALISED,
    actors: options.actors ?? controllerManager({ rules }),
    ...(options.listener === undefined ? {} : { listener: options.listener }),
  })
}

/** In the real server's order: the policies, then what the caller brings as webhooks, then quotas. */
function admissionOf(
  { cel, admission = [] }: CreateClusterOptions,
  kinds: readonly Kind[],
): readonly Admission[] {
  const policies = cel === undefined ? [] : admissionPolicies(cel, kinds)
  return [...policies, ...admission, resourceQuota]
}
