import { stringAt, type JsonObject } from '../../../core/json.ts'
import { markOf } from '../../../engines/metadata.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { KindFinder } from '../kinds.ts'
import { GROUP } from './kinds.ts'

/** An object that a Kustomization applies. */
export interface Desired {
  readonly object: JsonObject
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string
  /** Undefined: the cluster does not serve it. */
  readonly served: Kind | undefined
}

/** What is told of an object: its place in the inventory, and in messages. */
export interface Identity {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string
}

export function desiredOf(object: JsonObject, find: KindFinder, io: Io<never>): Desired {
  const apiVersion = stringAt(object, ['apiVersion']) ?? ''
  const kind = stringAt(object, ['kind']) ?? ''
  const served = find(apiVersion, kind, io.read)
  const name = stringAt(object, ['metadata', 'name']) ?? ''
  if (served?.namespaced !== false) {
    const namespace = stringAt(object, ['metadata', 'namespace'])
    return { object, apiVersion, kind, namespace, name, served }
  }
  const { namespace: _none, ...metadata } = object['metadata'] as JsonObject
  return {
    object: { ...object, metadata },
    apiVersion,
    kind,
    namespace: undefined,
    name,
    served,
  }
}

/** `Job/shop/migrate`, `ClusterRole/admin`. */
export function shown({ kind, namespace, name }: Identity): string {
  return namespace === undefined || namespace === ''
    ? `${kind}/${name}`
    : `${kind}/${namespace}/${name}`
}

export function groupOf({ apiVersion }: Pick<Identity, 'apiVersion'>): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
}

/** The id of an inventory entry: `shop_migrate_batch_Job`. */
export function inventoryId(one: Identity): string {
  return `${one.namespace ?? ''}_${one.name}_${groupOf(one)}_${one.kind}`
}

/** By resource, as watch events name it. */
export function watchKey(
  group: string,
  resource: string,
  namespace: string | undefined,
  name: string,
): string {
  return `${group}/${resource}/${namespace ?? ''}/${name}`
}

export function keyOf({ served, namespace, name }: Desired): string | undefined {
  return served === undefined ? undefined : watchKey(served.group, served.resource, namespace, name)
}

export function liveOf(
  { served, namespace, name }: Desired,
  io: Io<never>,
): KubeObject | undefined {
  return served === undefined ? undefined : io.read.get(served, namespace, name)
}

/** F-12: annotation or label, values in any case. */
export function isMarked(object: JsonObject | undefined, key: string, value: string): boolean {
  return object !== undefined && markOf(object, `${GROUP}/${key}`, value) === 'on'
}
