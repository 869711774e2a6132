import {
  isList,
  isObject,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { sha256Hex } from '../../../core/hash.ts'
import { annotationOf, commaList } from '../../../engines/metadata.ts'
import type { Reader } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { watchKey } from '../kustomize-controller/objects.ts'
import { GROUP, OWNER } from './kinds.ts'
import type { Failure } from './state.ts'

const CHECKSUM_FROM = `${GROUP}/checksumFrom`
const CHECKSUM = `${GROUP}/checksum`
const COPY_FROM = `${GROUP}/copyFrom`

const RESOURCES: { readonly [kind: string]: string } = {
  ConfigMap: 'configmaps',
  Secret: 'secrets',
}

export interface Finished {
  readonly objects: readonly JsonObject[]
  /** ConfigMaps and Secrets outside of the set that it reads, by watch key. */
  readonly external: readonly string[]
}

/** O-4: owner labels and commonMetadata, copyFrom, checksumFrom, in this order. */
export function finish(
  objects: readonly JsonObject[],
  set: KubeObject,
  read: Reader,
): Finished | Failure {
  const external = new Set<string>()
  const copied: JsonObject[] = []
  for (const object of objects) {
    const one = copyFrom(labelled(object, set), read, external)
    if (typeof one === 'string') return { fault: one }
    copied.push(one)
  }
  const faults: string[] = []
  const summed = copied.map((object) =>
    withChecksums(object, { objects: copied, read, external, faults }),
  )
  const [fault] = faults
  if (fault !== undefined) return { fault }
  return { objects: summed.filter(isObject), external: [...external] }
}

function labelled(object: JsonObject, { metadata, ...set }: KubeObject): JsonObject {
  const common = objectAt(set['spec'], ['commonMetadata'])
  const own = objectAt(object, ['metadata']) ?? {}
  const owner = {
    [`${OWNER}/name`]: metadata.name,
    [`${OWNER}/namespace`]: metadata.namespace ?? '',
  }
  const labels = { ...objectAt(own, ['labels']), ...owner, ...objectAt(common, ['labels']) }
  const annotations = { ...objectAt(own, ['annotations']), ...objectAt(common, ['annotations']) }
  const isAnnotated = Object.keys(annotations).length > 0
  return { ...object, metadata: { ...own, labels, ...(isAnnotated ? { annotations } : {}) } }
}

/** `copyFrom: NAMESPACE/NAME`: the data of another ConfigMap or Secret; text when it is not there. */
function copyFrom(object: JsonObject, read: Reader, external: Set<string>): JsonObject | string {
  const kind = stringAt(object, ['kind']) ?? ''
  const from = annotationOf(object, COPY_FROM)
  const resource = RESOURCES[kind]
  if (from === undefined || resource === undefined) return object
  const [namespace = '', name = ''] = from.split('/')
  external.add(watchKey('', resource, namespace, name))
  const live = read.get({ group: '', version: 'v1', resource }, namespace, name)
  if (live === undefined) {
    const what = `${resource} "${name}" not found`
    return `failed to copy data from ${kind}/${from}: ${what}`
  }
  const type = live['type'] === undefined ? {} : { type: live['type'] }
  return { ...object, ...type, data: live['data'] }
}

interface Sums {
  readonly objects: readonly JsonObject[]
  readonly read: Reader
  readonly external: Set<string>
  readonly faults: string[]
}

/** O-13: beside each checksumFrom, whether on the object or in a pod template, its checksum. */
function withChecksums(value: Json, sums: Sums): Json {
  if (isList(value)) return value.map((item) => withChecksums(item, sums))
  if (!isObject(value)) return value
  const changed: { [key: string]: Json | undefined } = {}
  for (const [key, item] of Object.entries(value)) {
    changed[key] = item === undefined ? undefined : withChecksums(item, sums)
  }
  const annotations = objectAt(value, ['metadata', 'annotations'])
  const from = stringAt(annotations, [CHECKSUM_FROM])
  if (from === undefined) return changed
  const checksum = checksumOf(from, sums)
  const metadata = objectAt(value, ['metadata'])
  return {
    ...changed,
    metadata: { ...metadata, annotations: { ...annotations, [CHECKSUM]: checksum } },
  }
}

/** Objects of the same set count as they will be applied, others as they are. */
function checksumOf(from: string, { objects, read, external, faults }: Sums): string {
  const parts = commaList(from).map((reference) => {
    const [kind = '', namespace = '', name = ''] = reference.split('/')
    const own = objects.find(
      (object) =>
        object['kind'] === kind &&
        stringAt(object, ['metadata', 'name']) === name &&
        stringAt(object, ['metadata', 'namespace']) === namespace,
    )
    if (own !== undefined) return [own['data'] ?? {}, own['stringData'] ?? {}]
    const resource = RESOURCES[kind]
    const live =
      resource === undefined
        ? undefined
        : read.get({ group: '', version: 'v1', resource }, namespace, name)
    if (resource !== undefined) external.add(watchKey('', resource, namespace, name))
    if (live === undefined) {
      faults.push(`failed to compute the checksum of ${reference}: not found`)
      return null
    }
    return [live['data'] ?? {}, {}]
  })
  return `sha256:${sha256Hex(canonicalJson(parts))}`
}
