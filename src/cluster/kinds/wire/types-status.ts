/** Statuses. See types.ts for the notation. */
export const STATUS_TYPES: string = `
JobStatus conditions:[]JobCondition? startTime:*t? completionTime:*t? active:i? terminating:*i?
  ready:*i? succeeded:i? failed:i? completedIndexes:s? failedIndexes:*s?
  uncountedTerminatedPods:*UncountedTerminatedPods?
JobCondition type:s status:s lastProbeTime:t lastTransitionTime:t reason:s? message:s?
UncountedTerminatedPods succeeded:[]s? failed:[]s?
CronJobStatus active:[]ObjectReference? lastScheduleTime:*t? lastSuccessfulTime:*t?
ObjectReference kind:s? namespace:s? name:s? uid=UID:s? apiVersion=APIVersion:s?
  resourceVersion:s? fieldPath:s?
PodStatus observedGeneration:i? phase:s? conditions:[]PodCondition? message:s? reason:s?
  nominatedNodeName:s? hostIP:s? hostIPs:[]HostIP? podIPs:[]PodIP? startTime:*t?
  qosClass=QOSClass:s? initContainerStatuses:[]ContainerStatus?
  containerStatuses:[]ContainerStatus? ephemeralContainerStatuses:[]ContainerStatus? resize:s?
  resourceClaimStatuses:[]PodResourceClaimStatus?
  extendedResourceClaimStatus:*PodExtendedResourceClaimStatus? allocatedResources:{}q?
  resources:*ResourceRequirements?
  nodeAllocatableResourceClaimStatuses:[]NodeAllocatableResourceClaimStatus? podIP=-:s?
PodCondition type:s observedGeneration:i? status:s lastProbeTime:t lastTransitionTime:t reason:s?
  message:s?
HostIP ip=IP:s
PodIP ip=IP:s
ContainerStatus name:s state:ContainerState lastState=LastTerminationState:ContainerState ready:b
  restartCount:i image:s imageID:s containerID:s? started:*b? allocatedResources:{}q?
  resources:*ResourceRequirements? volumeMounts:[]VolumeMountStatus? user:*ContainerUser?
  allocatedResourcesStatus:[]ResourceStatus? stopSignal:*s?
ContainerState waiting:*ContainerStateWaiting? running:*ContainerStateRunning?
  terminated:*ContainerStateTerminated?
ContainerStateWaiting reason:s? message:s?
ContainerStateRunning startedAt:t
ContainerStateTerminated exitCode:i signal:i? reason:s? message:s? startedAt:t finishedAt:t
  containerID:s?
VolumeMountStatus name:s mountPath:s readOnly:b? recursiveReadOnly:*s?
  volumeStatus:*VolumeStatus?
VolumeStatus image:*ImageVolumeStatus?
ImageVolumeStatus imageRef:s?
ContainerUser linux:*LinuxContainerUser?
LinuxContainerUser uid=UID:i gid=GID:i supplementalGroups:[]i?
ResourceStatus name:s resources:[]ResourceHealth?
ResourceHealth resourceID:s health:s? message:*s?
PodResourceClaimStatus name:s resourceClaimName:*s?
PodExtendedResourceClaimStatus requestMappings:[]ContainerExtendedResourceRequest
  resourceClaimName:s
ContainerExtendedResourceRequest containerName:s resourceName:s requestName:s
NodeAllocatableResourceClaimStatus resourceClaimName:s containers:[]s? resources:{}q
DeploymentStatus observedGeneration:i? replicas:i? updatedReplicas:i? readyReplicas:i?
  availableReplicas:i? unavailableReplicas:i? terminatingReplicas:*i?
  conditions:[]DeploymentCondition? collisionCount:*i?
DeploymentCondition type:s status:s lastUpdateTime:t lastTransitionTime:t reason:s? message:s?
ReplicaSetStatus replicas:i fullyLabeledReplicas:i? readyReplicas:i? availableReplicas:i?
  terminatingReplicas:*i? observedGeneration:i? conditions:[]ReplicaSetCondition?
ReplicaSetCondition type:s status:s lastTransitionTime:t reason:s? message:s?
StatefulSetStatus observedGeneration:i?^ replicas:i readyReplicas:i? currentReplicas:i?
  updatedReplicas:i? currentRevision:s? updateRevision:s? collisionCount:*i?
  conditions:[]StatefulSetCondition? availableReplicas:i
StatefulSetCondition type:s status:s lastTransitionTime:t reason:s? message:s?
DaemonSetStatus currentNumberScheduled:i numberMisscheduled:i desiredNumberScheduled:i
  numberReady:i observedGeneration:i? updatedNumberScheduled:i? numberAvailable:i?
  numberUnavailable:i? collisionCount:*i? conditions:[]DaemonSetCondition?
DaemonSetCondition type:s status:s lastTransitionTime:t reason:s? message:s?
`
