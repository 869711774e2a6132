import { canonicalJson } from '../../../core/canonical-json.ts'
import { at, integerAt, type Json } from '../../../core/json.ts'
import type { Io, Trigger } from '../../../cluster/actor.ts'
import { DEFINITIONS } from '../../../cluster/api/well-known.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { shortWords } from '../words.ts'
import { tellDefinition } from './causes.ts'
import { compileGraph, customResourceDefinition, type Graph } from './graph.ts'
import { DEFINITIONS_OF_KRO, FINALIZER } from './kinds.ts'
import { DefinitionFault } from './simple-schema.ts'
import type { State } from './state.ts'
import { withReady, writeStatus, type Condition } from './status.ts'

/**
 * A definition: its type is served, and from then on its instances are worked on with the new graph
 * . Returns the graph when instances have to be worked on anew. A deleted one leaves type,
 * instances and their objects (page, surprise 11); they stay as they are until it returns.
 */
export function followDefinition(
  state: State,
  { name, trigger }: { readonly name: string; readonly trigger: Trigger },
  io: Io<never>,
): Graph | undefined {
  const definition = io.read.get(DEFINITIONS_OF_KRO, undefined, name)
  if (definition === undefined || definition.metadata.deletionTimestamp !== undefined) {
    state.graphs.delete(name)
    if (definition !== undefined) setFinalizer(definition, false, io)
    return undefined
  }
  setFinalizer(definition, true, io)
  const revision = revisionOf(definition)
  if (state.graphs.get(name)?.revision === revision) return undefined
  try {
    const graph = compileGraph(definition, revision)
    serve(graph, io)
    state.graphs.set(name, graph)
    report(definition, revision, conditionsOf(graph), 'Active', io)
    tellDefinition(name, 'reconciled', trigger, io)
    return graph
  } catch (error) {
    if (!(error instanceof DefinitionFault)) throw error
    // The former graph goes on: instances are never worked on with one that was refused.
    const [rejected] = refused(error.message)
    report(definition, undefined, [rejected], 'Inactive', io)
    tellDefinition(name, `failed: ${shortWords(error.message)}`, trigger, io)
    return undefined
  }
}

function revisionOf(definition: KubeObject): number {
  const last = integerAt(definition, ['status', 'lastIssuedRevision']) ?? 0
  const seen = integerAt(definition, ['status', 'observedGeneration'])
  return seen === definition.metadata.generation && last > 0 ? last : last + 1
}

function setFinalizer(definition: KubeObject, isWanted: boolean, io: Io<never>): void {
  const { finalizers = [], name } = definition.metadata
  if (finalizers.includes(FINALIZER) === isWanted) return
  const others = finalizers.filter((one) => one !== FINALIZER)
  io.request({
    verb: 'patch',
    resource: DEFINITIONS_OF_KRO,
    name,
    patch: {
      type: 'merge',
      body: { metadata: { finalizers: isWanted ? [...others, FINALIZER] : others } },
    },
    options: { fieldManager: 'kro' },
  })
}

/** Creates the CustomResourceDefinition, or brings its schema up to date. */
function serve(graph: Graph, io: Io<never>): void {
  const wanted = customResourceDefinition(graph)
  const name = `${graph.resource.resource}.${graph.resource.group}`
  const options = { fieldManager: 'kro' }
  const live = io.read.get(DEFINITIONS, undefined, name)
  if (live === undefined) {
    io.request({ verb: 'create', resource: DEFINITIONS, body: wanted, options })
    return
  }
  const versions = at(wanted, ['spec', 'versions']) ?? []
  if (canonicalJson(versions) === canonicalJson(at(live, ['spec', 'versions']) ?? [])) return
  const spec = { ...(live['spec'] as { readonly [key: string]: Json }), versions }
  io.request({ verb: 'update', resource: DEFINITIONS, name, body: { ...live, spec }, options })
}

function conditionsOf({ kind, revision }: Graph): readonly Condition[] {
  const holds = (type: string, reason: string, message: string): Condition => ({
    type,
    status: 'True',
    reason,
    message,
  })
  return [
    holds('GraphAccepted', 'Valid', 'resource graph and schema are valid'),
    holds('GraphRevisionsResolved', 'Resolved', `revision ${revision} compiled and active`),
    holds('KindReady', 'Ready', `kind ${kind} has been accepted and ready`),
    holds('ControllerReady', 'Running', 'controller is running'),
  ]
}

function refused(message: string): readonly [Condition] {
  const reason = 'InvalidResourceGraph'
  return [{ type: 'GraphAccepted', status: 'False', reason, message }]
}

function report(
  definition: KubeObject,
  revision: number | undefined,
  conditions: readonly Condition[],
  state: 'Active' | 'Inactive',
  io: Io<never>,
): void {
  const { generation = 0 } = definition.metadata
  const issued = revision ?? integerAt(definition, ['status', 'lastIssuedRevision']) ?? 0
  const fields = {
    state,
    ...(issued === 0 ? {} : { lastIssuedRevision: issued }),
    ...(revision === undefined ? {} : { observedGeneration: generation }),
  }
  writeStatus(DEFINITIONS_OF_KRO, definition, { conditions: withReady(conditions), fields }, io)
}
