import { integerAt, objectAt } from '../../core/json.ts'
import type { Io } from '../actor.ts'
import type { Rules } from '../api/kind.ts'
import { succeeded } from '../api/request.ts'
import { equal } from '../fields/index.ts'
import type { KubeObject } from '../object.ts'
import {
  DESIRED,
  fenceposts,
  isRolling,
  MOST,
  revisionOf,
  sizeAnnotations,
  sizeOf,
} from './deployment-rollout.ts'
import type { QueueWake } from './keyed-queue.ts'
import { countOf, put, replicasOf, REPLICASETS } from './workload.ts'

export const DEPLOYMENT_CONTROLLER = 'deployment-controller'

/** A Deployment that is being looked at. */
export interface At {
  readonly io: Io<QueueWake>
  readonly rules: Rules
  readonly key: string
  readonly deployment: KubeObject
}

/** Its ReplicaSets: that of its present template, and the others, oldest first. */
export interface Found {
  readonly newSet: KubeObject | undefined
  readonly old: readonly KubeObject[]
}

export function listOf(set: KubeObject | undefined): readonly KubeObject[] {
  return set === undefined ? [] : [set]
}

export function active(sets: readonly KubeObject[]): readonly KubeObject[] {
  return sets.filter((set) => replicasOf(set) > 0)
}

/** A change of `replicas`, or a pause: the sets grow and shrink in proportion (K-72). */
export function scaleSets(at: At, found: Found): boolean {
  const { deployment } = at
  const { newSet, old } = found
  const wanted = replicasOf(deployment)
  const all = [...old, ...listOf(newSet)]
  const running = active(all)
  const only = running.length > 1 ? undefined : (running[0] ?? newSet ?? old.at(-1))
  if (only !== undefined) {
    if (!resize(at, only, wanted, replicasOf(only) !== wanted)) return false
  } else if (newSet !== undefined && isSaturated(deployment, newSet)) {
    for (const set of active(old)) if (!resize(at, set, 0)) return false
  } else if (isRolling(deployment)) {
    for (const [set, size] of proportions(deployment, running)) {
      if (!resize(at, set, size, true)) return false
    }
  }
  return true
}

function isSaturated(deployment: KubeObject, set: KubeObject): boolean {
  const wanted = replicasOf(deployment)
  return (
    replicasOf(set) === wanted &&
    set.metadata.annotations?.[DESIRED] === String(wanted) &&
    countOf(set, 'availableReplicas') === wanted
  )
}

function proportions(
  deployment: KubeObject,
  sets: readonly KubeObject[],
): readonly (readonly [KubeObject, number])[] {
  const wanted = replicasOf(deployment)
  const most = wanted === 0 ? 0 : wanted + fenceposts(deployment).surge
  const total = sizeOf(sets)
  const change = most - total
  const newest = (set: KubeObject): number => (change > 0 ? -sets.indexOf(set) : sets.indexOf(set))
  const ordered = [...sets].sort(
    (one, other) => replicasOf(other) - replicasOf(one) || newest(one) - newest(other),
  )
  let given = 0
  const sizes = ordered.map((set): [KubeObject, number] => {
    const size = replicasOf(set)
    const before = Number(set.metadata.annotations?.[MOST] ?? total)
    const share = Math.round((size * most) / (before || total)) - size
    const left = change - given
    const part = change > 0 ? Math.min(share, left) : Math.max(share, left)
    given += part
    return [set, size + part]
  })
  const [first] = sizes
  if (first !== undefined) first[1] = Math.max(0, first[1] + change - given)
  return sizes
}

/** Writes size and the annotations about it; without a change of size only when `isForced`. */
export function resize(at: At, set: KubeObject, size: number, isForced = false): boolean {
  const { io, deployment } = at
  const old = replicasOf(set)
  if (old === size && !isForced) return true
  const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) }
  if (old === size && equal(annotations, set.metadata.annotations)) return true
  const spec = { ...objectAt(set, ['spec']), replicas: size }
  const next = { ...set, metadata: { ...set.metadata, annotations }, spec }
  if (!succeeded(put(io, REPLICASETS, next))) return false
  if (old === size) return true
  const way = old < size ? 'up' : 'down'
  tellScale(at, `Scaled ${way} replica set ${set.metadata.name} from ${old} to ${size}`)
  return true
}

/** Old sets without pods go beyond `revisionHistoryLimit`, the oldest revision first. */
export function tidy({ io, deployment }: At, old: readonly KubeObject[]): void {
  const limit = integerAt(deployment, ['spec', 'revisionHistoryLimit']) ?? 10
  const sets = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const ordered = [...sets].sort((one, other) => revisionOf(one) - revisionOf(other))
  for (const set of ordered.slice(0, Math.max(0, sets.length - limit))) {
    if (replicasOf(set) !== 0 || countOf(set, 'replicas') !== 0) continue
    const { name, namespace = '' } = set.metadata
    io.request({ verb: 'delete', resource: REPLICASETS, namespace, name })
  }
}

export function tellScale({ io, deployment }: At, message: string): void {
  io.event(deployment, 'Normal', 'ScalingReplicaSet', message)
  const { namespace = '', name } = deployment.metadata
  const object = `Deployment ${namespace}/${name}`
  io.cause({ at: io.now, actor: DEPLOYMENT_CONTROLLER, rule: 'K-71', effect: message, object })
}
