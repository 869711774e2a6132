import { listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import { succeeded, type Answer } from '../../../cluster/api/request.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import {
  FLUX_OPERATOR,
  fluxOperator,
  REALISTIC_TIMING,
  resourceSetKinds,
  SETS,
} from '../../engines/flux-operator/index.ts'
import { kindFinder } from '../../engines/kinds.ts'
import { cutValues } from '../answers.ts'
import type { Trace } from '../format.ts'
import { filesOfEvent, objectsOfFiles } from '../manifests.ts'
import type { TracePlayer } from '../player.ts'
import { recordedIntervals, recordedLooks, recordedFirstLooks } from './flux-operator-recorded.ts'
import { registryOf } from './flux-operator-registry.ts'
import { scriptsOf } from './flux-operator-scripts.ts'
import { removeActor, removingScript } from './removed-pods.ts'
import type { Acts } from './script.ts'
import { playOn } from './stage.ts'

const USER = 'recorder'
/** From the start of the operator's process to its first reconcile: 0.3 to 0.7 s as recorded. */
const START_MS = 450

/** flux-operator: ResourceSets, their providers, and the scripts of the recorder. */
export const fluxOperatorPlayer: TracePlayer = {
  engine: 'flux-operator',
  play: (trace, tools) => {
    const registry = registryOf(trace)
    const errors = new Set<string>()
    const engine = fluxOperator({
      lookUp: registry.lookUp,
      concurrency: concurrencyOf(trace),
      timing: REALISTIC_TIMING,
      intervalOf: recordedIntervals(trace),
      isGoneAtFirstLook: recordedLooks(trace),
      firstLookMs: recordedFirstLooks(trace),
      ...(tools.cel === undefined ? {} : { cel: tools.cel }),
    })
    return playOn(
      trace,
      {
        actors: [engine, errorRecorder(errors), removeActor, ...scriptsOf(trace)],
        podScript: removingScript,
        restarts: [FLUX_OPERATOR],
        kinds: resourceSetKinds,
        acts: { apply: applier(trace), note: noted((event) => registry.note(event)) },
        startMs: START_MS,
        error: () => errorOf(trace, errors),
      },
      tools,
    )
  },
}

/** `60 (default 10; ...)`, `default (10)`. */
function concurrencyOf({ engine }: Trace): number {
  return Number(/\d+/.exec(stringAt(engine.settings, ['concurrent']) ?? '')?.[0] ?? 10)
}

function noted(note: (event: Parameters<Acts[string]>[0]) => void): Acts[string] {
  return (event) => {
    note(event)
    return undefined
  }
}

/** The recorder applies each object on the server, whether it is there or not. */
function applier(trace: Trace): Acts[string] {
  const find = kindFinder(resourceSetKinds)
  return (event, io) => {
    let last: Answer | undefined
    for (const object of filesOfEvent(event).flatMap((name) => objectsOfFiles(trace.files[name]))) {
      last = applyOne(
        object,
        find(stringAt(object, ['apiVersion']) ?? '', stringAt(object, ['kind']) ?? '', io.read),
        io,
      )
      if (last !== undefined && !succeeded(last)) return last
    }
    return last
  }
}

function applyOne(
  object: JsonObject,
  kind: (ResourceId & { readonly namespaced: boolean }) | undefined,
  io: Io<never>,
): Answer | undefined {
  if (kind === undefined) return undefined
  const { group, version, resource, namespaced } = kind
  const namespace = stringAt(object, ['metadata', 'namespace'])
  return io.request({
    verb: 'patch',
    resource: { group, version, resource },
    ...(namespaced && namespace !== undefined ? { namespace } : {}),
    name: stringAt(object, ['metadata', 'name']) ?? '',
    patch: { type: 'apply', body: object },
    options: { fieldManager: USER, force: true },
  })
}

/** Each error that a ResourceSet has ever shown. */
function errorRecorder(errors: Set<string>): Actor<null, never> {
  return {
    name: 'error-recorder',
    begin: () => null,
    observe(_state, { resource, object }) {
      if (resource.resource !== SETS.resource) return
      for (const condition of listAt(object, ['status', 'conditions'])) {
        if (
          stringAt(condition, ['type']) !== 'Ready' ||
          stringAt(condition, ['status']) !== 'False'
        )
          continue
        if (stringAt(condition, ['reason']) === 'HealthCheckCanceled') continue
        errors.add(stringAt(condition, ['message']) ?? '')
      }
    },
    wake: () => undefined,
    copy: (state) => state,
  }
}

/**
 * The recorded error when it is one of those that the sets showed: a recording with several sets
 * names one. Long values were cut off by the recorder.
 */
function errorOf(trace: Trace, errors: ReadonlySet<string>): string | null {
  const recorded = trace.answer.error
  if (errors.size === 0) return null
  if (recorded === null) return [...errors].join(' || ')
  const wanted = plain(recorded)
  return [...errors].some((error) => plain(error) === wanted) ? recorded : [...errors].join(' || ')
}

function plain(error: string): string {
  return cutValues(
    error.slice(
      0,
      error.includes('Invalid value: {') ? error.indexOf('Invalid value: {') : undefined,
    ),
  ).trim()
}
