import { byteLength } from '../../../core/text.ts'
import { objectOf, objectsOf, numberOf, textOf } from '../complaints.ts'
import { subdomainFaults } from '../names.ts'
import { checkClaimTemplate } from './claims.ts'
import { checkPullPolicy } from './containers.ts'
import { checkDownwardFile, checkKeyToPath, checkMode } from './files.ts'
import { checkNoBacksteps } from './paths.ts'
import { checkProjections } from './projections.ts'
import {
  azureDisk,
  fc,
  flexVolume,
  flocker,
  gitRepo,
  iscsi,
  monitors,
  quobyte,
  rbd,
  requiring,
  type SourceCheck,
  storageos,
  withSecret,
} from './volume-sources-other.ts'

function withKeys(name: string): SourceCheck {
  return (out, source, path) => {
    if (textOf(source, name) === '') out.required(`${path}.${name}`)
    checkMode(out, source, 'defaultMode', path)
    objectsOf(source, 'items').forEach((item, at) => {
      checkKeyToPath(out, item, `${path}.items[${at}]`)
    })
  }
}

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

const hostPath: SourceCheck = (out, source, path) => {
  const file = textOf(source, 'path')
  if (file === '') return out.required(`${path}.path`)
  checkNoBacksteps(out, file, `${path}.path`)
  const type = textOf(source, 'type')
  if (!HOST_PATH_TYPES.includes(type)) out.notSupported(`${path}.type`, type, HOST_PATH_TYPES)
}

function disk(name: string): SourceCheck {
  return (out, source, path) => {
    if (textOf(source, name) === '') out.required(`${path}.${name}`)
    const partition = numberOf(source, 'partition')
    if (partition >= 0 && partition <= 255) return
    out.invalid(`${path}.partition`, partition, 'must be between 1 and 255, inclusive')
  }
}

const nfs: SourceCheck = (out, source, path) => {
  if (textOf(source, 'server') === '') out.required(`${path}.server`)
  const folder = textOf(source, 'path')
  if (folder === '') out.required(`${path}.path`)
  if (!folder.startsWith('/')) out.invalid(`${path}.path`, folder, 'must be an absolute path')
}

const csi: SourceCheck = (out, source, path) => {
  const driver = textOf(source, 'driver')
  if (driver === '') out.required(`${path}.driver`)
  else {
    if (byteLength(driver) > 63) out.tooLong(`${path}.driver`, 63)
    out.invalidEach(`${path}.driver`, driver, subdomainFaults(driver.toLowerCase()))
  }
  const secret = objectOf(source, 'nodePublishSecretRef')
  if (secret === undefined) return
  const name = textOf(secret, 'name')
  if (name === '') out.required(`${path}.nodePublishSecretRef.name`)
  else out.invalidEach(`${path}.name`, name, subdomainFaults(name))
}

/** The kubelet names the list, not the item, in these complaints. */
const downwardAPI: SourceCheck = (out, source, path) => {
  checkMode(out, source, 'defaultMode', path)
  for (const item of objectsOf(source, 'items')) checkDownwardFile(out, item, path)
}

const projected: SourceCheck = (out, source, path, pod) => {
  checkMode(out, source, 'defaultMode', path)
  checkProjections(out, source, path, pod)
}

const ephemeral: SourceCheck = (out, source, path) => {
  const template = objectOf(source, 'volumeClaimTemplate')
  if (template === undefined) out.required(`${path}.volumeClaimTemplate`)
  else checkClaimTemplate(out, template, `${path}.volumeClaimTemplate`)
}

const image: SourceCheck = (out, source, path, pod) => {
  if (pod.isPod && textOf(source, 'reference') === '') out.required(`${path}.reference`)
  checkPullPolicy(out, textOf(source, 'pullPolicy'), `${path}.pullPolicy`)
}

/** In the order in which the server looks for them; emptyDir comes before all. */
export const SOURCES: readonly (readonly [string, SourceCheck])[] = [
  ['hostPath', hostPath],
  ['gitRepo', gitRepo],
  ['gcePersistentDisk', disk('pdName')],
  ['awsElasticBlockStore', disk('volumeID')],
  ['secret', withKeys('secretName')],
  ['nfs', nfs],
  ['iscsi', iscsi],
  ['glusterfs', requiring('endpoints', 'path')],
  ['flocker', flocker],
  ['persistentVolumeClaim', requiring('claimName')],
  ['rbd', rbd],
  ['cinder', withSecret('volumeID')],
  ['cephfs', monitors],
  ['quobyte', quobyte],
  ['downwardAPI', downwardAPI],
  ['fc', fc],
  ['flexVolume', flexVolume],
  ['configMap', withKeys('name')],
  ['azureFile', requiring('secretName', 'shareName')],
  ['vsphereVolume', requiring('volumePath')],
  ['photonPersistentDisk', requiring('pdID')],
  ['portworxVolume', requiring('volumeID')],
  ['azureDisk', azureDisk],
  ['storageos', storageos],
  ['projected', projected],
  ['scaleIO', requiring('gateway', 'system', 'volumeName')],
  ['csi', csi],
  ['ephemeral', ephemeral],
  ['image', image],
]
