import { listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io, Trigger } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { kindFinder } from '../kinds.ts'
import { watchKey } from '../kustomize-controller/objects.ts'
import { carrierOf, STARTED, writtenBecause } from './causes.ts'
import { selects } from './inputs.ts'
import { MANAGER, PROVIDERS, resourceSetKinds, SETS } from './kinds.ts'
import { provide } from './provider.ts'
import { goOn, interrupt, start } from './reconcile.ts'
import { after, forget, planTick, put, trigger, type Operator } from './schedule.ts'
import {
  copyState,
  emptyState,
  IDEALISED_TIMING,
  keyOf,
  recordOf,
  type OperatorOptions,
  type Record,
  type State,
  type Wake,
} from './state.ts'

export { MANAGER as FLUX_OPERATOR, PROVIDERS, resourceSetKinds, SETS } from './kinds.ts'
export {
  IDEALISED_TIMING,
  REALISTIC_TIMING,
  type LookUp,
  type OperatorOptions,
  type State,
  type Wake,
} from './state.ts'

const CONCURRENCY = 10
const WATCH_LABEL = 'reconcile.fluxcd.io/watch'

/**
 * flux-operator 0.58, ResourceSets and their input providers (O-1 to O-14). They are objects of the
 * cluster (`resourceSetKinds`). A wait holds one of its workers; a new event interrupts it. Ticks
 * of a set that found nothing to do are planned only when something that it reads changes.
 */
export function fluxOperator(options: OperatorOptions = {}): Actor<State, Wake> {
  const operator: Operator = {
    options,
    timing: options.timing ?? IDEALISED_TIMING,
    find: kindFinder([...resourceSetKinds, ...(options.kinds ?? [])]),
  }
  return {
    name: MANAGER,
    /** O-1: at a start everything is reconciled at once; failures of before are forgotten. */
    begin(io) {
      const state = emptyState()
      for (const [kind, resource] of OWN) {
        for (const object of io.read.list(resource)) {
          adopt(operator, state, { kind, object, because: STARTED }, io)
        }
      }
      return state
    },
    observe(state, event, io) {
      for (const [kind, resource] of OWN) {
        if (isSame(event.resource, resource)) follow(operator, state, kind, event, io)
      }
      if (isSame(event.resource, PROVIDERS)) followExports(operator, state, event, io)
      notice(operator, state, event, io)
    },
    wake(state, wake, io) {
      const record = state.records.get(wake.key)
      if (record === undefined) return
      if (wake.kind === 'go') goOn(operator, state, record, io)
      else if (record.kind === 'provider') {
        const due = wake.because === undefined ? {} : { due: wake.because }
        provideOne(operator, state, { ...record, ...due }, io)
      } else if (record.run !== undefined) interrupt(operator, state, record, wake.by ?? '', io)
      else if (!record.isInLine) {
        state.line.push(record.key)
        const due = wake.because === undefined ? {} : { due: wake.because }
        put(state, { ...record, isInLine: true, ...due })
      }
      startNext(operator, state, io)
    },
    copy: copyState,
  }
}

/** First come, first served: a set whose turn it is keeps its worker as long as it waits. */
function startNext(operator: Operator, state: State, io: Io<Wake>): void {
  while (state.running < (operator.options.concurrency ?? CONCURRENCY)) {
    const key = state.line.shift()
    if (key === undefined) return
    const record = state.records.get(key)
    if (record !== undefined) start(operator, state, { ...record, isInLine: false }, io)
  }
}

function provideOne(operator: Operator, state: State, record: Record, io: Io<Wake>): void {
  const provider = io.read.get(PROVIDERS, record.namespace, record.name)
  if (provider === undefined) return forget(state, record, io)
  const { asked, due, ...rest } = record
  const trigger = asked ?? due ?? STARTED
  const round = { carrier: carrierOf(record), trigger, isTold: false }
  const then = provide(provider, operator.options.lookUp, round, io)
  return after(operator, state, rest, then, io)
}

function adopt(
  operator: Operator,
  state: State,
  found: {
    readonly kind: Record['kind']
    readonly object: KubeObject
    readonly because: Trigger
  },
  io: Io<Wake>,
): void {
  const { kind, object, because } = found
  const record = recordOf(kind, object.metadata.namespace ?? '', object.metadata.name)
  put(state, record)
  trigger(operator, state, record, { by: '', because }, io)
}

/** O-1: a new object, a new generation, any annotation, a deletion. */
function follow(
  operator: Operator,
  state: State,
  kind: Record['kind'],
  { type, object, before }: WatchEvent,
  io: Io<Wake>,
): void {
  const { metadata } = object
  const record = state.records.get(keyOf(kind, metadata.namespace ?? '', metadata.name))
  if (type === 'DELETED') {
    if (record !== undefined && record.run === undefined) forget(state, record, io)
    return
  }
  const because = writtenBecause(object, before)
  if (record === undefined) return adopt(operator, state, { kind, object, because }, io)
  const old = before?.metadata
  const isMeant =
    metadata.generation !== old?.generation ||
    metadata.deletionTimestamp !== old?.deletionTimestamp ||
    !equal(metadata.annotations ?? {}, old?.annotations ?? {})
  if (isMeant) trigger(operator, state, record, { by: nameOf(object), because }, io)
}

/** O-1: the sets that use a provider, when it exports something else or is gone. */
function followExports(
  operator: Operator,
  state: State,
  { type, object, before }: WatchEvent,
  io: Io<Wake>,
): void {
  const revision = stringAt(object, ['status', 'lastExportedRevision'])
  const isNew = revision !== stringAt(before, ['status', 'lastExportedRevision'])
  if (type !== 'DELETED' && (!isNew || revision === undefined)) return
  const { namespace = '' } = object.metadata
  for (const record of state.records.values()) {
    if (record.kind !== 'set' || record.namespace !== namespace) continue
    const set = io.read.get(SETS, namespace, record.name)
    if (set === undefined || !usesProvider(set, object)) continue
    const did = type === 'DELETED' ? 'was deleted' : 'exported other inputs'
    const words = `${object.kind} ${namespace}/${object.metadata.name} ${did}`
    const because = { kind: 'revision', words } as const
    trigger(operator, state, record, { by: nameOf(object), because }, io)
  }
}

/** O-13: labelled references trigger; whatever else a set reads brings its ticks back. */
function notice(
  operator: Operator,
  state: State,
  { resource, object, before }: WatchEvent,
  io: Io<Wake>,
): void {
  const { namespace, name } = object.metadata
  const key = watchKey(resource.group, resource.resource, namespace, name)
  const isWide = WIDE_GROUPS.includes(resource.group)
  for (const record of state.records.values()) {
    const isReference = record.external.has(key) && isWatched(object)
    if (isReference && !equal(object['data'], before?.['data'])) {
      const words = `${object.kind} ${namespace ?? ''}/${name} changed`
      const because = { kind: 'revision', words } as const
      trigger(operator, state, record, { by: nameOf(object), because }, io)
    } else if (record.idle !== undefined && (isWide || record.watched.has(key))) {
      planTick(operator, state, record, io)
    }
  }
}

const OWN: readonly (readonly [Record['kind'], ResourceId])[] = [
  ['provider', PROVIDERS],
  ['set', SETS],
]

/** Changes there may make any dry run answer otherwise. */
const WIDE_GROUPS = ['admissionregistration.k8s.io', 'apiextensions.k8s.io']

function isSame(one: ResourceId, other: ResourceId): boolean {
  return one.group === other.group && one.resource === other.resource
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.namespace ?? ''}/${metadata.name}`
}

/** Only labelled ConfigMaps and Secrets are watched. */
function isWatched({ metadata }: KubeObject): boolean {
  return metadata.labels?.[WATCH_LABEL]?.toLowerCase() === 'enabled'
}

function usesProvider(set: JsonObject, provider: KubeObject): boolean {
  return listAt(set, ['spec', 'inputsFrom']).some((source) => {
    const selector = objectAt(source, ['selector'])
    const name = stringAt(source, ['name'])
    return (
      name === provider.metadata.name || (selector !== undefined && selects(selector, provider))
    )
  })
}
