import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Cel } from '../../../cluster/api/contract.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { kro, kroKinds, REALISTIC_TIMING } from '../../engines/kro/index.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { applier, changedBy, chosenBy, refOf, withFields } from '../applier.ts'
import type { ScenarioEngine, StageInput } from '../stage.ts'

const KINDS = [...kroKinds, ...bystanderKinds]

/**
 * kro: definitions and instances stand among the files or are carriers, and a person applies them.
 * Instances wait until their kind is served. What leaves the files stays, as with `kubectl apply`,
 * unless `prune: true`.
 */
export const kroStage: ScenarioEngine = {
  kinds: ['kro'],
  stage(input) {
    const { tools, timing, settings } = input
    const person = applier('person at kro', KINDS)
    const cel = tools.cel ?? NO_CEL
    let carriers = input.carriers.map((object) => withChanges(object, input))
    let declared: readonly JsonObject[] = []
    const apply = (cluster: Cluster): void => {
      person.apply(cluster, [...carriers, ...declared], isDefinition)
    }
    return {
      actors: [
        kro({ cel, ...(timing === 'realistic' ? { timing: REALISTIC_TIMING } : {}) }),
        person.actor,
      ],
      kinds: KINDS,
      prepare: () => {},
      commit(cluster, _revision, files, own) {
        const before = [...carriers, ...(settings['prune'] === true ? declared : [])]
        if (own !== undefined) carriers = own.map((object) => withChanges(object, input))
        declared = Object.entries(files)
          .flatMap(([path, text]) => objectsOf(path, text))
          .map((object) => withChanges(object, input))
        apply(cluster)
        const kept = new Set([...carriers, ...declared].map(refOf))
        person.remove(
          cluster,
          before.filter((object) => !kept.has(refOf(object))),
        )
      },
      change(cluster, event) {
        const all = [...carriers, ...declared]
        const chosen = new Set(
          chosenBy(
            event,
            all.filter((object) => !isDefinition(object)),
          ),
        )
        const after = (object: JsonObject): JsonObject =>
          chosen.has(object) ? changedBy(event, object) : object
        carriers = carriers.map(after)
        declared = declared.map(after)
        apply(cluster)
      },
      bootstrap: apply,
    }
  },
}

const NO_CEL: Cel = {
  evaluate: () => ({ fault: 'no evaluator of CEL is at hand', isUnsupported: true }),
}

function isDefinition(object: JsonObject): boolean {
  return stringAt(object, ['kind']) === 'ResourceGraphDefinition'
}

/** A variant's `spec.x` is about instances. */
function withChanges(object: JsonObject, { changes }: StageInput): JsonObject {
  if (isDefinition(object) || stringAt(object, ['apiVersion'])?.startsWith('kro.run/') !== true) {
    return object
  }
  const own = Object.entries(changes).filter(([path]) => path.startsWith('spec.'))
  return own.length === 0 ? object : withFields(object, Object.fromEntries(own))
}
