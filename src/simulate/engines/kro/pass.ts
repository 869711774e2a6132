import { isList, isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { Io, Trigger } from '../../../cluster/actor.ts'
import { withSchemaDefaults } from '../../../cluster/api/structural/defaults.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { shortWords } from '../words.ts'
import {
  applyAll,
  bareInstance,
  holds,
  placeOf,
  prune,
  type Applied,
  type Target,
} from './apply.ts'
import { labelOf, tell, type Round } from './causes.ts'
import { removeInstance } from './deletion.ts'
import { resolve, type Variables } from './expressions.ts'
import { isSuspended, type Graph } from './graph.ts'
import { FINALIZER, VERSION } from './kinds.ts'
import { graphOf, watch, type State, type Tools } from './state.ts'
import {
  ALL_READY,
  MANAGED,
  RESOLVED,
  withReady,
  writeStatus,
  type Condition,
  type InstanceState,
} from './status.ts'
import { walk, whyNotReady, type Walk } from './walk.ts'

/** One pass of one instance: everything that kro does about it, at one instant. */
export function reconcile(
  options: Tools,
  state: State,
  { key, trigger }: { readonly key: string; readonly trigger: Trigger },
  io: Io<never>,
): void {
  const record = state.records.get(key)
  const graph = record === undefined ? undefined : graphOf(state, record.resource)
  // Without its definition nobody works on an instance, not even on its deletion.
  if (record === undefined || graph === undefined) return
  const stored = io.read.get(record.resource, record.namespace, record.name)
  if (stored === undefined) return
  const instance = withDefaults(stored, graph)
  const round: Round = { carrier: labelOf(instance), trigger, isTold: false }
  const target = { graph, instance, record, round }
  if (instance.metadata.deletionTimestamp !== undefined) return removeInstance(state, target, io)
  manage(target, io)
  if (isSuspended(instance.metadata.annotations)) return
  const walked = walk(options, graph, instance, io)
  const isWhole = walked.deleting === undefined && walked.fault === undefined
  const watched = isWhole ? walked.watched : new Set([...record.watched, ...walked.watched])
  const outcome = isWhole ? applied(options, state, { target, walked }, io) : stopped(walked, state)
  if (walked.fault !== undefined) {
    const what = shortWords(outcome.condition.message)
    tell(round, { rule: 'X-7', effect: `failed: ${what}`, object: round.carrier }, io)
  }
  const { failedAt: _, ...rest } = record
  const next = outcome.isFailed ? { ...rest, failedAt: io.now } : rest
  watch(state, { ...next, watched: record.watched }, watched)
  writeStatus(
    record.resource,
    instance,
    {
      conditions: withReady([MANAGED, RESOLVED, outcome.condition]),
      fields: { ...statusOf(options, graph, instance, walked), state: outcome.state },
    },
    io,
  )
}

/** The real server fills in on reads what a changed definition defaults (trace kro/025). */
function withDefaults(stored: KubeObject, { schema }: Graph): KubeObject {
  return withSchemaDefaults(stored, schema) as KubeObject
}

interface Outcome {
  readonly state: InstanceState
  readonly condition: Condition
  /** Tried again every 3 s although nothing changed. */
  readonly isFailed: boolean
}

function notReady(message: string, reason = 'NotReady'): Condition {
  return { type: 'ResourcesReady', status: 'False', reason, message }
}

const FAILED = 'resource reconciliation failed: '

function stopped({ deleting, fault }: Walk, state: State): Outcome {
  if (deleting !== undefined) {
    const condition = notReady(deleting, 'ResourceDeleting')
    return { state: 'IN_PROGRESS', condition, isFailed: false }
  }
  const what = fault?.what ?? ''
  if (fault?.is === 'unknown') state.unknown.add(what)
  const message = fault?.is === 'unknown' ? `cannot predict: ${what}` : FAILED + what
  return { state: 'ERROR', condition: notReady(message), isFailed: true }
}

function applied(
  options: Tools,
  state: State,
  { target, walked }: { readonly target: Target; readonly walked: Walk },
  io: Io<never>,
): Outcome {
  const result = applyAll(target, walked, io)
  const isFailed = result.errors.size > 0
  const mayPrune = walked.unresolved === undefined && !isFailed
  const hasPruned = mayPrune && prune(state, target, result.uids, io)
  const reasons = reasonsOf(options, state, walked, result)
  if (reasons.length > 0) {
    const condition = notReady(`${FAILED}apply results contain errors: ${reasons.join('\n')}`)
    return { state: isFailed ? 'ERROR' : 'IN_PROGRESS', condition, isFailed }
  }
  if (walked.unresolved !== undefined) {
    const message = `${FAILED}waiting for unresolved resource: ${walked.unresolved}`
    return { state: 'IN_PROGRESS', condition: notReady(message), isFailed: false }
  }
  const condition =
    result.hasChanged || hasPruned ? notReady(`${FAILED}cluster mutated`) : ALL_READY
  return { state: 'ACTIVE', condition, isFailed: false }
}

/** What nodes are refused for or wait for, in the order of the graph. */
function reasonsOf(
  options: Tools,
  state: State,
  { runs }: Walk,
  { errors }: Applied,
): readonly string[] {
  const reasons: string[] = []
  for (const run of runs.values()) {
    const { node, waits } = run
    const error = errors.get(node.id) ?? waits
    const waiting = error === undefined ? whyNotReady(options, run) : undefined
    if (waiting?.includes('cannot predict') === true) state.unknown.add(waiting)
    if (error !== undefined) reasons.push(error)
    else if (waiting !== undefined) reasons.push(`waiting for node "${node.id}": ${waiting}`)
  }
  return reasons
}

/** Finalizer and labels of the instance, before anything of it is made. */
function manage({ graph, instance, record }: Target, io: Io<never>): void {
  const labels = {
    'kro.run/owned': 'true',
    'kro.run/kro-version': VERSION,
    'kro.run/resource-graph-definition-name': graph.definition,
  }
  const hasFinalizer = instance.metadata.finalizers?.includes(FINALIZER) === true
  if (hasFinalizer && holds(instance.metadata, { labels })) return
  const metadata = { labels, finalizers: [FINALIZER] }
  io.request({
    verb: 'patch',
    ...placeOf(record),
    patch: { type: 'apply', body: bareInstance(graph, record, metadata) },
    options: { fieldManager: 'kro.run/labeller', force: true },
  })
}

/** The status fields of the definition, as far as their expressions have a value. */
function statusOf(
  options: Tools,
  { status }: Graph,
  instance: KubeObject,
  { runs }: Walk,
): JsonObject {
  if (Object.keys(status).length === 0) return {}
  const variables: { [name: string]: Json } = { schema: instance }
  for (const [id, { node, observed }] of runs) {
    const [first] = observed
    if (node.forEach.length > 0) variables[id] = observed
    else if (first !== undefined) variables[id] = first
  }
  return (softly(options, status, variables) ?? {}) as JsonObject
}

function softly(options: Tools, part: Json, variables: Variables): Json | undefined {
  if (isList(part)) {
    return part.flatMap((item) => softly(options, item, variables) ?? [])
  }
  if (isObject(part)) {
    const kept: { [key: string]: Json } = {}
    for (const [key, item] of Object.entries(part)) {
      const value = item === undefined ? undefined : softly(options, item, variables)
      if (value !== undefined) kept[key] = value
    }
    return kept
  }
  const resolved = resolve(options.cel, part, variables)
  return 'value' in resolved ? resolved.value : undefined
}
