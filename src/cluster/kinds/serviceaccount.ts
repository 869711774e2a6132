import { isList, stringAt } from '../../core/json.ts'
import { finalizerErrors, metadataErrors } from '../api/metadata.ts'
import type { Kind } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'

const ENFORCE = 'kubernetes.io/enforce-mountable-secrets'

export const serviceaccount: Kind = {
  group: '',
  version: 'v1',
  resource: 'serviceaccounts',
  kind: 'ServiceAccount',
  singular: 'serviceaccount',
  shortNames: ['sa'],
  namespaced: true,
  type: 'io.k8s.api.core.v1.ServiceAccount',
  hasStatus: false,
  hasGeneration: false,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'subdomain',
  returnsDeleted: true,
  prepareForCreate: withSecretNames,
  prepareForUpdate: withSecretNames,
  validateUpdate: (next) => [
    ...metadataErrors(next, serviceaccount, 'subdomain'),
    ...finalizerErrors(next, serviceaccount),
  ],
  warnings(object, old, { minor }) {
    if (minor < 32 || old?.metadata.annotations?.[ENFORCE] !== undefined) return []
    if (object.metadata.annotations?.[ENFORCE] === undefined) return []
    return [
      `metadata.annotations[${ENFORCE}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ]
  },
}

/** Of the references to secrets only the names are kept. */
function withSecretNames(object: KubeObject): KubeObject {
  const { secrets } = object
  if (!isList(secrets) || secrets.length === 0) return object
  const names = secrets.map((entry) => ({ name: stringAt(entry, ['name']) ?? '' }))
  return {
    ...object,
    secrets: names.map(({ name }) => (name === '' ? {} : { name })),
  }
}
