import { BOOLEAN, integer, oneOf, TEXT, TEXT_MAP, type Fields, type Shape } from './shape.ts'

export const IMAGE: Shape = {
  is: 'fields',
  fields: {
    repository: { shape: TEXT, about: 'registry and path of the image' },
    tag: { shape: TEXT, about: 'quote it when it looks like a number' },
    digest: { shape: TEXT, about: '`sha256:...`; with it the tag is only a comment' },
    pullPolicy: {
      shape: oneOf('Always', 'IfNotPresent', 'Never'),
      standard: 'IfNotPresent',
      about: 'when nodes pull the image',
    },
  },
}

export const CONFIG_MAP: Shape = {
  is: 'fields',
  fields: {
    enabled: { shape: BOOLEAN, standard: 'false', about: 'whether there is this ConfigMap' },
    mountPath: { shape: TEXT, about: 'where every job mounts it; without it no job does' },
    readOnly: { shape: BOOLEAN, standard: 'true', about: 'mount it read-only' },
    defaultMode: { shape: integer(0), about: 'mode of the files, in decimal or `0o` notation' },
    data: { shape: TEXT_MAP, standard: '{}', about: 'names of files and their content' },
  },
}

export const HOOKS: Shape = {
  is: 'fields',
  fields: {
    argocd: {
      about: 'make the Job a hook of Argo CD',
      shape: {
        is: 'fields',
        fields: {
          hook: { shape: { is: 'textList', orText: true }, about: '`PreSync`, `Sync`, ...' },
          syncWave: { shape: { is: 'wave' }, about: 'order among the objects of one phase' },
          deletePolicy: {
            shape: { is: 'textList', orText: true },
            standard: 'HookFailed',
            about: 'what removes the Job; policies that remove it at every sync are refused',
          },
        },
      },
    },
    helm: {
      about: 'make the Job a hook of Helm, which needs `hashSuffix: false`',
      shape: {
        is: 'fields',
        fields: {
          hook: { shape: { is: 'textList', orText: true }, about: '`pre-install,pre-upgrade`' },
          weight: { shape: { is: 'wave' }, about: 'order among the hooks of one event' },
          deletePolicy: {
            shape: { is: 'textList', orText: true },
            about: 'when Helm removes the Job; its own default is `before-hook-creation`',
          },
        },
      },
    },
  },
}

export const INHERIT: Shape = {
  is: 'fields',
  fields: {
    env: {
      about: 'layers of variables from above',
      shape: {
        is: 'fields',
        fields: {
          global: { shape: BOOLEAN, standard: 'true', about: 'take `global.env`' },
          root: { shape: BOOLEAN, standard: 'true', about: 'take the root `env`' },
        },
      },
    },
    envSecrets: { shape: BOOLEAN, standard: 'true', about: 'take the root `envSecrets`' },
    configMaps: { shape: BOOLEAN, standard: 'true', about: 'take the root `envConfigMaps`' },
    configMapMount: {
      shape: { is: 'flags' },
      standard: 'true',
      about: 'mount the root `configMaps`; a mapping switches single ones off',
    },
  },
}

export const TASK: Shape = {
  is: 'fields',
  fields: {
    command: { shape: { is: 'command' }, about: 'text is run by `sh -c`' },
    args: { shape: { is: 'textList' }, about: 'arguments' },
  },
}

export const STANDARD_LABELS: Shape = {
  is: 'fields',
  fields: {
    standard: {
      about: 'the labels `app.kubernetes.io/...` beside name and instance',
      shape: {
        is: 'fields',
        fields: {
          enabled: { shape: BOOLEAN, standard: 'true', about: 'false: none of the three' },
          partOf: { shape: BOOLEAN, standard: 'true', about: 'part-of: the full name' },
          version: { shape: BOOLEAN, standard: 'true', about: 'version: the appVersion' },
          managedBy: { shape: BOOLEAN, standard: 'true', about: 'managed-by: semel' },
        },
      },
    },
  },
}

/** Of a CronJob alone. */
export const CRON_FIELDS: Fields = {
  schedule: { shape: TEXT, about: 'when; a must for kind CronJob', rule: 'pick' },
  timeZone: { shape: TEXT, about: 'IANA time zone of the schedule', rule: 'pick' },
  concurrencyPolicy: {
    shape: oneOf('Allow', 'Forbid', 'Replace'),
    about: 'what a start does while the last run goes on',
    rule: 'pick',
  },
  startingDeadlineSeconds: {
    shape: integer(0),
    about: 'how late a start may be',
    rule: 'pick',
  },
  successfulJobsHistoryLimit: {
    shape: integer(0),
    about: 'finished Jobs that are kept',
    rule: 'pick',
  },
  failedJobsHistoryLimit: { shape: integer(0), about: 'failed Jobs that are kept', rule: 'pick' },
}
