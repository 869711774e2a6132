import { at, isObject, type Json } from '../../core/json.ts'
import { byteLength } from '../../core/text.ts'
import { finalizerErrors, metadataErrors } from '../api/metadata.ts'
import type { FieldError, Kind } from '../api/kind.ts'
import { equal } from '../fields/index.ts'
import type { KubeObject } from '../object.ts'
import { base64Bytes } from './base64.ts'
import { Complaints } from './complaints.ts'
import { configKeyFaults } from './names.ts'

/** 1 MiB: all values together. */
const SIZE_LIMIT = 1_048_576

export const configmap: Kind = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  kind: 'ConfigMap',
  singular: 'configmap',
  shortNames: ['cm'],
  namespaced: true,
  type: 'io.k8s.api.core.v1.ConfigMap',
  hasStatus: false,
  hasGeneration: false,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'subdomain',
  validateCreate: dataErrors,
  validateUpdate: (next, old) => [
    ...immutableErrors(next, old, ['data', 'binaryData']),
    ...metadataErrors(next, configmap, 'subdomain'),
    ...finalizerErrors(next, configmap),
    ...dataErrors(next),
  ],
}

/** What `immutable: true` forbids, once it is set: itself and the data. */
export function immutableErrors(
  next: KubeObject,
  old: KubeObject,
  parts: readonly string[],
): readonly FieldError[] {
  if (old['immutable'] !== true) return []
  const complaints = new Complaints()
  const detail = 'field is immutable when `immutable` is set'
  if (next['immutable'] !== true) complaints.forbidden('immutable', detail)
  for (const part of parts) {
    if (!equal(next[part], old[part])) complaints.forbidden(part, detail)
  }
  return complaints.list
}

function dataErrors(object: KubeObject): readonly FieldError[] {
  const complaints = new Complaints()
  let sizeBytes = 0
  for (const [key, value] of entriesOf(object['data'])) {
    complaints.invalidEach(`data[${key}]`, key, configKeyFaults(key))
    if (at(object, ['binaryData', key]) !== undefined) {
      complaints.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')
    }
    sizeBytes += byteLength(value)
  }
  for (const [key, value] of entriesOf(object['binaryData'])) {
    complaints.invalidEach(`binaryData[${key}]`, key, configKeyFaults(key))
    sizeBytes += base64Bytes(value)
  }
  if (sizeBytes > SIZE_LIMIT) complaints.tooLong('[]', SIZE_LIMIT)
  return complaints.list
}

export function entriesOf(value: Json | undefined): readonly (readonly [string, string])[] {
  if (!isObject(value)) return []
  return Object.entries(value).map(([key, text]) => [key, typeof text === 'string' ? text : ''])
}
