// Written by scripts/openapi-table.mjs from the API server's OpenAPI and Go types; not by hand.
// One type a line; schema.ts reads it and tells what the signs mean.
export const TABLE_VERSION = '1.36.3'

export const TABLE = `
admissionregistration.v1.ApplyConfiguration expression?:s
admissionregistration.v1.AuditAnnotation key:s valueExpression:s
admissionregistration.v1.ExpressionWarning fieldRef:s warning:s
admissionregistration.v1.JSONPatch expression?:s
admissionregistration.v1.MatchCondition name:s expression:s
admissionregistration.v1.MatchResources~ namespaceSelector?*:@meta.v1.LabelSelector objectSelector?*:@meta.v1.LabelSelector resourceRules?:[@admissionregistration.v1.NamedRuleWithOperations excludeResourceRules?:[@admissionregistration.v1.NamedRuleWithOperations matchPolicy?*:s<v1.MatchPolicyType>
admissionregistration.v1.MutatingAdmissionPolicy kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@admissionregistration.v1.MutatingAdmissionPolicySpec
admissionregistration.v1.MutatingAdmissionPolicyBinding kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@admissionregistration.v1.MutatingAdmissionPolicyBindingSpec
admissionregistration.v1.MutatingAdmissionPolicyBindingSpec policyName?:s paramRef?*:@admissionregistration.v1.ParamRef matchResources?*:@admissionregistration.v1.MatchResources
admissionregistration.v1.MutatingAdmissionPolicySpec paramKind?*:@admissionregistration.v1.ParamKind matchConstraints?*:@admissionregistration.v1.MatchResources variables?:[@admissionregistration.v1.Variable mutations?:[@admissionregistration.v1.Mutation failurePolicy?*:s<v1.FailurePolicyType> matchConditions?:[@admissionregistration.v1.MatchCondition#(name)&merge(name) reinvocationPolicy?:s<v1.ReinvocationPolicyType>
admissionregistration.v1.MutatingWebhook name:s clientConfig:@admissionregistration.v1.WebhookClientConfig rules?:[@admissionregistration.v1.RuleWithOperations failurePolicy?*:s<v1.FailurePolicyType> matchPolicy?*:s<v1.MatchPolicyType> namespaceSelector?*:@meta.v1.LabelSelector objectSelector?*:@meta.v1.LabelSelector sideEffects*:s<v1.SideEffectClass> timeoutSeconds?*:i admissionReviewVersions:[s reinvocationPolicy?*:s<v1.ReinvocationPolicyType> matchConditions?:[@admissionregistration.v1.MatchCondition#(name)&merge(name)
admissionregistration.v1.MutatingWebhookConfiguration kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta webhooks?:[@admissionregistration.v1.MutatingWebhook#(name)&merge(name)
admissionregistration.v1.Mutation patchType:s<v1.PatchType> applyConfiguration?*:@admissionregistration.v1.ApplyConfiguration jsonPatch?*:@admissionregistration.v1.JSONPatch
admissionregistration.v1.NamedRuleWithOperations~ resourceNames?:[s RuleWithOperations>operations?:[s<v1.OperationType> RuleWithOperations>Rule>apiGroups?:[s RuleWithOperations>Rule>apiVersions?:[s RuleWithOperations>Rule>resources?:[s RuleWithOperations>Rule>scope?*:s<v1.ScopeType>
admissionregistration.v1.ParamKind~ apiVersion?:s kind?:s
admissionregistration.v1.ParamRef~ name?:s namespace?:s selector?*:@meta.v1.LabelSelector parameterNotFoundAction?*:s<v1.ParameterNotFoundActionType>
admissionregistration.v1.RuleWithOperations operations?:[s<v1.OperationType> Rule>apiGroups?:[s Rule>apiVersions?:[s Rule>resources?:[s Rule>scope?*:s<v1.ScopeType>
admissionregistration.v1.ServiceReference namespace:s name:s path?*:s port?*:i
admissionregistration.v1.TypeChecking expressionWarnings?:[@admissionregistration.v1.ExpressionWarning
admissionregistration.v1.ValidatingAdmissionPolicy kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@admissionregistration.v1.ValidatingAdmissionPolicySpec status?:@admissionregistration.v1.ValidatingAdmissionPolicyStatus
admissionregistration.v1.ValidatingAdmissionPolicyBinding kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec
admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec policyName?:s paramRef?*:@admissionregistration.v1.ParamRef matchResources?*:@admissionregistration.v1.MatchResources validationActions?:[s<v1.ValidationAction>#
admissionregistration.v1.ValidatingAdmissionPolicySpec paramKind?*:@admissionregistration.v1.ParamKind matchConstraints?*:@admissionregistration.v1.MatchResources validations?:[@admissionregistration.v1.Validation failurePolicy?*:s<v1.FailurePolicyType> auditAnnotations?:[@admissionregistration.v1.AuditAnnotation matchConditions?:[@admissionregistration.v1.MatchCondition#(name)&merge(name) variables?:[@admissionregistration.v1.Variable#(name)&merge(name)
admissionregistration.v1.ValidatingAdmissionPolicyStatus observedGeneration?:l typeChecking?*:@admissionregistration.v1.TypeChecking conditions?:[@meta.v1.Condition#(type)
admissionregistration.v1.ValidatingWebhook name:s clientConfig:@admissionregistration.v1.WebhookClientConfig rules?:[@admissionregistration.v1.RuleWithOperations failurePolicy?*:s<v1.FailurePolicyType> matchPolicy?*:s<v1.MatchPolicyType> namespaceSelector?*:@meta.v1.LabelSelector objectSelector?*:@meta.v1.LabelSelector sideEffects*:s<v1.SideEffectClass> timeoutSeconds?*:i admissionReviewVersions:[s matchConditions?:[@admissionregistration.v1.MatchCondition#(name)&merge(name)
admissionregistration.v1.ValidatingWebhookConfiguration kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta webhooks?:[@admissionregistration.v1.ValidatingWebhook#(name)&merge(name)
admissionregistration.v1.Validation expression:s message?:s reason?*:s<v1.StatusReason> messageExpression?:s
admissionregistration.v1.Variable~ name:s expression:s
admissionregistration.v1.WebhookClientConfig url?*:s service?*:@admissionregistration.v1.ServiceReference caBundle?:y
apiextensions.v1.CustomResourceColumnDefinition name:s type:s format?:s description?:s priority?:i jsonPath:s
apiextensions.v1.CustomResourceConversion strategy:s<v1.ConversionStrategyType> webhook?*:@apiextensions.v1.WebhookConversion
apiextensions.v1.CustomResourceDefinition kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec:@apiextensions.v1.CustomResourceDefinitionSpec status?:@apiextensions.v1.CustomResourceDefinitionStatus
apiextensions.v1.CustomResourceDefinitionCondition type:s<v1.CustomResourceDefinitionConditionType> status:s<v1.ConditionStatus> lastTransitionTime?:t reason?:s message?:s observedGeneration?:l
apiextensions.v1.CustomResourceDefinitionNames plural:s singular?:s shortNames?:[s kind:s listKind?:s categories?:[s
apiextensions.v1.CustomResourceDefinitionSpec group:s names:@apiextensions.v1.CustomResourceDefinitionNames scope:s<v1.ResourceScope> versions:[@apiextensions.v1.CustomResourceDefinitionVersion conversion?*:@apiextensions.v1.CustomResourceConversion preserveUnknownFields?:b
apiextensions.v1.CustomResourceDefinitionStatus conditions:[@apiextensions.v1.CustomResourceDefinitionCondition#(type) acceptedNames:@apiextensions.v1.CustomResourceDefinitionNames storedVersions:[s observedGeneration?:l
apiextensions.v1.CustomResourceDefinitionVersion name:s served:b storage:b deprecated?:b deprecationWarning?*:s schema?*:@apiextensions.v1.CustomResourceValidation subresources?*:@apiextensions.v1.CustomResourceSubresources additionalPrinterColumns?:[@apiextensions.v1.CustomResourceColumnDefinition selectableFields?:[@apiextensions.v1.SelectableField
apiextensions.v1.CustomResourceSubresourceScale specReplicasPath:s statusReplicasPath:s labelSelectorPath?*:s
apiextensions.v1.CustomResourceSubresourceStatus 
apiextensions.v1.CustomResourceSubresources status?*:@apiextensions.v1.CustomResourceSubresourceStatus scale?*:@apiextensions.v1.CustomResourceSubresourceScale
apiextensions.v1.CustomResourceValidation openAPIV3Schema?*:@apiextensions.v1.JSONSchemaProps
apiextensions.v1.ExternalDocumentation description?:s url?:s
apiextensions.v1.JSONSchemaProps id?:s $schema?:s<v1.JSONSchemaURL> $ref?*:s description?:s type?:s format?:s title?:s default?*:j maximum?*:f exclusiveMaximum?:b minimum?*:f exclusiveMinimum?:b maxLength?*:l minLength?*:l pattern?:s maxItems?*:l minItems?*:l uniqueItems?:b multipleOf?*:f enum?:[j maxProperties?*:l minProperties?*:l required?:[s items?*:j allOf?:[@apiextensions.v1.JSONSchemaProps oneOf?:[@apiextensions.v1.JSONSchemaProps anyOf?:[@apiextensions.v1.JSONSchemaProps not?*:@apiextensions.v1.JSONSchemaProps properties?:{@apiextensions.v1.JSONSchemaProps additionalProperties?*:j patternProperties?:{@apiextensions.v1.JSONSchemaProps dependencies?:{<v1.JSONSchemaDependencies>j additionalItems?*:j definitions?:{<v1.JSONSchemaDefinitions>@apiextensions.v1.JSONSchemaProps externalDocs?*:@apiextensions.v1.ExternalDocumentation example?*:j nullable?:b x-kubernetes-preserve-unknown-fields?*:b x-kubernetes-embedded-resource?:b x-kubernetes-int-or-string?:b x-kubernetes-list-map-keys?:[s x-kubernetes-list-type?*:s x-kubernetes-map-type?*:s x-kubernetes-validations?:[<v1.ValidationRules>@apiextensions.v1.ValidationRule#(rule)&merge(rule)
apiextensions.v1.SelectableField jsonPath:s
apiextensions.v1.ServiceReference namespace:s name:s path?*:s port?*:i
apiextensions.v1.ValidationRule rule:s message?:s messageExpression?:s reason?*:s<v1.FieldValueErrorReason> fieldPath?:s optionalOldSelf?*:b
apiextensions.v1.WebhookClientConfig url?*:s service?*:@apiextensions.v1.ServiceReference caBundle?:y
apiextensions.v1.WebhookConversion clientConfig?*:@apiextensions.v1.WebhookClientConfig conversionReviewVersions:[s
apps.v1.ControllerRevision kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta data?:a revision:l
apps.v1.DaemonSet kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@apps.v1.DaemonSetSpec status?:@apps.v1.DaemonSetStatus
apps.v1.DaemonSetCondition type:s<v1.DaemonSetConditionType> status:s<v1.ConditionStatus> lastTransitionTime?:t reason?:s message?:s
apps.v1.DaemonSetSpec selector*:@meta.v1.LabelSelector template:@core.v1.PodTemplateSpec updateStrategy?:@apps.v1.DaemonSetUpdateStrategy minReadySeconds?:i revisionHistoryLimit?*:i
apps.v1.DaemonSetStatus currentNumberScheduled:i numberMisscheduled:i desiredNumberScheduled:i numberReady:i observedGeneration?:l updatedNumberScheduled?:i numberAvailable?:i numberUnavailable?:i collisionCount?*:i conditions?:[@apps.v1.DaemonSetCondition#(type)&merge(type)
apps.v1.DaemonSetUpdateStrategy type?:s<v1.DaemonSetUpdateStrategyType> rollingUpdate?*:@apps.v1.RollingUpdateDaemonSet
apps.v1.Deployment kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@apps.v1.DeploymentSpec status?:@apps.v1.DeploymentStatus
apps.v1.DeploymentCondition type:s<v1.DeploymentConditionType> status:s<v1.ConditionStatus> lastUpdateTime?:t lastTransitionTime?:t reason?:s message?:s
apps.v1.DeploymentSpec replicas?*:i selector*:@meta.v1.LabelSelector template:@core.v1.PodTemplateSpec strategy?:@apps.v1.DeploymentStrategy&retainKeys minReadySeconds?:i revisionHistoryLimit?*:i paused?:b progressDeadlineSeconds?*:i
apps.v1.DeploymentStatus observedGeneration?:l replicas?:i updatedReplicas?:i readyReplicas?:i availableReplicas?:i unavailableReplicas?:i terminatingReplicas?*:i conditions?:[@apps.v1.DeploymentCondition#(type)&merge(type) collisionCount?*:i
apps.v1.DeploymentStrategy type?:s<v1.DeploymentStrategyType> rollingUpdate?*:@apps.v1.RollingUpdateDeployment
apps.v1.ReplicaSet kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@apps.v1.ReplicaSetSpec status?:@apps.v1.ReplicaSetStatus
apps.v1.ReplicaSetCondition type:s<v1.ReplicaSetConditionType> status:s<v1.ConditionStatus> lastTransitionTime?:t reason?:s message?:s
apps.v1.ReplicaSetSpec replicas?*:i minReadySeconds?:i selector*:@meta.v1.LabelSelector template?:@core.v1.PodTemplateSpec
apps.v1.ReplicaSetStatus replicas:i fullyLabeledReplicas?:i readyReplicas?:i availableReplicas?:i terminatingReplicas?*:i observedGeneration?:l conditions?:[@apps.v1.ReplicaSetCondition#(type)&merge(type)
apps.v1.RollingUpdateDaemonSet maxUnavailable?*:x maxSurge?*:x
apps.v1.RollingUpdateDeployment maxUnavailable?*:x maxSurge?*:x
apps.v1.RollingUpdateStatefulSetStrategy partition?*:i maxUnavailable?*:x
apps.v1.StatefulSet kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@apps.v1.StatefulSetSpec status?:@apps.v1.StatefulSetStatus
apps.v1.StatefulSetCondition type:s<v1.StatefulSetConditionType> status:s<v1.ConditionStatus> lastTransitionTime?:t reason?:s message?:s
apps.v1.StatefulSetOrdinals start:i
apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted?:s<v1.PersistentVolumeClaimRetentionPolicyType> whenScaled?:s<v1.PersistentVolumeClaimRetentionPolicyType>
apps.v1.StatefulSetSpec replicas?*:i selector*:@meta.v1.LabelSelector template:@core.v1.PodTemplateSpec volumeClaimTemplates?:[@core.v1.PersistentVolumeClaim serviceName:s podManagementPolicy?:s<v1.PodManagementPolicyType> updateStrategy?:@apps.v1.StatefulSetUpdateStrategy revisionHistoryLimit?*:i minReadySeconds?:i persistentVolumeClaimRetentionPolicy?*:@apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy ordinals?*:@apps.v1.StatefulSetOrdinals
apps.v1.StatefulSetStatus observedGeneration?:l replicas:i readyReplicas?:i currentReplicas?:i updatedReplicas?:i currentRevision?:s updateRevision?:s collisionCount?*:i conditions?:[@apps.v1.StatefulSetCondition#(type)&merge(type) availableReplicas:i
apps.v1.StatefulSetUpdateStrategy type?:s<v1.StatefulSetUpdateStrategyType> rollingUpdate?*:@apps.v1.RollingUpdateStatefulSetStrategy
autoscaling.v1.Scale kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@autoscaling.v1.ScaleSpec status?:@autoscaling.v1.ScaleStatus
autoscaling.v1.ScaleSpec replicas?:i=0
autoscaling.v1.ScaleStatus replicas:i selector?:s
batch.v1.CronJob kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@batch.v1.CronJobSpec status?:@batch.v1.CronJobStatus
batch.v1.CronJobSpec schedule:s timeZone?*:s startingDeadlineSeconds?*:l concurrencyPolicy?:s<v1.ConcurrencyPolicy> suspend?*:b jobTemplate:@batch.v1.JobTemplateSpec successfulJobsHistoryLimit?*:i failedJobsHistoryLimit?*:i
batch.v1.CronJobStatus active?:[@core.v1.ObjectReference lastScheduleTime?*:t lastSuccessfulTime?*:t
batch.v1.Job kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@batch.v1.JobSpec status?:@batch.v1.JobStatus
batch.v1.JobCondition type:s<v1.JobConditionType> status:s<v1.ConditionStatus> lastProbeTime?:t lastTransitionTime?:t reason?:s message?:s
batch.v1.JobSpec parallelism?*:i completions?*:i activeDeadlineSeconds?*:l podFailurePolicy?*:@batch.v1.PodFailurePolicy successPolicy?*:@batch.v1.SuccessPolicy backoffLimit?*:i backoffLimitPerIndex?*:i maxFailedIndexes?*:i selector?*:@meta.v1.LabelSelector manualSelector?*:b template:@core.v1.PodTemplateSpec ttlSecondsAfterFinished?*:i completionMode?*:s<v1.CompletionMode> suspend?*:b podReplacementPolicy?*:s<v1.PodReplacementPolicy> managedBy?*:s
batch.v1.JobStatus conditions?:[@batch.v1.JobCondition&merge(type) startTime?*:t completionTime?*:t active?:i succeeded?:i failed?:i terminating?*:i completedIndexes?:s failedIndexes?*:s uncountedTerminatedPods?*:@batch.v1.UncountedTerminatedPods ready?*:i
batch.v1.JobTemplateSpec metadata?:@meta.v1.ObjectMeta spec?:@batch.v1.JobSpec
batch.v1.PodFailurePolicy rules:[@batch.v1.PodFailurePolicyRule
batch.v1.PodFailurePolicyOnExitCodesRequirement containerName?*:s operator:s<v1.PodFailurePolicyOnExitCodesOperator> values:[i#
batch.v1.PodFailurePolicyOnPodConditionsPattern type:s<v1.PodConditionType> status:s<v1.ConditionStatus>
batch.v1.PodFailurePolicyRule action:s<v1.PodFailurePolicyAction> onExitCodes?*:@batch.v1.PodFailurePolicyOnExitCodesRequirement onPodConditions?:[@batch.v1.PodFailurePolicyOnPodConditionsPattern
batch.v1.SuccessPolicy rules:[@batch.v1.SuccessPolicyRule
batch.v1.SuccessPolicyRule succeededIndexes?*:s succeededCount?*:i
batch.v1.UncountedTerminatedPods succeeded?:[s<types.UID># failed?:[s<types.UID>#
coordination.v1.Lease kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@coordination.v1.LeaseSpec
coordination.v1.LeaseSpec holderIdentity?*:s leaseDurationSeconds?*:i acquireTime?*:u renewTime?*:u leaseTransitions?*:i strategy?*:s<v1.CoordinatedLeaseStrategy> preferredHolder?*:s
core.v1.AWSElasticBlockStoreVolumeSource volumeID:s fsType?:s partition?:i readOnly?:b
core.v1.Affinity nodeAffinity?*:@core.v1.NodeAffinity podAffinity?*:@core.v1.PodAffinity podAntiAffinity?*:@core.v1.PodAntiAffinity
core.v1.AppArmorProfile type:s<v1.AppArmorProfileType> localhostProfile?*:s
core.v1.AttachedVolume name:s<v1.UniqueVolumeName> devicePath:s
core.v1.AzureDiskVolumeSource diskName:s diskURI:s cachingMode?*:s<v1.AzureDataDiskCachingMode> fsType?*:s=ext4 readOnly?*:b=false kind?*:s<v1.AzureDataDiskKind>
core.v1.AzureFileVolumeSource secretName:s shareName:s readOnly?:b
core.v1.Binding kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta target:@core.v1.ObjectReference
core.v1.CSIVolumeSource driver:s readOnly?*:b fsType?*:s volumeAttributes?:{s nodePublishSecretRef?*:@core.v1.LocalObjectReference
core.v1.Capabilities add?:[s<v1.Capability> drop?:[s<v1.Capability>
core.v1.CephFSVolumeSource monitors:[s path?:s user?:s secretFile?:s secretRef?*:@core.v1.LocalObjectReference readOnly?:b
core.v1.CinderVolumeSource volumeID:s fsType?:s readOnly?:b secretRef?*:@core.v1.LocalObjectReference
core.v1.ClientIPConfig timeoutSeconds?*:i
core.v1.ClusterTrustBundleProjection name?*:s signerName?*:s labelSelector?*:@meta.v1.LabelSelector optional?*:b path:s
core.v1.ConfigMap kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta immutable?*:b data?:{s binaryData?:{y
core.v1.ConfigMapEnvSource LocalObjectReference>name?:s= optional?*:b
core.v1.ConfigMapKeySelector~ LocalObjectReference>name?:s= key:s optional?*:b
core.v1.ConfigMapNodeConfigSource namespace:s name:s uid?:s<types.UID> resourceVersion?:s kubeletConfigKey:s
core.v1.ConfigMapProjection LocalObjectReference>name?:s= items?:[@core.v1.KeyToPath optional?*:b
core.v1.ConfigMapVolumeSource LocalObjectReference>name?:s= items?:[@core.v1.KeyToPath defaultMode?*:i optional?*:b
core.v1.Container name:s image?:s command?:[s args?:[s workingDir?:s ports?:[@core.v1.ContainerPort#(containerPort,protocol)&merge(containerPort) envFrom?:[@core.v1.EnvFromSource env?:[@core.v1.EnvVar#(name)&merge(name) resources?:@core.v1.ResourceRequirements resizePolicy?:[@core.v1.ContainerResizePolicy restartPolicy?*:s<v1.ContainerRestartPolicy> restartPolicyRules?:[@core.v1.ContainerRestartRule volumeMounts?:[@core.v1.VolumeMount#(mountPath)&merge(mountPath) volumeDevices?:[@core.v1.VolumeDevice#(devicePath)&merge(devicePath) livenessProbe?*:@core.v1.Probe readinessProbe?*:@core.v1.Probe startupProbe?*:@core.v1.Probe lifecycle?*:@core.v1.Lifecycle terminationMessagePath?:s terminationMessagePolicy?:s<v1.TerminationMessagePolicy> imagePullPolicy?:s<v1.PullPolicy> securityContext?*:@core.v1.SecurityContext stdin?:b stdinOnce?:b tty?:b
core.v1.ContainerExtendedResourceRequest containerName:s resourceName:s requestName:s
core.v1.ContainerImage names:[s sizeBytes?:l
core.v1.ContainerPort name?:s hostPort?:i containerPort:i protocol?:s<v1.Protocol>=TCP hostIP?:s
core.v1.ContainerResizePolicy resourceName:s<v1.ResourceName> restartPolicy:s<v1.ResourceResizeRestartPolicy>
core.v1.ContainerRestartRule action?:s<v1.ContainerRestartRuleAction> exitCodes?*:@core.v1.ContainerRestartRuleOnExitCodes
core.v1.ContainerRestartRuleOnExitCodes operator?:s<v1.ContainerRestartRuleOnExitCodesOperator> values?:[i#
core.v1.ContainerState waiting?*:@core.v1.ContainerStateWaiting running?*:@core.v1.ContainerStateRunning terminated?*:@core.v1.ContainerStateTerminated
core.v1.ContainerStateRunning startedAt?:t
core.v1.ContainerStateTerminated exitCode:i signal?:i reason?:s message?:s startedAt?:t finishedAt?:t containerID?:s
core.v1.ContainerStateWaiting reason?:s message?:s
core.v1.ContainerStatus name:s state?:@core.v1.ContainerState lastState?:@core.v1.ContainerState ready:b restartCount:i image:s imageID:s containerID?:s started?*:b allocatedResources?:{<v1.ResourceList>q resources?*:@core.v1.ResourceRequirements volumeMounts?:[@core.v1.VolumeMountStatus#(mountPath)&merge(mountPath) user?*:@core.v1.ContainerUser allocatedResourcesStatus?:[@core.v1.ResourceStatus#(name)&merge(name) stopSignal?*:s<v1.Signal>
core.v1.ContainerUser linux?*:@core.v1.LinuxContainerUser
core.v1.DaemonEndpoint Port:i
core.v1.DownwardAPIProjection items?:[@core.v1.DownwardAPIVolumeFile
core.v1.DownwardAPIVolumeFile path:s fieldRef?*:@core.v1.ObjectFieldSelector resourceFieldRef?*:@core.v1.ResourceFieldSelector mode?*:i
core.v1.DownwardAPIVolumeSource items?:[@core.v1.DownwardAPIVolumeFile defaultMode?*:i
core.v1.EmptyDirVolumeSource medium?:s<v1.StorageMedium> sizeLimit?*:q
core.v1.EndpointAddress~ ip:s hostname?:s nodeName?*:s targetRef?*:@core.v1.ObjectReference
core.v1.EndpointPort~ name?:s port:i protocol?:s<v1.Protocol> appProtocol?*:s
core.v1.EndpointSubset addresses?:[@core.v1.EndpointAddress notReadyAddresses?:[@core.v1.EndpointAddress ports?:[@core.v1.EndpointPort
core.v1.Endpoints kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta subsets?:[@core.v1.EndpointSubset
core.v1.EnvFromSource prefix?:s configMapRef?*:@core.v1.ConfigMapEnvSource secretRef?*:@core.v1.SecretEnvSource
core.v1.EnvVar name:s value?:s valueFrom?*:@core.v1.EnvVarSource
core.v1.EnvVarSource fieldRef?*:@core.v1.ObjectFieldSelector resourceFieldRef?*:@core.v1.ResourceFieldSelector configMapKeyRef?*:@core.v1.ConfigMapKeySelector secretKeyRef?*:@core.v1.SecretKeySelector fileKeyRef?*:@core.v1.FileKeySelector
core.v1.EphemeralContainer EphemeralContainerCommon>name:s EphemeralContainerCommon>image?:s EphemeralContainerCommon>command?:[s EphemeralContainerCommon>args?:[s EphemeralContainerCommon>workingDir?:s EphemeralContainerCommon>ports?:[@core.v1.ContainerPort#(containerPort,protocol)&merge(containerPort) EphemeralContainerCommon>envFrom?:[@core.v1.EnvFromSource EphemeralContainerCommon>env?:[@core.v1.EnvVar#(name)&merge(name) EphemeralContainerCommon>resources?:@core.v1.ResourceRequirements EphemeralContainerCommon>resizePolicy?:[@core.v1.ContainerResizePolicy EphemeralContainerCommon>restartPolicy?*:s<v1.ContainerRestartPolicy> EphemeralContainerCommon>restartPolicyRules?:[@core.v1.ContainerRestartRule EphemeralContainerCommon>volumeMounts?:[@core.v1.VolumeMount#(mountPath)&merge(mountPath) EphemeralContainerCommon>volumeDevices?:[@core.v1.VolumeDevice#(devicePath)&merge(devicePath) EphemeralContainerCommon>livenessProbe?*:@core.v1.Probe EphemeralContainerCommon>readinessProbe?*:@core.v1.Probe EphemeralContainerCommon>startupProbe?*:@core.v1.Probe EphemeralContainerCommon>lifecycle?*:@core.v1.Lifecycle EphemeralContainerCommon>terminationMessagePath?:s EphemeralContainerCommon>terminationMessagePolicy?:s<v1.TerminationMessagePolicy> EphemeralContainerCommon>imagePullPolicy?:s<v1.PullPolicy> EphemeralContainerCommon>securityContext?*:@core.v1.SecurityContext EphemeralContainerCommon>stdin?:b EphemeralContainerCommon>stdinOnce?:b EphemeralContainerCommon>tty?:b targetContainerName?:s
core.v1.EphemeralVolumeSource volumeClaimTemplate?*:@core.v1.PersistentVolumeClaimTemplate
core.v1.Event kind?:s apiVersion?:s metadata:@meta.v1.ObjectMeta involvedObject:@core.v1.ObjectReference reason?:s message?:s source?:@core.v1.EventSource firstTimestamp?:t lastTimestamp?:t count?:i type?:s eventTime?:u series?*:@core.v1.EventSeries action?:s related?*:@core.v1.ObjectReference reportingComponent:s reportingInstance:s
core.v1.EventSeries count?:i lastObservedTime?:u
core.v1.EventSource component?:s host?:s
core.v1.ExecAction command?:[s
core.v1.FCVolumeSource targetWWNs?:[s lun?*:i fsType?:s readOnly?:b wwids?:[s
core.v1.FileKeySelector~ volumeName:s path:s key:s optional?*:b=false
core.v1.FlexVolumeSource driver:s fsType?:s secretRef?*:@core.v1.LocalObjectReference readOnly?:b options?:{s
core.v1.FlockerVolumeSource datasetName?:s datasetUUID?:s
core.v1.GCEPersistentDiskVolumeSource pdName:s fsType?:s partition?:i readOnly?:b
core.v1.GRPCAction port:i service*:s=
core.v1.GitRepoVolumeSource repository:s revision?:s directory?:s
core.v1.GlusterfsVolumeSource endpoints:s path:s readOnly?:b
core.v1.HTTPGetAction path?:s port:x host?:s scheme?:s<v1.URIScheme> httpHeaders?:[@core.v1.HTTPHeader
core.v1.HTTPHeader name:s value:s
core.v1.HostAlias ip:s hostnames?:[s
core.v1.HostIP ip:s
core.v1.HostPathVolumeSource path:s type?*:s<v1.HostPathType>
core.v1.ISCSIVolumeSource targetPortal:s iqn:s lun:i iscsiInterface?:s=default fsType?:s readOnly?:b portals?:[s chapAuthDiscovery?:b chapAuthSession?:b secretRef?*:@core.v1.LocalObjectReference initiatorName?*:s
core.v1.ImageVolumeSource reference?:s pullPolicy?:s<v1.PullPolicy>
core.v1.ImageVolumeStatus imageRef?:s
core.v1.KeyToPath key:s path:s mode?*:i
core.v1.Lifecycle postStart?*:@core.v1.LifecycleHandler preStop?*:@core.v1.LifecycleHandler stopSignal?*:s<v1.Signal>
core.v1.LifecycleHandler exec?*:@core.v1.ExecAction httpGet?*:@core.v1.HTTPGetAction tcpSocket?*:@core.v1.TCPSocketAction sleep?*:@core.v1.SleepAction
core.v1.LimitRange kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@core.v1.LimitRangeSpec
core.v1.LimitRangeItem type:s<v1.LimitType> max?:{<v1.ResourceList>q min?:{<v1.ResourceList>q default?:{<v1.ResourceList>q defaultRequest?:{<v1.ResourceList>q maxLimitRequestRatio?:{<v1.ResourceList>q
core.v1.LimitRangeSpec limits:[@core.v1.LimitRangeItem
core.v1.LinuxContainerUser uid:l gid:l supplementalGroups?:[l
core.v1.LoadBalancerIngress ip?:s hostname?:s ipMode?*:s<v1.LoadBalancerIPMode> ports?:[@core.v1.PortStatus
core.v1.LoadBalancerStatus ingress?:[@core.v1.LoadBalancerIngress
core.v1.LocalObjectReference~ name?:s=
core.v1.ModifyVolumeStatus targetVolumeAttributesClassName?:s status:s<v1.PersistentVolumeClaimModifyVolumeStatus>
core.v1.NFSVolumeSource server:s path:s readOnly?:b
core.v1.Namespace kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@core.v1.NamespaceSpec status?:@core.v1.NamespaceStatus
core.v1.NamespaceCondition type:s<v1.NamespaceConditionType> status:s<v1.ConditionStatus> lastTransitionTime?:t reason?:s message?:s
core.v1.NamespaceSpec finalizers?:[s<v1.FinalizerName>
core.v1.NamespaceStatus phase?:s<v1.NamespacePhase> conditions?:[@core.v1.NamespaceCondition#(type)&merge(type)
core.v1.Node kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@core.v1.NodeSpec status?:@core.v1.NodeStatus
core.v1.NodeAddress type:s<v1.NodeAddressType> address:s
core.v1.NodeAffinity requiredDuringSchedulingIgnoredDuringExecution?*:@core.v1.NodeSelector preferredDuringSchedulingIgnoredDuringExecution?:[@core.v1.PreferredSchedulingTerm
core.v1.NodeAllocatableResourceClaimStatus resourceClaimName:s containers?:[s# resources:{<map[v1.ResourceName]resource.Quantity>q
core.v1.NodeCondition type:s<v1.NodeConditionType> status:s<v1.ConditionStatus> lastHeartbeatTime?:t lastTransitionTime?:t reason?:s message?:s
core.v1.NodeConfigSource configMap?*:@core.v1.ConfigMapNodeConfigSource
core.v1.NodeConfigStatus assigned?*:@core.v1.NodeConfigSource active?*:@core.v1.NodeConfigSource lastKnownGood?*:@core.v1.NodeConfigSource error?:s
core.v1.NodeDaemonEndpoints kubeletEndpoint?:@core.v1.DaemonEndpoint
core.v1.NodeFeatures supplementalGroupsPolicy?*:b
core.v1.NodeRuntimeHandler name:s features?*:@core.v1.NodeRuntimeHandlerFeatures
core.v1.NodeRuntimeHandlerFeatures recursiveReadOnlyMounts?*:b userNamespaces?*:b
core.v1.NodeSelectorRequirement key:s operator:s<v1.NodeSelectorOperator> values?:[s
core.v1.NodeSelectorTerm~ matchExpressions?:[@core.v1.NodeSelectorRequirement matchFields?:[@core.v1.NodeSelectorRequirement
core.v1.NodeSelector~ nodeSelectorTerms:[@core.v1.NodeSelectorTerm
core.v1.NodeSpec podCIDR?:s podCIDRs?:[s#&merge providerID?:s unschedulable?:b taints?:[@core.v1.Taint configSource?*:@core.v1.NodeConfigSource externalID?:s
core.v1.NodeStatus capacity?:{<v1.ResourceList>q allocatable?:{<v1.ResourceList>q phase?:s<v1.NodePhase> conditions?:[@core.v1.NodeCondition#(type)&merge(type) addresses?:[@core.v1.NodeAddress#(type)&merge(type) daemonEndpoints?:@core.v1.NodeDaemonEndpoints nodeInfo?:@core.v1.NodeSystemInfo images?:[@core.v1.ContainerImage volumesInUse?:[s<v1.UniqueVolumeName> volumesAttached?:[@core.v1.AttachedVolume config?*:@core.v1.NodeConfigStatus runtimeHandlers?:[@core.v1.NodeRuntimeHandler features?*:@core.v1.NodeFeatures declaredFeatures?:[s
core.v1.NodeSwapStatus capacity?*:l
core.v1.NodeSystemInfo machineID:s systemUUID:s bootID:s kernelVersion:s osImage:s containerRuntimeVersion:s kubeletVersion:s kubeProxyVersion:s operatingSystem:s architecture:s swap?*:@core.v1.NodeSwapStatus
core.v1.ObjectFieldSelector~ apiVersion?:s fieldPath:s
core.v1.ObjectReference~ kind?:s namespace?:s name?:s uid?:s<types.UID> apiVersion?:s resourceVersion?:s fieldPath?:s
core.v1.PersistentVolumeClaim kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@core.v1.PersistentVolumeClaimSpec status?:@core.v1.PersistentVolumeClaimStatus
core.v1.PersistentVolumeClaimCondition type:s<v1.PersistentVolumeClaimConditionType> status:s<v1.ConditionStatus> lastProbeTime?:t lastTransitionTime?:t reason?:s message?:s
core.v1.PersistentVolumeClaimSpec accessModes?:[s<v1.PersistentVolumeAccessMode> selector?*:@meta.v1.LabelSelector resources?:@core.v1.VolumeResourceRequirements volumeName?:s storageClassName?*:s volumeMode?*:s<v1.PersistentVolumeMode> dataSource?*:@core.v1.TypedLocalObjectReference dataSourceRef?*:@core.v1.TypedObjectReference volumeAttributesClassName?*:s
core.v1.PersistentVolumeClaimStatus phase?:s<v1.PersistentVolumeClaimPhase> accessModes?:[s<v1.PersistentVolumeAccessMode> capacity?:{<v1.ResourceList>q conditions?:[@core.v1.PersistentVolumeClaimCondition#(type)&merge(type) allocatedResources?:{<v1.ResourceList>q allocatedResourceStatuses?:{<map[v1.ResourceName]v1.ClaimResourceStatus>s<v1.ClaimResourceStatus>+ currentVolumeAttributesClassName?*:s modifyVolumeStatus?*:@core.v1.ModifyVolumeStatus
core.v1.PersistentVolumeClaimTemplate metadata?:@meta.v1.ObjectMeta spec:@core.v1.PersistentVolumeClaimSpec
core.v1.PersistentVolumeClaimVolumeSource claimName:s readOnly?:b
core.v1.PhotonPersistentDiskVolumeSource pdID:s fsType?:s
core.v1.Pod kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@core.v1.PodSpec status?:@core.v1.PodStatus
core.v1.PodAffinity requiredDuringSchedulingIgnoredDuringExecution?:[@core.v1.PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution?:[@core.v1.WeightedPodAffinityTerm
core.v1.PodAffinityTerm labelSelector?*:@meta.v1.LabelSelector namespaces?:[s topologyKey:s namespaceSelector?*:@meta.v1.LabelSelector matchLabelKeys?:[s mismatchLabelKeys?:[s
core.v1.PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution?:[@core.v1.PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution?:[@core.v1.WeightedPodAffinityTerm
core.v1.PodCertificateProjection signerName?:s keyType?:s maxExpirationSeconds?*:i credentialBundlePath?:s keyPath?:s certificateChainPath?:s userAnnotations?:{s
core.v1.PodCondition type:s<v1.PodConditionType> observedGeneration?:l status:s<v1.ConditionStatus> lastProbeTime?:t lastTransitionTime?:t reason?:s message?:s
core.v1.PodDNSConfig nameservers?:[s searches?:[s options?:[@core.v1.PodDNSConfigOption
core.v1.PodDNSConfigOption name?:s value?*:s
core.v1.PodExtendedResourceClaimStatus requestMappings:[@core.v1.ContainerExtendedResourceRequest resourceClaimName:s
core.v1.PodIP ip:s
core.v1.PodOS name:s<v1.OSName>
core.v1.PodReadinessGate conditionType:s<v1.PodConditionType>
core.v1.PodResourceClaim name:s resourceClaimName?*:s resourceClaimTemplateName?*:s
core.v1.PodResourceClaimStatus name:s resourceClaimName?*:s
core.v1.PodSchedulingGate name:s
core.v1.PodSchedulingGroup podGroupName?*:s
core.v1.PodSecurityContext seLinuxOptions?*:@core.v1.SELinuxOptions windowsOptions?*:@core.v1.WindowsSecurityContextOptions runAsUser?*:l runAsGroup?*:l runAsNonRoot?*:b supplementalGroups?:[l supplementalGroupsPolicy?*:s<v1.SupplementalGroupsPolicy> fsGroup?*:l sysctls?:[@core.v1.Sysctl fsGroupChangePolicy?*:s<v1.PodFSGroupChangePolicy> seccompProfile?*:@core.v1.SeccompProfile appArmorProfile?*:@core.v1.AppArmorProfile seLinuxChangePolicy?*:s<v1.PodSELinuxChangePolicy>
core.v1.PodSpec volumes?:[@core.v1.Volume#(name)&merge,retainKeys(name) initContainers?:[@core.v1.Container#(name)&merge(name) containers:[@core.v1.Container#(name)&merge(name) ephemeralContainers?:[@core.v1.EphemeralContainer#(name)&merge(name) restartPolicy?:s<v1.RestartPolicy> terminationGracePeriodSeconds?*:l activeDeadlineSeconds?*:l dnsPolicy?:s<v1.DNSPolicy> nodeSelector?:{s~ serviceAccountName?:s serviceAccount?:s automountServiceAccountToken?*:b nodeName?:s hostNetwork?:b hostPID?:b hostIPC?:b shareProcessNamespace?*:b securityContext?*:@core.v1.PodSecurityContext imagePullSecrets?:[@core.v1.LocalObjectReference#(name)&merge(name) hostname?:s subdomain?:s affinity?*:@core.v1.Affinity schedulerName?:s tolerations?:[@core.v1.Toleration hostAliases?:[@core.v1.HostAlias#(ip)&merge(ip) priorityClassName?:s priority?*:i dnsConfig?*:@core.v1.PodDNSConfig readinessGates?:[@core.v1.PodReadinessGate runtimeClassName?*:s enableServiceLinks?*:b preemptionPolicy?*:s<v1.PreemptionPolicy> overhead?:{<v1.ResourceList>q topologySpreadConstraints?:[@core.v1.TopologySpreadConstraint#(topologyKey,whenUnsatisfiable)&merge(topologyKey) setHostnameAsFQDN?*:b os?*:@core.v1.PodOS hostUsers?*:b schedulingGates?:[@core.v1.PodSchedulingGate#(name)&merge(name) resourceClaims?:[@core.v1.PodResourceClaim#(name)&merge,retainKeys(name) resources?*:@core.v1.ResourceRequirements hostnameOverride?*:s schedulingGroup?*:@core.v1.PodSchedulingGroup
core.v1.PodStatus observedGeneration?:l phase?:s<v1.PodPhase> conditions?:[@core.v1.PodCondition#(type)&merge(type) message?:s reason?:s nominatedNodeName?:s hostIP?:s hostIPs?:[@core.v1.HostIP&merge(ip) podIP?:s podIPs?:[@core.v1.PodIP#(ip)&merge(ip) startTime?*:t initContainerStatuses?:[@core.v1.ContainerStatus containerStatuses?:[@core.v1.ContainerStatus qosClass?:s<v1.PodQOSClass> ephemeralContainerStatuses?:[@core.v1.ContainerStatus resize?:s<v1.PodResizeStatus> resourceClaimStatuses?:[@core.v1.PodResourceClaimStatus#(name)&merge,retainKeys(name) extendedResourceClaimStatus?*:@core.v1.PodExtendedResourceClaimStatus allocatedResources?:{<v1.ResourceList>q resources?*:@core.v1.ResourceRequirements nodeAllocatableResourceClaimStatuses?:[@core.v1.NodeAllocatableResourceClaimStatus
core.v1.PodTemplate kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta template?:@core.v1.PodTemplateSpec
core.v1.PodTemplateSpec metadata?:@meta.v1.ObjectMeta spec?:@core.v1.PodSpec
core.v1.PortStatus port:i protocol:s<v1.Protocol> error?*:s
core.v1.PortworxVolumeSource volumeID:s fsType?:s readOnly?:b
core.v1.PreferredSchedulingTerm weight:i preference:@core.v1.NodeSelectorTerm
core.v1.Probe ProbeHandler>exec?*:@core.v1.ExecAction ProbeHandler>httpGet?*:@core.v1.HTTPGetAction ProbeHandler>tcpSocket?*:@core.v1.TCPSocketAction ProbeHandler>grpc?*:@core.v1.GRPCAction initialDelaySeconds?:i timeoutSeconds?:i periodSeconds?:i successThreshold?:i failureThreshold?:i terminationGracePeriodSeconds?*:l
core.v1.ProjectedVolumeSource sources:[@core.v1.VolumeProjection defaultMode?*:i
core.v1.QuobyteVolumeSource registry:s volume:s readOnly?:b user?:s group?:s tenant?:s
core.v1.RBDVolumeSource monitors:[s image:s fsType?:s pool?:s=rbd user?:s=admin keyring?:s=/etc/ceph/keyring secretRef?*:@core.v1.LocalObjectReference readOnly?:b
core.v1.ReplicationController kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@core.v1.ReplicationControllerSpec status?:@core.v1.ReplicationControllerStatus
core.v1.ReplicationControllerCondition type:s<v1.ReplicationControllerConditionType> status:s<v1.ConditionStatus> lastTransitionTime?:t reason?:s message?:s
core.v1.ReplicationControllerSpec replicas?*:i=1 minReadySeconds?:i=0 selector?:{s~ template?*:@core.v1.PodTemplateSpec
core.v1.ReplicationControllerStatus replicas:i fullyLabeledReplicas?:i readyReplicas?:i availableReplicas?:i observedGeneration?:l conditions?:[@core.v1.ReplicationControllerCondition#(type)&merge(type)
core.v1.ResourceClaim name:s request?:s
core.v1.ResourceFieldSelector~ containerName?:s resource:s divisor?:q
core.v1.ResourceHealth resourceID:s<v1.ResourceID> health?:s<v1.ResourceHealthStatus> message?*:s
core.v1.ResourceQuota kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@core.v1.ResourceQuotaSpec status?:@core.v1.ResourceQuotaStatus
core.v1.ResourceQuotaSpec hard?:{<v1.ResourceList>q scopes?:[s<v1.ResourceQuotaScope> scopeSelector?*:@core.v1.ScopeSelector
core.v1.ResourceQuotaStatus hard?:{<v1.ResourceList>q used?:{<v1.ResourceList>q
core.v1.ResourceRequirements limits?:{<v1.ResourceList>q requests?:{<v1.ResourceList>q claims?:[@core.v1.ResourceClaim#(name)
core.v1.ResourceStatus name:s<v1.ResourceName> resources?:[@core.v1.ResourceHealth#(resourceID)
core.v1.SELinuxOptions user?:s role?:s type?:s level?:s
core.v1.ScaleIOVolumeSource gateway:s system:s secretRef*:@core.v1.LocalObjectReference sslEnabled?:b protectionDomain?:s storagePool?:s storageMode?:s=ThinProvisioned volumeName?:s fsType?:s=xfs readOnly?:b
core.v1.ScopeSelector~ matchExpressions?:[@core.v1.ScopedResourceSelectorRequirement
core.v1.ScopedResourceSelectorRequirement scopeName:s<v1.ResourceQuotaScope> operator:s<v1.ScopeSelectorOperator> values?:[s
core.v1.SeccompProfile type:s<v1.SeccompProfileType> localhostProfile?*:s
core.v1.Secret kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta immutable?*:b data?:{y stringData?:{s type?:s<v1.SecretType>
core.v1.SecretEnvSource LocalObjectReference>name?:s= optional?*:b
core.v1.SecretKeySelector~ LocalObjectReference>name?:s= key:s optional?*:b
core.v1.SecretProjection LocalObjectReference>name?:s= items?:[@core.v1.KeyToPath optional?*:b
core.v1.SecretVolumeSource secretName?:s items?:[@core.v1.KeyToPath defaultMode?*:i optional?*:b
core.v1.SecurityContext capabilities?*:@core.v1.Capabilities privileged?*:b seLinuxOptions?*:@core.v1.SELinuxOptions windowsOptions?*:@core.v1.WindowsSecurityContextOptions runAsUser?*:l runAsGroup?*:l runAsNonRoot?*:b readOnlyRootFilesystem?*:b allowPrivilegeEscalation?*:b procMount?*:s<v1.ProcMountType> seccompProfile?*:@core.v1.SeccompProfile appArmorProfile?*:@core.v1.AppArmorProfile
core.v1.Service kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta spec?:@core.v1.ServiceSpec status?:@core.v1.ServiceStatus
core.v1.ServiceAccount kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta secrets?:[@core.v1.ObjectReference#(name)&merge(name) imagePullSecrets?:[@core.v1.LocalObjectReference automountServiceAccountToken?*:b
core.v1.ServiceAccountTokenProjection audience?:s expirationSeconds?*:l path:s
core.v1.ServicePort name?:s protocol?:s<v1.Protocol>=TCP appProtocol?*:s port:i targetPort?:x nodePort?:i
core.v1.ServiceSpec ports?:[@core.v1.ServicePort#(port,protocol)&merge(port) selector?:{s~ clusterIP?:s clusterIPs?:[s type?:s<v1.ServiceType> externalIPs?:[s sessionAffinity?:s<v1.ServiceAffinity> loadBalancerIP?:s loadBalancerSourceRanges?:[s externalName?:s externalTrafficPolicy?:s<v1.ServiceExternalTrafficPolicy> healthCheckNodePort?:i publishNotReadyAddresses?:b sessionAffinityConfig?*:@core.v1.SessionAffinityConfig ipFamilies?:[s<v1.IPFamily> ipFamilyPolicy?*:s<v1.IPFamilyPolicy> allocateLoadBalancerNodePorts?*:b loadBalancerClass?*:s internalTrafficPolicy?*:s<v1.ServiceInternalTrafficPolicy> trafficDistribution?*:s
core.v1.ServiceStatus loadBalancer?:@core.v1.LoadBalancerStatus conditions?:[@meta.v1.Condition#(type)&merge(type)
core.v1.SessionAffinityConfig clientIP?*:@core.v1.ClientIPConfig
core.v1.SleepAction seconds:l
core.v1.StorageOSVolumeSource volumeName?:s volumeNamespace?:s fsType?:s readOnly?:b secretRef?*:@core.v1.LocalObjectReference
core.v1.Sysctl name:s value:s
core.v1.TCPSocketAction port:x host?:s
core.v1.Taint key:s value?:s effect:s<v1.TaintEffect> timeAdded?*:t
core.v1.Toleration key?:s operator?:s<v1.TolerationOperator> value?:s effect?:s<v1.TaintEffect> tolerationSeconds?*:l
core.v1.TopologySpreadConstraint maxSkew:i topologyKey:s whenUnsatisfiable:s<v1.UnsatisfiableConstraintAction> labelSelector?*:@meta.v1.LabelSelector minDomains?*:i nodeAffinityPolicy?*:s<v1.NodeInclusionPolicy> nodeTaintsPolicy?*:s<v1.NodeInclusionPolicy> matchLabelKeys?:[s
core.v1.TypedLocalObjectReference~ apiGroup*:s kind:s name:s
core.v1.TypedObjectReference apiGroup*:s kind:s name:s namespace?*:s
core.v1.Volume name:s VolumeSource>hostPath?*:@core.v1.HostPathVolumeSource VolumeSource>emptyDir?*:@core.v1.EmptyDirVolumeSource VolumeSource>gcePersistentDisk?*:@core.v1.GCEPersistentDiskVolumeSource VolumeSource>awsElasticBlockStore?*:@core.v1.AWSElasticBlockStoreVolumeSource VolumeSource>gitRepo?*:@core.v1.GitRepoVolumeSource VolumeSource>secret?*:@core.v1.SecretVolumeSource VolumeSource>nfs?*:@core.v1.NFSVolumeSource VolumeSource>iscsi?*:@core.v1.ISCSIVolumeSource VolumeSource>glusterfs?*:@core.v1.GlusterfsVolumeSource VolumeSource>persistentVolumeClaim?*:@core.v1.PersistentVolumeClaimVolumeSource VolumeSource>rbd?*:@core.v1.RBDVolumeSource VolumeSource>flexVolume?*:@core.v1.FlexVolumeSource VolumeSource>cinder?*:@core.v1.CinderVolumeSource VolumeSource>cephfs?*:@core.v1.CephFSVolumeSource VolumeSource>flocker?*:@core.v1.FlockerVolumeSource VolumeSource>downwardAPI?*:@core.v1.DownwardAPIVolumeSource VolumeSource>fc?*:@core.v1.FCVolumeSource VolumeSource>azureFile?*:@core.v1.AzureFileVolumeSource VolumeSource>configMap?*:@core.v1.ConfigMapVolumeSource VolumeSource>vsphereVolume?*:@core.v1.VsphereVirtualDiskVolumeSource VolumeSource>quobyte?*:@core.v1.QuobyteVolumeSource VolumeSource>azureDisk?*:@core.v1.AzureDiskVolumeSource VolumeSource>photonPersistentDisk?*:@core.v1.PhotonPersistentDiskVolumeSource VolumeSource>projected?*:@core.v1.ProjectedVolumeSource VolumeSource>portworxVolume?*:@core.v1.PortworxVolumeSource VolumeSource>scaleIO?*:@core.v1.ScaleIOVolumeSource VolumeSource>storageos?*:@core.v1.StorageOSVolumeSource VolumeSource>csi?*:@core.v1.CSIVolumeSource VolumeSource>ephemeral?*:@core.v1.EphemeralVolumeSource VolumeSource>image?*:@core.v1.ImageVolumeSource
core.v1.VolumeDevice name:s devicePath:s
core.v1.VolumeMount name:s readOnly?:b recursiveReadOnly?*:s<v1.RecursiveReadOnlyMode> mountPath:s subPath?:s mountPropagation?*:s<v1.MountPropagationMode> subPathExpr?:s
core.v1.VolumeMountStatus name:s mountPath:s readOnly?:b recursiveReadOnly?*:s<v1.RecursiveReadOnlyMode> volumeStatus?*:@core.v1.VolumeStatus
core.v1.VolumeProjection secret?*:@core.v1.SecretProjection downwardAPI?*:@core.v1.DownwardAPIProjection configMap?*:@core.v1.ConfigMapProjection serviceAccountToken?*:@core.v1.ServiceAccountTokenProjection clusterTrustBundle?*:@core.v1.ClusterTrustBundleProjection podCertificate?*:@core.v1.PodCertificateProjection
core.v1.VolumeResourceRequirements limits?:{<v1.ResourceList>q requests?:{<v1.ResourceList>q
core.v1.VolumeStatus image?*:@core.v1.ImageVolumeStatus
core.v1.VsphereVirtualDiskVolumeSource volumePath:s fsType?:s storagePolicyName?:s storagePolicyID?:s
core.v1.WeightedPodAffinityTerm weight:i podAffinityTerm:@core.v1.PodAffinityTerm
core.v1.WindowsSecurityContextOptions gmsaCredentialSpecName?*:s gmsaCredentialSpec?*:s runAsUserName?*:s hostProcess?*:b
meta.v1.Condition type:s status:s<v1.ConditionStatus> observedGeneration?:l lastTransitionTime:t reason:s message:s
meta.v1.DeleteOptions kind?:s apiVersion?:s gracePeriodSeconds?*:l preconditions?*:@meta.v1.Preconditions orphanDependents?*:b propagationPolicy?*:s<v1.DeletionPropagation> dryRun?:[s ignoreStoreReadErrorWithClusterBreakingPotential?*:b
meta.v1.LabelSelectorRequirement key:s operator:s<v1.LabelSelectorOperator> values?:[s
meta.v1.LabelSelector~ matchLabels?:{s matchExpressions?:[@meta.v1.LabelSelectorRequirement
meta.v1.ManagedFieldsEntry manager?:s operation?:s<v1.ManagedFieldsOperationType> apiVersion?:s time?*:t fieldsType?:s fieldsV1?*:j subresource?:s
meta.v1.ObjectMeta name?:s generateName?:s namespace?:s selfLink?:s uid?:s<types.UID> resourceVersion?:s generation?:l creationTimestamp?0:t deletionTimestamp?*:t deletionGracePeriodSeconds?*:l labels?:{s annotations?:{s ownerReferences?:[@meta.v1.OwnerReference#(uid)&merge(uid) finalizers?:[s#&merge managedFields?:[@meta.v1.ManagedFieldsEntry
meta.v1.OwnerReference~ apiVersion:s kind:s name:s uid:s<types.UID> controller?*:b blockOwnerDeletion?*:b
meta.v1.Preconditions uid?*:s<types.UID> resourceVersion?*:s
policy.v1.Eviction kind?:s apiVersion?:s metadata?:@meta.v1.ObjectMeta deleteOptions?*:@meta.v1.DeleteOptions
`
