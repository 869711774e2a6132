import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, objectOf, objectsOf, textOf } from '../complaints.ts'
import {
  configKeyFaults,
  dnsLabelFaults,
  envNameFaults,
  labelKeyFaults,
  subdomainFaults,
} from '../names.ts'
import { quantityText, readQuantity } from '../wire/quantity.ts'
import type { PodContext } from './context.ts'
import { checkNoBacksteps } from './paths.ts'

/** Since 1.32 the name of a variable may hold nearly everything. */
const RELAXED_SINCE = 32
/** Variables from files of an emptyDir. */
const FILES_SINCE = 35

export function checkEnv(
  out: Complaints,
  container: JsonObject,
  path: string,
  pod: PodContext,
): void {
  const relaxed = pod.rules.minor >= RELAXED_SINCE
  objectsOf(container, 'env').forEach((variable, at) => {
    const name = textOf(variable, 'name')
    if (name === '') out.required(`${path}[${at}].name`)
    else out.invalidEach(`${path}[${at}].name`, name, envNameFaults(name, relaxed))
    const source = objectOf(variable, 'valueFrom')
    if (source !== undefined) checkSource(out, variable, source, `${path}[${at}].valueFrom`, pod)
  })
}

function checkSource(
  out: Complaints,
  variable: JsonObject,
  source: JsonObject,
  path: string,
  pod: PodContext,
): void {
  const fieldRef = objectOf(source, 'fieldRef')
  const resourceFieldRef = objectOf(source, 'resourceFieldRef')
  const configMapKeyRef = objectOf(source, 'configMapKeyRef')
  const secretKeyRef = objectOf(source, 'secretKeyRef')
  const fileKeyRef = pod.rules.minor >= FILES_SINCE ? objectOf(source, 'fileKeyRef') : undefined
  if (fieldRef) checkFieldRef(out, fieldRef, `${path}.fieldRef`, ENV_FIELDS)
  if (resourceFieldRef) {
    checkResourceFieldRef(out, resourceFieldRef, `${path}.resourceFieldRef`, false)
  }
  if (configMapKeyRef) checkKeyRef(out, configMapKeyRef, `${path}.configMapKeyRef`)
  if (secretKeyRef) checkKeyRef(out, secretKeyRef, `${path}.secretKeyRef`)
  if (fileKeyRef) checkFileKeyRef(out, fileKeyRef, `${path}.fileKeyRef`)
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef]
  const count = sources.filter((given) => given !== undefined).length
  if (count === 0) {
    const last =
      pod.rules.minor >= FILES_SINCE ? '`secretKeyRef` or `fileKeyRef`' : '`secretKeyRef`'
    const list = pod.rules.minor >= FILES_SINCE ? '`configMapKeyRef`, ' : '`configMapKeyRef` or '
    out.invalid(path, '', `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, ${list}${last}`)
  } else if (textOf(variable, 'value') !== '') {
    out.invalid(path, '', 'may not be specified when `value` is not empty')
  } else if (count > 1) {
    out.invalid(path, '', 'may not have more than one field specified at a time')
  }
}

function checkKeyRef(out: Complaints, ref: JsonObject, path: string): void {
  const name = textOf(ref, 'name')
  out.invalidEach(`${path}.name`, name, subdomainFaults(name))
  const key = textOf(ref, 'key')
  if (key === '') out.required(`${path}.key`)
  else out.invalidEach(`${path}.key`, key, configKeyFaults(key))
}

function checkFileKeyRef(out: Complaints, ref: JsonObject, path: string): void {
  const key = textOf(ref, 'key')
  if (key === '') out.required(`${path}.key`)
  else out.invalidEach(`${path}.key`, key, envNameFaults(key, true))
  const volume = textOf(ref, 'volumeName')
  if (volume === '') out.required(`${path}.volumeName`)
  else out.invalidEach(`${path}.volumeName`, volume, dnsLabelFaults(volume))
  const file = textOf(ref, 'path')
  if (file === '') out.required(`${path}.path`)
  else checkNoBacksteps(out, file, `${path}.path`)
}

const ENV_FIELDS: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]

export const VOLUME_FIELDS: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]

/** What the server can say of a pod; not all of it everywhere. */
const POD_FIELDS: ReadonlySet<string> = new Set([
  ...ENV_FIELDS,
  ...VOLUME_FIELDS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
])

export function checkFieldRef(
  out: Complaints,
  ref: JsonObject,
  path: string,
  allowed: readonly string[],
): void {
  const version = textOf(ref, 'apiVersion')
  const written = textOf(ref, 'fieldPath')
  if (version === '') return out.required(`${path}.apiVersion`)
  if (written === '') return out.required(`${path}.fieldPath`)
  const refuse = (why: string): void => {
    out.invalid(`${path}.fieldPath`, written, `error converting fieldPath: ${why}`)
  }
  if (version !== 'v1') return refuse(`unsupported pod version: ${version}`)
  const [, map, key] = /^(.+?)\['(.*)'\]$/s.exec(written) ?? []
  if (map !== undefined && key !== undefined) {
    if (map === 'metadata.annotations') {
      return out.invalidEach(path, key.toLowerCase(), labelKeyFaults(key.toLowerCase()))
    }
    if (map === 'metadata.labels') return out.invalidEach(path, key, labelKeyFaults(key))
    return refuse(`field label does not support subscript: ${written}`)
  }
  const field = written === 'spec.host' ? 'spec.nodeName' : written
  if (!POD_FIELDS.has(field)) return refuse(`field label not supported: ${written}`)
  if (!allowed.includes(field)) {
    const supported = allowed.map((name) => `"${name}"`).join(', ')
    out.list.push({
      type: 'NotSupported',
      field: `${path}.fieldPath`,
      value: field,
      detail: `supported values: ${supported}`,
    })
  }
}

const RESOURCE_FIELDS: readonly string[] = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]
const HUGE_PAGES = /^(?:requests|limits)\.hugepages-/
const SIZES = '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei'

export function checkResourceFieldRef(
  out: Complaints,
  ref: JsonObject,
  path: string,
  inVolume: boolean,
): void {
  const resource = textOf(ref, 'resource')
  if (inVolume && textOf(ref, 'containerName') === '') out.required(`${path}.containerName`)
  else if (resource === '') out.required(`${path}.resource`)
  else if (!RESOURCE_FIELDS.includes(resource) && !HUGE_PAGES.test(resource)) {
    out.notSupported(`${path}.resource`, resource, RESOURCE_FIELDS)
  }
  checkDivisor(out, ref, resource, `${path}.divisor`)
}

function checkDivisor(out: Complaints, ref: JsonObject, resource: string, path: string): void {
  const divisor = readQuantity(textOf(ref, 'divisor'))
  if (divisor === undefined || divisor.nano === 0n) return
  const text = quantityText(divisor)
  if (resource.endsWith('.cpu')) {
    if (text === '1m' || text === '1') return
    out.invalid(
      path,
      resource,
      "only divisor's values 1m and 1 are supported with the cpu resource",
    )
    return
  }
  if (SIZES.split(', ').includes(text)) return
  const what = resource.endsWith('.memory')
    ? 'memory'
    : resource.endsWith('.ephemeral-storage')
      ? 'local ephemeral storage'
      : HUGE_PAGES.test(resource)
        ? 'hugepages'
        : undefined
  if (what === undefined) return
  out.invalid(
    path,
    resource,
    `only divisor's values ${SIZES} are supported with the ${what} resource`,
  )
}

export function checkEnvFrom(
  out: Complaints,
  container: JsonObject,
  path: string,
  pod: PodContext,
): void {
  objectsOf(container, 'envFrom').forEach((source, at) => {
    const prefix = textOf(source, 'prefix')
    if (prefix !== '') {
      const faults = envNameFaults(prefix, pod.rules.minor >= RELAXED_SINCE)
      out.invalidEach(`${path}[${at}].prefix`, prefix, faults)
    }
    const refs = ['configMapRef', 'secretRef'].filter((key) => source[key] !== undefined)
    for (const key of refs) {
      const name = textOf(objectOf(source, key), 'name')
      if (name === '') out.required(`${path}[${at}].${key}.name`)
      else {
        const faults = subdomainFaults(name.endsWith('-') ? `${name.slice(0, -1)}a` : name)
        out.invalidEach(`${path}[${at}].${key}.name`, name, faults)
      }
    }
    if (refs.length === 0)
      out.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`')
    else if (refs.length > 1) {
      out.invalid(path, '', 'may not have more than one field specified at a time')
    }
  })
}
