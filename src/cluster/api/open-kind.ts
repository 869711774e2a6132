import { isObject, stringAt } from '../../core/json.ts'
import type { Reader } from '../actor.ts'
import type { Kind } from './kind.ts'
import type { Request } from './request.ts'

/** A kind that nothing is known of: stored and returned without opinion. */
export function openKind(read: Reader, request: Request): Kind {
  const { resource, namespace, body, patch } = request
  const sent = patch?.type === 'apply' ? patch.body : body
  const named = isObject(sent) ? stringAt(sent, ['kind']) : undefined
  const stored = named === undefined ? read.list(resource)[0]?.kind : undefined
  return {
    ...resource,
    kind: named ?? stored ?? kindOfResource(resource.resource),
    singular: resource.resource.replace(/s$/, ''),
    namespaced: namespace !== undefined || read.list(resource)[0]?.metadata.namespace !== undefined,
    hasStatus: true,
    hasGeneration: true,
    defaultPropagation: 'Background',
    createsOnUpdate: true,
    nameRule: 'path-segment',
  }
}

/** A guess for answers to reads of what was never stored: `widgets` is a Widget. */
function kindOfResource(resource: string): string {
  const singular = resource.replace(/ies$/, 'y').replace(/s$/, '')
  return singular.charAt(0).toUpperCase() + singular.slice(1)
}
