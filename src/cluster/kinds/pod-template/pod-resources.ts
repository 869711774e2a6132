import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, objectOf, objectsOf } from '../complaints.ts'
import { keysOf } from '../labels.ts'
import { type Quantity, quantityText, ZERO } from '../wire/quantity.ts'
import type { PodContext } from './context.ts'
import { checkPodResourceName, checkResources, isHugePage, quantityOf } from './resources.ts'

/** Requests and limits of the pod as a whole (on by default since 1.34). */
export function checkPodResources(out: Complaints, pod: PodContext, path: string): void {
  const resources = objectOf(pod.spec, 'resources')
  if (resources === undefined) return
  const here = `${path}.resources`
  if (pod.os === 'windows') return out.forbidden(here, 'may not be set for a windows pod')
  if (resources['claims'] !== undefined) {
    out.forbidden(`${here}.claims`, 'claims may not be set for Resources at pod-level')
  }
  checkResources(out, resources, here, pod.claims, checkPodResourceName)
  checkSums(out, pod, resources, here)
}

function checkSums(out: Complaints, pod: PodContext, resources: JsonObject, path: string): void {
  const requests = objectOf(resources, 'requests') ?? {}
  const limits = objectOf(resources, 'limits') ?? {}
  const requested = aggregate(pod.spec, 'requests')
  for (const name of [...requested.keys()].sort()) {
    const sum = requested.get(name) ?? ZERO
    if (requests[name] === undefined || sum.nano <= quantityOf(requests, name).nano) continue
    const detail = `must be greater than or equal to aggregate container requests of ${quantityText(sum)}`
    out.invalid(`${path}.requests[${name}]`, quantityText(quantityOf(requests, name)), detail)
  }
  const limited = aggregate(pod.spec, 'limits')
  for (const name of [...limited.keys()].filter(isHugePage).sort()) {
    const sum = limited.get(name) ?? ZERO
    if (limits[name] === undefined || sum.nano <= quantityOf(limits, name).nano) continue
    const detail = `must be greater than or equal to aggregate container limits of ${quantityText(sum)}`
    out.invalid(`${path}.limits[${name}]`, quantityText(quantityOf(limits, name)), detail)
  }
  objectsOf(pod.spec, 'containers').forEach((container, at) => {
    const own = objectOf(objectOf(container, 'resources'), 'limits') ?? {}
    for (const name of keysOf(own)) {
      if (limits[name] === undefined) continue
      const [limit, most] = [quantityOf(own, name), quantityOf(limits, name)]
      if (limit.nano <= most.nano) continue
      const detail = `must be less than or equal to pod limits of ${quantityText(most)}`
      out.invalid(`${path}.containers[${at}][${name}].limits`, quantityText(limit), detail)
    }
  })
}

/**
 * What the containers need together: the sum of those that run side by side, or the largest moment
 * of the start, in which sidecars run beside one init container.
 */
export function aggregate(
  spec: JsonObject,
  list: 'requests' | 'limits',
): ReadonlyMap<string, Quantity> {
  const running = new Map<string, Quantity>()
  const sidecars = new Map<string, Quantity>()
  const starting = new Map<string, Quantity>()
  for (const container of objectsOf(spec, 'containers')) add(running, needs(container, list))
  for (const container of objectsOf(spec, 'initContainers')) {
    const own = needs(container, list)
    const moment = new Map(sidecars)
    add(moment, own)
    if (container['restartPolicy'] === 'Always') {
      add(running, own)
      add(sidecars, own)
    }
    raise(starting, container['restartPolicy'] === 'Always' ? sidecars : moment)
  }
  raise(running, starting)
  return running
}

function needs(container: JsonObject, list: string): JsonObject {
  return objectOf(objectOf(container, 'resources'), list) ?? {}
}

function add(sums: Map<string, Quantity>, amounts: JsonObject): void {
  for (const name of Object.keys(amounts)) {
    const before = sums.get(name)
    const amount = quantityOf(amounts, name)
    sums.set(
      name,
      before === undefined
        ? amount
        : {
            nano: before.nano + amount.nano,
            format: before.nano === 0n ? amount.format : before.format,
          },
    )
  }
}

function raise(most: Map<string, Quantity>, amounts: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of amounts) {
    const before = most.get(name)
    if (before === undefined || amount.nano > before.nano) most.set(name, amount)
  }
}
