import { stringAt } from '../../core/json.ts'
import type { Admission, Admitted } from '../api/admission.ts'

/**
 * No pod is created whose ServiceAccount is not there (K-96). `default` counts as there in every
 * namespace, as its controller makes it at once; tokens are not mounted.
 * Not on by itself: the recorded clusters run without it.
 */
export const serviceAccountAdmission: Admission = {
  name: 'ServiceAccount',
  mutate(review) {
    const { operation, namespace = '', resource, subresource, object } = review
    const isPod = resource.group === '' && resource.resource === 'pods'
    if (operation !== 'CREATE' || !isPod || subresource !== undefined) return ALLOWED
    const spec = object?.['spec']
    const name = stringAt(spec, ['serviceAccountName']) ?? stringAt(spec, ['serviceAccount'])
    if (name === undefined || name === '' || name === 'default') return ALLOWED
    const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' }
    if (review.read.get(accounts, namespace, name) !== undefined) return ALLOWED
    const shown =
      [object?.metadata.name, object?.metadata.generateName].find(Boolean) ?? review.name
    const why = `error looking up service account ${namespace}/${name}`
    const message = `pods "${shown}" is forbidden: ${why}: serviceaccount "${name}" not found`
    return { allowed: false, code: 403, reason: 'Forbidden', message }
  },
}

const ALLOWED: Admitted = { allowed: true }
