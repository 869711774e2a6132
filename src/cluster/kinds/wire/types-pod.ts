/** Pod template, pod spec and containers. See types.ts for the notation. */
export const POD_TYPES: string = `
PodTemplateSpec metadata=ObjectMeta:ObjectMeta spec:PodSpec
PodSpec volumes:[]Volume? initContainers:[]Container? containers:[]Container
  ephemeralContainers:[]EphemeralContainer? restartPolicy:s? terminationGracePeriodSeconds:*i?
  activeDeadlineSeconds:*i? dnsPolicy=DNSPolicy:s? nodeSelector:{}s? serviceAccountName:s?
  automountServiceAccountToken:*b? nodeName:s? securityContext:*PodSecurityContext?
  imagePullSecrets:[]LocalObjectReference? hostname:s? subdomain:s? setHostnameAsFQDN:*b?
  affinity:*Affinity? schedulerName:s? tolerations:[]Toleration? hostAliases:[]HostAlias?
  priorityClassName:s? priority:*i? preemptionPolicy:*s? dnsConfig=DNSConfig:*PodDNSConfig?
  readinessGates:[]PodReadinessGate? runtimeClassName:*s? overhead:{}q? enableServiceLinks:*b?
  topologySpreadConstraints:[]TopologySpreadConstraint? os=OS:*PodOS?
  schedulingGates:[]PodSchedulingGate? resourceClaims:[]PodResourceClaim?
  resources:*ResourceRequirements? hostnameOverride:*s? schedulingGroup:*PodSchedulingGroup?
  serviceAccount=-:s? hostNetwork=-:b? hostPID=-:b? hostIPC=-:b? shareProcessNamespace=-:*b?
  hostUsers=-:*b?
Container name:s image:s? command:[]s? args:[]s? workingDir:s? ports:[]ContainerPort?
  envFrom:[]EnvFromSource? env:[]EnvVar? resources:ResourceRequirements
  resizePolicy:[]ContainerResizePolicy? restartPolicy:*s?
  restartPolicyRules:[]ContainerRestartRule? volumeMounts:[]VolumeMount?
  volumeDevices:[]VolumeDevice? livenessProbe:*Probe? readinessProbe:*Probe? startupProbe:*Probe?
  lifecycle:*Lifecycle? terminationMessagePath:s? terminationMessagePolicy:s? imagePullPolicy:s?
  securityContext:*SecurityContext? stdin:b? stdinOnce:b? tty=TTY:b?
ContainerPort name:s? hostPort:i? containerPort:i protocol:s? hostIP:s?
EnvFromSource prefix:s? configMapRef:*ConfigMapEnvSource? secretRef:*SecretEnvSource?
ConfigMapEnvSource ...LocalObjectReference optional:*b?
SecretEnvSource ...LocalObjectReference optional:*b?
EnvVar name:s value:s? valueFrom:*EnvVarSource?
EnvVarSource fieldRef:*ObjectFieldSelector? resourceFieldRef:*ResourceFieldSelector?
  configMapKeyRef:*ConfigMapKeySelector? secretKeyRef:*SecretKeySelector?
  fileKeyRef:*FileKeySelector?
ConfigMapKeySelector ...LocalObjectReference key:s optional:*b?
SecretKeySelector ...LocalObjectReference key:s optional:*b?
FileKeySelector volumeName:s path:s key:s optional:*b?
ResourceRequirements limits:{}q? requests:{}q? claims:[]ResourceClaim?
ResourceClaim name:s request:s?
ContainerResizePolicy resourceName:s restartPolicy:s
ContainerRestartRule action:s? exitCodes:*ContainerRestartRuleOnExitCodes?
ContainerRestartRuleOnExitCodes operator:s? values:[]i?
VolumeMount name:s readOnly:b? recursiveReadOnly:*s? mountPath:s subPath:s? mountPropagation:*s?
  subPathExpr:s?
VolumeDevice name:s devicePath:s
Probe ...ProbeHandler initialDelaySeconds:i? timeoutSeconds:i? periodSeconds:i?
  successThreshold:i? failureThreshold:i? terminationGracePeriodSeconds:*i?
ProbeHandler exec:*ExecAction? httpGet=HTTPGet:*HTTPGetAction?
  tcpSocket=TCPSocket:*TCPSocketAction? grpc=GRPC:*GRPCAction?
ExecAction command:[]s?
HTTPGetAction path:s? port:o host:s? scheme:s? httpHeaders=HTTPHeaders:[]HTTPHeader?
HTTPHeader name:s value:s
TCPSocketAction port:o host:s?
GRPCAction port:i service:*s
Lifecycle postStart:*LifecycleHandler? preStop:*LifecycleHandler? stopSignal:*s?
LifecycleHandler exec:*ExecAction? httpGet=HTTPGet:*HTTPGetAction?
  tcpSocket=TCPSocket:*TCPSocketAction? sleep:*SleepAction?
SleepAction seconds:i
SecurityContext capabilities:*Capabilities? privileged:*b?
  seLinuxOptions=SELinuxOptions:*SELinuxOptions? windowsOptions:*WindowsSecurityContextOptions?
  runAsUser:*i? runAsGroup:*i? runAsNonRoot:*b? readOnlyRootFilesystem:*b?
  allowPrivilegeEscalation:*b? procMount:*s? seccompProfile:*SeccompProfile?
  appArmorProfile:*AppArmorProfile?
Capabilities add:[]s? drop:[]s?
SELinuxOptions user:s? role:s? type:s? level:s?
WindowsSecurityContextOptions gmsaCredentialSpecName=GMSACredentialSpecName:*s?
  gmsaCredentialSpec=GMSACredentialSpec:*s? runAsUserName:*s? hostProcess:*b?
SeccompProfile type:s localhostProfile:*s?
AppArmorProfile type:s localhostProfile:*s?
EphemeralContainer ...EphemeralContainerCommon targetContainerName:s?
EphemeralContainerCommon name:s image:s? command:[]s? args:[]s? workingDir:s?
  ports:[]ContainerPort? envFrom:[]EnvFromSource? env:[]EnvVar? resources:ResourceRequirements
  resizePolicy:[]ContainerResizePolicy? restartPolicy:*s?
  restartPolicyRules:[]ContainerRestartRule? volumeMounts:[]VolumeMount?
  volumeDevices:[]VolumeDevice? livenessProbe:*Probe? readinessProbe:*Probe? startupProbe:*Probe?
  lifecycle:*Lifecycle? terminationMessagePath:s? terminationMessagePolicy:s? imagePullPolicy:s?
  securityContext:*SecurityContext? stdin:b? stdinOnce:b? tty=TTY:b?
PodSecurityContext hostNetwork:-b hostPID:-b hostIPC:-b shareProcessNamespace:-*b hostUsers:-*b
  seLinuxOptions=SELinuxOptions:*SELinuxOptions? windowsOptions:*WindowsSecurityContextOptions?
  runAsUser:*i? runAsGroup:*i? runAsNonRoot:*b? supplementalGroups:[]i?
  supplementalGroupsPolicy:*s? fsGroup=FSGroup:*i? fsGroupChangePolicy=FSGroupChangePolicy:*s?
  sysctls:[]Sysctl? seccompProfile:*SeccompProfile? appArmorProfile:*AppArmorProfile?
  seLinuxChangePolicy=SELinuxChangePolicy:*s?
Sysctl name:s value:s
Affinity nodeAffinity:*NodeAffinity? podAffinity:*PodAffinity? podAntiAffinity:*PodAntiAffinity?
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:*NodeSelector?
  preferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm?
NodeSelector nodeSelectorTerms:[]NodeSelectorTerm
NodeSelectorTerm matchExpressions:[]NodeSelectorRequirement?
  matchFields:[]NodeSelectorRequirement?
NodeSelectorRequirement key:s operator:s values:[]s?
PreferredSchedulingTerm weight:i preference:NodeSelectorTerm
PodAffinity requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm?
  preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm?
PodAffinityTerm labelSelector:*LabelSelector? namespaces:[]s? topologyKey:s
  namespaceSelector:*LabelSelector? matchLabelKeys:[]s? mismatchLabelKeys:[]s?
WeightedPodAffinityTerm weight:i podAffinityTerm:PodAffinityTerm
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm?
  preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm?
Toleration key:s? operator:s? value:s? effect:s? tolerationSeconds:*i?
HostAlias ip=IP:s hostnames:[]s?
PodDNSConfig nameservers:[]s? searches:[]s? options:[]PodDNSConfigOption?
PodDNSConfigOption name:s? value:*s?
PodReadinessGate conditionType:s
TopologySpreadConstraint maxSkew:i topologyKey:s whenUnsatisfiable:s
  labelSelector:*LabelSelector? minDomains:*i? nodeAffinityPolicy:*s? nodeTaintsPolicy:*s?
  matchLabelKeys:[]s?
PodOS name:s
PodSchedulingGate name:s
PodResourceClaim name:s resourceClaimName:*s? resourceClaimTemplateName:*s?
PodSchedulingGroup podGroupName:*s?
PersistentVolumeClaimStatus phase:s? accessModes:[]s? capacity:{}q?
  conditions:[]PersistentVolumeClaimCondition? allocatedResources:{}q?
  allocatedResourceStatuses:{}s? currentVolumeAttributesClassName:*s?
  modifyVolumeStatus:*ModifyVolumeStatus?
PersistentVolumeClaimCondition type:s status:s lastProbeTime:t lastTransitionTime:t reason:s?
  message:s?
ModifyVolumeStatus targetVolumeAttributesClassName:s? status:s
`
