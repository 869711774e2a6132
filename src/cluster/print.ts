import { isList, isObject, type Json, type JsonObject } from '../core/json.ts'
import type { Cluster } from './cluster.ts'

/** A whole state, for people and for comparing two runs: what is stored, and what is planned. */
export interface Snapshot {
  readonly now: string
  readonly resourceVersion: number
  readonly objects: readonly JsonObject[]
  readonly planned: readonly {
    readonly at: string
    readonly owner: string
    readonly key?: string
    readonly wake: unknown
  }[]
}

export function snapshotOf(cluster: Cluster): Snapshot {
  return {
    now: timeText(cluster.now),
    resourceVersion: cluster.api.resourceVersion,
    objects: Array.from(cluster.api.read.all(), ({ object }) => object),
    planned: cluster.planned().map(({ at, owner, key, wake }) => ({
      at: timeText(at),
      owner,
      ...(key === undefined ? {} : { key }),
      wake,
    })),
  }
}

/**
 * A state in a few lines: one for each object (`batch/v1 Job shop/migrate  active=1`), one for each
 * planned wake. Data of Secrets is not shown.
 */
export function printCluster(cluster: Cluster): string {
  const { now, resourceVersion, objects, planned } = snapshotOf(cluster)
  const lines = [`${now}  resourceVersion ${resourceVersion}`]
  for (const object of objects) lines.push(objectLine(object))
  for (const { at, owner, key } of planned) lines.push(`${at}  ${owner}  ${key ?? ''}`.trimEnd())
  return `${lines.join('\n')}\n`
}

function objectLine(object: JsonObject): string {
  const { apiVersion, kind, metadata, status } = object
  const name = isObject(metadata) ? metadata['name'] : undefined
  const namespace = isObject(metadata) ? metadata['namespace'] : undefined
  const place = namespace === undefined ? textOf(name) : `${textOf(namespace)}/${textOf(name)}`
  const isGoing = isObject(metadata) && metadata['deletionTimestamp'] !== undefined
  const facts = isObject(status) ? factsOf(status) : []
  if (isGoing) facts.push('being deleted')
  return `${textOf(apiVersion)} ${textOf(kind)} ${place}  ${facts.join(' ')}`.trimEnd()
}

/** Plain members of the status, and conditions that are true. */
function factsOf(status: JsonObject): string[] {
  const facts: string[] = []
  for (const [key, value] of Object.entries(status)) {
    if (key === 'conditions' && isList(value)) {
      for (const condition of value) {
        if (isObject(condition) && condition['status'] === 'True') {
          facts.push(textOf(condition['type']))
        }
      }
    } else if (typeof value === 'number' || typeof value === 'string') facts.push(`${key}=${value}`)
  }
  return facts
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function timeText(at: number): string {
  return new Date(at).toISOString()
}
