import { at, isObject, stringAt, type JsonObject } from '../../core/json.ts'
import { finalizerErrors, metadataErrors } from '../api/metadata.ts'
import type { FieldError, Kind } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import { base64Bytes, base64Of, textOfBase64 } from './base64.ts'
import { Complaints } from './complaints.ts'
import { entriesOf, immutableErrors } from './configmap.ts'
import { configKeyFaults } from './names.ts'

const SIZE_LIMIT = 1_048_576
const ACCOUNT = 'kubernetes.io/service-account.name'

export const secret: Kind = {
  group: '',
  version: 'v1',
  resource: 'secrets',
  kind: 'Secret',
  singular: 'secret',
  namespaced: true,
  type: 'io.k8s.api.core.v1.Secret',
  hasStatus: false,
  hasGeneration: false,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'subdomain',
  fieldSelectors: ['type'],
  selectableFields: (object) => ({ type: stringAt(object, ['type']) ?? '' }),
  defaults: (object) => withType(withData(object)),
  validateCreate: secretErrors,
  validateUpdate(next, old) {
    const complaints = new Complaints()
    if (next['type'] !== old['type']) {
      complaints.invalidNamed('type', next['type'] ?? '', 'field is immutable')
    }
    return [
      ...complaints.list,
      ...immutableErrors(next, old, ['data']),
      ...metadataErrors(next, secret, 'subdomain'),
      ...finalizerErrors(next, secret),
      ...secretErrors(next),
    ]
  },
}

/** `stringData` is for writing only: it goes into `data`. */
function withData(object: JsonObject): JsonObject {
  const { stringData, ...rest } = object
  if (stringData === undefined) return object
  const entries = entriesOf(stringData)
  if (entries.length === 0) return rest
  const data: { [key: string]: string } = {}
  for (const [key, value] of entriesOf(object['data'])) data[key] = value
  for (const [key, value] of entries) data[key] = base64Of(value)
  return { ...rest, data }
}

function withType(object: JsonObject): JsonObject {
  const { type } = object
  return type === undefined || type === '' ? { ...object, type: 'Opaque' } : object
}

function secretErrors(object: KubeObject): readonly FieldError[] {
  const complaints = new Complaints()
  let sizeBytes = 0
  for (const [key, value] of entriesOf(object['data'])) {
    complaints.invalidEach(`data[${key}]`, key, configKeyFaults(key))
    sizeBytes += base64Bytes(value)
  }
  if (sizeBytes > SIZE_LIMIT) complaints.tooLong('data', SIZE_LIMIT)
  ofType(complaints, object)
  return complaints.list
}

/** What the well-known types need. */
function ofType(complaints: Complaints, object: KubeObject): void {
  const needs = (key: string): void => {
    if (at(object, ['data', key]) === undefined) complaints.required(`data[${key}]`)
  }
  switch (stringAt(object, ['type']) ?? '') {
    case 'kubernetes.io/service-account-token':
      if ((object.metadata.annotations?.[ACCOUNT] ?? '') === '') {
        complaints.required(`metadata.annotations[${ACCOUNT}]`)
      }
      return
    case 'kubernetes.io/dockercfg':
      return ofDocker(complaints, object, '.dockercfg')
    case 'kubernetes.io/dockerconfigjson':
      return ofDocker(complaints, object, '.dockerconfigjson')
    case 'kubernetes.io/basic-auth': {
      const isThere = ['username', 'password'].some(
        (key) => at(object, ['data', key]) !== undefined,
      )
      if (isThere) return
      needs('username')
      return needs('password')
    }
    case 'kubernetes.io/ssh-auth':
      if ((at(object, ['data', 'ssh-privatekey']) ?? '') === '') {
        complaints.required('data[ssh-privatekey]')
      }
      return
    case 'kubernetes.io/tls':
      needs('tls.crt')
      needs('tls.key')
      return
    default:
  }
}

function ofDocker(complaints: Complaints, object: KubeObject, key: string): void {
  const value = at(object, ['data', key])
  if (typeof value !== 'string') {
    complaints.required(`data[${key}]`)
    return
  }
  const fault = jsonFault(textOfBase64(value) ?? '')
  if (fault === undefined) return
  complaints.invalid(`data[${key}]`, '<secret contents redacted>', fault)
}

function jsonFault(text: string): string | undefined {
  if (text === '') return 'unexpected end of JSON input'
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json as JsonObject) ? undefined : 'json: cannot unmarshal into a map'
  } catch {
    return `invalid character '${text.charAt(0)}' looking for beginning of value`
  }
}
