import { configDigest, type ConfigDigests } from '../core/fingerprint.ts'
import { isObject, listAt, objectAt, stringAt, type Json, type JsonObject } from '../core/json.ts'
import { tidied } from './merge.ts'

/** What a pod reads from outside itself. */
interface Read {
  readonly kind: 'ConfigMap' | 'Secret'
  readonly name: string
}

export interface Reads {
  /** Of the ConfigMaps that are rendered with the values; part of the intent. */
  readonly config: ConfigDigests
  /** Their content is not known here. */
  readonly external: readonly Read[]
}

/** Goes by the rendered pod, so that it is no matter in which way a ConfigMap got into it. */
export function readsOf(pod: JsonObject, configMaps: JsonObject, fullName: string): Reads {
  const own = new Map<string, Json>()
  for (const [key, entry] of Object.entries(configMaps)) {
    if (isObject(entry) && entry['enabled'] === true) {
      own.set(`${fullName}-${key}`, tidied(entry['data'] ?? {}))
    }
  }
  const config = new Map<string, string>()
  const external = new Map<string, Read>()
  for (const read of everyRead(pod)) {
    const data = read.kind === 'ConfigMap' ? own.get(read.name) : undefined
    if (isObject(data)) config.set(read.name, configDigest(data))
    else external.set(`${read.kind} ${read.name}`, read)
  }
  return { config: Object.fromEntries(config), external: [...external.values()] }
}

function everyRead(pod: JsonObject): readonly Read[] {
  const containers = ['initContainers', 'containers'].flatMap((key) => listAt(pod, [key]))
  return [
    ...containers.flatMap((container) => listAt(container, ['envFrom'])).flatMap(sourceOf),
    ...containers
      .flatMap((container) => listAt(container, ['env']))
      .flatMap((entry) => sourceOf(objectAt(entry, ['valueFrom']))),
    ...listAt(pod, ['volumes']).flatMap((volume) => [
      ...sourceOf(volume),
      ...listAt(volume, ['projected', 'sources']).flatMap(sourceOf),
    ]),
  ]
}

/** The names that the Kubernetes API has for such references. */
function sourceOf(value: Json | undefined): readonly Read[] {
  if (!isObject(value)) return []
  return FIELDS.flatMap(([field, key, kind]) => {
    const name = stringAt(value, [field, key])
    return name === undefined ? [] : [{ kind, name }]
  })
}

const FIELDS: readonly (readonly [string, string, Read['kind']])[] = [
  ['configMap', 'name', 'ConfigMap'],
  ['configMapRef', 'name', 'ConfigMap'],
  ['configMapKeyRef', 'name', 'ConfigMap'],
  ['secret', 'name', 'Secret'],
  ['secret', 'secretName', 'Secret'],
  ['secretRef', 'name', 'Secret'],
  ['secretKeyRef', 'name', 'Secret'],
]
