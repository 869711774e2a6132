import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { spanSeconds } from '../span.ts'
import type { Files, ScenarioEngine } from '../stage.ts'

const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }
const NAME = 'generic-reconciler'

interface State {
  /** The manifests that are declared. */
  objects: readonly JsonObject[]
}

/**
 * A controller of the package-operator kind: what is declared and absent is created again, as soon
 * as it notices. `detects_deletion`: `watch` at once, `poll-10m` and `resync-10h` at its next round.
 */
export const genericReconciler: ScenarioEngine = {
  kinds: ['generic-reconciler'],
  stage({ settings }) {
    const detects = stringAt(settings, ['detects_deletion']) ?? 'watch'
    const period = spanSeconds(/-(.+)$/.exec(detects)?.[1] ?? '')
    const state: State = { objects: [] }
    return {
      actors: [reconciler(state, period)],
      kinds: [],
      prepare: () => {},
      commit(cluster, _revision, files) {
        state.objects = declared(files)
        for (const object of state.objects) cluster.request(creation(object))
      },
    }
  },
}

function reconciler(state: State, periodSeconds: number | undefined): Actor<State, 'round'> {
  const plan = (io: Io<'round'>): void => {
    if (periodSeconds !== undefined) io.wakeAt(io.now + periodSeconds * 1000, 'round', 'round')
  }
  return {
    name: NAME,
    begin(io) {
      plan(io)
      return state
    },
    observe(_state, { type, resource }, io) {
      if (periodSeconds !== undefined || type !== 'DELETED' || resource.resource !== 'jobs') return
      io.wakeAt(io.now, 'round', 'round')
    },
    wake(own, _wake, io) {
      for (const object of own.objects) {
        const { namespace, name } = placeOf(object)
        if (io.read.get(JOBS, namespace, name) === undefined) io.request(creation(object))
      }
      plan(io)
    },
    copy: ({ objects }) => ({ objects }),
  }
}

function declared(files: Files): readonly JsonObject[] {
  return Object.entries(files)
    .flatMap(([path, text]) => objectsOf(path, text))
    .filter((object) => stringAt(object, ['kind']) === 'Job')
}

function placeOf(object: JsonObject): { readonly namespace: string; readonly name: string } {
  return {
    namespace: stringAt(object, ['metadata', 'namespace']) ?? 'default',
    name: stringAt(object, ['metadata', 'name']) ?? '',
  }
}

function creation(object: JsonObject) {
  const { namespace } = placeOf(object)
  return { verb: 'create', resource: JOBS, namespace, body: object, user: NAME } as const
}
