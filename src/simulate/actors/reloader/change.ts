import { sha256Hex } from '../../../core/hash.ts'
import { objectAt, type JsonObject } from '../../../core/json.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { ReloaderSettings } from './settings.ts'

/** A ConfigMap or Secret whose data became other data: plain data, as it waits in the queue. */
export type Change = JsonObject & {
  readonly kind: 'ConfigMap' | 'Secret'
  readonly namespace: string
  readonly name: string
  readonly hash: string
  readonly how: 'changed' | 'appeared' | 'went away'
  /** Its annotations at that time: `ignore` and `match`. */
  readonly isIgnored: boolean
  readonly isMatch: boolean
}

/** RL-1: what of the events of the cluster counts as a change. */
export function changeOf(event: WatchEvent, settings: ReloaderSettings): Change | undefined {
  const { resource, object, before, type } = event
  if (resource.group !== '') return undefined
  const isSecret = resource.resource === 'secrets'
  if (!isSecret && resource.resource !== 'configmaps') return undefined
  if (isSecret ? settings.ignoresSecrets : settings.ignoresConfigMaps) return undefined
  const { namespace = '', name, annotations = {} } = object.metadata
  if (settings.ignoredNamespaces.includes(namespace)) return undefined
  const how = howOf(type, object, before, settings)
  if (how === undefined) return undefined
  return {
    kind: isSecret ? 'Secret' : 'ConfigMap',
    namespace,
    name,
    hash: how === 'went away' ? sha256Hex('') : hashOf(object),
    how,
    isIgnored: annotations['reloader.stakater.com/ignore'] === 'true',
    isMatch: annotations['reloader.stakater.com/match'] === 'true',
  }
}

function howOf(
  type: WatchEvent['type'],
  object: KubeObject,
  before: KubeObject | undefined,
  { reloadOnCreate, reloadOnDelete }: ReloaderSettings,
): Change['how'] | undefined {
  if (type === 'ADDED') return reloadOnCreate ? 'appeared' : undefined
  if (type === 'DELETED') return reloadOnDelete ? 'went away' : undefined
  return before === undefined || hashOf(before) === hashOf(object) ? undefined : 'changed'
}

/** Over the data alone: labels and annotations change nothing. */
function hashOf(object: KubeObject): string {
  const pairs = ['data', 'binaryData'].flatMap((part) =>
    Object.entries(objectAt(object, [part]) ?? {}).map(
      ([key, value]) => `${key}=${typeof value === 'string' ? value : ''}`,
    ),
  )
  return sha256Hex(pairs.sort().join(';'))
}
