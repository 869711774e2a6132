import { listAt, stringAt } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import { succeeded, type Status } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { KindFinder } from '../kinds.ts'
import type { Teller } from './causes.ts'
import { GROUP } from './kinds.ts'
import { inventoryId, isMarked, shown } from './objects.ts'
import { inOrder } from './order.ts'
import type { Change, Entry } from './state.ts'

/** What the last reconcile applied, as the Kustomization's status holds it. */
export function inventoryOf(object: KubeObject): readonly Entry[] {
  return listAt(object, ['status', 'inventory', 'entries']).flatMap((entry) => {
    const id = stringAt(entry, ['id']) ?? ''
    const [, namespace, name, group, kind] = /^([^_]*)_(.*)_([^_]*)_([^_]*)$/.exec(id) ?? []
    if (name === undefined || kind === undefined) return []
    const version = stringAt(entry, ['v']) ?? 'v1'
    const apiVersion = group === '' ? version : `${group}/${version}`
    return [{ id, apiVersion, kind, namespace: namespace === '' ? undefined : namespace, name }]
  })
}

export function inventoryFrom(changes: readonly Change[]): readonly Entry[] {
  return changes.map(({ of: { apiVersion, kind, namespace, name } }) => {
    const identity = { apiVersion, kind, namespace, name }
    return { ...identity, id: inventoryId(identity) }
  })
}

export interface Pruned {
  readonly deleted: readonly Entry[]
  /** Refused by the server: they stay in the inventory and are tried again. */
  readonly survivors: readonly Entry[]
  readonly fault?: string
}

/** F-14: DELETE in the background for what carries the owner's labels and no mark against it. */
export function prune(
  stale: readonly Entry[],
  { metadata }: KubeObject,
  find: KindFinder,
  { io, tell }: { readonly io: Io<never>; readonly tell: Teller },
): Pruned {
  const deleted: Entry[] = []
  const survivors: Entry[] = []
  const faults: string[] = []
  for (const entry of inOrder(stale).toReversed()) {
    const served = find(entry.apiVersion, entry.kind, io.read)
    if (served === undefined) continue
    const live = io.read.get(served, entry.namespace, entry.name)
    if (live !== undefined && !isOwned(live, metadata)) continue
    if (live === undefined) {
      deleted.push(entry)
      continue
    }
    const answer = io.request({
      verb: 'delete',
      resource: served,
      ...(entry.namespace === undefined ? {} : { namespace: entry.namespace }),
      name: entry.name,
      options: { propagationPolicy: 'Background' },
    })
    if (succeeded(answer) || answer.code === 404) {
      deleted.push(entry)
      tell.did('F-14', `pruned ${entry.kind}`, entry)
    } else {
      tell.refused('F-14', (answer.body as Status).message ?? '', entry)
      survivors.push(entry)
      faults.push(`${shown(entry)} delete failed: ${(answer.body as Status).message ?? ''}`)
    }
  }
  if (faults.length === 0) return { deleted, survivors }
  return { deleted, survivors, fault: `delete failed, errors: ${faults.join('; ')}` }
}

function isOwned(live: KubeObject, owner: KubeObject['metadata']): boolean {
  const labels = live.metadata.labels ?? {}
  if (labels[`${GROUP}/name`] !== owner.name) return false
  if (labels[`${GROUP}/namespace`] !== owner.namespace) return false
  if (isMarked(live, 'prune', 'disabled') || isMarked(live, 'reconcile', 'disabled')) return false
  return !isMarked(live, 'ssa', 'Ignore')
}
