import type { JsonObject } from '../core/json.ts'

/**
 * An object as the API server stores and returns it. Never changed in place: every write makes a
 * new one that shares what stayed equal, so copies of a state and events cost nothing.
 */
export interface KubeObject extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Metadata
}

export interface Metadata extends JsonObject {
  readonly name: string
  readonly generateName?: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation?: number
  /** RFC 3339 with whole seconds, as every time of the API. */
  readonly creationTimestamp: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: { readonly [key: string]: string }
  readonly annotations?: { readonly [key: string]: string }
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
}

export interface OwnerReference extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** One manager's fields, with FieldsV1 as the API spells it (`f:spec`, `k:{"name":"a"}`, `v:1`). */
export interface ManagedFieldsEntry extends JsonObject {
  readonly manager?: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly time?: string
  readonly fieldsType: 'FieldsV1'
  readonly fieldsV1: JsonObject
  readonly subresource?: string
}

/** Group (empty for core), version and plural name of a kind: `batch`, `v1`, `jobs`. */
export interface ResourceId {
  readonly group: string
  readonly version: string
  readonly resource: string
}

/** The controller among the owners; there is at most one. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true)
}

/** As causes call an object: `Job shop/migrate`, `Namespace shop`. */
export function calledOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`
}
