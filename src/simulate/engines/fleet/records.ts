import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { targetsOf, type Target } from '../helm/objects.ts'
import type { Record, State, Tools, Wake } from './state.ts'

export interface Context {
  readonly tools: Tools
  readonly state: State
  readonly io: Io<Wake>
}

/** Stores what is known of a bundle, and whose events concern it. */
export function put(context: Context, record: Record): void {
  const { records, running } = context.state
  const before = records.get(record.key)
  records.set(record.key, record)
  if (record.running === undefined) running.delete(record.key)
  else running.add(record.key)
  if (before?.release === record.release) return
  if (before !== undefined) disown(context, before)
  for (const { kind, namespace, name } of targetsFor(context, record)) {
    const key = objectKey(kind, namespace, name)
    const owners = context.state.owners.get(key)
    context.state.owners.set(key, new Set([...(owners ?? []), record.key]))
  }
}

export function drop(context: Context, record: Record): void {
  disown(context, record)
  const { records, running, waiting } = context.state
  records.delete(record.key)
  running.delete(record.key)
  waiting.delete(record.key)
}

function disown(context: Context, record: Record): void {
  for (const { kind, namespace, name } of targetsFor(context, record)) {
    const key = objectKey(kind, namespace, name)
    const owners = new Set(context.state.owners.get(key))
    owners.delete(record.key)
    if (owners.size === 0) context.state.owners.delete(key)
    else context.state.owners.set(key, owners)
  }
}

/** The deployed objects; hooks are none of them. */
export function targetsFor({ tools, io }: Context, { release }: Record): readonly Target[] {
  if (release === undefined) return []
  const known = tools.targets.get(release)
  if (known !== undefined) return known
  const targets = targetsOf(release.manifest, release.namespace, io, { kindOf: tools.find })
  if ('fault' in targets) return []
  tools.targets.set(release, targets)
  return targets
}

function objectKey(
  { group, resource }: Pick<ResourceId, 'group' | 'resource'>,
  namespace: string | undefined,
  name: string,
): string {
  return `${resource}.${group}/${namespace ?? ''}/${name}`
}

export function keyOfObject(resource: ResourceId, { metadata }: KubeObject): string {
  return objectKey(resource, metadata.namespace, metadata.name)
}
