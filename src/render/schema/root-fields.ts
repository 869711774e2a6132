import { GROUP_FIELDS } from './job-fields.ts'
import { CONFIG_MAP, IMAGE, STANDARD_LABELS } from './parts.ts'
import {
  BOOLEAN,
  integer,
  LIST,
  OBJECT,
  TEXT,
  TEXT_LIST,
  TEXT_MAP,
  type Fields,
  type Shape,
} from './shape.ts'

/** Every top-level key that `semel render` reads. */
export const ROOT_FIELDS: Fields = {
  jobGroups: {
    shape: { is: 'map', of: { is: 'fields', fields: GROUP_FIELDS }, dnsNames: true },
    standard: '{}',
    about: 'the groups, by name',
  },
  nameOverride: { shape: TEXT, about: 'instead of the chart, in the full name' },
  fullnameOverride: { shape: TEXT, about: 'instead of the full name' },
  global: {
    shape: {
      is: 'fields',
      open: true,
      fields: { env: { shape: { is: 'env' }, standard: '{}', about: 'variables of all charts' } },
    },
    about: 'shared with other charts; only `env` is read',
  },
  env: { shape: { is: 'env' }, standard: '{}', about: 'variables of all jobs' },
  envSecrets: { shape: TEXT_LIST, standard: '[]', about: 'Secrets read as variables' },
  envConfigMaps: { shape: TEXT_LIST, standard: '[]', about: 'ConfigMaps read as variables' },
  configMaps: {
    shape: { is: 'map', of: CONFIG_MAP },
    standard: '{}',
    about: 'ConfigMaps called `<full name>-<key>`; their content is part of the hash',
  },
  image: { shape: IMAGE, about: 'what runs' },
  imagePullSecrets: { shape: TEXT_LIST, standard: '[]', about: 'names of Secrets' },
  jobCompletionImage: {
    shape: TEXT,
    standard: 'alpine:3.21',
    about: 'image of the container that closes tasks',
  },
  podAnnotations: { shape: TEXT_MAP, standard: '{}', about: 'annotations of all pods' },
  jobPodAnnotations: { shape: TEXT_MAP, standard: '{}', about: 'annotations of the pods of jobs' },
  commonAnnotations: { shape: TEXT_MAP, standard: '{}', about: 'annotations of all objects' },
  commonLabels: { shape: TEXT_MAP, standard: '{}', about: 'labels of all objects' },
  serviceAccount: {
    shape: {
      is: 'fields',
      fields: { name: { shape: TEXT, standard: 'default', about: 'who the pods are' } },
    },
    about: 'service account of the pods',
  },
  automountServiceAccountToken: {
    shape: BOOLEAN,
    standard: 'false',
    about: 'whether pods get its token',
  },
  priorityClassName: { shape: TEXT, about: 'priority of the pods' },
  podSecurityContext: { shape: OBJECT, about: 'of the pods' },
  securityContext: { shape: OBJECT, about: 'of the containers' },
  resources: { shape: OBJECT, about: 'requests and limits' },
  terminationGracePeriodSeconds: { shape: integer(0), about: 'time to stop' },
  nodeSelector: { shape: OBJECT, about: 'labels of the nodes' },
  affinity: { shape: OBJECT, about: 'rules for the nodes' },
  tolerations: { shape: LIST, about: 'taints that are tolerated' },
  topologySpreadConstraints: { shape: LIST, about: 'how pods are spread' },
  hostAliases: { shape: LIST, about: 'lines of /etc/hosts' },
  volumes: {
    shape: { is: 'map', of: { is: 'kubernetes', type: 'object', without: 'name' } },
    standard: '{}',
    about: 'volume sources by name, for jobs with `useRootVolumes`',
  },
  labels: { shape: STANDARD_LABELS, about: 'which labels the objects have' },
}

export const VALUES: Shape = { is: 'fields', fields: ROOT_FIELDS }

/** Keys of the chart in which the idea was born. */
export const REMOVED_KEYS: Readonly<Record<string, string>> = {
  dbJob: 'a job of a group with kind Job',
  initJob: 'a job of a group with kind Job',
  postSync: 'a job of a group with hooks.argocd.hook: PostSync',
  cronJobs: 'the jobs of a group with kind CronJob',
}
