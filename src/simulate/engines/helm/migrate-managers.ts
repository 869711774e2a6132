import type { Io } from '../../../cluster/actor.ts'
import { takeOverPatch } from '../../../cluster/clients/take-over.ts'
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
  if (old.length === 0) return
  io.request({
    verb: 'patch',
    user: USER,
    ...placeOf(target),
    patch: { type: 'json', body: takeOverPatch(live, old, manager) },
    options: { fieldManager: manager },
  })
}
