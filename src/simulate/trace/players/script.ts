import { isObject, objectAt, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import { controllerOf, type KubeObject, type ResourceId } from '../../../cluster/object.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import { succeeded, type Answer, type WatchEvent } from '../../../cluster/api/request.ts'
import type { Discovery } from '../../../cluster/clients/discovery.ts'
import {
  resumeKubectl,
  startKubectl,
  type KubectlRun,
  type RunState,
  type Watched,
} from '../../../cluster/clients/kubectl/run.ts'
import type { TraceEvent } from '../format.ts'
import { filesOfEvent } from '../manifests.ts'
import { readNote } from './notes.ts'

/** What the people and scripts of a trace do, at the times at which they did it. */
export interface ScriptOptions {
  readonly events: readonly TraceEvent[]
  readonly namespace: string
  /** Of one event, by the name that the event gives. */
  readonly objectsOf: (files: string) => readonly JsonObject[]
  /** The object of that name in any of the files. */
  readonly find: (name: string) => JsonObject | undefined
  /** When a request of the event at this position reached the server, in ms since the epoch. */
  readonly at: (event: number) => number
  /**
   * When it happens in the model, asked at its time and after each change until it is due: a script
   * that answers what it sees comes as much earlier or later as what it saw.
   */
  readonly due?: (event: number, now: number) => number
  /** How much earlier than its time an event may come, in ms. */
  readonly earlyMs?: number
  readonly discovery: () => Discovery
  /** What `do` words of this engine do, besides or in place of the common ones. */
  readonly acts?: Acts
  /** Each answer, once it is there. */
  readonly answered: (event: number, answer: ScriptAnswer) => void
}

export type Acts = {
  readonly [word: string]: (event: TraceEvent, io: Io<never>) => Answer | undefined
}

export type ScriptAnswer =
  | { readonly kind: 'api'; readonly answer: Answer }
  | { readonly kind: 'kubectl'; readonly run: Extract<KubectlRun, { readonly kind: 'ended' }> }

type Wake =
  | { readonly kind: 'event'; readonly event: number }
  | { readonly kind: 'kubectl'; readonly event: number }

interface Waiting {
  readonly watches?: Watched
  readonly run: RunState
}

interface State {
  /** Events whose time is near and that are not done, with the latest instant for each. */
  readonly near: Map<number, number>
  /** kubectl runs that wait, by the position of their event. */
  readonly waiting: Map<number, Waiting>
}

const USER = 'trace-script'

export function scriptActor(options: ScriptOptions): Actor<State, Wake> {
  return {
    name: USER,
    begin(io) {
      const early = options.earlyMs ?? 0
      options.events.forEach((_, event) => {
        io.wakeAt(options.at(event) - early, { kind: 'event', event }, `event ${event}`)
      })
      return { near: new Map(), waiting: new Map() }
    },
    observe(state, seen, io) {
      for (const event of state.near.keys()) {
        io.wakeAt(io.now, { kind: 'event', event }, `event ${event}`)
      }
      for (const [event, waiting] of state.waiting) {
        if (!concerns(seen, waiting.watches)) continue
        state.waiting.set(event, noticed(waiting, seen))
        io.wakeAt(io.now, { kind: 'kubectl', event }, `kubectl ${event}`)
      }
    },
    wake(state, wake, io) {
      if (wake.kind === 'event') return comeTo(options, state, wake.event, io)
      const waiting = state.waiting.get(wake.event)
      if (waiting === undefined) return undefined
      state.waiting.delete(wake.event)
      const run = resumeKubectl(waiting.run, io, options.discovery())
      return follow(options, state, wake.event, run, io)
    },
    copy: ({ near, waiting }) => ({ near: new Map(near), waiting: new Map(waiting) }),
  }
}

function comeTo(options: ScriptOptions, state: State, event: number, io: Io<Wake>): void {
  const early = options.earlyMs ?? 0
  const latest = state.near.get(event) ?? options.at(event) + early
  const due = Math.min(options.due?.(event, io.now) ?? options.at(event), latest)
  if (due > io.now) {
    state.near.set(event, latest)
    io.wakeAt(due, { kind: 'event', event }, `event ${event}`)
    return
  }
  state.near.delete(event)
  act(options, state, event, io)
}

/** A watcher saw the condition even if the object is gone when it looks. */
function noticed(waiting: Waiting, { object }: WatchEvent): Waiting {
  const { run } = waiting
  const goal = /--for=condition=([a-z]+)/i.exec(run.input.command)?.[1]?.toLowerCase()
  const conditions = objectAt(object, ['status'])?.['conditions']
  const isMet =
    goal !== undefined &&
    Array.isArray(conditions) &&
    conditions.some(
      (one: Json) =>
        stringAt(one, ['type'])?.toLowerCase() === goal && stringAt(one, ['status']) === 'True',
    )
  return isMet ? { ...waiting, run: { ...run, step: { ...run.step, met: true } } } : waiting
}

function concerns({ resource, object }: WatchEvent, watches: Watched | undefined): boolean {
  return (
    watches !== undefined &&
    watches.resource === resource.resource &&
    watches.group === resource.group &&
    watches.name === object.metadata.name &&
    watches.namespace === object.metadata.namespace
  )
}

function act(options: ScriptOptions, state: State, event: number, io: Io<Wake>): void {
  const given = options.events[event]
  if (given === undefined) return
  const how = stringAt(given, ['how']) ?? ''
  if (how.startsWith('kubectl')) {
    const objects = filesOfEvent(given).flatMap((files) => liveObjects(options, files, io))
    const input = { command: how, objects, namespace: options.namespace }
    return follow(options, state, event, startKubectl(input, io, options.discovery()), io)
  }
  const own = options.acts?.[given.do]
  const answer = own === undefined ? request(options, given, io) : own(given, io)
  if (answer !== undefined) options.answered(event, { kind: 'api', answer })
}

/**
 * The objects of a file. One that carries a uid was exported from the recorded cluster: it gets the
 * uid and version of the model's object of that name.
 */
function liveObjects(options: ScriptOptions, files: string, io: Io<never>): readonly JsonObject[] {
  return options.objectsOf(files).map((object) => {
    const uid = stringAt(object, ['metadata', 'uid'])
    if (uid === undefined) return object
    const word = `${stringAt(object, ['kind']) ?? ''}/${stringAt(object, ['metadata', 'name']) ?? ''}`
    const named = namedObject(word, options, io)
    const live =
      named === undefined ? undefined : io.read.get(named.resource, named.namespace, named.name)
    if (live === undefined) return object
    const text = JSON.stringify(object).replaceAll(uid, live.metadata.uid)
    const renewed = JSON.parse(text) as JsonObject
    const metadata = objectAt(renewed, ['metadata']) ?? {}
    if (metadata['resourceVersion'] === undefined) return renewed
    const { resourceVersion } = live.metadata
    return { ...renewed, metadata: { ...metadata, resourceVersion } }
  })
}

function follow(
  options: ScriptOptions,
  state: State,
  event: number,
  run: KubectlRun,
  io: Io<Wake>,
): void {
  if (run.kind === 'ended') {
    options.answered(event, { kind: 'kubectl', run })
    return
  }
  const waiting = { run: run.run }
  const { watches } = run
  state.waiting.set(event, watches === undefined ? waiting : { ...waiting, watches })
  io.wakeAt(run.at, { kind: 'kubectl', event }, `kubectl ${event}`)
}

/** Requests that the recorder's script sent by itself; undefined for what is no request. */
function request(options: ScriptOptions, event: TraceEvent, io: Io<Wake>): Answer | undefined {
  switch (event.do) {
    case 'apply':
      return create(options, event, io)
    case 'patch':
      return patch(options, event, io)
    case 'delete':
      return remove(options, event, io)
    case 'note':
      readNote(event, options, io)
      return undefined
    default:
      return undefined
  }
}

function create(options: ScriptOptions, event: TraceEvent, io: Io<Wake>): Answer | undefined {
  let last: Answer | undefined
  for (const object of copiesOf(event, options)) {
    last = createObject(object, options, io)
    if (last !== undefined && !succeeded(last)) return last
  }
  return last
}

/** `API POST of 100 Jobs j0 to j99 like step-1`: the same manifest under many names. */
function copiesOf(event: TraceEvent, options: ScriptOptions): readonly JsonObject[] {
  const [, count, , prefix, first, , like] =
    /^API POST of (\d+) (\w+) ([a-z-]*?)(\d+) to ([a-z-]*?)\d+ like (\S+)$/.exec(
      stringAt(event, ['how']) ?? '',
    ) ?? []
  if (like === undefined) return filesOfEvent(event).flatMap((name) => options.objectsOf(name))
  return options.objectsOf(like).flatMap((object) =>
    Array.from({ length: Number(count) }, (_, at) => {
      const name = `${prefix ?? ''}${Number(first) + at}`
      return { ...object, metadata: { ...objectAt(object, ['metadata']), name } }
    }),
  )
}

export function createObject(
  object: JsonObject,
  { namespace, discovery }: Pick<ScriptOptions, 'namespace' | 'discovery'>,
  io: Io<never>,
): Answer | undefined {
  const apiVersion = stringAt(object, ['apiVersion']) ?? ''
  const kind = discovery().byKind(apiVersion, stringAt(object, ['kind']) ?? '')
  if (kind === undefined) return undefined
  const { group, version, resource, namespaced } = kind
  const own = stringAt(object, ['metadata', 'namespace']) ?? namespace
  return io.request({
    verb: 'create',
    resource: { group, version, resource },
    ...(namespaced ? { namespace: own } : {}),
    body: object,
    options: { fieldManager: USER },
  })
}

/** `Job/one`, `Job/one status`, `Pod of Job/one`, `Namespace`. */
export interface Named {
  readonly resource: ResourceId
  readonly namespace?: string
  readonly name: string
  readonly subresource?: string
}

function namedObject(
  text: string,
  { namespace, discovery }: Pick<ScriptOptions, 'namespace' | 'discovery'>,
  io: Io<never>,
): Named | undefined {
  const [, ofKind, ofName] = /^Pod of (\w+)\/(\S+)$/.exec(text) ?? []
  if (ofKind !== undefined && ofName !== undefined) return podOf(ofName, namespace, io)
  const [, word, name = namespace, subresource] =
    /^(\w+)(?:\/(\S+))?(?: (status))?$/.exec(text) ?? []
  const kind = word === undefined ? undefined : discovery().byWord(word)
  if (kind === undefined) return undefined
  const { group, version, resource, namespaced } = kind
  return {
    resource: { group, version, resource },
    ...(namespaced ? { namespace } : {}),
    name,
    ...(subresource === undefined ? {} : { subresource }),
  }
}

/** The Job's newest pod that has not ended. */
function podOf(job: string, namespace: string, io: Io<never>): Named | undefined {
  const resource = { group: '', version: 'v1', resource: 'pods' }
  const pods = io.read.list(resource, namespace).filter((pod) => controllerOf(pod)?.name === job)
  const isLive = (pod: KubeObject): boolean => {
    const phase = stringAt(pod, ['status', 'phase'])
    return phase !== 'Succeeded' && phase !== 'Failed'
  }
  const pod = pods.find(isLive) ?? pods[0]
  return pod === undefined ? undefined : { resource, namespace, name: pod.metadata.name }
}

function patch(options: ScriptOptions, event: TraceEvent, io: Io<Wake>): Answer | undefined {
  const named = namedObject(stringAt(event, ['object']) ?? '', options, io)
  const body = event['patch']
  if (named === undefined || !isObject(body)) return undefined
  const isStatus = named.subresource === 'status'
  return io.request({
    verb: 'patch',
    ...named,
    patch: { type: 'merge', body: isStatus ? { status: body } : body },
    options: { fieldManager: stringAt(event, ['fieldManager']) ?? stringAt(event, ['by']) ?? USER },
  })
}

function remove(options: ScriptOptions, event: TraceEvent, io: Io<Wake>): Answer | undefined {
  const named = namedObject(stringAt(event, ['object']) ?? '', options, io)
  if (named === undefined) return undefined
  if (stringAt(event, ['how']) === 'eviction subresource') {
    const metadata = { name: named.name, namespace: named.namespace }
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata }
    return io.request({ verb: 'create', ...named, subresource: 'eviction', body })
  }
  const policy = stringAt(event, ['propagation']) ?? stringAt(event, ['propagationPolicy'])
  const isPolicy = policy === 'Background' || policy === 'Foreground' || policy === 'Orphan'
  return io.request({
    verb: 'delete',
    ...named,
    ...(isPolicy ? { options: { propagationPolicy: policy } } : {}),
  })
}
