import { isObject, type JsonObject } from '../json.ts'
import {
  asSet,
  bag,
  byKey,
  count,
  flag,
  given,
  inOrder,
  marker,
  resourceList,
  struct,
  text,
  texts,
  type Types,
} from './field.ts'

const SCHEDULING_SET = 'the scheduler weighs or checks all of them'
const ANY_TERM = 'any of them may match'
const RESOLVER = 'the resolver goes through them in order'

export const POD_TYPES: Types = {
  PodSpec: {
    fields: {
      activeDeadlineSeconds: given(),
      affinity: bag('Affinity'),
      automountServiceAccountToken: given(),
      containers: inOrder('Container', 'the kubelet starts them in this order', 'map'),
      dnsConfig: bag('PodDNSConfig'),
      dnsPolicy: text({ default: 'ClusterFirst' }),
      enableServiceLinks: given({ idle: [true] }),
      ephemeralContainers: inOrder('EphemeralContainer', 'not allowed in a template', 'map'),
      hostAliases: byKey('HostAlias', ['ip']),
      hostIPC: flag(),
      hostNetwork: flag(),
      hostPID: flag(),
      hostUsers: given({ idle: [true] }),
      hostname: text(),
      hostnameOverride: given(),
      imagePullSecrets: byKey('LocalObjectReference', ['name']),
      initContainers: inOrder('Container', 'they run one after the other', 'map'),
      nodeName: text(),
      nodeSelector: texts(),
      os: marker('PodOS'),
      overhead: resourceList(),
      preemptionPolicy: given(),
      priority: given(),
      priorityClassName: text(),
      readinessGates: asSet('PodReadinessGate', 'all of them must hold'),
      resourceClaims: byKey('PodResourceClaim', ['name']),
      resources: bag('PodResourceRequirements'),
      restartPolicy: text({ default: 'Always' }),
      runtimeClassName: given(),
      schedulerName: text({ default: 'default-scheduler' }),
      schedulingGates: byKey('PodSchedulingGate', ['name']),
      schedulingGroup: marker('PodSchedulingGroup'),
      securityContext: struct('PodSecurityContext'),
      serviceAccount: text({ aliasOf: 'serviceAccountName' }),
      serviceAccountName: text({ idle: ['default'] }),
      setHostnameAsFQDN: given({ idle: [false] }),
      shareProcessNamespace: given({ idle: [false] }),
      subdomain: text(),
      terminationGracePeriodSeconds: given({ default: 30 }),
      tolerations: asSet('Toleration', 'a taint is tolerated when any of them matches'),
      topologySpreadConstraints: byKey('TopologySpreadConstraint', [
        'topologyKey',
        'whenUnsatisfiable',
      ]),
      volumes: byKey('Volume', ['name']),
    },
    prepare: dropControllerGates,
  },
  Affinity: {
    fields: {
      nodeAffinity: bag('NodeAffinity'),
      podAffinity: bag('PodAffinity'),
      podAntiAffinity: bag('PodAffinity'),
    },
  },
  NodeAffinity: {
    fields: {
      preferredDuringSchedulingIgnoredDuringExecution: asSet(
        'PreferredSchedulingTerm',
        SCHEDULING_SET,
      ),
      requiredDuringSchedulingIgnoredDuringExecution: marker('NodeSelector'),
    },
  },
  PreferredSchedulingTerm: {
    fields: { preference: struct('NodeSelectorTerm'), weight: count() },
  },
  NodeSelector: { fields: { nodeSelectorTerms: asSet('NodeSelectorTerm', ANY_TERM) } },
  NodeSelectorTerm: {
    fields: {
      matchExpressions: asSet('NodeSelectorRequirement', 'all of them must hold'),
      matchFields: asSet('NodeSelectorRequirement', 'all of them must hold'),
    },
  },
  NodeSelectorRequirement: {
    fields: { key: text(), operator: text(), values: asSet('scalar', ANY_TERM) },
  },
  PodAffinity: {
    fields: {
      preferredDuringSchedulingIgnoredDuringExecution: asSet(
        'WeightedPodAffinityTerm',
        SCHEDULING_SET,
      ),
      requiredDuringSchedulingIgnoredDuringExecution: asSet('PodAffinityTerm', SCHEDULING_SET),
    },
  },
  WeightedPodAffinityTerm: {
    fields: { podAffinityTerm: struct('PodAffinityTerm'), weight: count() },
  },
  PodAffinityTerm: {
    fields: {
      labelSelector: marker('LabelSelector'),
      matchLabelKeys: asSet('scalar', 'all of them are looked up'),
      mismatchLabelKeys: asSet('scalar', 'all of them are looked up'),
      namespaceSelector: marker('LabelSelector'),
      namespaces: asSet('scalar', 'all of them are searched'),
      topologyKey: text(),
    },
  },
  PodDNSConfig: {
    fields: {
      nameservers: inOrder('scalar', RESOLVER),
      options: inOrder('PodDNSConfigOption', RESOLVER),
      searches: inOrder('scalar', RESOLVER),
    },
  },
  PodDNSConfigOption: { fields: { name: text(), value: given() } },
  HostAlias: {
    fields: { hostnames: inOrder('scalar', 'the first is the canonical name'), ip: text() },
  },
  LocalObjectReference: { fields: { name: text() } },
  PodOS: { fields: { name: text() } },
  PodReadinessGate: { fields: { conditionType: text() } },
  PodResourceClaim: {
    fields: { name: text(), resourceClaimName: given(), resourceClaimTemplateName: given() },
  },
  // Unlike a container's: a missing request is the sum of the containers' requests, if any.
  PodResourceRequirements: {
    fields: {
      claims: byKey('ResourceClaim', ['name']),
      limits: resourceList(),
      requests: resourceList(),
    },
  },
  PodSchedulingGate: { fields: { name: text() } },
  PodSchedulingGroup: { fields: { podGroupName: given() } },
  PodSecurityContext: {
    fields: {
      appArmorProfile: marker('LocalhostProfile'),
      fsGroup: given(),
      fsGroupChangePolicy: given({ idle: ['Always'] }),
      runAsGroup: given(),
      runAsNonRoot: given({ idle: [false] }),
      runAsUser: given(),
      seLinuxChangePolicy: given(),
      seLinuxOptions: marker('SELinuxOptions'),
      seccompProfile: marker('LocalhostProfile'),
      supplementalGroups: asSet('scalar', 'the process belongs to all of them'),
      supplementalGroupsPolicy: given({ idle: ['Merge'] }),
      sysctls: byKey('Sysctl', ['name'], 'each is set once'),
      windowsOptions: marker('WindowsSecurityContextOptions'),
    },
  },
  LocalhostProfile: { fields: { localhostProfile: given(), type: text() } },
  SELinuxOptions: { fields: { level: text(), role: text(), type: text(), user: text() } },
  WindowsSecurityContextOptions: {
    fields: {
      gmsaCredentialSpec: given(),
      gmsaCredentialSpecName: given(),
      hostProcess: given({ idle: [false] }),
      runAsUserName: given(),
    },
  },
  Sysctl: { fields: { name: text(), value: text() } },
  Toleration: {
    fields: {
      effect: text(),
      key: text(),
      operator: text({ idle: ['Equal'] }),
      tolerationSeconds: given(),
      value: text(),
    },
  },
  TopologySpreadConstraint: {
    fields: {
      labelSelector: marker('LabelSelector'),
      matchLabelKeys: asSet('scalar', 'all of them are looked up'),
      maxSkew: count(),
      minDomains: given({ idle: [1] }),
      nodeAffinityPolicy: given({ idle: ['Honor'] }),
      nodeTaintsPolicy: given({ idle: ['Ignore'] }),
      topologyKey: text(),
      whenUnsatisfiable: text(),
    },
  },
}

/** Kueue puts its gates on while it decides where a Job may run, and takes them off again. */
export const CONTROLLER_GATES: readonly string[] = [
  'kueue.x-k8s.io/admission',
  'kueue.x-k8s.io/topology',
]

function dropControllerGates(pod: JsonObject): JsonObject {
  const gates = pod['schedulingGates']
  if (!Array.isArray(gates)) return pod
  const kept = gates.filter(
    (gate) => !(isObject(gate) && CONTROLLER_GATES.some((name) => name === gate['name'])),
  )
  return { ...pod, schedulingGates: kept }
}
