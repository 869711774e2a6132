import { isObject, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { placeOf, USER, type Target } from './objects.ts'

/**
 * The fields that Helm owns by updates become fields that it applies, so that a later apply may
 * drop them. Sent before the apply, so it stays when that one is refused (trace helm/030).
 */
export function migrateManagers(
  target: Target,
  live: KubeObject,
  manager: string,
  io: Io<never>,
): void {
  const entries = live.metadata.managedFields ?? []
  const old = entries.filter(
    (one) =>
      one.manager === manager && one.operation === 'Update' && (one.subresource ?? '') === '',
  )
  const [first] = old
  if (first === undefined) return
  const mine = entries.find((one) => one.manager === manager && one.operation === 'Apply')
  const joined = old.reduce<JsonObject>(
    (sum, { fieldsV1 }) => union(sum, fieldsV1),
    mine?.fieldsV1 ?? {},
  )
  const taken = { ...(mine ?? first), manager, operation: 'Apply', fieldsV1: joined }
  const kept = entries.filter((one) => one !== mine && !old.includes(one))
  const { resourceVersion } = live.metadata
  io.request({
    verb: 'patch',
    user: USER,
    ...placeOf(target),
    patch: {
      type: 'json',
      body: [
        { op: 'replace', path: '/metadata/managedFields', value: [...kept, taken] },
        { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
      ],
    },
    options: { fieldManager: manager },
  })
}

function union(one: JsonObject, other: JsonObject): JsonObject {
  const joined: { [key: string]: JsonObject[string] } = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const there = joined[key]
    joined[key] = isObject(there) && isObject(value) ? union(there, value) : (there ?? value)
  }
  return joined
}
