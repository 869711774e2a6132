import { asPod } from '../pod.ts'
import type { KubeObject } from '../object.ts'

/**
 * How often a pod has started its work so far: the container that was started most often, apart from
 * those that run beside the work. Only the status is read, so it also counts in a recorded pod.
 */
export function executionsOf(pod: KubeObject, isBeside: (container: string) => boolean): number {
  let most = 0
  for (const status of asPod(pod).status?.containerStatuses ?? []) {
    if (isBeside(status.name)) continue
    // While it waits to start again the count has not gone up yet.
    const isStarted =
      status.state.waiting === undefined || status.lastState?.terminated !== undefined
    most = Math.max(most, isStarted ? status.restartCount + 1 : 0)
  }
  return most
}
