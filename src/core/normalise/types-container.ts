import { containerPullPolicyOf, hostPortOf } from './conditional.ts'
import {
  asSet,
  bag,
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
  type Field,
  type Types,
} from './field.ts'

const ARGUMENTS = 'the process gets them in this order'

const CONTAINER: Readonly<Record<string, Field>> = {
  args: inOrder('scalar', ARGUMENTS),
  command: inOrder('scalar', ARGUMENTS),
  env: inOrder('EnvVar', '$(NAME) sees only what stands before it; the last of a name wins', 'map'),
  envFrom: inOrder('EnvFromSource', 'the last source of a name wins'),
  image: text(),
  imagePullPolicy: text({ when: containerPullPolicyOf }),
  lifecycle: bag('Lifecycle'),
  livenessProbe: marker('Probe'),
  name: text(),
  ports: byKey('ContainerPort', ['containerPort', 'protocol']),
  readinessProbe: marker('Probe'),
  resizePolicy: byKey('ContainerResizePolicy', ['resourceName'], 'one entry for each resource'),
  resources: struct('ResourceRequirements'),
  restartPolicy: given(),
  restartPolicyRules: inOrder('ContainerRestartRule', 'the first rule that matches decides'),
  securityContext: bag('SecurityContext'),
  startupProbe: marker('Probe'),
  stdin: flag(),
  stdinOnce: flag(),
  terminationMessagePath: text({ default: '/dev/termination-log' }),
  terminationMessagePolicy: text({ default: 'File' }),
  tty: flag(),
  volumeDevices: byKey('VolumeDevice', ['devicePath']),
  volumeMounts: byKey('VolumeMount', ['mountPath']),
  workingDir: text(),
}

export const CONTAINER_TYPES: Types = {
  Container: { fields: CONTAINER },
  EphemeralContainer: { fields: { ...CONTAINER, targetContainerName: text() } },
  EnvVar: { fields: { name: text(), value: text(), valueFrom: marker('EnvVarSource') } },
  EnvVarSource: {
    fields: {
      configMapKeyRef: marker('KeySelector'),
      fieldRef: marker('ObjectFieldSelector'),
      fileKeyRef: marker('FileKeySelector'),
      resourceFieldRef: marker('ResourceFieldSelector'),
      secretKeyRef: marker('KeySelector'),
    },
  },
  KeySelector: { fields: { key: text(), name: text(), optional: given({ idle: [false] }) } },
  ObjectFieldSelector: { fields: { apiVersion: text({ default: 'v1' }), fieldPath: text() } },
  FileKeySelector: {
    fields: { key: text(), optional: given({ default: false }), path: text(), volumeName: text() },
  },
  ResourceFieldSelector: {
    fields: {
      containerName: text(),
      divisor: quantity({ default: '0', idle: ['1'] }),
      resource: text(),
    },
  },
  EnvFromSource: {
    fields: {
      configMapRef: marker('EnvSource'),
      prefix: text(),
      secretRef: marker('EnvSource'),
    },
  },
  EnvSource: { fields: { name: text(), optional: given({ idle: [false] }) } },
  Lifecycle: {
    fields: {
      postStart: marker('LifecycleHandler'),
      preStop: marker('LifecycleHandler'),
      stopSignal: given(),
    },
  },
  LifecycleHandler: {
    fields: {
      exec: marker('ExecAction'),
      httpGet: marker('HTTPGetAction'),
      sleep: marker('SleepAction'),
      tcpSocket: marker('TCPSocketAction'),
    },
  },
  ExecAction: { fields: { command: inOrder('scalar', ARGUMENTS) } },
  HTTPGetAction: {
    fields: {
      host: text(),
      httpHeaders: inOrder('HTTPHeader', 'a name may stand there twice'),
      path: text({ default: '/' }),
      port: count(),
      scheme: text({ default: 'HTTP' }),
    },
  },
  HTTPHeader: { fields: { name: text(), value: text() } },
  SleepAction: { fields: { seconds: count() } },
  TCPSocketAction: { fields: { host: text(), port: count() } },
  Probe: {
    fields: {
      exec: marker('ExecAction'),
      failureThreshold: count({ default: 3 }),
      grpc: marker('GRPCAction'),
      httpGet: marker('HTTPGetAction'),
      initialDelaySeconds: count(),
      periodSeconds: count({ default: 10 }),
      successThreshold: count({ default: 1 }),
      tcpSocket: marker('TCPSocketAction'),
      terminationGracePeriodSeconds: given(),
      timeoutSeconds: count({ default: 1 }),
    },
  },
  GRPCAction: { fields: { port: count(), service: given({ default: '' }) } },
  ContainerPort: {
    fields: {
      containerPort: count(),
      hostIP: text(),
      hostPort: count({ when: hostPortOf }),
      name: text(),
      protocol: text({ default: 'TCP' }),
    },
  },
  ContainerResizePolicy: { fields: { resourceName: text(), restartPolicy: text() } },
  ResourceRequirements: {
    fields: {
      claims: byKey('ResourceClaim', ['name']),
      limits: resourceList(),
      requests: resourceList(),
    },
  },
  ResourceClaim: { fields: { name: text(), request: text() } },
  ContainerRestartRule: {
    fields: { action: text(), exitCodes: marker('ContainerRestartRuleOnExitCodes') },
  },
  ContainerRestartRuleOnExitCodes: {
    fields: { operator: text(), values: asSet('scalar', '', 'set') },
  },
  SecurityContext: {
    fields: {
      allowPrivilegeEscalation: given(),
      appArmorProfile: marker('LocalhostProfile'),
      capabilities: bag('Capabilities'),
      privileged: given({ idle: [false] }),
      procMount: given({ idle: ['Default'] }),
      readOnlyRootFilesystem: given({ idle: [false] }),
      runAsGroup: given(),
      runAsNonRoot: given(),
      runAsUser: given(),
      seLinuxOptions: marker('SELinuxOptions'),
      seccompProfile: marker('LocalhostProfile'),
      windowsOptions: marker('WindowsSecurityContextOptions'),
    },
  },
  Capabilities: {
    fields: {
      add: asSet('scalar', 'all of them are added'),
      drop: asSet('scalar', 'all of them are dropped'),
    },
  },
  VolumeDevice: { fields: { devicePath: text(), name: text() } },
  VolumeMount: {
    fields: {
      mountPath: text(),
      mountPropagation: given({ idle: ['None'] }),
      name: text(),
      readOnly: flag(),
      recursiveReadOnly: given({ idle: ['Disabled'] }),
      subPath: text(),
      subPathExpr: text(),
    },
  },
}
