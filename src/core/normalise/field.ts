import type { Json, JsonObject } from '../json.ts'

/**
 * What is known of a field of Job, CronJob or the pod template (batch/v1 and core/v1 of Kubernetes
 * 1.36). The tables built from it decide the hash, and docs/reference/fingerprint.md is printed
 * from them. A field that no table knows is kept as written: it may change what runs.
 */
export interface Field {
  readonly shape: Shape
  /** Written values that the API server takes for absence: its own default and Go's zero value. */
  readonly absent: readonly Json[]
  /** Written values that change nothing that runs, though the server keeps them apart. */
  readonly idle: readonly Json[]
  /** A default that depends on what stands beside the field. */
  readonly when?: Conditional
  /** The field is another spelling of this one. */
  readonly aliasOf?: string
  /** Without any effect on what runs, whatever its value: why. */
  readonly never?: string
}

export interface Conditional {
  /** For the page: `Always for the tag latest, else IfNotPresent`. */
  readonly text: string
  /** False when only the pod, not the Job, gets this default. */
  readonly onServer: boolean
  /** `owner` holds the field, `pod` is the pod spec around it; both as written. */
  default(owner: JsonObject, pod: JsonObject): Json | undefined
}

export type Shape =
  | { readonly kind: 'scalar' }
  | { readonly kind: 'quantity'; readonly scale: 'nano' | 'milli' }
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'struct'; readonly type: string }
  | { readonly kind: 'list'; readonly of: Shape; readonly order: Order }

export interface Order {
  /** As the API declares the list: x-kubernetes-list-type. */
  readonly api: 'atomic' | 'set' | 'map'
  readonly counts: 'order' | 'members' | 'keys'
  /** With `keys`: what identifies an item. */
  readonly keys: readonly string[]
  /** Why order counts, or why it does not although the API calls the list atomic. */
  readonly why: string
}

export interface StructType {
  readonly fields: Readonly<Record<string, Field>>
  /** Rewrites another spelling into the usual one before anything else. */
  prepare?(value: JsonObject): JsonObject
}

export type Types = Readonly<Record<string, StructType>>

interface Extra {
  readonly default?: Json
  readonly idle?: readonly Json[]
  readonly when?: Conditional
  readonly aliasOf?: string
  readonly never?: string
}

const SCALAR: Shape = { kind: 'scalar' }

function field(shape: Shape, zero: readonly Json[], extra: Extra = {}): Field {
  const { default: usual, idle = [], ...rest } = extra
  const absent = usual === undefined ? zero : [...zero, usual]
  return { shape, absent, idle, ...rest }
}

/** Text for which the API keeps no difference between empty and absent. */
export function text(extra?: Extra): Field {
  return field(SCALAR, [''], extra)
}

/** A boolean for which the API keeps no difference between false and absent. */
export function flag(extra?: Extra): Field {
  return field(SCALAR, [false], extra)
}

/** A number for which the API keeps no difference between 0 and absent. */
export function count(extra?: Extra): Field {
  return field(SCALAR, [0], extra)
}

/** A scalar that is a pointer in the API: every written value counts but its default. */
export function given(extra?: Extra): Field {
  return field(SCALAR, [], extra)
}

export function quantity(extra?: Extra): Field {
  return field({ kind: 'quantity', scale: 'nano' }, [], extra)
}

/** A map from resource names to quantities. */
export function resourceList(): Field {
  return field({ kind: 'map', of: { kind: 'quantity', scale: 'milli' } }, [])
}

/** A map of text. */
export function texts(extra?: Extra): Field {
  return field({ kind: 'map', of: SCALAR }, [], extra)
}

/** An object whose presence says something even when it is empty (`emptyDir: {}`). */
export function marker(type: string): Field {
  return field({ kind: 'struct', type }, [])
}

/** An object that the API server stores alike when it is empty and when it is absent. */
export function struct(type: string, extra?: Extra): Field {
  return field({ kind: 'struct', type }, [{}], extra)
}

/** An object that says nothing when it is empty, though the API server keeps that apart. */
export function bag(type: string): Field {
  return field({ kind: 'struct', type }, [], { idle: [{}] })
}

/** A value of any type without any effect on what runs. */
export function opaque(never: string): Field {
  return field(SCALAR, ['', 0, []], { never })
}

/** Order counts. */
export function inOrder(item: string, why: string, api: Order['api'] = 'atomic'): Field {
  return list(item, { api, counts: 'order', keys: [], why })
}

/** Neither order nor repetition counts. */
export function asSet(item: string, why: string, api: Order['api'] = 'atomic'): Field {
  return list(item, { api, counts: 'members', keys: [], why })
}

/** Items are known by their keys, so that their order does not count. */
export function byKey(item: string, keys: readonly string[], why = ''): Field {
  return list(item, { api: why === '' ? 'map' : 'atomic', counts: 'keys', keys, why })
}

function list(item: string, order: Order): Field {
  const of: Shape = item === 'scalar' ? SCALAR : { kind: 'struct', type: item }
  return field({ kind: 'list', of, order }, [])
}
