import { IDEALISED, type Latencies } from './actor.ts'
import type { Admission } from './api/admission.ts'
import type { Kind } from './api/kind.ts'
import { createApiServer } from './api/server.ts'
import { seededChance } from './chance.ts'
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
  readonly listener?: Listener
}

/** A cluster as it is after its start: the system namespaces are there, nothing else. */
export function createCluster(options: CreateClusterOptions = {}): Cluster {
  const chance = seededChance(options.seed ?? 1)
  const now = options.now ?? Date.UTC(2026, 0, 1)
  const rules = { minor: options.minor ?? 36 }
  const api = createApiServer({
    rules,
    kinds: [...defaultKinds, ...(options.kinds ?? [])],
    chance,
    ...(options.admission === undefined ? {} : { admission: options.admission }),
    ...(options.openKinds === undefined ? {} : { openKinds: options.openKinds }),
  })
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    const resource = { group: '', version: 'v1', resource: 'namespaces' }
    api.handle({ verb: 'create', resource, body, user: 'kube-apiserver' }, now)
  }
  api.takeEvents()
  return new Cluster({
    now,
    api,
    chance,
    latencies: options.latencies ?? IDEALISED,
    actors: options.actors ?? controllerManager({ rules }),
    ...(options.listener === undefined ? {} : { listener: options.listener }),
  })
}
