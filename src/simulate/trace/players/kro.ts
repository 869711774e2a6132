import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { Answer } from '../../../cluster/api/request.ts'
import { kro, kroKinds, REALISTIC_TIMING, type KroState } from '../../engines/kro/index.ts'
import { kindFinder } from '../../engines/kinds.ts'
import type { Trace, TraceEvent } from '../format.ts'
import { objectsOf } from '../manifests.ts'
import type { Played, TracePlayer } from '../player.ts'
import { playOn, zeroOf } from './stage.ts'

/** Definitions and instances are applied as files of a cluster with kro on it. */
export const kroPlayer: TracePlayer = {
  engine: 'kro',
  play(trace, tools) {
    const { cel } = tools
    const left = trace.observed['jobsNotListed' as keyof Trace['observed']]
    if (cel === undefined) return unplayable('expressions need a CEL evaluator')
    if (left !== undefined) return unplayable('the recording leaves out most of its Jobs')
    const files = textsOf(trace)
    const namespace = namespaceOf(files)
    let unknown: ReadonlySet<string> = new Set()
    const played = playOn(
      trace,
      {
        actors: [
          kro({ cel, timing: { ...REALISTIC_TIMING, definition: busyness(trace) } }),
          errors,
        ],
        restarts: ['kro'],
        kinds: kroKinds,
        startMs: START_MS,
        namespace,
        acts: { apply: (event, io) => applyFiles(files, namespace, event, io) },
        error(cluster) {
          unknown = (cluster.stateOf('kro') as KroState | undefined)?.unknown ?? unknown
          const { first } = cluster.stateOf(errors.name) as Errors
          return inTheirWords(first, trace.answer.error)
        },
      },
      tools,
    )
    const [cannot] = unknown
    return cannot === undefined ? played : { ...played, unplayable: `cannot predict: ${cannot}` }
  },
}

/** Measured: a killed and restarted kro acts 0.9 s later (trace kro/010). */
const START_MS = 800

function unplayable(why: string): Played {
  return { jobs: [], answers: [], causes: [], endSeconds: 0, unplayable: why }
}

function textsOf(trace: Trace): ReadonlyMap<string, string> {
  const files: { readonly [path: string]: unknown } = trace.files
  return new Map(
    Object.entries(files).flatMap(([path, text]) =>
      typeof text === 'string' ? [[path, text] as const] : [],
    ),
  )
}

/** Instances live in a namespace of their own, which the recorder made before. */
function namespaceOf(files: ReadonlyMap<string, string>): string {
  for (const [path, text] of files) {
    for (const object of objectsOf(path, text)) {
      const namespace = stringAt(object, ['metadata', 'namespace'])
      if (namespace !== undefined) return namespace
    }
  }
  return 'default'
}

/** `kubectl apply --server-side` of the named files. */
function applyFiles(
  files: ReadonlyMap<string, string>,
  ownNamespace: string,
  event: TraceEvent,
  io: Io<never>,
): Answer | undefined {
  const paths = Array.isArray(event['files']) ? event['files'] : [event['files']]
  const find = kindFinder(kroKinds)
  let last: Answer | undefined
  for (const path of paths) {
    for (const object of objectsOf(String(path), files.get(String(path)) ?? '')) {
      const apiVersion = stringAt(object, ['apiVersion']) ?? ''
      const kind = find(apiVersion, stringAt(object, ['kind']) ?? '', io.read)
      if (kind === undefined) continue
      const namespace = stringAt(object, ['metadata', 'namespace']) ?? ownNamespace
      last = io.request({
        verb: 'patch',
        resource: { group: kind.group, version: kind.version, resource: kind.resource },
        ...(kind.namespaced ? { namespace } : {}),
        name: stringAt(object, ['metadata', 'name']) ?? '',
        patch: { type: 'apply', body: object },
        options: { fieldManager: 'kubectl', force: true },
      })
    }
  }
  return last
}

/**
 * One worker handles all definitions, and the recorder's lab had dozens: how long a change took to
 * be compiled is taken from what the trace reports about the definition.
 */
function busyness(trace: Trace): (name: string, at: number) => number {
  const zero = zeroOf(trace)
  const resolved = (trace.observed.engine ?? []).filter(
    (report) => isDefinition(report) && isResolved(report),
  )
  return (name, at) => {
    const t = (at - zero) / 1000
    const report = resolved.find(
      (one) =>
        stringAt(one, ['object']) === `ResourceGraphDefinition/${name}` && Number(one['t']) > t,
    )
    if (report === undefined) return REALISTIC_DEFINITION_MS
    return Math.max(0, (Number(report['t']) - t) * 1000)
  }
}

const REALISTIC_DEFINITION_MS = 300

function isDefinition(report: JsonObject): boolean {
  return stringAt(report, ['object'])?.startsWith('ResourceGraphDefinition/') === true
}

function isResolved(report: JsonObject): boolean {
  const conditions = report['conditions']
  return (
    Array.isArray(conditions) &&
    conditions.some(
      (one: JsonObject) => one['type'] === 'GraphRevisionsResolved' && one['reason'] === 'Resolved',
    )
  )
}

interface Errors {
  readonly first: string | null
}

/** Notes the first message of an instance in the state ERROR, as the recorder did. */
const errors: Actor<{ first: string | null }, never> = {
  name: 'kro-errors',
  begin: () => ({ first: null }),
  observe(state, { object }) {
    if (state.first !== null || stringAt(object, ['status', 'state']) !== 'ERROR') return
    const conditions = (object['status'] as JsonObject)['conditions']
    const ready = (Array.isArray(conditions) ? conditions : []).find(
      (one: JsonObject) => one['type'] === 'ResourcesReady',
    )
    state.first = stringAt(ready, ['message']) ?? null
  },
  wake: () => undefined,
  copy: ({ first }) => ({ first }),
}

/** The recorder cut long messages; uids are different in every run. */
function inTheirWords(model: string | null, recorded: string | null): string | null {
  if (model === null || recorded === null) return model
  const cut = model.slice(0, recorded.length)
  return withoutUids(cut) === withoutUids(recorded) ? recorded : cut
}

function withoutUids(text: string): string {
  return text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uid')
}
