/** Volumes and their sources. See types.ts for the notation. */
export const VOLUME_TYPES: string = `
Volume name:s ...VolumeSource
VolumeSource hostPath:*HostPathVolumeSource? emptyDir:*EmptyDirVolumeSource?
  gcePersistentDisk=GCEPersistentDisk:*GCEPersistentDiskVolumeSource?
  awsElasticBlockStore=AWSElasticBlockStore:*AWSElasticBlockStoreVolumeSource?
  gitRepo:*GitRepoVolumeSource? secret:*SecretVolumeSource? nfs=NFS:*NFSVolumeSource?
  iscsi=ISCSI:*ISCSIVolumeSource? glusterfs:*GlusterfsVolumeSource?
  persistentVolumeClaim:*PersistentVolumeClaimVolumeSource? rbd=RBD:*RBDVolumeSource?
  quobyte:*QuobyteVolumeSource? flexVolume:*FlexVolumeSource? cinder:*CinderVolumeSource?
  cephfs=CephFS:*CephFSVolumeSource? flocker:*FlockerVolumeSource?
  downwardAPI:*DownwardAPIVolumeSource? fc=FC:*FCVolumeSource? azureFile:*AzureFileVolumeSource?
  configMap:*ConfigMapVolumeSource? vsphereVolume:*VsphereVirtualDiskVolumeSource?
  azureDisk:*AzureDiskVolumeSource? photonPersistentDisk:*PhotonPersistentDiskVolumeSource?
  projected:*ProjectedVolumeSource? portworxVolume:*PortworxVolumeSource?
  scaleIO:*ScaleIOVolumeSource? storageos=StorageOS:*StorageOSVolumeSource?
  csi=CSI:*CSIVolumeSource? ephemeral:*EphemeralVolumeSource? image:*ImageVolumeSource?
HostPathVolumeSource path:s type:*s?
EmptyDirVolumeSource medium:s? sizeLimit:*q?
GCEPersistentDiskVolumeSource pdName=PDName:s fsType=FSType:s? partition:i? readOnly:b?
AWSElasticBlockStoreVolumeSource volumeID:s fsType=FSType:s? partition:i? readOnly:b?
GitRepoVolumeSource repository:s revision:s? directory:s?
SecretVolumeSource secretName:s? items:[]KeyToPath? defaultMode:*i? optional:*b?
KeyToPath key:s path:s mode:*i?
NFSVolumeSource server:s path:s readOnly:b?
ISCSIVolumeSource targetPortal:s iqn=IQN:s lun:i iscsiInterface=ISCSIInterface:s?
  fsType=FSType:s? readOnly:b? portals:[]s? chapAuthDiscovery=DiscoveryCHAPAuth:b?
  chapAuthSession=SessionCHAPAuth:b? secretRef:*LocalObjectReference? initiatorName:*s?
LocalObjectReference name:s?
GlusterfsVolumeSource endpoints=EndpointsName:s path:s readOnly:b?
PersistentVolumeClaimVolumeSource claimName:s readOnly:b?
RBDVolumeSource monitors=CephMonitors:[]s image=RBDImage:s fsType=FSType:s? pool=RBDPool:s?
  user=RadosUser:s? keyring:s? secretRef:*LocalObjectReference? readOnly:b?
FlexVolumeSource driver:s fsType=FSType:s? secretRef:*LocalObjectReference? readOnly:b?
  options:{}s?
CinderVolumeSource volumeID:s fsType=FSType:s? readOnly:b? secretRef:*LocalObjectReference?
CephFSVolumeSource monitors:[]s path:s? user:s? secretFile:s? secretRef:*LocalObjectReference?
  readOnly:b?
FlockerVolumeSource datasetName:s? datasetUUID:s?
DownwardAPIVolumeSource items:[]DownwardAPIVolumeFile? defaultMode:*i?
DownwardAPIVolumeFile path:s fieldRef:*ObjectFieldSelector?
  resourceFieldRef:*ResourceFieldSelector? mode:*i?
ObjectFieldSelector apiVersion=APIVersion:s? fieldPath:s
ResourceFieldSelector containerName:s? resource:s divisor:q
FCVolumeSource targetWWNs:[]s? lun:*i? fsType=FSType:s? readOnly:b? wwids=WWIDs:[]s?
AzureFileVolumeSource secretName:s shareName:s readOnly:b?
ConfigMapVolumeSource ...LocalObjectReference items:[]KeyToPath? defaultMode:*i? optional:*b?
VsphereVirtualDiskVolumeSource volumePath:s fsType=FSType:s? storagePolicyName:s?
  storagePolicyID:s?
QuobyteVolumeSource registry:s volume:s readOnly:b? user:s? group:s? tenant:s?
AzureDiskVolumeSource diskName:s diskURI=DataDiskURI:s cachingMode:*s? fsType=FSType:*s?
  readOnly:*b? kind:*s?
PhotonPersistentDiskVolumeSource pdID:s fsType=FSType:s?
ProjectedVolumeSource sources:[]VolumeProjection defaultMode:*i?
VolumeProjection secret:*SecretProjection? downwardAPI:*DownwardAPIProjection?
  configMap:*ConfigMapProjection? serviceAccountToken:*ServiceAccountTokenProjection?
  clusterTrustBundle:*ClusterTrustBundleProjection? podCertificate:*PodCertificateProjection?
SecretProjection ...LocalObjectReference items:[]KeyToPath? optional:*b?
DownwardAPIProjection items:[]DownwardAPIVolumeFile?
ConfigMapProjection ...LocalObjectReference items:[]KeyToPath? optional:*b?
ServiceAccountTokenProjection audience:s? expirationSeconds:*i?~ path:s
ClusterTrustBundleProjection name:*s? signerName:*s? labelSelector:*LabelSelector? optional:*b?
  path:s
PodCertificateProjection signerName:s? keyType:s? maxExpirationSeconds:*i?
  credentialBundlePath:s? keyPath:s? certificateChainPath:s? userAnnotations:{}s?
PortworxVolumeSource volumeID:s fsType=FSType:s? readOnly:b?
ScaleIOVolumeSource gateway:s system:s secretRef:*LocalObjectReference sslEnabled=SSLEnabled:b?
  protectionDomain:s? storagePool:s? storageMode:s? volumeName:s? fsType=FSType:s? readOnly:b?
StorageOSVolumeSource volumeName:s? volumeNamespace:s? fsType=FSType:s? readOnly:b?
  secretRef:*LocalObjectReference?
CSIVolumeSource driver:s readOnly:*b? fsType=FSType:*s? volumeAttributes:{}s?
  nodePublishSecretRef:*LocalObjectReference?
EphemeralVolumeSource volumeClaimTemplate:*PersistentVolumeClaimTemplate?
PersistentVolumeClaimTemplate metadata=ObjectMeta:ObjectMeta spec:PersistentVolumeClaimSpec
PersistentVolumeClaimSpec accessModes:[]s? selector:*LabelSelector?
  resources:VolumeResourceRequirements volumeName:s? storageClassName:*s? volumeMode:*s?
  dataSource:*TypedLocalObjectReference? dataSourceRef:*TypedObjectReference?
  volumeAttributesClassName:*s?
VolumeResourceRequirements limits:{}q? requests:{}q?
TypedLocalObjectReference apiGroup=APIGroup:*s kind:s name:s
TypedObjectReference apiGroup=APIGroup:*s kind:s name:s namespace:*s?
ImageVolumeSource reference:s? pullPolicy:s?
`
