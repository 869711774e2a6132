import type { JsonObject } from '../../../core/json.ts'
import { byteLength } from '../../../core/text.ts'
import { type Complaints, objectOf, objectsOf, textOf } from '../complaints.ts'
import { dnsLabelFaults, subdomainFaults } from '../names.ts'
import { quantityOf } from './resources.ts'
import type { PodContext } from './context.ts'
import { SOURCES } from './volume-sources.ts'

/** Fills `pod.volumes` with those that passed: a mount of another one is not found. */
export function checkVolumes(out: Complaints, pod: PodContext, path: string): void {
  const volumes = objectsOf(pod.spec, 'volumes')
  const claims = new Set(
    pod.podName === ''
      ? []
      : volumes
          .filter((volume) => volume['ephemeral'] !== undefined)
          .map((volume) => `${pod.podName}-${textOf(volume, 'name')}`),
  )
  volumes.forEach((volume, at) => {
    const here = `${path}[${at}]`
    const before = out.list.length
    checkSource(out, volume, here, pod)
    const name = textOf(volume, 'name')
    if (name === '') out.required(`${here}.name`)
    else out.invalidEach(`${here}.name`, name, dnsLabelFaults(name))
    if (pod.volumes.has(name)) out.duplicate(`${here}.name`, name)
    if (out.list.length === before) pod.volumes.set(name, volume)
    const claim = textOf(objectOf(volume, 'persistentVolumeClaim'), 'claimName')
    if (claims.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume'
      out.invalid(`${here}.persistentVolumeClaim.claimName`, claim, detail)
    }
  })
}

const MORE = 'may not specify more than 1 volume type'
/** Where the server's complaint spells a source in its own way. */
const MORE_FIELDS: { readonly [source: string]: string } = {
  cephfs: 'cephFS',
  downwardAPI: 'downwarAPI',
}
const OWN_FIELDS: { readonly [source: string]: string } = { gcePersistentDisk: 'persistentDisk' }

function checkSource(out: Complaints, volume: JsonObject, path: string, pod: PodContext): void {
  let found = false
  const emptyDir = objectOf(volume, 'emptyDir')
  if (emptyDir !== undefined) {
    found = true
    if (quantityOf(emptyDir, 'sizeLimit').nano < 0n) {
      const detail = 'SizeLimit field must be a valid resource quantity'
      out.forbidden(`${path}.emptyDir.sizeLimit`, detail)
    }
  }
  for (const [name, check] of SOURCES) {
    const source = objectOf(volume, name)
    if (source === undefined) continue
    if (found) out.forbidden(`${path}.${MORE_FIELDS[name] ?? name}`, MORE)
    else check(out, source, `${path}.${OWN_FIELDS[name] ?? name}`, pod)
    if (name === 'iscsi') checkPortalLength(out, volume, source, `${path}.name`)
    if (name === 'ephemeral' && !found) checkClaimName(out, volume, `${path}.name`, pod)
    found = true
  }
  if (!found) out.required(path, 'must specify a volume type')
}

function checkPortalLength(
  out: Complaints,
  volume: JsonObject,
  source: JsonObject,
  path: string,
): void {
  const name = textOf(volume, 'name')
  if (source['initiatorName'] === undefined) return
  if (byteLength(`${name}:${textOf(source, 'targetPortal')}`) <= 64) return
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'
  out.invalid(path, name, detail)
}

function checkClaimName(out: Complaints, volume: JsonObject, path: string, pod: PodContext): void {
  const name = textOf(volume, 'name')
  if (pod.podName === '' || name === '') return
  const claim = `${pod.podName}-${name}`
  const faults = subdomainFaults(claim).map((fault) => `PVC name "${claim}": ${fault}`)
  out.invalidEach(path, name, faults)
}
