import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { commaList } from '../../../engines/metadata.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'

const TRACKING = 'argocd.argoproj.io/tracking-id'
export const HOOK_FINALIZER = 'argocd.argoproj.io/hook-finalizer'
const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options'

/** One object as an application means it, there or not. */
export interface Place {
  readonly group: string
  readonly kind: string
  readonly resource: ResourceId
  readonly namespace: string | undefined
  readonly name: string
}

export function placeOf(object: JsonObject, kind: Kind): Place {
  const { group, version, resource } = kind
  return {
    group,
    kind: kind.kind,
    resource: { group, version, resource },
    namespace: kind.namespaced ? stringAt(object, ['metadata', 'namespace']) : undefined,
    name: stringAt(object, ['metadata', 'name']) ?? '',
  }
}

/** The place of an object that is there. */
export function placeOfLive(resource: ResourceId, object: KubeObject): Place {
  const { name, namespace } = object.metadata
  return { group: resource.group, kind: object.kind, resource, namespace, name }
}

/** `batch/Job:shop/work`, as the tracking id says it behind the app's name. */
export function keyOf({ group, kind, namespace, name }: Place): string {
  return `${group}/${kind}:${namespace ?? ''}/${name}`
}

/** `batch/Job/work`, `/ConfigMap/conf`: as messages name an object. */
export function wordsOf({ group, kind, name }: Place): string {
  return `${group}/${kind}/${name}`
}

/** The app that an object says it belongs to, and the key under which it says so. */
export function ownerOf(
  object: KubeObject,
): { readonly app: string; readonly key: string } | undefined {
  const id = object.metadata.annotations?.[TRACKING]
  const colon = id?.indexOf(':') ?? -1
  if (id === undefined || colon < 0) return undefined
  return { app: id.slice(0, colon), key: id.slice(colon + 1) }
}

/** The manifest with the app's namespace and its tracking id. */
export function tracked(
  object: JsonObject,
  kind: Kind,
  app: string,
  namespace: string,
): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const own = stringAt(metadata, ['namespace']) ?? namespace
  const placed = kind.namespaced ? { ...metadata, namespace: own } : metadata
  const key = keyOf(placeOf({ ...object, metadata: placed }, kind))
  const annotations = { ...objectAt(metadata, ['annotations']), [TRACKING]: `${app}:${key}` }
  return { ...object, metadata: { ...placed, annotations } }
}

export function isNamed(list: string, word: string): boolean {
  return commaList(list).includes(word)
}

export function optionsOf(object: JsonObject | undefined): readonly string[] {
  return commaList(stringAt(object, ['metadata', 'annotations', SYNC_OPTIONS]) ?? '')
}
