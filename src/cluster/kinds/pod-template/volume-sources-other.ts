import type { JsonObject } from '../../../core/json.ts'
import { byteLength } from '../../../core/text.ts'
import {
  type Complaints,
  givenNumber,
  givenText,
  numberOf,
  objectOf,
  textOf,
  textsOf,
} from '../complaints.ts'
import { dnsLabelFaults, rangeFaults } from '../names.ts'
import type { PodContext } from './context.ts'
import { checkDescending } from './paths.ts'

export type SourceCheck = (
  out: Complaints,
  source: JsonObject,
  path: string,
  pod: PodContext,
) => void

export function requiring(...fields: readonly string[]): SourceCheck {
  return (out, source, path) => {
    for (const field of fields) if (textOf(source, field) === '') out.required(`${path}.${field}`)
  }
}

export function withSecret(...fields: readonly string[]): SourceCheck {
  return (out, source, path) => {
    for (const field of fields) if (textOf(source, field) === '') out.required(`${path}.${field}`)
    const secret = objectOf(source, 'secretRef')
    if (secret !== undefined && textOf(secret, 'name') === '') {
      out.required(`${path}.secretRef.name`)
    }
  }
}

const QUALIFIED: readonly (readonly [string, RegExp])[] = [
  ['iqn', /iqn\.\d{4}-\d{2}\.([0-9A-Za-z\-.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[0-9A-Za-z]{16}$/],
  ['naa', /^naa.[0-9A-Za-z]{32}$/],
]

function checkInitiator(out: Complaints, name: string, path: string): void {
  const form = QUALIFIED.find(([prefix]) => name.startsWith(prefix))
  if (form === undefined) {
    out.invalid(path, name, 'must be valid format starting with iqn, eui, or naa')
  } else if (!form[1].test(name)) out.invalid(path, name, 'must be valid format')
}

export const iscsi: SourceCheck = (out, source, path) => {
  if (textOf(source, 'targetPortal') === '') out.required(`${path}.targetPortal`)
  const iqn = textOf(source, 'iqn')
  if (iqn === '') out.required(`${path}.iqn`)
  else checkInitiator(out, iqn, `${path}.iqn`)
  out.invalidEach(
    `${path}.lun`,
    numberOf(source, 'lun'),
    rangeFaults(numberOf(source, 'lun'), 0, 255),
  )
  const chap = source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true
  if (chap && source['secretRef'] === undefined) out.required(`${path}.secretRef`)
  const initiator = givenText(source, 'initiatorName')
  if (initiator !== undefined) checkInitiator(out, initiator, `${path}.initiatorname`)
}

export const fc: SourceCheck = (out, source, path) => {
  const targets = textsOf(source, 'targetWWNs')
  const ids = textsOf(source, 'wwids')
  if (targets.length === 0 && ids.length === 0) {
    out.required(`${path}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both')
  }
  if (targets.length > 0 && ids.length > 0) {
    const detail = 'targetWWNs and wwids can not be specified simultaneously'
    out.invalid(`${path}.targetWWNs`, targets, detail)
  }
  if (targets.length === 0) return
  const lun = givenNumber(source, 'lun')
  if (lun === undefined) out.required(`${path}.lun`, 'lun is required if targetWWNs is specified')
  else out.invalidEach(`${path}.lun`, lun, rangeFaults(lun, 0, 255))
}

export const flexVolume: SourceCheck = (out, source, path) => {
  if (textOf(source, 'driver') === '') out.required(`${path}.driver`)
  for (const key of Object.keys(objectOf(source, 'options') ?? {}).sort()) {
    if (!/(?:^|\.)(?:kubernetes|k8s)\.io$/i.test(key.split('/')[0] ?? '')) continue
    const detail = 'kubernetes.io and k8s.io namespaces are reserved'
    out.invalid(`${path}.options[${key}]`, key, detail)
  }
}

export const azureDisk: SourceCheck = (out, source, path, pod) => {
  requiring('diskName', 'diskURI')(out, source, path, pod)
  const caching = textOf(source, 'cachingMode')
  const modes = ['None', 'ReadOnly', 'ReadWrite']
  if (!modes.includes(caching)) out.notSupported(`${path}.cachingMode`, caching, modes)
  const kind = textOf(source, 'kind')
  const kinds = ['Dedicated', 'Managed', 'Shared']
  if (!kinds.includes(kind)) out.notSupported(`${path}.kind`, kind, kinds)
  const uri = textOf(source, 'diskURI')
  const managed = kind === 'Managed'
  if (uri.startsWith(managed ? '/subscriptions/' : 'https://')) return
  const form = managed
    ? '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
    : 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'
  const detail = `supported values: "${form}"`
  out.list.push({ type: 'NotSupported', field: `${path}.diskURI`, value: uri, detail })
}

export const storageos: SourceCheck = (out, source, path, pod) => {
  const volume = textOf(source, 'volumeName')
  if (volume === '') out.required(`${path}.volumeName`)
  else out.invalidEach(`${path}.volumeName`, volume, dnsLabelFaults(volume))
  const namespace = textOf(source, 'volumeNamespace')
  if (namespace !== '') {
    out.invalidEach(`${path}.volumeNamespace`, namespace, dnsLabelFaults(namespace))
  }
  withSecret()(out, source, path, pod)
}

export const quobyte: SourceCheck = (out, source, path) => {
  const registry = textOf(source, 'registry')
  const form = 'must be a host:port pair or multiple pairs separated by commas'
  if (registry === '') out.required(`${path}.registry`, form)
  else if (byteLength(textOf(source, 'tenant')) >= 65) {
    out.required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters')
  } else {
    for (const pair of registry.split(',')) {
      if (!/^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair)) {
        out.invalid(`${path}.registry`, registry, form)
      }
    }
  }
  if (textOf(source, 'volume') === '') out.required(`${path}.volume`)
}

export const flocker: SourceCheck = (out, source, path) => {
  const name = textOf(source, 'datasetName')
  const uuid = textOf(source, 'datasetUUID')
  if (name === '' && uuid === '') {
    out.required(path, 'one of datasetName and datasetUUID is required')
  }
  if (name !== '' && uuid !== '') {
    const detail = 'datasetName and datasetUUID can not be specified simultaneously'
    out.invalid(path, 'resource', detail)
  }
  if (name.includes('/')) out.invalid(`${path}.datasetName`, name, "must not contain '/'")
}

export const monitors: SourceCheck = (out, source, path) => {
  if (textsOf(source, 'monitors').length === 0) out.required(`${path}.monitors`)
}

export const rbd: SourceCheck = (out, source, path, pod) => {
  monitors(out, source, path, pod)
  if (textOf(source, 'image') === '') out.required(`${path}.image`)
}

export const gitRepo: SourceCheck = (out, source, path) => {
  if (textOf(source, 'repository') === '') out.required(`${path}.repository`)
  checkDescending(out, textOf(source, 'directory'), `${path}.directory`)
}
