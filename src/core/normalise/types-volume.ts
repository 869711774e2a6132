import type { JsonObject } from '../json.ts'
import { volumePullPolicyOf } from './conditional.ts'
import {
  asSet,
  byKey,
  count,
  flag,
  given,
  inOrder,
  marker,
  quantity,
  resourceList,
  struct,
  text,
  texts,
  type Field,
  type Types,
} from './field.ts'

const FILE_MODE = 420
const ONE_FILE_EACH = 'each path is one file'
const ADDRESSES = 'the driver may try them in order'

const keyToPath = (): Field => byKey('KeyToPath', ['path'], ONE_FILE_EACH)
const downwardItems = (): Field => byKey('DownwardAPIVolumeFile', ['path'], ONE_FILE_EACH)
const optional = (): Field => given({ idle: [false] })
const defaultMode = (): Field => given({ default: FILE_MODE })
const secretRef = (): Field => marker('LocalObjectReference')

export const VOLUME_TYPES: Types = {
  Volume: {
    fields: {
      awsElasticBlockStore: marker('AWSElasticBlockStoreVolumeSource'),
      azureDisk: marker('AzureDiskVolumeSource'),
      azureFile: marker('AzureFileVolumeSource'),
      cephfs: marker('CephFSVolumeSource'),
      cinder: marker('CinderVolumeSource'),
      configMap: marker('ConfigMapVolumeSource'),
      csi: marker('CSIVolumeSource'),
      downwardAPI: marker('DownwardAPIVolumeSource'),
      emptyDir: marker('EmptyDirVolumeSource'),
      ephemeral: marker('EphemeralVolumeSource'),
      fc: marker('FCVolumeSource'),
      flexVolume: marker('FlexVolumeSource'),
      flocker: marker('FlockerVolumeSource'),
      gcePersistentDisk: marker('GCEPersistentDiskVolumeSource'),
      gitRepo: marker('GitRepoVolumeSource'),
      glusterfs: marker('GlusterfsVolumeSource'),
      hostPath: marker('HostPathVolumeSource'),
      image: marker('ImageVolumeSource'),
      iscsi: marker('ISCSIVolumeSource'),
      name: text(),
      nfs: marker('NFSVolumeSource'),
      persistentVolumeClaim: marker('PersistentVolumeClaimVolumeSource'),
      photonPersistentDisk: marker('PhotonPersistentDiskVolumeSource'),
      portworxVolume: marker('PortworxVolumeSource'),
      projected: marker('ProjectedVolumeSource'),
      quobyte: marker('QuobyteVolumeSource'),
      rbd: marker('RBDVolumeSource'),
      scaleIO: marker('ScaleIOVolumeSource'),
      secret: marker('SecretVolumeSource'),
      storageos: marker('StorageOSVolumeSource'),
      vsphereVolume: marker('VsphereVirtualDiskVolumeSource'),
    },
    prepare: emptyDirWithoutSource,
  },
  AWSElasticBlockStoreVolumeSource: {
    fields: { fsType: text(), partition: count(), readOnly: flag(), volumeID: text() },
  },
  AzureDiskVolumeSource: {
    fields: {
      cachingMode: given({ default: 'ReadWrite' }),
      diskName: text(),
      diskURI: text(),
      fsType: given({ default: 'ext4' }),
      kind: given({ default: 'Shared' }),
      readOnly: given({ default: false }),
    },
  },
  AzureFileVolumeSource: { fields: { readOnly: flag(), secretName: text(), shareName: text() } },
  CephFSVolumeSource: {
    fields: {
      monitors: inOrder('scalar', ADDRESSES),
      path: text(),
      readOnly: flag(),
      secretFile: text(),
      secretRef: secretRef(),
      user: text(),
    },
  },
  CinderVolumeSource: {
    fields: { fsType: text(), readOnly: flag(), secretRef: secretRef(), volumeID: text() },
  },
  ConfigMapVolumeSource: {
    fields: {
      defaultMode: defaultMode(),
      items: keyToPath(),
      name: text(),
      optional: optional(),
    },
  },
  KeyToPath: { fields: { key: text(), mode: given(), path: text() } },
  CSIVolumeSource: {
    fields: {
      driver: text(),
      fsType: given(),
      nodePublishSecretRef: secretRef(),
      readOnly: given({ idle: [false] }),
      volumeAttributes: texts(),
    },
  },
  DownwardAPIVolumeSource: { fields: { defaultMode: defaultMode(), items: downwardItems() } },
  DownwardAPIVolumeFile: {
    fields: {
      fieldRef: marker('ObjectFieldSelector'),
      mode: given(),
      path: text(),
      resourceFieldRef: marker('ResourceFieldSelector'),
    },
  },
  EmptyDirVolumeSource: { fields: { medium: text(), sizeLimit: quantity() } },
  EphemeralVolumeSource: {
    fields: { volumeClaimTemplate: marker('PersistentVolumeClaimTemplate') },
  },
  PersistentVolumeClaimTemplate: {
    fields: { metadata: struct('ObjectMeta'), spec: struct('PersistentVolumeClaimSpec') },
  },
  PersistentVolumeClaimSpec: {
    fields: {
      accessModes: asSet('scalar', 'the volume must offer all of them'),
      dataSource: marker('LocalDataSource'),
      dataSourceRef: marker('DataSource'),
      resources: struct('VolumeResourceRequirements'),
      selector: marker('LabelSelector'),
      storageClassName: given(),
      volumeAttributesClassName: given(),
      volumeMode: given({ default: 'Filesystem' }),
      volumeName: text(),
    },
  },
  LocalDataSource: { fields: { apiGroup: given(), kind: text(), name: text() } },
  DataSource: {
    fields: { apiGroup: given(), kind: text(), name: text(), namespace: given() },
  },
  VolumeResourceRequirements: {
    fields: { limits: resourceList(), requests: resourceList() },
  },
  FCVolumeSource: {
    fields: {
      fsType: text(),
      lun: given(),
      readOnly: flag(),
      targetWWNs: inOrder('scalar', ADDRESSES),
      wwids: inOrder('scalar', ADDRESSES),
    },
  },
  FlexVolumeSource: {
    fields: {
      driver: text(),
      fsType: text(),
      options: texts(),
      readOnly: flag(),
      secretRef: secretRef(),
    },
  },
  FlockerVolumeSource: { fields: { datasetName: text(), datasetUUID: text() } },
  GCEPersistentDiskVolumeSource: {
    fields: { fsType: text(), partition: count(), pdName: text(), readOnly: flag() },
  },
  GitRepoVolumeSource: { fields: { directory: text(), repository: text(), revision: text() } },
  GlusterfsVolumeSource: { fields: { endpoints: text(), path: text(), readOnly: flag() } },
  HostPathVolumeSource: { fields: { path: text(), type: given({ default: '' }) } },
  ImageVolumeSource: {
    fields: { pullPolicy: text({ when: volumePullPolicyOf }), reference: text() },
  },
  ISCSIVolumeSource: {
    fields: {
      chapAuthDiscovery: flag(),
      chapAuthSession: flag(),
      fsType: text(),
      initiatorName: given(),
      iqn: text(),
      iscsiInterface: text({ default: 'default' }),
      lun: count(),
      portals: inOrder('scalar', ADDRESSES),
      readOnly: flag(),
      secretRef: secretRef(),
      targetPortal: text(),
    },
  },
  NFSVolumeSource: { fields: { path: text(), readOnly: flag(), server: text() } },
  PersistentVolumeClaimVolumeSource: { fields: { claimName: text(), readOnly: flag() } },
  PhotonPersistentDiskVolumeSource: { fields: { fsType: text(), pdID: text() } },
  PortworxVolumeSource: { fields: { fsType: text(), readOnly: flag(), volumeID: text() } },
  ProjectedVolumeSource: {
    fields: {
      defaultMode: defaultMode(),
      sources: inOrder('VolumeProjection', 'where two write one path the last wins'),
    },
  },
  VolumeProjection: {
    fields: {
      clusterTrustBundle: marker('ClusterTrustBundleProjection'),
      configMap: marker('KeysProjection'),
      downwardAPI: marker('DownwardAPIProjection'),
      podCertificate: marker('PodCertificateProjection'),
      secret: marker('KeysProjection'),
      serviceAccountToken: marker('ServiceAccountTokenProjection'),
    },
  },
  ClusterTrustBundleProjection: {
    fields: {
      labelSelector: marker('LabelSelector'),
      name: given(),
      optional: optional(),
      path: text(),
      signerName: given(),
    },
  },
  KeysProjection: { fields: { items: keyToPath(), name: text(), optional: optional() } },
  DownwardAPIProjection: { fields: { items: downwardItems() } },
  PodCertificateProjection: {
    fields: {
      certificateChainPath: text(),
      credentialBundlePath: text(),
      keyPath: text(),
      keyType: text(),
      maxExpirationSeconds: given(),
      signerName: text(),
      userAnnotations: texts(),
    },
  },
  ServiceAccountTokenProjection: {
    fields: { audience: text(), expirationSeconds: given({ default: 3600 }), path: text() },
  },
  QuobyteVolumeSource: {
    fields: {
      group: text(),
      readOnly: flag(),
      registry: text(),
      tenant: text(),
      user: text(),
      volume: text(),
    },
  },
  RBDVolumeSource: {
    fields: {
      fsType: text(),
      image: text(),
      keyring: text({ default: '/etc/ceph/keyring' }),
      monitors: inOrder('scalar', ADDRESSES),
      pool: text({ default: 'rbd' }),
      readOnly: flag(),
      secretRef: secretRef(),
      user: text({ default: 'admin' }),
    },
  },
  ScaleIOVolumeSource: {
    fields: {
      fsType: text({ default: 'xfs' }),
      gateway: text(),
      protectionDomain: text(),
      readOnly: flag(),
      secretRef: secretRef(),
      sslEnabled: flag(),
      storageMode: text({ default: 'ThinProvisioned' }),
      storagePool: text(),
      system: text(),
      volumeName: text(),
    },
  },
  SecretVolumeSource: {
    fields: {
      defaultMode: defaultMode(),
      items: keyToPath(),
      optional: optional(),
      secretName: text(),
    },
  },
  StorageOSVolumeSource: {
    fields: {
      fsType: text(),
      readOnly: flag(),
      secretRef: secretRef(),
      volumeName: text(),
      volumeNamespace: text(),
    },
  },
  VsphereVirtualDiskVolumeSource: {
    fields: {
      fsType: text(),
      storagePolicyID: text(),
      storagePolicyName: text(),
      volumePath: text(),
    },
  },
}

/** A volume with nothing but a name is an empty directory. */
function emptyDirWithoutSource(volume: JsonObject): JsonObject {
  const source = Object.entries(volume).some(
    ([key, value]) => key !== 'name' && value !== null && value !== undefined,
  )
  return source ? volume : { ...volume, emptyDir: {} }
}
