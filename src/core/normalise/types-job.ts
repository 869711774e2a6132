import type { JsonObject } from '../json.ts'
import {
  asSet,
  given,
  inOrder,
  marker,
  opaque,
  struct,
  text,
  texts,
  type Field,
  type Types,
} from './field.ts'
import {
  backoffLimitOf,
  completionsOf,
  parallelismOf,
  podReplacementPolicyOf,
} from './conditional.ts'

const OWN_METADATA = 'the pods get their own'
const FIRST_MATCH = 'the first rule that matches decides'

/** Labels and annotations that servers and controllers add are taken out by normalise.ts. */
const OBJECT_META: Readonly<Record<string, Field>> = {
  annotations: texts(),
  creationTimestamp: opaque(OWN_METADATA),
  deletionGracePeriodSeconds: opaque(OWN_METADATA),
  deletionTimestamp: opaque(OWN_METADATA),
  finalizers: asSet('scalar', '', 'set'),
  generateName: opaque(OWN_METADATA),
  generation: opaque(OWN_METADATA),
  labels: texts(),
  managedFields: opaque(OWN_METADATA),
  name: opaque(OWN_METADATA),
  namespace: opaque(OWN_METADATA),
  ownerReferences: opaque(OWN_METADATA),
  resourceVersion: opaque(OWN_METADATA),
  selfLink: opaque(OWN_METADATA),
  uid: opaque(OWN_METADATA),
}

export const JOB_TYPES: Types = {
  CronJobSpec: {
    fields: {
      concurrencyPolicy: text({ default: 'Allow' }),
      failedJobsHistoryLimit: given({ default: 1 }),
      jobTemplate: struct('JobTemplateSpec'),
      schedule: text(),
      startingDeadlineSeconds: given(),
      successfulJobsHistoryLimit: given({ default: 3 }),
      suspend: given({ default: false }),
      timeZone: given(),
    },
  },
  JobTemplateSpec: { fields: { metadata: struct('ObjectMeta'), spec: struct('JobSpec') } },
  ObjectMeta: { fields: OBJECT_META },
  JobSpec: {
    fields: {
      activeDeadlineSeconds: given(),
      backoffLimit: given({ when: backoffLimitOf }),
      backoffLimitPerIndex: given(),
      completionMode: given({ default: 'NonIndexed' }),
      completions: given({ when: completionsOf }),
      managedBy: given(),
      manualSelector: given({ default: false }),
      maxFailedIndexes: given(),
      parallelism: given({ when: parallelismOf }),
      podFailurePolicy: marker('PodFailurePolicy'),
      podReplacementPolicy: given({ when: podReplacementPolicyOf }),
      selector: marker('LabelSelector'),
      successPolicy: marker('SuccessPolicy'),
      suspend: given({ default: false }),
      template: struct('PodTemplateSpec'),
      ttlSecondsAfterFinished: given(),
    },
    prepare: dropGeneratedSelector,
  },
  PodFailurePolicy: { fields: { rules: inOrder('PodFailurePolicyRule', FIRST_MATCH) } },
  PodFailurePolicyRule: {
    fields: {
      action: text(),
      onExitCodes: marker('PodFailurePolicyOnExitCodesRequirement'),
      onPodConditions: asSet(
        'PodFailurePolicyOnPodConditionsPattern',
        'one pattern that matches is enough',
      ),
    },
  },
  PodFailurePolicyOnExitCodesRequirement: {
    fields: { containerName: given(), operator: text(), values: asSet('scalar', '', 'set') },
  },
  PodFailurePolicyOnPodConditionsPattern: {
    fields: { status: text({ default: 'True' }), type: text() },
  },
  SuccessPolicy: { fields: { rules: inOrder('SuccessPolicyRule', FIRST_MATCH) } },
  SuccessPolicyRule: { fields: { succeededCount: given(), succeededIndexes: given() } },
  PodTemplateSpec: { fields: { metadata: struct('ObjectMeta'), spec: struct('PodSpec') } },
  LabelSelector: {
    fields: {
      matchExpressions: asSet('LabelSelectorRequirement', 'all of them must hold'),
      matchLabels: texts(),
    },
  },
  LabelSelectorRequirement: {
    fields: { key: text(), operator: text(), values: asSet('scalar', 'any of them may match') },
  },
}

/** Unless manualSelector is true the server writes the selector, and nobody else may. */
function dropGeneratedSelector(spec: JsonObject): JsonObject {
  if (spec['selector'] === undefined || spec['manualSelector'] === true) return spec
  return { ...spec, selector: undefined }
}
