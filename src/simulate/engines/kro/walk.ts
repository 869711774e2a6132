import { isList, objectAt, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { printedResource } from './applyset.ts'
import { evaluate, resolve, type Unresolved, type Variables } from './expressions.ts'
import type { Graph, GraphNode } from './graph.ts'
import { pluralOf } from './kinds.ts'
import { objectKey, type Tools } from './state.ts'

/** What a pass knows about a node. */
export interface NodeRun {
  readonly node: GraphNode
  readonly resource: ResourceId
  readonly isIgnored: boolean
  readonly desired: readonly Desired[]
  /** As they stand in the cluster; of a collection in the order of its items. */
  observed: readonly KubeObject[]
  /** Kept from being ready by something outside of it. */
  waits?: string
}

export interface Desired {
  readonly object: JsonObject
  readonly namespace: string | undefined
  readonly name: string
  readonly current: KubeObject | undefined
}

/** One walk over the graph: what should be there, and what keeps the pass from going on. */
export interface Walk {
  readonly runs: Map<string, NodeRun>
  /** Objects whose changes matter. */
  readonly watched: Set<string>
  /** The last node that waits for something: its dependents are left out, and nothing is pruned. */
  unresolved?: string
  /** A child is being deleted: nothing is applied. */
  deleting?: string
  /** An expression fails, or this model cannot tell its value: nothing is applied. */
  fault?: Unresolved
}

/** Walks the nodes in order: includeWhen, then expressions, then what is there now. */
export function walk(options: Tools, graph: Graph, instance: KubeObject, io: Io<never>): Walk {
  const { apiVersion, kind, metadata } = instance
  const schema: JsonObject = { apiVersion, kind, metadata, spec: instance['spec'] ?? {} }
  const done: Walk = { runs: new Map(), watched: new Set() }
  for (const node of graph.nodes) {
    visit({ options, node, schema, instance, io }, done)
    if (done.deleting !== undefined || done.fault !== undefined) break
  }
  return done
}

interface Visit {
  readonly options: Tools
  readonly node: GraphNode
  readonly schema: JsonObject
  readonly instance: KubeObject
  readonly io: Io<never>
}

function visit(given: Visit, done: Walk): void {
  const { node, io, options } = given
  const kind = options.find(node.apiVersion, node.kind, io.read)
  const resource = kind ?? guessed(node)
  const put = (run: Omit<NodeRun, 'node' | 'resource'>): void => {
    done.runs.set(node.id, { node, resource, ...run })
  }
  const stop = (unresolved: Unresolved): void => {
    if (unresolved.is === 'pending') {
      const place = `gvr "${printedResource(resource)}": node "${node.id}"`
      done.unresolved = `${place}: ${unresolved.what} (data pending)`
    } else done.fault = { ...unresolved, what: `node "${node.id}": ${unresolved.what}` }
  }
  const variables = variablesOf(given, done)
  const included = isIncluded(given, done, variables)
  if (typeof included === 'object') return stop(included)
  if (!included) return put({ isIgnored: true, desired: [], observed: [] })
  for (const need of node.needs) {
    const run = done.runs.get(need)
    const reason = run === undefined ? `node "${need}" is not resolved` : whyNotReady(options, run)
    if (reason === undefined) continue
    return stop({ is: 'pending', what: `dependent node "${need}" not ready: ${reason}` })
  }
  const objects = desiredOf(given, variables)
  if ('is' in objects) return stop(objects)
  const isNamespaced = kind?.namespaced ?? true
  const desired = objects.map((object) => placed(object, resource, isNamespaced, given))
  for (const { namespace, name } of desired) done.watched.add(objectKey(resource, namespace, name))
  const observed = desired.flatMap(({ current }) => (current === undefined ? [] : [current]))
  const dying = node.isExternal ? undefined : observed.find(isDying)
  if (dying !== undefined) {
    const { namespace = '', name } = dying.metadata
    done.deleting =
      `resource "${namespace}/${name}" for node "${node.id}" is currently being deleted; ` +
      'waiting for deletion to complete before continuing reconciliation'
  }
  const missing = node.isExternal && observed.length === 0 ? notFound(node, resource, desired) : {}
  put({ isIgnored: false, desired, observed, ...missing })
}

function isDying({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined
}

function notFound(
  { id }: GraphNode,
  { group, resource }: ResourceId,
  [desired]: readonly Desired[],
): { readonly waits: string } {
  const where = group === '' ? resource : `${resource}.${group}`
  return {
    waits: `waiting for external reference "${id}": ${where} "${desired?.name ?? ''}" not found`,
  }
}

/** The server says so when there is no such kind. */
function guessed({ apiVersion, kind }: GraphNode): ResourceId {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  return { group, version: version ?? '', resource: pluralOf(kind) }
}

function variablesOf({ node, schema }: Visit, { runs }: Walk): Variables {
  const variables: { [name: string]: Json } = { schema }
  for (const need of node.needs) {
    const run = runs.get(need)
    if (run === undefined || run.isIgnored) continue
    const { observed } = run
    const [first] = observed
    if (run.node.forEach.length > 0) variables[need] = observed
    else if (first !== undefined) variables[need] = first
  }
  return variables
}

/** False spreads to what depends on the node. */
function isIncluded(
  { node, options }: Visit,
  { runs }: Walk,
  variables: Variables,
): boolean | Unresolved {
  if (node.needs.some((need) => runs.get(need)?.isIgnored === true)) return false
  for (const expression of node.includeWhen) {
    const evaluated = evaluate(options.cel, expression, variables)
    if ('unresolved' in evaluated) return evaluated.unresolved
    if (evaluated.value !== true) return false
  }
  return true
}

/**
 * Why what depends on a node has to wait, in kro's words; undefined when it is ready. Without
 * readyWhen it is as soon as it exists.
 */
export function whyNotReady({ cel }: Tools, run: NodeRun): string | undefined {
  const { node, observed, desired, isIgnored } = run
  if (isIgnored) return undefined
  const waiting = (why: string): string => `node "${node.id}": ${why} (waiting for readiness)`
  if (observed.length < desired.length) return waiting('it does not exist yet')
  for (const expression of node.readyWhen) {
    const isCollection = node.forEach.length > 0
    for (const object of observed) {
      const variables = isCollection
        ? { each: object, [node.id]: observed }
        : { [node.id]: object, self: object }
      const evaluated = evaluate(cel, expression, variables)
      if ('unresolved' in evaluated) {
        const { is, what } = evaluated.unresolved
        if (is === 'unknown') return waiting(`cannot predict readyWhen: ${what}`)
        return waiting(`failed to evaluate readyWhen expression: "${expression}"`)
      }
      if (evaluated.value !== true) {
        return waiting(`readyWhen condition evaluated to false: "${expression}"`)
      }
    }
  }
  return undefined
}

/** The objects of a node with all values filled in, or what is missing for that. */
function desiredOf(given: Visit, variables: Variables): readonly JsonObject[] | Unresolved {
  const { node, options } = given
  const combinations = combinationsOf(given, variables)
  if ('is' in combinations) return combinations
  const objects: JsonObject[] = []
  for (const items of combinations) {
    const all = { ...variables, ...items }
    const resolved = resolve(options.cel, node.template, all)
    if ('unresolved' in resolved) return resolved.unresolved
    objects.push(resolved.value as JsonObject)
  }
  return objects
}

/** Values of the forEach names, the last one fastest. */
function combinationsOf(
  { node, options }: Visit,
  variables: Variables,
): readonly JsonObject[] | Unresolved {
  let combinations: readonly JsonObject[] = [{}]
  for (const { name, expression } of node.forEach) {
    const evaluated = evaluate(options.cel, expression, variables)
    if ('unresolved' in evaluated) return evaluated.unresolved
    const { value } = evaluated
    if (!isList(value)) return { is: 'fault', what: `forEach ${name}: ${expression} is no list` }
    combinations = combinations.flatMap((items) =>
      value.map((item) => ({ ...items, [name]: item })),
    )
  }
  return combinations
}

function placed(
  object: JsonObject,
  resource: ResourceId,
  isNamespaced: boolean,
  { instance, io }: Visit,
): Desired {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const own = stringAt(metadata, ['namespace']) ?? instance.metadata.namespace
  const namespace = isNamespaced ? own : undefined
  const name = stringAt(metadata, ['name']) ?? ''
  const current = io.read.get(resource, namespace, name)
  return { object, namespace, name, current }
}
