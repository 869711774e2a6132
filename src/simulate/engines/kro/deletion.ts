import type { Io } from '../../../cluster/actor.ts'
import { deleteMember, membersOf, placeOf, waveOf, type Target } from './apply.ts'
import { FINALIZER } from './kinds.ts'
import type { State } from './state.ts'
import { MANAGED, RESOLVED, withReady, writeStatus } from './status.ts'

/**
 * An instance in deletion: its objects go, the last wave of the graph first, without a propagation
 * policy, and when the last one is gone its finalizer does (X-8, trace kro/009). What was only taken
 * over goes too.
 */
export function removeInstance(
  state: State,
  { instance, record, round }: Target,
  io: Io<never>,
): void {
  const members = membersOf(state, record, io)
  writeStatus(
    record.resource,
    instance,
    {
      conditions: withReady([
        MANAGED,
        RESOLVED,
        {
          type: 'ResourcesReady',
          status: 'Unknown',
          reason: 'UnderDeletion',
          message: 'deleting resources',
        },
      ]),
      fields: { state: 'DELETING' },
    },
    io,
  )
  if (members.length > 0) {
    const highest = Math.max(...members.map(({ object }) => waveOf(object)))
    for (const member of members) {
      const { metadata } = member.object
      if (waveOf(member.object) !== highest || metadata.deletionTimestamp !== undefined) continue
      deleteMember(member, 'deleted', round, io)
    }
    return
  }
  const finalizers = (instance.metadata.finalizers ?? []).filter((name) => name !== FINALIZER)
  if (finalizers.length === instance.metadata.finalizers?.length) return
  io.request({
    verb: 'patch',
    ...placeOf(record),
    patch: { type: 'merge', body: { metadata: { finalizers } } },
    options: { fieldManager: 'kro' },
  })
}
