import type { Kind } from '../../cluster/api/kind.ts'
import { defaultKinds } from '../../cluster/kinds/index.ts'
import type { KubeObject } from '../../cluster/object.ts'
import type { Play } from './play.ts'
import type { ObjectRef } from './world.ts'

/** The kind of that name that this play's cluster serves. */
export function servedKind(play: Play, kind: string): Kind | undefined {
  const kinds = [...play.stages.flatMap((stage) => stage.kinds), ...defaultKinds]
  return kinds.find((one) => one.kind === kind)
}

/** The object as the cluster of a play holds it now. */
export function findObject(
  play: Play,
  { kind, namespace, name }: ObjectRef,
): KubeObject | undefined {
  const served = servedKind(play, kind)
  if (served === undefined) return undefined
  const { group, version, resource, namespaced } = served
  const within = namespaced ? (namespace ?? 'default') : undefined
  return play.cluster.api.read.get({ group, version, resource }, within, name)
}
