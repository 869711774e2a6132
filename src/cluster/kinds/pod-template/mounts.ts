import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, givenText, objectOf, objectsOf, textOf } from '../complaints.ts'
import type { PodContext } from './context.ts'
import { checkDescending } from './paths.ts'

export function checkVolumeMounts(
  out: Complaints,
  container: JsonObject,
  path: string,
  pod: PodContext,
): void {
  const mounts = objectsOf(container, 'volumeMounts')
  if (mounts.length === 0) return
  const devices = objectsOf(container, 'volumeDevices')
  const deviceNames = new Set(devices.map((device) => textOf(device, 'name')))
  const devicePaths = new Set(devices.map((device) => textOf(device, 'devicePath')))
  const taken = new Set<string>()
  mounts.forEach((mount, at) => {
    const here = `${path}[${at}]`
    const name = textOf(mount, 'name')
    const mountPath = textOf(mount, 'mountPath')
    if (name === '') out.required(`${here}.name`)
    if (!pod.volumes.has(name)) out.notFound(`${here}.name`, name)
    if (mountPath === '') out.required(`${here}.mountPath`)
    if (taken.has(mountPath)) out.invalid(`${here}.mountPath`, mountPath, 'must be unique')
    taken.add(mountPath)
    if (deviceNames.has(name)) {
      out.invalid(`${here}.name`, name, 'must not already exist in volumeDevices')
    }
    if (devicePaths.has(mountPath)) {
      const detail = 'must not already exist as a path in volumeDevices'
      out.invalid(`${here}.mountPath`, mountPath, detail)
    }
    checkSubPaths(out, mount, path, here)
    checkPropagation(out, mount, container, `${path}.mountPropagation`)
    checkRecursiveReadOnly(out, mount, `${path}.recursiveReadOnly`)
  })
}

/** The server names the list here, not the mount. */
function checkSubPaths(out: Complaints, mount: JsonObject, list: string, here: string): void {
  const subPath = textOf(mount, 'subPath')
  const subPathExpr = textOf(mount, 'subPathExpr')
  if (subPath !== '') checkDescending(out, subPath, `${list}.subPath`)
  if (subPathExpr === '') return
  if (subPath !== '') {
    const detail = 'subPathExpr and subPath are mutually exclusive'
    out.invalid(`${here}.subPathExpr`, subPathExpr, detail)
  }
  checkDescending(out, subPathExpr, `${list}.subPathExpr`)
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None']

function checkPropagation(
  out: Complaints,
  mount: JsonObject,
  container: JsonObject,
  path: string,
): void {
  const propagation = givenText(mount, 'mountPropagation')
  if (propagation === undefined) return
  if (!PROPAGATIONS.includes(propagation)) out.notSupported(path, propagation, PROPAGATIONS)
  const privileged = objectOf(container, 'securityContext')?.['privileged'] === true
  if (propagation === 'Bidirectional' && !privileged) {
    const detail = 'Bidirectional mount propagation is available only to privileged containers'
    out.forbidden(path, detail)
  }
}

const READ_ONLY = ['Disabled', 'Enabled', 'IfPossible']

function checkRecursiveReadOnly(out: Complaints, mount: JsonObject, path: string): void {
  const mode = givenText(mount, 'recursiveReadOnly')
  if (mode === undefined || mode === 'Disabled') return
  if (!READ_ONLY.includes(mode)) return out.notSupported(path, mode, READ_ONLY)
  if (mount['readOnly'] !== true) {
    out.forbidden(path, 'may only be specified when readOnly is true')
  }
  const propagation = givenText(mount, 'mountPropagation')
  if (propagation !== undefined && propagation !== 'None') {
    const detail = 'may only be specified when mountPropagation is None or not specified'
    out.forbidden(path, detail)
  }
}

export function checkVolumeDevices(
  out: Complaints,
  container: JsonObject,
  path: string,
  pod: PodContext,
): void {
  const devices = objectsOf(container, 'volumeDevices')
  if (devices.length === 0) return
  const mounts = objectsOf(container, 'volumeMounts')
  const mountNames = new Set(mounts.map((mount) => textOf(mount, 'name')))
  const mountPaths = new Set(mounts.map((mount) => textOf(mount, 'mountPath')))
  const names = new Set<string>()
  const paths = new Set<string>()
  devices.forEach((device, at) => {
    const here = `${path}[${at}]`
    const name = textOf(device, 'name')
    const devicePath = textOf(device, 'devicePath')
    const volume = pod.volumes.get(name)
    const isClaim =
      volume?.['persistentVolumeClaim'] !== undefined || volume?.['ephemeral'] !== undefined
    if (name === '') out.required(`${here}.name`)
    if (names.has(name)) out.invalid(`${here}.name`, name, 'must be unique')
    if (volume === undefined) out.notFound(`${here}.name`, name)
    else if (!isClaim) {
      const detail =
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
      out.invalid(`${here}.name`, name, detail)
    }
    if (devicePath === '') out.required(`${here}.devicePath`)
    if (paths.has(devicePath)) out.invalid(`${here}.devicePath`, devicePath, 'must be unique')
    if (devicePath.split('/').includes('..')) {
      out.invalid(`${here}.devicePath`, devicePath, "can not contain backsteps ('..')")
    } else paths.add(devicePath)
    if (mountNames.has(name)) {
      out.invalid(`${here}.name`, name, 'must not already exist in volumeMounts')
    }
    if (mountPaths.has(devicePath)) {
      const detail = 'must not already exist as a path in volumeMounts'
      out.invalid(`${here}.devicePath`, devicePath, detail)
    }
    if (name !== '') names.add(name)
  })
}
