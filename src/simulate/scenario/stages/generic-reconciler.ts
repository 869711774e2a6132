import { Fault } from '../../../core/faults.ts'
import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import {
  REVISION,
  watchingReconciler,
  type Declared,
} from '../../engines/watching-reconciler/index.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { applier, refOf } from '../applier.ts'
import { editLive } from '../edit.ts'
import { spanSeconds } from '../span.ts'
import type { Files, ScenarioEngine, StageInput } from '../stage.ts'

const PACKAGES = { group: '', version: 'v1', resource: 'configmaps' }
const PLACE = { namespace: 'default', name: 'generic-reconciler' }

/**
 * A controller of the package-operator kind: what is declared and absent is created again, as soon
 * as it notices. `detects_deletion`: `watch` at once, `poll-10m` and `resync-10h` at its next round.
 * `backoff: 1s-10m`: tries after a refusal. `prune: true`: what is no longer declared is deleted.
 */
export const genericReconciler: ScenarioEngine = {
  kinds: ['generic-reconciler', 'package-operator'],
  stage(input) {
    const { settings, timing } = input
    let declared: Declared = { objects: [], revision: '' }
    const person = applier('person at generic-reconciler', [])
    const period = periodOf(settings)
    const backoff = backoffOf(settings)
    return {
      actors: [
        watchingReconciler({
          carrier: 'Package generic-reconciler',
          declared: () => declared,
          ...(period === undefined ? {} : { periodMs: period }),
          ...(backoff === undefined ? {} : { backoff }),
          isRealistic: timing === 'realistic',
        }),
      ],
      kinds: bystanderKinds,
      prepare: () => {},
      commit(cluster, revision, files) {
        const before = declared.objects
        declared = { objects: all(files), revision }
        const kept = new Set(declared.objects.map(refOf))
        const gone = before.filter((object) => !kept.has(refOf(object)))
        if (settings['prune'] === true) person.remove(cluster, gone)
        announce(cluster, revision)
      },
      sync: (cluster) => announce(cluster, `${declared.revision} again`),
      change: (cluster, event) => editLive(cluster, event, declared.objects),
    }
  },
}

/** Its own object says which revision counts. */
function announce(cluster: Cluster, revision: string): void {
  const { namespace, name } = PLACE
  const metadata = { name, namespace, annotations: { [REVISION]: revision } }
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata }
  const patch = { type: 'apply', body } as const
  const options = { fieldManager: 'kubectl', force: true }
  const place = { resource: PACKAGES, ...PLACE, user: 'person' }
  cluster.request({ verb: 'patch', ...place, patch, options })
}

function all(files: Files): readonly JsonObject[] {
  return Object.entries(files).flatMap(([path, text]) => objectsOf(path, text))
}

/** Undefined: it watches. */
function periodOf(settings: StageInput['settings']): number | undefined {
  const detects = stringAt(settings, ['detects_deletion']) ?? 'watch'
  if (detects === 'watch') return undefined
  const seconds = spanSeconds(/^(?:poll|resync)-(.+)$/.exec(detects)?.[1] ?? '') ?? 0
  if (seconds > 0) return seconds * 1000
  throw new Fault('SCENARIO_INVALID', {
    what: `detects_deletion: ${detects} of the engine is not known`,
    why: 'it decides when an absent Job is seen',
    remedy: 'write watch, poll-10m or resync-10h',
  })
}

function backoffOf(settings: StageInput['settings']) {
  const given = stringAt(settings, ['backoff'])
  if (given === undefined) return undefined
  const [first = 0, most = 0] = given.split('-').map((part) => spanSeconds(part) ?? 0)
  if (first > 0 && most >= first) return { firstMs: first * 1000, mostMs: most * 1000 }
  throw new Fault('SCENARIO_INVALID', {
    what: `backoff: ${given} of the engine is no pair of spans`,
    why: 'it says how soon a refused object is tried again, at first and at most',
    remedy: 'write backoff: 1s-10m',
  })
}
