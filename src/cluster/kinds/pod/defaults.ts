import { isObject, type JsonObject } from '../../../core/json.ts'
import type { Rules } from '../../api/kind.ts'
import { objectOf, objectsOf, textOf } from '../complaints.ts'
import { withStruct } from '../job/defaults.ts'
import { changeIn, fill, podOwnDefaults } from '../pod-template/defaults.ts'
import { aggregate } from '../pod-template/pod-resources.ts'
import { isHugePage } from '../pod-template/resources.ts'
import { quantityText } from '../wire/quantity.ts'

/** A pod as the server has it once it is decoded. */
export function podDefaults(pod: JsonObject, rules: Rules): JsonObject {
  const decoded = changeIn(
    withStruct(withStruct(pod, 'spec', 'PodSpec'), 'status', 'PodStatus'),
    'status',
    (status) => withAddresses(withAddresses(status, 'podIP'), 'hostIP'),
  )
  return changeIn(decoded, 'spec', (spec) => {
    const own = podOwnDefaults(spec)
    return rules.minor >= 34 ? withPodRequests(own) : own
  })
}

/** One address is told twice: `podIP`, as before there were several, counts where both are said. */
function withAddresses(status: JsonObject, name: 'podIP' | 'hostIP'): JsonObject {
  const ip = textOf(status, name)
  const [first] = objectsOf(status, `${name}s`)
  if (ip === '' || first?.['ip'] === ip) return status
  return { ...status, [`${name}s`]: [{ ip }] }
}

/** Limits of the pod as a whole bring its requests: what the containers ask for, or the limit. */
function withPodRequests(spec: JsonObject): JsonObject {
  const resources = objectOf(spec, 'resources')
  if (resources === undefined) return spec
  const limits = withHugePages(spec, resources)
  if (Object.keys(limits).length === 0) return spec
  const ofContainers: { [name: string]: string } = {}
  for (const [name, amount] of aggregate(spec, 'requests')) {
    if (name === 'cpu' || name === 'memory') ofContainers[name] = quantityText(amount)
  }
  const ofLimits: { [name: string]: string } = {}
  for (const name in limits) {
    const counted = name === 'cpu' || name === 'memory' || isHugePage(name)
    if (counted) ofLimits[name] = textOf(limits, name)
  }
  const given = objectOf(resources, 'requests') ?? {}
  const requests = fill(fill(given, ofContainers), ofLimits)
  if (requests === given && limits === objectOf(resources, 'limits')) return spec
  return { ...spec, resources: { ...resources, limits, requests } }
}

function withHugePages(spec: JsonObject, resources: JsonObject): JsonObject {
  const limits = objectOf(resources, 'limits') ?? {}
  const requests = objectOf(resources, 'requests') ?? {}
  const missing: { [name: string]: string } = {}
  for (const [name, amount] of aggregate(spec, 'limits')) {
    if (isHugePage(name) && requests[name] === undefined) missing[name] = quantityText(amount)
  }
  return fill(limits, missing)
}

const WAITS = { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }
const NOT_READY = 'node.kubernetes.io/not-ready'
const UNREACHABLE = 'node.kubernetes.io/unreachable'
const PRIORITIES: { readonly [name: string]: number } = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
}

/**
 * What the admission plugins of a usual server write into a pod that lacks it: five minutes of
 * patience with a lost node, and the priority of its class.
 */
export function withAdmission(spec: JsonObject): JsonObject {
  const priority = PRIORITIES[textOf(spec, 'priorityClassName')] ?? 0
  return fill(withTolerations(spec), { priority, preemptionPolicy: 'PreemptLowerPriority' })
}

/** Also of an update that leaves them out. */
export function withTolerations(spec: JsonObject): JsonObject {
  const list = spec['tolerations']
  const given = Array.isArray(list) ? (list as readonly JsonObject[]) : []
  const missing = [NOT_READY, UNREACHABLE].filter(
    (key) => !given.some((toleration) => tolerates(toleration, key)),
  )
  if (missing.length === 0) return spec
  return { ...spec, tolerations: [...given, ...missing.map((key) => ({ key, ...WAITS }))] }
}

function tolerates(toleration: JsonObject, key: string): boolean {
  const { key: own, effect } = toleration
  const sameKey = own === key || own === undefined || own === ''
  return sameKey && (effect === 'NoExecute' || effect === undefined || effect === '')
}

/** A pod that waits at a gate says so from its first moment. */
export function firstStatus(spec: JsonObject, quality: string, created: string): JsonObject {
  const gates = spec['schedulingGates']
  const status = { phase: 'Pending', qosClass: quality }
  if (!Array.isArray(gates) || gates.length === 0) return status
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: created,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  }
  return { phase: 'Pending', conditions: [condition], qosClass: quality }
}

export function isGated(spec: JsonObject): boolean {
  const gates = spec['schedulingGates']
  return Array.isArray(gates) && gates.length > 0 && isObject(gates[0] as JsonObject)
}
