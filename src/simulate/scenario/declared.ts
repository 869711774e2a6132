import { stringAt, type JsonObject } from '../../core/json.ts'
import type { Declared } from '../history/history-of.ts'
import { objectsOf } from '../trace/manifests.ts'
import type { WorldEvent } from '../world/world.ts'

/**
 * The Jobs and CronJobs of a scenario's commits, so that one that never comes is told, too. Where
 * kustomize or Helm make the names, nobody knows them beforehand.
 */
export function declaredIn(events: readonly WorldEvent[]): readonly Declared[] {
  const declared = new Map<string, Declared>()
  for (const event of events) {
    if (event.kind !== 'commit') continue
    const paths = Object.keys(event.files)
    if (paths.some((path) => /(?:^|\/)(?:kustomization\.ya?ml|Chart\.yaml)$/.test(path))) continue
    for (const path of paths.filter((one) => /\.ya?ml$/.test(one))) {
      for (const object of objectsOf(path, event.files[path] ?? '')) {
        const lane = laneOf(object)
        if (lane !== undefined) declared.set(lane.name, lane)
      }
    }
  }
  return [...declared.values()]
}

function laneOf(object: JsonObject): Declared | undefined {
  const kind = stringAt(object, ['kind'])
  if (kind !== 'Job' && kind !== 'CronJob') return undefined
  const namespace = stringAt(object, ['metadata', 'namespace'])
  const name = stringAt(object, ['metadata', 'name'])
  // Where the engine gives the namespace, or a template the name, the lane is another one.
  if (namespace === undefined || name === undefined || /[{<$]/.test(name)) return undefined
  return { name: `${namespace}/${name}`, kind }
}
