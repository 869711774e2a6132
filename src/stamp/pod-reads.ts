import { isObject, listAt, objectAt, stringAt, type Json, type JsonObject } from '../core/json.ts'

export type ConfigKind = 'ConfigMap' | 'Secret'

/** A ConfigMap or Secret that a pod reads by name. */
export interface PodRead {
  readonly kind: ConfigKind
  readonly name: string
  /** The pod starts without it. */
  readonly optional: boolean
}

/** Each ConfigMap and Secret of a Job's or CronJob's pod once, in the order of first mention. */
export function podReads(object: JsonObject): readonly PodRead[] {
  const pod = podSpecOf(object)
  const found = new Map<string, PodRead>()
  const add = (kind: ConfigKind, name: string | undefined, from: Json | undefined): void => {
    if (name === undefined || name === '') return
    const optional = isObject(from) && from['optional'] === true
    const before = found.get(`${kind}/${name}`)
    const both = optional && (before?.optional ?? true)
    found.set(`${kind}/${name}`, { kind, name, optional: both })
  }
  for (const container of containersOf(pod)) addFromContainer(container, add)
  for (const volume of listAt(pod, ['volumes'])) addFromVolume(volume, add)
  return [...found.values()]
}

export function podSpecOf(object: JsonObject): JsonObject {
  const job = object['kind'] === 'CronJob' ? ['spec', 'jobTemplate', 'spec'] : ['spec']
  return objectAt(object, [...job, 'template', 'spec']) ?? {}
}

export function containersOf(pod: JsonObject): readonly JsonObject[] {
  return [...listAt(pod, ['initContainers']), ...listAt(pod, ['containers'])].filter(isObject)
}

type Add = (kind: ConfigKind, name: string | undefined, from: Json | undefined) => void

function addFromContainer(container: JsonObject, add: Add): void {
  for (const source of listAt(container, ['envFrom'])) {
    for (const [field, kind] of ENV_FROM) {
      const from = objectAt(source, [field])
      add(kind, stringAt(from, ['name']), from)
    }
  }
  for (const variable of listAt(container, ['env'])) {
    for (const [field, kind] of VALUE_FROM) {
      const from = objectAt(variable, ['valueFrom', field])
      add(kind, stringAt(from, ['name']), from)
    }
  }
}

function addFromVolume(volume: Json, add: Add): void {
  const sources = [volume, ...listAt(volume, ['projected', 'sources'])]
  for (const source of sources) {
    const configMap = objectAt(source, ['configMap'])
    add('ConfigMap', stringAt(configMap, ['name']), configMap)
    const secret = objectAt(source, ['secret'])
    add('Secret', stringAt(secret, ['secretName']) ?? stringAt(secret, ['name']), secret)
  }
}

const ENV_FROM = [
  ['configMapRef', 'ConfigMap'],
  ['secretRef', 'Secret'],
] as const
const VALUE_FROM = [
  ['configMapKeyRef', 'ConfigMap'],
  ['secretKeyRef', 'Secret'],
] as const
