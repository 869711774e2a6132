import { at, integerAt, isObject, objectAt, stringAt, type Json } from '../../core/json.ts'
import type { JsonObject } from '../../core/json.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { sha256Hex } from '../../core/hash.ts'
import { equal } from '../fields/index.ts'
import type { KubeObject } from '../object.ts'
import { countOf, replicasOf, totalOf } from './workload.ts'

const HASH_LABEL = 'pod-template-hash'
export const REVISION = 'deployment.kubernetes.io/revision'
export const DESIRED = 'deployment.kubernetes.io/desired-replicas'
export const MOST = 'deployment.kubernetes.io/max-replicas'
const HISTORY = 'deployment.kubernetes.io/revision-history'

export function isRolling(deployment: KubeObject): boolean {
  return stringAt(deployment, ['spec', 'strategy', 'type']) !== 'Recreate'
}

/** Surge is rounded up, what may be missing down; never both 0, or nothing could move (K-71). */
export function fenceposts(deployment: KubeObject): {
  readonly surge: number
  readonly missing: number
} {
  const replicas = replicasOf(deployment)
  if (!isRolling(deployment)) return { surge: 0, missing: 0 }
  const rolling = ['spec', 'strategy', 'rollingUpdate']
  const surge = scaled(at(deployment, [...rolling, 'maxSurge']), replicas, Math.ceil)
  const missing = scaled(at(deployment, [...rolling, 'maxUnavailable']), replicas, Math.floor)
  const atLeast = surge === 0 && missing === 0 ? 1 : missing
  return { surge, missing: Math.min(atLeast, replicas) }
}

function scaled(value: Json | undefined, total: number, round: (number: number) => number): number {
  if (typeof value === 'number') return value
  const percent = /^(\d+)%$/.exec(typeof value === 'string' ? value : '25%')?.[1]
  return percent === undefined ? 0 : round((Number(percent) * total) / 100)
}

/** As many as fit besides the old ones. */
export function newSetReplicas(
  deployment: KubeObject,
  all: readonly KubeObject[],
  newSet: number,
): number {
  const wanted = replicasOf(deployment)
  if (!isRolling(deployment)) return wanted
  const most = wanted + fenceposts(deployment).surge
  const current = sizeOf(all)
  if (current >= most) return newSet
  return newSet + Math.min(most - current, wanted - newSet)
}

export function sizeOf(sets: readonly KubeObject[]): number {
  return sets.reduce((sum, set) => sum + replicasOf(set), 0)
}

/** The template is the same but for the label that tells the sets apart. */
export function isSetOf(deployment: KubeObject, set: KubeObject): boolean {
  const wanted = objectAt(deployment, ['spec', 'template']) ?? {}
  return equal(withoutHash(wanted), withoutHash(objectAt(set, ['spec', 'template']) ?? {}))
}

function withoutHash(template: JsonObject): JsonObject {
  const metadata = objectAt(template, ['metadata']) ?? {}
  const { [HASH_LABEL]: _, ...labels } = objectAt(metadata, ['labels']) ?? {}
  const { labels: __, creationTimestamp: ___, ...rest } = metadata
  return { ...template, metadata: Object.keys(labels).length === 0 ? rest : { ...rest, labels } }
}

/**
 * Ten characters that stand for the template, in the letters of the real ones. Not the real hash,
 * which is taken over Go's memory of the template.
 */
function templateHash(template: JsonObject, collisions: number): string {
  const digest = sha256Hex(`${canonicalJson(template)} ${collisions}`)
  const letters = 'bcdfghjklmnpqrstvwxz2456789'
  let hash = ''
  for (let place = 0; place < 10; place += 1) {
    const value = Number.parseInt(digest.slice(place * 2, place * 2 + 2), 16)
    hash += letters[value % letters.length]
  }
  return hash
}

/** The ReplicaSet of the deployment's present template. */
export function newSetOf(deployment: KubeObject, replicas: number, revision: number): JsonObject {
  const { metadata } = deployment
  const template = objectAt(deployment, ['spec', 'template']) ?? {}
  const hash = templateHash(template, integerAt(deployment, ['status', 'collisionCount']) ?? 0)
  const templateMetadata = objectAt(template, ['metadata']) ?? {}
  const labels = { ...objectAt(templateMetadata, ['labels']), [HASH_LABEL]: hash }
  const selector = objectAt(deployment, ['spec', 'selector']) ?? {}
  const matchLabels = { ...objectAt(selector, ['matchLabels']), [HASH_LABEL]: hash }
  const minReadySeconds = integerAt(deployment, ['spec', 'minReadySeconds']) ?? 0
  const { apiVersion, kind } = deployment
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid }
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name}-${hash}`,
      labels,
      annotations: {
        ...copiedAnnotations(deployment),
        [REVISION]: String(revision),
        ...sizeAnnotations(deployment),
      },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      replicas,
      ...(minReadySeconds === 0 ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...templateMetadata, labels } },
    },
  }
}

/** All annotations but those that are about one object only. */
export function copiedAnnotations({ metadata }: KubeObject): { readonly [key: string]: string } {
  const own = new Set([
    'kubectl.kubernetes.io/last-applied-configuration',
    'deprecated.deployment.rollback.to',
    REVISION,
    HISTORY,
    DESIRED,
    MOST,
  ])
  const all = Object.entries(metadata.annotations ?? {})
  return Object.fromEntries(all.filter(([key]) => !own.has(key)))
}

export function sizeAnnotations(deployment: KubeObject): { readonly [key: string]: string } {
  const wanted = replicasOf(deployment)
  return { [DESIRED]: String(wanted), [MOST]: String(wanted + fenceposts(deployment).surge) }
}

export function revisionOf({ metadata }: KubeObject): number {
  const text = metadata.annotations?.[REVISION] ?? ''
  return /^\d+$/.test(text) ? Number(text) : 0
}

/** A set that comes back gets a new number and keeps its old ones as its history (K-72). */
export function withRevision(set: KubeObject, revision: number): KubeObject {
  const old = revisionOf(set)
  if (old >= revision) return set
  const before = set.metadata.annotations?.[HISTORY] ?? ''
  const had = set.metadata.annotations?.[REVISION]
  const history = had === undefined ? before : [before, had].filter((text) => text !== '').join(',')
  const annotations = {
    ...set.metadata.annotations,
    [REVISION]: String(revision),
    ...(history === '' ? {} : { [HISTORY]: history }),
  }
  return { ...set, metadata: { ...set.metadata, annotations } }
}

/** How many of the old sets' pods may go now (K-71). */
export interface Down {
  readonly set: KubeObject
  readonly to: number
}

/**
 * First old pods that are not available, which costs nothing; then as many available ones as the
 * deployment may do without.
 */
export function scaleDowns(
  deployment: KubeObject,
  newSet: KubeObject,
  old: readonly KubeObject[],
): readonly Down[] {
  const least = replicasOf(deployment) - fenceposts(deployment).missing
  const newMissing = replicasOf(newSet) - countOf(newSet, 'availableReplicas')
  let broken = sizeOf([...old, newSet]) - least - newMissing
  if (sizeOf(old) === 0 || broken <= 0) return []
  let spare = totalOf([...old, newSet], 'availableReplicas') - least
  const downs: Down[] = []
  for (const set of old) {
    const size = replicasOf(set)
    const unhealthy = Math.min(broken, size - countOf(set, 'availableReplicas'))
    broken -= Math.max(0, unhealthy)
    downs.push({ set, to: size - Math.max(0, unhealthy) })
  }
  return downs
    .map(({ set, to }) => {
      const down = Math.max(0, Math.min(to, spare))
      spare -= down
      return { set, to: to - down }
    })
    .filter(({ set, to }) => to !== replicasOf(set))
}

export function isPaused(deployment: KubeObject): boolean {
  const { spec } = deployment
  return isObject(spec) && spec['paused'] === true
}
