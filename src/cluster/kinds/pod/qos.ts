import type { JsonObject } from '../../../core/json.ts'
import type { Rules } from '../../api/kind.ts'
import { objectOf, objectsOf } from '../complaints.ts'
import { quantityOf } from '../pod-template/resources.ts'

const COUNTED = ['cpu', 'memory']

/** BestEffort asks for nothing, Guaranteed gets exactly what it may use. */
export function qosClass(spec: JsonObject, rules: Rules): string {
  const ofPod = rules.minor >= 34 ? objectOf(spec, 'resources') : undefined
  const all =
    ofPod === undefined
      ? [...objectsOf(spec, 'containers'), ...objectsOf(spec, 'initContainers')].map(
          (container) => objectOf(container, 'resources') ?? {},
        )
      : [ofPod]
  const requests = sums(all, 'requests')
  const limits = sums(all, 'limits')
  if (requests.size === 0 && limits.size === 0) return 'BestEffort'
  const limited = all.every((resources) => {
    const own = objectOf(resources, 'limits') ?? {}
    return COUNTED.every((name) => quantityOf(own, name).nano > 0n)
  })
  const equal =
    requests.size === limits.size &&
    [...requests].every(([name, amount]) => limits.get(name) === amount)
  return limited && equal ? 'Guaranteed' : 'Burstable'
}

function sums(
  all: readonly JsonObject[],
  list: 'requests' | 'limits',
): ReadonlyMap<string, bigint> {
  const total = new Map<string, bigint>()
  for (const resources of all) {
    const amounts = objectOf(resources, list) ?? {}
    for (const name of COUNTED) {
      const { nano } = quantityOf(amounts, name)
      if (nano > 0n) total.set(name, (total.get(name) ?? 0n) + nano)
    }
  }
  return total
}
