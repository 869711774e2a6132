import type { JsonObject } from '../../core/json.ts'
import type { FieldError, Kind, Rules } from '../api/kind.ts'
import { finalizerErrors, metadataErrors, metadataUpdateErrors } from '../api/metadata.ts'
import type { KubeObject } from '../object.ts'
import { Complaints, givenNumber, givenText, numberOf, objectOf, textOf } from './complaints.ts'
import { dropDisabledJobFields, jobDefaults, withTemplateLabels } from './job/defaults.ts'
import { checkJobSpec } from './job/spec.ts'
import { checkStatusUpdate } from './job/status.ts'
import { checkSpecUpdate } from './job/update.ts'
import { jobWarnings, nameWarnings } from './job/warnings.ts'
import { selectorMatches } from './labels.ts'
import { dnsLabelFaults, labelValueFaults } from './names.ts'
import { externalText, labelsText } from './wire/internal.ts'

const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid'
const JOB_NAME = 'batch.kubernetes.io/job-name'
const OLD_CONTROLLER_UID = 'controller-uid'
const OLD_JOB_NAME = 'job-name'

export const job: Kind = {
  group: 'batch',
  version: 'v1',
  resource: 'jobs',
  kind: 'Job',
  singular: 'job',
  namespaced: true,
  type: 'io.k8s.api.batch.v1.Job',
  hasStatus: true,
  hasGeneration: true,
  // K-13, for compatibility with old clients.
  defaultPropagation: 'Orphan',
  createsOnUpdate: false,
  nameRule: 'subdomain',
  judgesMetadata: true,
  defaults: jobDefaults,
  prepareForCreate,
  prepareForUpdate,
  prepareForStatusUpdate,
  validateCreate,
  validateUpdate,
  validateStatusUpdate,
  warnings,
  fieldSelectors: ['status.successful'],
  selectableFields: (object) => ({
    'status.successful': `${numberOf(objectOf(object, 'status'), 'succeeded')}`,
  }),
}

function prepareForCreate(object: KubeObject, rules: Rules): KubeObject {
  const spec = dropDisabledJobFields(objectOf(object, 'spec') ?? {}, undefined, rules)
  if (spec['manualSelector'] === true) return { ...object, spec, status: {} }
  const made: KubeObject = { ...object, spec: withGeneratedSelector(object, spec), status: {} }
  // Labels taken from the template are one map with it, so that they get the generated ones too.
  if (sharesTemplateLabels(object)) return withTemplateLabels(withoutLabels(made)) as KubeObject
  // Without any, the server shows the template's when it reads the Job again; a name too long for
  // a label is refused before that, and then only the template's labels are spoken of.
  return labelValueFaults(object.metadata.name).length === 0
    ? (withTemplateLabels(made) as KubeObject)
    : made
}

function sharesTemplateLabels({ metadata, spec }: KubeObject): boolean {
  const template = objectOf(objectOf({ spec }, 'spec'), 'template')
  const labels = objectOf(objectOf(template, 'metadata'), 'labels')
  return labels !== undefined && labels === metadata.labels
}

function withoutLabels(object: KubeObject): KubeObject {
  const { labels: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** K-1: the pods carry the Job's uid and name, and the Job selects them by its uid. */
function withGeneratedSelector({ metadata }: KubeObject, spec: JsonObject): JsonObject {
  const template = objectOf(spec, 'template') ?? {}
  const templateMetadata = objectOf(template, 'metadata') ?? {}
  const selector = objectOf(spec, 'selector') ?? {}
  const labels = {
    [OLD_JOB_NAME]: metadata.name,
    [JOB_NAME]: metadata.name,
    [OLD_CONTROLLER_UID]: metadata.uid,
    [CONTROLLER_UID]: metadata.uid,
    ...objectOf(templateMetadata, 'labels'),
  }
  const matchLabels = { [CONTROLLER_UID]: metadata.uid, ...objectOf(selector, 'matchLabels') }
  return {
    ...spec,
    selector: { ...selector, matchLabels },
    template: { ...template, metadata: { ...templateMetadata, labels } },
  }
}

function prepareForUpdate(next: KubeObject, old: KubeObject, rules: Rules): KubeObject {
  const spec = objectOf(next, 'spec') ?? {}
  const kept = dropDisabledJobFields(spec, objectOf(old, 'spec'), rules)
  return { ...next, spec: kept, status: old['status'] ?? {} }
}

function prepareForStatusUpdate(next: KubeObject, old: KubeObject): KubeObject {
  return { ...next, spec: old['spec'] ?? {} }
}

function validateCreate(object: KubeObject, rules: Rules): readonly FieldError[] {
  const out = new Complaints()
  checkJob(out, object, rules, true)
  return out.list
}

function checkJob(
  out: Complaints,
  object: KubeObject,
  rules: Rules,
  requiresPrefixed: boolean,
): void {
  const spec = objectOf(object, 'spec') ?? {}
  checkGeneratedSelector(out, object, spec, requiresPrefixed)
  checkJobSpec(out, spec, 'spec', rules)
  checkHostName(out, object.metadata.name, spec)
}

/** The pods of an Indexed Job are called `<name>-<index>`, and that is their host name (K-5). */
function checkHostName(out: Complaints, name: string, spec: JsonObject): void {
  const completions = givenNumber(spec, 'completions')
  if (givenText(spec, 'completionMode') !== 'Indexed') return
  if (completions === undefined || completions <= 0) return
  const longest = `${name}-${completions - 1}`
  if (dnsLabelFaults(longest).length === 0) return
  const detail = `will not able to create pod with invalid DNS label: ${longest}`
  out.invalid('metadata.name', name, detail)
}

function checkGeneratedSelector(
  out: Complaints,
  { metadata }: KubeObject,
  spec: JsonObject,
  requiresPrefixed: boolean,
): void {
  const selector = objectOf(spec, 'selector')
  if (spec['manualSelector'] === true || selector === undefined) return
  const labels = objectOf(objectOf(objectOf(spec, 'template'), 'metadata'), 'labels') ?? {}
  const expected: { [key: string]: string } = {
    [OLD_CONTROLLER_UID]: metadata.uid,
    [OLD_JOB_NAME]: metadata.name,
    ...(requiresPrefixed ? { [CONTROLLER_UID]: metadata.uid, [JOB_NAME]: metadata.name } : {}),
  }
  for (const key of Object.keys(expected)) {
    const found = textOf(labels, key)
    const wanted = expected[key] ?? ''
    const here = `spec.template.metadata.labels[${key}]`
    if (labels[key] === undefined) out.required(here, `must be '${wanted}'`)
    else if (found !== wanted) {
      out.invalidRendered(here, labelsText(labels), `must be '${wanted}'`)
    }
  }
  if (selectorMatches(selector, expected) !== false) return
  const text = externalText('LabelSelector', selector)
  out.invalidRendered('spec.selector', text, '`selector` not auto-generated')
}

function validateUpdate(next: KubeObject, old: KubeObject, rules: Rules): readonly FieldError[] {
  const out = new Complaints()
  const oldTemplate = objectOf(objectOf(old, 'spec'), 'template')
  const labels = objectOf(objectOf(oldTemplate, 'metadata'), 'labels')
  // The Job as it is now comes first, with its metadata, and only then what has changed in it.
  const ofFinalizers = finalizerErrors(next, job)
  out.list.push(...metadataErrors(next, job, 'path-segment', old), ...ofFinalizers)
  const isSame = next['spec'] === old['spec'] && next.metadata.uid === old.metadata.uid
  const hadPrefixed = labels?.[JOB_NAME] !== undefined && labels[CONTROLLER_UID] !== undefined
  if (!isSame) checkJob(out, next, rules, hadPrefixed)
  out.list.push(...metadataUpdateErrors(next, old), ...ofFinalizers)
  if (isSame) return out.list
  // The server looks at the spec twice: each complaint of it is among the causes twice.
  checkJobSpec(out, objectOf(next, 'spec') ?? {}, 'spec', rules)
  checkSpecUpdate(out, next, old, rules)
  return out.list
}

function validateStatusUpdate(
  next: KubeObject,
  old: KubeObject,
  rules: Rules,
): readonly FieldError[] {
  const out = new Complaints()
  checkStatusUpdate(out, next, old, rules)
  return out.list
}

function warnings(
  object: KubeObject,
  old: KubeObject | undefined,
  rules: Rules,
): readonly string[] {
  const spec = objectOf(object, 'spec') ?? {}
  if (old === undefined) {
    return [...nameWarnings(object.metadata.name), ...jobWarnings(spec, 'spec', rules)]
  }
  return object.metadata.generation === old.metadata.generation
    ? []
    : jobWarnings(spec, 'spec', rules)
}
