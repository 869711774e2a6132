import { isObject, listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Reader } from '../../../cluster/actor.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { byText } from '../choose.ts'

const BATCH = { group: 'batch', version: 'v1' }
const APPS = { group: 'apps', version: 'v1' }
const OWNERS: ReadonlyMap<string, ResourceId> = new Map([
  ['Pod', { group: '', version: 'v1', resource: 'pods' }],
  ['Job', { ...BATCH, resource: 'jobs' }],
  ['CronJob', { ...BATCH, resource: 'cronjobs' }],
  ['Deployment', { ...APPS, resource: 'deployments' }],
  ['ReplicaSet', { ...APPS, resource: 'replicasets' }],
  ['StatefulSet', { ...APPS, resource: 'statefulsets' }],
  ['DaemonSet', { ...APPS, resource: 'daemonsets' }],
])

/**
 * IU-3: what Argo CD lists in `status.summary.images`: the images of all pods below what the
 * Application applied, ended ones included, in the order of their texts. A finished Job with its pod
 * keeps its old image in the list; a CronJob between two runs may be in it not at all.
 */
export function liveImages(app: KubeObject, read: Reader): readonly string[] {
  const summary = listAt(app, ['status', 'summary', 'images']).filter(
    (one) => typeof one === 'string',
  )
  if (summary.length > 0) return summary
  const images = new Set<string>()
  for (const entry of listAt(app, ['status', 'resources']).filter(isObject)) {
    const resource = OWNERS.get(stringAt(entry, ['kind']) ?? '')
    if (resource === undefined) continue
    const root = read.get(
      resource,
      stringAt(entry, ['namespace']) ?? stringAt(app, ['spec', 'destination', 'namespace']),
      stringAt(entry, ['name']) ?? '',
    )
    if (root !== undefined) collect(root, read, images)
  }
  return [...images].sort(byText)
}

function collect(object: KubeObject, read: Reader, images: Set<string>): void {
  if (object.kind === 'Pod') {
    for (const image of imagesOf(object)) images.add(image)
    return
  }
  for (const { object: child } of read.dependents(object.metadata.uid)) collect(child, read, images)
}

export function imagesOf(pod: JsonObject): readonly string[] {
  return ['initContainers', 'containers']
    .flatMap((key) => listAt(pod, ['spec', key]))
    .map((container) => stringAt(container, ['image']))
    .filter((image) => image !== undefined)
}
