import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { containerPullPolicyOf, volumePullPolicyOf } from '../../../core/normalise/conditional.ts'
import type { Conditional } from '../../../core/normalise/field.ts'
import { objectOf, objectsOf } from '../complaints.ts'
import type { Defaults } from '../wire/complete.ts'

const FILE_MODE = { defaultMode: 0o644 }
const POD_SPEC = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
}
const CONTAINER = {
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
}
const OWN = { enableServiceLinks: true }

/** What the types of a pod template get when they are decoded (K-2 is the Job's own part). */
export const POD_TEMPLATE_DEFAULTS: Defaults = {
  PodSpec: (spec) => withServiceAccount(fill(spec, POD_SPEC)),
  Container: container,
  EphemeralContainer: container,
  ContainerPort: (port) => fill(port, { protocol: 'TCP' }),
  Probe: (probe) =>
    fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  HTTPGetAction: (action) => fill(action, { path: '/', scheme: 'HTTP' }),
  GRPCAction: (action) => (action['service'] === null ? { ...action, service: '' } : action),
  ObjectFieldSelector: (selector) => fill(selector, { apiVersion: 'v1' }),
  Volume: volume,
  ImageVolumeSource: (image) =>
    fill(image, { pullPolicy: pullPolicyOf(image, 'reference', volumePullPolicyOf) }),
  SecretVolumeSource: (source) => fill(source, FILE_MODE),
  ConfigMapVolumeSource: (source) => fill(source, FILE_MODE),
  DownwardAPIVolumeSource: (source) => fill(source, FILE_MODE),
  ProjectedVolumeSource: (source) => fill(source, FILE_MODE),
  ServiceAccountTokenProjection: (source) => fill(source, { expirationSeconds: 3600 }),
  HostPathVolumeSource: (source) => fill(source, { type: '' }),
  PersistentVolumeClaimSpec: (spec) => fill(spec, { volumeMode: 'Filesystem' }),
  ISCSIVolumeSource: (source) => fill(source, { iscsiInterface: 'default' }),
  RBDVolumeSource: (source) =>
    fill(source, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  ScaleIOVolumeSource: (source) => fill(source, { storageMode: 'ThinProvisioned', fsType: 'xfs' }),
  AzureDiskVolumeSource: (source) =>
    fill(source, { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false }),
  PodFailurePolicyOnPodConditionsPattern: (pattern) =>
    pattern['status'] === '' ? { ...pattern, status: 'True' } : pattern,
}

/** Adds what is absent; a value that lacks nothing comes back itself. */
export function fill(value: JsonObject, defaults: JsonObject): JsonObject {
  let filled: { [key: string]: Json | undefined } | undefined
  for (const key in defaults) {
    if (value[key] !== undefined) continue
    filled ??= { ...value }
    filled[key] = defaults[key]
  }
  return filled ?? value
}

function container(value: JsonObject): JsonObject {
  const filled =
    value['imagePullPolicy'] === undefined
      ? { ...value, imagePullPolicy: pullPolicyOf(value, 'image', containerPullPolicyOf) }
      : value
  return fill(filled, CONTAINER)
}

/** No image name is longer; text that is no image has no tag, and so not the tag latest. */
const LONGEST_IMAGE = 255
const LIBRARY = 'library/'

function pullPolicyOf(owner: JsonObject, field: string, policy: Conditional): Json {
  const image = owner[field]
  if (typeof image === 'string' && image.length > LONGEST_IMAGE - LIBRARY.length) {
    const path = image.replace(/^[^/]*[.:][^/]*\//, '').replace(/[@:].*$/, '')
    const full = path.includes('/') ? path : `${LIBRARY}${path}`
    if (full.length > LONGEST_IMAGE) return 'IfNotPresent'
  }
  return policy.default(owner, {}) ?? 'IfNotPresent'
}

function volume(value: JsonObject): JsonObject {
  for (const key in value) if (key !== 'name') return value
  return { ...value, emptyDir: {} }
}

/** Two spellings of one field; the newer one wins. */
function withServiceAccount(spec: JsonObject): JsonObject {
  const { serviceAccount, serviceAccountName } = spec
  if (serviceAccount === serviceAccountName) return spec
  const name = serviceAccountName ?? serviceAccount
  return { ...spec, serviceAccountName: name, serviceAccount: name }
}

/** Beyond the template's defaults, a pod gets those that depend on its own values. */
export function podOwnDefaults(spec: JsonObject): JsonObject {
  const hostNetwork = spec['hostNetwork'] === true
  let next = spec
  for (const list of ['containers', 'initContainers']) {
    const containers = objectsOf(next, list)
    const changed = mapShared(containers, (item) => {
      const requested = withRequests(item)
      return hostNetwork ? withHostPorts(requested) : requested
    })
    if (changed !== containers) next = { ...next, [list]: changed }
  }
  return fill(next, OWN)
}

/** A limit without a request is requested. */
function withRequests(item: JsonObject): JsonObject {
  const resources = objectOf(item, 'resources')
  const limits = objectOf(resources, 'limits')
  if (limits === undefined) return item
  const requests = objectOf(resources, 'requests') ?? {}
  const filled = fill(requests, limits)
  return filled === requests ? item : { ...item, resources: { ...resources, requests: filled } }
}

function withHostPorts(item: JsonObject): JsonObject {
  const ports = objectsOf(item, 'ports')
  const changed = mapShared(ports, (port) => {
    const { containerPort } = port
    return port['hostPort'] === undefined &&
      typeof containerPort === 'number' &&
      containerPort !== 0
      ? { ...port, hostPort: containerPort }
      : port
  })
  return changed === ports ? item : { ...item, ports: changed }
}

/** The list itself when nothing changes. */
export function mapShared<Item extends Json>(
  list: readonly Item[],
  change: (item: Item) => Item,
): readonly Item[] {
  let changed: Item[] | undefined
  list.forEach((item, at) => {
    const next = change(item)
    if (next === item) return
    changed ??= [...list]
    changed[at] = next
  })
  return changed ?? list
}

/** Changes one object inside another, sharing all when it comes back the same. */
export function changeIn(
  object: JsonObject,
  key: string,
  change: (value: JsonObject) => JsonObject,
): JsonObject {
  const value = object[key]
  if (!isObject(value)) return object
  const next = change(value)
  return next === value ? object : { ...object, [key]: next }
}
