import { isObject, type JsonObject } from '../../../core/json.ts'
import type { Rules } from '../../api/kind.ts'
import { changeIn, fill, POD_TEMPLATE_DEFAULTS } from '../pod-template/defaults.ts'
import { dropDisabled } from '../pod-template/disabled.ts'
import { complete, type Defaults } from '../wire/complete.ts'

/** A Job as the server has it once it is decoded (K-2, K-3). */
export function jobDefaults(job: JsonObject): JsonObject {
  const decoded = withStruct(withStruct(job, 'spec', 'JobSpec'), 'status', 'JobStatus')
  return withTemplateLabels(changeIn(decoded, 'spec', jobSpecDefaults))
}

/** A part that is absent is there afterwards, as Go has no absent structs. */
export function withStruct(
  object: JsonObject,
  key: string,
  type: string,
  defaults: Defaults = POD_TEMPLATE_DEFAULTS,
): JsonObject {
  const value = object[key]
  const next = complete(type, isObject(value) ? value : {}, defaults)
  return next === value ? object : { ...object, [key]: next }
}

const USUAL = {
  parallelism: 1,
  backoffLimit: 6,
  completionMode: 'NonIndexed',
  suspend: false,
  manualSelector: false,
  podReplacementPolicy: 'TerminatingOrFailed',
}

function jobSpecDefaults(spec: JsonObject): JsonObject {
  const hasNoCount = spec['completions'] === undefined && spec['parallelism'] === undefined
  const counted = hasNoCount ? { ...spec, completions: 1 } : spec
  if (spec['backoffLimitPerIndex'] === undefined && spec['podFailurePolicy'] === undefined) {
    return fill(counted, USUAL)
  }
  return fill(counted, {
    ...USUAL,
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2_147_483_647,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
  })
}

/** A Job without labels shows those of its template. */
export function withTemplateLabels(job: JsonObject): JsonObject {
  const metadata = isObject(job['metadata']) ? job['metadata'] : {}
  const own = metadata['labels']
  if (isObject(own) && Object.keys(own).length > 0) return job
  const spec = job['spec']
  const template = isObject(spec) ? spec['template'] : undefined
  const templateMeta = isObject(template) ? template['metadata'] : undefined
  const labels = isObject(templateMeta) ? templateMeta['labels'] : undefined
  if (!isObject(labels)) return job
  return { ...job, metadata: { ...metadata, labels } }
}

/** Fields that a server of this version does not know yet: written, but not kept. */
export function dropDisabledJobFields(
  spec: JsonObject,
  old: JsonObject | undefined,
  rules: Rules,
): JsonObject {
  let next = spec
  const drop = (field: string, since: number): void => {
    if (rules.minor >= since || next[field] === undefined || old?.[field] !== undefined) return
    const { [field]: _, ...rest } = next
    next = rest
  }
  // An update does not look at managedBy, which cannot change anyway.
  if (old === undefined) drop('managedBy', 32)
  drop('successPolicy', 31)
  const template = next['template']
  if (!isObject(template)) return next
  const kept = dropDisabled(template, rules)
  return kept === template ? next : { ...next, template: kept }
}
