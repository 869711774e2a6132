import { isObject, type JsonObject } from '../../core/json.ts'
import { byteLength } from '../../core/text.ts'
import type { FieldError, Kind, Rules } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import { Complaints, givenText, objectOf, textOf } from './complaints.ts'
import { checkSchedule } from './cronjob/schedule.ts'
import { checkTimeZone } from './cronjob/time-zone.ts'
import { withStruct } from './job/defaults.ts'
import { checkJobTemplateSpec } from './job/spec.ts'
import { jobWarnings, nameWarnings } from './job/warnings.ts'
import { changeIn, fill } from './pod-template/defaults.ts'
import { dropDisabled } from './pod-template/disabled.ts'
import { externalText } from './wire/internal.ts'

/** A Job's name adds a dash and ten digits, and is a label (K-6). */
const LONGEST_NAME = 52
const TEMPLATE = 'spec.jobTemplate.spec'

export const cronjob: Kind = {
  group: 'batch',
  version: 'v1',
  resource: 'cronjobs',
  kind: 'CronJob',
  singular: 'cronjob',
  shortNames: ['cj'],
  namespaced: true,
  type: 'io.k8s.api.batch.v1.CronJob',
  hasStatus: true,
  hasGeneration: true,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'subdomain',
  defaults,
  prepareForCreate: (object, rules) => ({ ...withoutDisabled(object, rules), status: {} }),
  prepareForUpdate: (next, old, rules) => ({
    ...withoutDisabled(next, rules),
    status: old['status'] ?? {},
  }),
  prepareForStatusUpdate: (next, old) => ({ ...next, spec: old['spec'] ?? {} }),
  validateCreate,
  validateUpdate,
  validateStatusUpdate: () => [],
  warnings,
}

/** K-7; the Job inside gets nothing but what its pod template gets. */
function defaults(object: JsonObject): JsonObject {
  const decoded = withStruct(withStruct(object, 'spec', 'CronJobSpec'), 'status', 'CronJobStatus')
  return changeIn(decoded, 'spec', (spec) =>
    fill(spec, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    }),
  )
}

function withoutDisabled(object: KubeObject, rules: Rules): KubeObject {
  return changeIn(object, 'spec', (spec) =>
    changeIn(spec, 'jobTemplate', (job) =>
      changeIn(job, 'spec', (jobSpec) =>
        changeIn(jobSpec, 'template', (template) => dropDisabled(template, rules)),
      ),
    ),
  ) as KubeObject
}

function validateCreate(object: KubeObject, rules: Rules): readonly FieldError[] {
  const out = new Complaints()
  checkSpec(out, objectOf(object, 'spec') ?? {}, undefined, rules)
  const { name } = object.metadata
  if (byteLength(name) > LONGEST_NAME) {
    out.invalid('metadata.name', name, `must be no more than ${LONGEST_NAME} characters`)
  }
  return out.list
}

function validateUpdate(next: KubeObject, old: KubeObject, rules: Rules): readonly FieldError[] {
  const out = new Complaints()
  if (next['spec'] === old['spec']) return out.list
  checkSpec(out, objectOf(next, 'spec') ?? {}, objectOf(old, 'spec'), rules)
  return out.list
}

const POLICIES = ['Allow', 'Forbid', 'Replace']

function checkSpec(
  out: Complaints,
  spec: JsonObject,
  old: JsonObject | undefined,
  rules: Rules,
): void {
  const zone = givenText(spec, 'timeZone')
  const keepsZone = old !== undefined && textOf(old, 'schedule').includes('TZ')
  checkSchedule(out, textOf(spec, 'schedule'), {
    path: 'spec.schedule',
    zoneAllowed: keepsZone,
    hasTimeZone: zone !== undefined,
  })
  out.nonNegative('spec.startingDeadlineSeconds', spec['startingDeadlineSeconds'])
  if (zone !== undefined && (old === undefined || givenText(old, 'timeZone') !== zone)) {
    checkTimeZone(out, zone, 'spec.timeZone')
  }
  const policy = textOf(spec, 'concurrencyPolicy')
  if (policy === '') out.required('spec.concurrencyPolicy')
  else if (!POLICIES.includes(policy)) {
    out.notSupported('spec.concurrencyPolicy', policy, POLICIES)
  }
  checkJobTemplate(out, objectOf(objectOf(spec, 'jobTemplate'), 'spec') ?? {}, rules)
  out.nonNegative('spec.successfulJobsHistoryLimit', spec['successfulJobsHistoryLimit'])
  out.nonNegative('spec.failedJobsHistoryLimit', spec['failedJobsHistoryLimit'])
}

/** Each Job gets its own selector, so that the template may not have one. */
function checkJobTemplate(out: Complaints, spec: JsonObject, rules: Rules): void {
  checkJobTemplateSpec(out, spec, TEMPLATE, rules)
  const { selector } = spec
  if (isObject(selector)) {
    const text = externalText('LabelSelector', selector)
    out.invalidRendered(`${TEMPLATE}.selector`, text, '`selector` will be auto-generated')
  }
  if (spec['manualSelector'] === true) {
    out.notSupported(`${TEMPLATE}.manualSelector`, true, ['nil', 'false'])
  }
}

function warnings(
  object: KubeObject,
  old: KubeObject | undefined,
  rules: Rules,
): readonly string[] {
  const spec = objectOf(object, 'spec')
  const jobSpec = objectOf(objectOf(spec, 'jobTemplate'), 'spec') ?? {}
  if (old === undefined) {
    return [...nameWarnings(object.metadata.name), ...jobWarnings(jobSpec, TEMPLATE, rules)]
  }
  const changed = object.metadata.generation !== old.metadata.generation
  const ofJob = changed ? jobWarnings(jobSpec, TEMPLATE, rules) : []
  if (!textOf(spec, 'schedule').includes('TZ')) return ofJob
  const page = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/'
  const text = `cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see ${page} for more details`
  return [...ofJob, text]
}
