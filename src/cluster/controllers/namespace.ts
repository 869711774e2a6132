import { integerAt, isList, isObject, stringAt, type JsonObject } from '../../core/json.ts'
import type { Actor, Io } from '../actor.ts'
import type { Rules } from '../api/kind.ts'
import { succeeded } from '../api/request.ts'
import { calledOf, type KubeObject, type ResourceId } from '../object.ts'
import { instantOf } from '../time.ts'
import { namespaceConditions, type Remaining } from './namespace-conditions.ts'

/**
 * The namespace controller (K-60 to K-63): five seconds after a namespace was deleted, or after any
 * later write of it, all its content is deleted in the background, since 1.33 its pods first and
 * the rest when they are gone. What is left is asked for again after a time that the pods' grace
 * or the finalizers suggest; then the namespace is let go.
 */
export function namespaceController(rules: Rules): Actor<NamespaceState, NamespaceWake> {
  return {
    name: NAMESPACE_CONTROLLER,
    begin(io) {
      const state: NamespaceState = {
        failures: new Map(),
        readyAt: io.now + io.latencies.controllerStart,
      }
      for (const namespace of io.read.list(NAMESPACES)) plan(state, namespace, io)
      return state
    },
    observe(state, { type, resource, object }, io) {
      if (resource.resource !== 'namespaces' || resource.group !== '') return
      if (type !== 'DELETED') plan(state, object, io)
    },
    wake: (state, { name }, io) => empty({ state, io, rules }, name),
    copy: ({ failures, readyAt }) => ({ failures: new Map(failures), readyAt }),
  }
}

export interface NamespaceState {
  /** Failures in a row, by namespace. */
  readonly failures: Map<string, number>
  readonly readyAt: number
}

export interface NamespaceWake {
  readonly name: string
}

const NAMESPACE_CONTROLLER = 'namespace-controller'
const NAMESPACES: ResourceId = { group: '', version: 'v1', resource: 'namespaces' }
const GRACE_MS = 5000
/** What a namespace holds itself with; others may add their own. */
const FINALIZER = 'kubernetes'
const FINALIZER_SECONDS = 15
const LONGEST_PAUSE_MS = 60_000

interface At {
  readonly state: NamespaceState
  readonly io: Io<NamespaceWake>
  readonly rules: Rules
}

function plan(state: NamespaceState, { metadata }: KubeObject, io: Io<NamespaceWake>): void {
  if (metadata.deletionTimestamp === undefined) return
  const { name } = metadata
  io.wakeAt(Math.max(io.now, state.readyAt) + GRACE_MS, { name }, name)
}

function empty(at: At, name: string): void {
  const { state, io } = at
  const namespace = io.read.get(NAMESPACES, undefined, name)
  if (namespace?.metadata.deletionTimestamp === undefined) return
  if (finalizersOf(namespace).length === 0) return
  const remaining = deleteContent(at, namespace)
  writeConditions(io, namespace, remaining)
  if (remaining.faults.length > 0 || !(remaining.seconds > 0 || finalize(io, name))) {
    const failures = state.failures.get(name) ?? 0
    state.failures.set(name, failures + 1)
    io.wakeAt(io.now + Math.min(5 * 2 ** failures, LONGEST_PAUSE_MS), { name }, name)
    return
  }
  if (remaining.seconds === 0) {
    state.failures.delete(name)
    return
  }
  const seconds = Math.floor(remaining.seconds / 2) + 1
  io.wakeAt(io.now + seconds * 1000, { name }, name)
}

/** K-61 */
function deleteContent({ io, rules }: At, namespace: KubeObject): Remaining {
  const total = nothing()
  const isOrdered = rules.minor >= 33
  if (isOrdered) {
    deleteResource(io, namespace, PODS, total)
    if (total.resources.length > 0) return { ...total, isPodsOnly: true }
  }
  for (const resource of resourcesIn(io, namespace.metadata.name)) {
    const isPods = resource.group === '' && resource.resource === 'pods'
    if (!(isOrdered && isPods)) deleteResource(io, namespace, resource, total)
  }
  return total
}

const PODS: ResourceId = { group: '', version: 'v1', resource: 'pods' }

interface Total extends Remaining {
  seconds: number
  readonly resources: string[]
  readonly finalizers: Map<string, number>
  readonly faults: string[]
}

function nothing(): Total {
  return { seconds: 0, resources: [], finalizers: new Map(), faults: [], isPodsOnly: false }
}

function resourcesIn(io: Io<NamespaceWake>, namespace: string): readonly ResourceId[] {
  const found = new Map<string, ResourceId>()
  for (const { resource, object } of io.read.all()) {
    if (object.metadata.namespace !== namespace) continue
    found.set(`${resource.group}/${resource.resource}`, resource)
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, id]) => id)
}

function deleteResource(
  io: Io<NamespaceWake>,
  namespace: KubeObject,
  resource: ResourceId,
  total: Total,
): void {
  const { name } = namespace.metadata
  const objects = io.read.list(resource, name)
  if (objects.length === 0) return
  const estimate = estimateSeconds(io, namespace, objects)
  const answer = io.request({
    verb: 'deletecollection',
    resource,
    namespace: name,
    options: { propagationPolicy: 'Background' },
  })
  if (!succeeded(answer)) {
    total.faults.push(stringAt(answer.body, ['message']) ?? '')
    total.seconds = Math.max(total.seconds, estimate)
    return
  }
  note(io, resource, { name, objects })
  const left = io.read.list(resource, name)
  if (left.length === 0) return
  total.resources.push(
    `${resource.resource}.${resource.group} has ${left.length} resource instances`,
  )
  let isHeld = false
  for (const { metadata } of left) {
    for (const finalizer of metadata.finalizers ?? []) {
      isHeld = true
      total.finalizers.set(finalizer, (total.finalizers.get(finalizer) ?? 0) + 1)
    }
  }
  if (estimate === 0 && !isHeld) {
    const gvr = `${resource.group}/${resource.version}, Resource=${resource.resource}`
    total.faults.push(`unexpected items still remain in namespace: ${name} for gvr: ${gvr}`)
  }
  total.seconds = Math.max(total.seconds, estimate === 0 && isHeld ? FINALIZER_SECONDS : estimate)
}

/** K-62: the longest grace of a pod that has not ended, until that time has passed. */
function estimateSeconds(
  io: Io<NamespaceWake>,
  { metadata }: KubeObject,
  objects: readonly KubeObject[],
): number {
  let seconds = 0
  for (const object of objects) {
    if (object.kind !== 'Pod') continue
    const phase = stringAt(object, ['status', 'phase'])
    if (phase === 'Succeeded' || phase === 'Failed') continue
    seconds = Math.max(seconds, integerAt(object, ['spec', 'terminationGracePeriodSeconds']) ?? 0)
  }
  const sinceMs = io.now - instantOf(metadata.deletionTimestamp ?? '')
  return sinceMs >= seconds * 1000 ? 0 : seconds
}

function writeConditions(io: Io<NamespaceWake>, namespace: KubeObject, left: Remaining): void {
  const status = namespaceConditions(namespace, left, io.now)
  if (status === undefined) return
  const body: JsonObject = { ...namespace, status }
  request(io, namespace.metadata.name, 'status', body)
}

/** K-63: its own finalizer goes, and with the last one the namespace. */
function finalize(io: Io<NamespaceWake>, name: string): boolean {
  const namespace = io.read.get(NAMESPACES, undefined, name)
  if (namespace === undefined) return true
  const spec = isObject(namespace['spec']) ? namespace['spec'] : {}
  const finalizers = finalizersOf(namespace).filter((finalizer) => finalizer !== FINALIZER)
  return request(io, name, 'finalize', { ...namespace, spec: { ...spec, finalizers } })
}

function request(
  io: Io<NamespaceWake>,
  name: string,
  subresource: string,
  body: JsonObject,
): boolean {
  const options = { fieldManager: 'kube-controller-manager' }
  const answer = io.request({
    verb: 'update',
    resource: NAMESPACES,
    name,
    subresource,
    body,
    options,
  })
  return succeeded(answer) || answer.code === 404
}

function finalizersOf(namespace: KubeObject): readonly string[] {
  const { spec } = namespace
  const list = isObject(spec) ? spec['finalizers'] : undefined
  return isList(list) ? list.filter((item) => typeof item === 'string') : []
}

/** Each Job and CronJob by itself, anything else by its number. */
function note(
  io: Io<NamespaceWake>,
  { group, resource }: ResourceId,
  { name, objects }: { readonly name: string; readonly objects: readonly KubeObject[] },
): void {
  const carrier = `Namespace ${name}`
  const trigger = { kind: 'request', words: `somebody deleted ${carrier}` } as const
  const base = { at: io.now, actor: NAMESPACE_CONTROLLER, rule: 'K-61', carrier }
  io.cause({ ...base, effect: `deleted ${resource} (${objects.length})`, object: carrier, trigger })
  if (group !== 'batch') return
  for (const object of objects) {
    io.cause({ ...base, effect: `deleted ${object.kind}`, object: calledOf(object) })
  }
}
