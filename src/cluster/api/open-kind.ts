import { isObject, stringAt } from '../../core/json.ts'
import type { Kind } from './kind.ts'
import type { Request } from './request.ts'

/** A kind that nothing is known of: stored and returned without opinion. */
export function openKind(request: Request): Kind {
  const { resource, namespace, body } = request
  const named = isObject(body) ? stringAt(body, ['kind']) : undefined
  const singular = resource.resource.replace(/s$/, '')
  return {
    ...resource,
    kind: named ?? singular.charAt(0).toUpperCase() + singular.slice(1),
    singular,
    namespaced: namespace !== undefined,
    hasStatus: true,
    hasGeneration: true,
    defaultPropagation: 'Background',
    createsOnUpdate: true,
    nameRule: 'path-segment',
  }
}
