/** Specs of Job, CronJob and the apps kinds. See types.ts for the notation. */
export const WORKLOAD_TYPES: string = `
JobSpec parallelism:*i? completions:*i? podFailurePolicy:*PodFailurePolicy?
  successPolicy:*SuccessPolicy? activeDeadlineSeconds:*i? backoffLimit:*i?
  backoffLimitPerIndex:*i? maxFailedIndexes:*i? selector:*LabelSelector? manualSelector:*b?
  template:PodTemplateSpec ttlSecondsAfterFinished=TTLSecondsAfterFinished:*i? completionMode:*s?
  suspend:*b? podReplacementPolicy:*s? managedBy:*s?
PodFailurePolicy rules:[]PodFailurePolicyRule
PodFailurePolicyRule action:s onExitCodes:*PodFailurePolicyOnExitCodesRequirement?
  onPodConditions:[]PodFailurePolicyOnPodConditionsPattern?
PodFailurePolicyOnExitCodesRequirement containerName:*s? operator:s values:[]i
PodFailurePolicyOnPodConditionsPattern type:s status:s
SuccessPolicy rules:[]SuccessPolicyRule
SuccessPolicyRule succeededIndexes:*s? succeededCount:*i?
LabelSelector matchLabels:{}s? matchExpressions:[]LabelSelectorRequirement?
LabelSelectorRequirement key:s operator:s values:[]s?
ObjectMeta name:s? generateName:s? namespace:s? selfLink:s? uid=UID:s? resourceVersion:s?
  generation:i? creationTimestamp:t? deletionTimestamp:*t? deletionGracePeriodSeconds:*i?
  labels:{}s? annotations:{}s? ownerReferences:[]OwnerReference? finalizers:[]s?
  managedFields:[]ManagedFieldsEntry?
OwnerReference apiVersion=APIVersion:s kind:s name:s uid=UID:s controller:*b?
  blockOwnerDeletion:*b?
ManagedFieldsEntry manager:s? operation:s? apiVersion=APIVersion:s? time:*t? fieldsType:s?
  fieldsV1:*a? subresource:s?
CronJobSpec schedule:s timeZone:*s? startingDeadlineSeconds:*i? concurrencyPolicy:s? suspend:*b?
  jobTemplate:JobTemplateSpec successfulJobsHistoryLimit:*i? failedJobsHistoryLimit:*i?
JobTemplateSpec metadata=ObjectMeta:ObjectMeta spec:JobSpec
DeploymentSpec replicas:*i?~ selector:*LabelSelector template:PodTemplateSpec
  strategy:DeploymentStrategy minReadySeconds:i? revisionHistoryLimit:*i? paused:b?
  rollbackTo:-*RollbackConfig progressDeadlineSeconds:*i?
DeploymentStrategy type:s? rollingUpdate:*RollingUpdateDeployment?
RollingUpdateDeployment maxUnavailable:*o?~ maxSurge:*o?~
ReplicaSetSpec replicas:*i?~ minReadySeconds:i? selector:*LabelSelector template:PodTemplateSpec
StatefulSetSpec replicas:*i?~ selector:*LabelSelector template:PodTemplateSpec
  volumeClaimTemplates:[]PersistentVolumeClaim? serviceName:s podManagementPolicy:s?
  updateStrategy:StatefulSetUpdateStrategy revisionHistoryLimit:*i? minReadySeconds:i?
  persistentVolumeClaimRetentionPolicy:*StatefulSetPersistentVolumeClaimRetentionPolicy?
  ordinals:*StatefulSetOrdinals?
PersistentVolumeClaim metadata=ObjectMeta:ObjectMeta spec:PersistentVolumeClaimSpec
  status:PersistentVolumeClaimStatus
StatefulSetUpdateStrategy type:s? rollingUpdate:*RollingUpdateStatefulSetStrategy?
RollingUpdateStatefulSetStrategy partition:*i?~ maxUnavailable:*o?
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:s? whenScaled:s?
StatefulSetOrdinals start:i
DaemonSetSpec selector:*LabelSelector template:PodTemplateSpec
  updateStrategy:DaemonSetUpdateStrategy minReadySeconds:i? templateGeneration:-i
  revisionHistoryLimit:*i?
DaemonSetUpdateStrategy type:s? rollingUpdate:*RollingUpdateDaemonSet?
RollingUpdateDaemonSet maxUnavailable:*o?~ maxSurge:*o?~
`
