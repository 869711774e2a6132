import { isObject, stringAt, type JsonObject } from '../../core/json.ts'
import type { Call } from './host.ts'
import { badRequest, type Refusal } from './status.ts'

export function metadataOf(object: JsonObject): JsonObject {
  return isObject(object['metadata']) ? object['metadata'] : {}
}

/** The object with other metadata; members that are undefined are left out. */
export function withMetadata(object: JsonObject, metadata: JsonObject): JsonObject {
  return { ...object, metadata }
}

/** An object belongs into the namespace of the path: it may leave it out, not name another. */
export function inNamespace(call: Call, object: JsonObject): JsonObject | Refusal {
  const { kind, request } = call
  const metadata = metadataOf(object)
  const named = stringAt(metadata, ['namespace']) ?? ''
  const wanted = kind.namespaced ? (request.namespace ?? '') : ''
  if (named === wanted) return object
  if (named === '') return withMetadata(object, { ...metadata, namespace: wanted })
  if (wanted === '') {
    const { namespace: _, ...rest } = metadata
    return withMetadata(object, rest)
  }
  return badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  )
}

/** An update names its object as the path does. */
export function nameFault(object: JsonObject, name: string): Refusal | undefined {
  const named = stringAt(metadataOf(object), ['name']) ?? ''
  if (named === name) return undefined
  if (named === '') {
    const why = 'name must be provided'
    return badRequest(`the name of the object (${name} based on URL) was undeterminable: ${why}`)
  }
  return badRequest(
    `the name of the object (${named}) does not match the name on the URL (${name})`,
  )
}
