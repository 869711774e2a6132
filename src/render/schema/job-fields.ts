import { CRON_FIELDS, HOOKS, IMAGE, INHERIT, TASK } from './parts.ts'
import {
  BOOLEAN,
  integer,
  LIST,
  OBJECT,
  oneOf,
  TEXT,
  TEXT_LIST,
  TEXT_MAP,
  type Field,
  type Fields,
} from './shape.ts'

const CLOSEST = 'deep merge of group and job; with neither, the root value as a whole'

/** Keys of a pod, on group and job. */
const POD_FIELDS: Fields = {
  securityContext: {
    shape: OBJECT,
    standard: 'root value',
    about: 'of the containers',
    rule: CLOSEST,
  },
  podSecurityContext: { shape: OBJECT, standard: 'root value', about: 'of the pod', rule: CLOSEST },
  resources: {
    shape: OBJECT,
    standard: 'root value',
    about: 'requests and limits; fractions are written as text: `"0.5"`',
    rule: CLOSEST,
  },
  nodeSelector: {
    shape: OBJECT,
    standard: 'root value',
    about: 'labels of the nodes',
    rule: CLOSEST,
  },
  affinity: { shape: OBJECT, standard: 'root value', about: 'rules for the nodes', rule: CLOSEST },
  tolerations: {
    shape: LIST,
    standard: 'root value',
    about: 'taints that are tolerated',
    rule: 'group, then job; with either, the root value is not used',
  },
  topologySpreadConstraints: {
    shape: LIST,
    standard: 'root value',
    about: 'a missing `labelSelector` becomes the labels of the pod',
    rule: 'pick',
  },
  serviceAccountName: {
    shape: TEXT,
    standard: '`serviceAccount.name`',
    about: 'who the pod is',
    rule: 'pick',
  },
  automountServiceAccountToken: {
    shape: BOOLEAN,
    standard: 'root value',
    about: 'whether the pod gets its token',
    rule: 'pick',
  },
  terminationGracePeriodSeconds: {
    shape: integer(0),
    standard: 'root value',
    about: 'time to stop',
    rule: 'pick',
  },
  restartPolicy: {
    shape: oneOf('Never', 'OnFailure'),
    standard: 'Never',
    about: 'whether a failed container starts again in its pod',
    rule: 'pick',
  },
}

/** Keys of a Job's spec. */
const SPEC_FIELDS: Fields = {
  backoffLimit: { shape: integer(0), standard: '3', about: 'failed pods replaced', rule: 'pick' },
  activeDeadlineSeconds: { shape: integer(1), about: 'how long a run may take', rule: 'pick' },
  ttlSecondsAfterFinished: {
    shape: integer(0),
    about: 'how long the finished Job is kept; refused (JG109) where it would run again',
    rule: 'pick',
  },
  completions: { shape: integer(0), about: 'pods that must succeed', rule: 'pick' },
  parallelism: { shape: integer(0), about: 'pods at a time', rule: 'pick' },
  completionMode: {
    shape: oneOf('NonIndexed', 'Indexed'),
    about: 'whether each pod has an index',
    rule: 'pick',
  },
  backoffLimitPerIndex: { shape: integer(0), about: 'failed pods per index', rule: 'pick' },
  successPolicy: { shape: OBJECT, about: 'which indexes are enough', rule: 'pick' },
  podFailurePolicy: { shape: OBJECT, about: 'what a failure means', rule: 'pick' },
  podReplacementPolicy: {
    shape: oneOf('TerminatingOrFailed', 'Failed'),
    about: 'when a pod is replaced',
    rule: 'pick',
  },
  suspend: { shape: BOOLEAN, about: 'of the CronJob, where it is one', rule: 'pick' },
}

/** Keys that stand on a group and on a job. */
const COMMON_FIELDS: Fields = {
  enabled: { shape: BOOLEAN, standard: 'true', about: 'false leaves it out' },
  image: {
    shape: IMAGE,
    standard: 'root value',
    about: 'what runs',
    rule: 'by key: root, group, job',
  },
  command: { shape: { is: 'command' }, about: 'text is run by `sh -c`', rule: 'pick, see modes' },
  args: { shape: TEXT_LIST, about: 'arguments', rule: 'pick, see modes' },
  tasks: {
    shape: { is: 'map', of: TASK, dnsNames: true },
    about: 'steps that run one after the other, sorted by name',
    rule: 'pick, see modes',
  },
  completionImage: {
    shape: TEXT,
    standard: '`jobCompletionImage`',
    about: 'image of the container that closes tasks',
    rule: 'pick',
  },
  env: { shape: { is: 'env' }, standard: '{}', about: 'variables', rule: 'layers, by name' },
  envSecrets: {
    shape: TEXT_LIST,
    standard: '[]',
    about: 'Secrets read as variables',
    rule: 'joined',
  },
  envConfigMaps: {
    shape: TEXT_LIST,
    standard: '[]',
    about: 'ConfigMaps read as variables; a key of `configMaps` or an external name',
    rule: 'joined',
  },
  inherit: {
    shape: INHERIT,
    standard: 'all true',
    about: 'what to take from above',
    rule: 'deep merge',
  },
  volumes: {
    shape: { is: 'map', of: { is: 'kubernetes', type: 'object', without: 'name' } },
    standard: '{}',
    about: 'volume sources by name',
    rule: 'by key: (root), group, job',
  },
  volumeMounts: {
    shape: { is: 'map', of: { is: 'kubernetes', type: 'object', without: 'name' } },
    standard: '{}',
    about: 'mounts by the name of their volume',
    rule: 'by key: group, job',
  },
  useRootVolumes: {
    shape: BOOLEAN,
    standard: 'false',
    about: 'take the root `volumes`',
    rule: 'pick',
  },
  ...POD_FIELDS,
  podAnnotations: {
    shape: TEXT_MAP,
    standard: '{}',
    about: 'annotations of the pods',
    rule: 'by key: root, `jobPodAnnotations`, group, job',
  },
  metadataAnnotations: {
    shape: TEXT_MAP,
    standard: '{}',
    about: 'annotations of the object',
    rule: 'by key: `commonAnnotations`, hooks, group, job',
  },
  ...SPEC_FIELDS,
  ...CRON_FIELDS,
  hooks: {
    shape: HOOKS,
    standard: '{}',
    about: 'hooks of Argo CD and Helm',
    rule: 'by key: group, job',
  },
  hashSuffix: {
    shape: BOOLEAN,
    standard: 'true for Job, false for CronJob',
    about: 'whether the name ends in the hash',
    rule: 'pick',
  },
  hashIncludePodAnnotations: {
    shape: BOOLEAN,
    standard: 'true',
    about: 'whether pod annotations count',
    rule: 'pick',
  },
}

export const JOB_FIELDS: Fields = {
  ...COMMON_FIELDS,
  adoptName: { shape: TEXT, about: 'the name of an object that already ran this' },
}

const JOBS: Field = {
  shape: { is: 'map', of: { is: 'fields', fields: JOB_FIELDS }, dnsNames: true },
  about: 'the jobs, by name; each makes one object',
}

export const GROUP_FIELDS: Fields = {
  kind: { shape: oneOf('Job', 'CronJob'), standard: 'Job', about: 'what each job becomes' },
  jobs: JOBS,
  ...COMMON_FIELDS,
}
