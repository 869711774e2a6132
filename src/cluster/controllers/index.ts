import type { Rules } from '../api/kind.ts'
import type { AnyActor } from '../cluster.ts'
import { cronJobController } from './cronjob.ts'
import { deploymentController } from './deployment.ts'
import { garbageCollector } from './garbage-collector.ts'
import { namespaceController } from './namespace.ts'
import { jobController } from './job/index.ts'
import type { ClientLimit } from './job/limits.ts'
import { replicaSetController } from './replicaset.ts'
import { resourceQuotaController } from './resource-quota.ts'
import { ttlAfterFinished } from './ttl-after-finished.ts'
import { daemonSetController, statefulSetController } from './unplayed-pods.ts'

export interface ControllerManagerOptions {
  /** Default: 1.36. */
  readonly rules?: Rules
  /** Of requests of the Job controller; left out: as many as it likes. */
  readonly limit?: ClientLimit
}

/** What kube-controller-manager runs, as far as it decides when a Job's pods run. One line each. */
export function controllerManager(options: ControllerManagerOptions = {}): readonly AnyActor[] {
  const rules = options.rules ?? { minor: 36 }
  const { limit } = options
  const controllers: readonly AnyActor[] = [
    jobController(limit === undefined ? { rules } : { rules, limit }),
    ttlAfterFinished,
    cronJobController(rules),
    garbageCollector(),
    namespaceController(rules),
    deploymentController(rules),
    replicaSetController(rules),
    statefulSetController,
    daemonSetController,
    resourceQuotaController,
  ]
  return controllers.map((controller) => ({ ...controller, renewDeadlineMs: RENEW_DEADLINE_MS }))
}

/** K-91: of the one process that runs them all; its default. */
const RENEW_DEADLINE_MS = 10_000
