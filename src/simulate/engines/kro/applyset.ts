import { sha256Hex } from '../../../core/hash.ts'
import type { JsonObject } from '../../../core/json.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import type { Graph, GraphNode } from './graph.ts'
import { VERSION } from './kinds.ts'

export const PART_OF = 'applyset.kubernetes.io/part-of'
export const APPLY_ORDER = 'internal.kro.run/apply-order'

/** KEP-3659: name, namespace, kind and group of the parent decide (trace kro/009). */
export function applysetOf(
  { kind, resource }: Graph,
  { metadata }: Pick<KubeObject, 'metadata'>,
): string {
  return applysetId(metadata.name, metadata.namespace, { kind, group: resource.group })
}

function applysetId(
  name: string,
  namespace: string | undefined,
  { kind, group }: { readonly kind: string; readonly group: string },
): string {
  return `applyset-${base64url(sha256Hex(`${name}.${namespace ?? ''}.${kind}.${group}`))}-v1`
}

function base64url(hex: string): string {
  const bytes = hex.match(/../g) ?? []
  const text = btoa(bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join(''))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Labels that every object of an instance gets, at its top level only (X-9). */
export function childLabels(
  { resource, kind }: Graph,
  { metadata }: KubeObject,
  node: GraphNode,
  collection: { readonly index: number; readonly size: number } | undefined,
): JsonObject {
  return {
    'app.kubernetes.io/managed-by': 'kro',
    'kro.run/instance-group': resource.group,
    'kro.run/instance-id': metadata.uid,
    'kro.run/instance-kind': kind,
    'kro.run/instance-name': metadata.name,
    'kro.run/instance-namespace': metadata.namespace ?? '',
    'kro.run/instance-version': resource.version,
    'kro.run/kro-version': VERSION,
    'kro.run/node-id': node.id,
    'kro.run/owned': 'true',
    ...(collection === undefined
      ? {}
      : {
          'kro.run/collection-index': String(collection.index),
          'kro.run/collection-size': String(collection.size),
        }),
  }
}

/** What the parent says about its applyset: kinds and foreign namespaces of its objects. */
export function parentMetadata(
  applyset: string,
  groupKinds: ReadonlySet<string>,
  namespaces: ReadonlySet<string>,
): JsonObject {
  return {
    labels: { 'applyset.kubernetes.io/id': applyset },
    annotations: {
      'applyset.kubernetes.io/tooling': `kro/${VERSION}`,
      'applyset.kubernetes.io/contains-group-kinds': [...groupKinds].sort().join(','),
      'applyset.kubernetes.io/additional-namespaces': [...namespaces].sort().join(','),
    },
  }
}

/** `/v1, Resource=configmaps`, as Go prints a GroupVersionResource. */
export function printedResource({ group, version, resource }: ResourceId): string {
  return `${group}/${version}, Resource=${resource}`
}
