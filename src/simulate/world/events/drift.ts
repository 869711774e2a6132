import { stringAt, type JsonObject } from '../../../core/json.ts'
import { mergeBody } from '../../scenario/fields.ts'
import { shownRef } from '../../scenario/words.ts'
import { servedKind } from '../find-object.ts'
import type { Play } from '../play.ts'
import type { DriftEvent, ObjectRef } from '../world.ts'
import type { Effect } from './effect.ts'

const PERSON = { user: 'person', options: { fieldManager: 'kubectl-edit' } }

/** Somebody edits, deletes or creates an object beside the engine. */
export const drift: Effect<'drift'> = {
  apply(play, { at, object, action, words }) {
    const shown = shownRef(object)
    play.tell({ at, row: 'people', kind: 'drift', words, object: shown })
    const place = placeOf(play, object)
    if (place === undefined) {
      const why = `${words}: the cluster serves no kind ${object.kind}`
      play.tell({ at, row: 'people', kind: 'refused', words: why, object: shown })
      return
    }
    const live = play.cluster.api.read.get(place.resource, place.namespace, place.name)
    const answer = play.cluster.request(requestOf(place, action, live ?? {}))
    if (answer.code < 400) {
      if (object.kind === 'Job' && (action.do === 'delete' || action.do === 'create')) {
        play.chronicle.cause({
          at,
          actor: 'person',
          rule: 'person',
          effect: action.do === 'delete' ? 'deleted Job' : 'created Job',
          object: shown,
          trigger: { kind: 'request', words },
        })
      }
      return
    }
    const why = stringAt(answer.body, ['message']) ?? `answered with ${answer.code}`
    play.tell({ at, row: 'people', kind: 'refused', words: `${words}: ${why}`, object: shown })
  },
}

interface Place {
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string }
  readonly namespace?: string
  readonly name: string
}

function requestOf(place: Place, action: DriftEvent['action'], live: JsonObject) {
  if (action.do === 'delete') {
    const options = { propagationPolicy: 'Background' } as const
    return { verb: 'delete', ...place, ...PERSON, options } as const
  }
  if (action.do === 'create') {
    const { name: _, ...without } = place
    return { verb: 'create', ...without, body: action.body, ...PERSON } as const
  }
  const patch = { type: 'merge', body: mergeBody(live, action.fields) } as const
  return { verb: 'patch', ...place, patch, ...PERSON } as const
}

function placeOf(play: Play, { kind, namespace, name }: ObjectRef): Place | undefined {
  const found = servedKind(play, kind)
  if (found === undefined) return undefined
  const { group, version, resource, namespaced } = found
  return {
    resource: { group, version, resource },
    ...(namespaced ? { namespace: namespace ?? 'default' } : {}),
    name,
  }
}
