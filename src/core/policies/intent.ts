import { isList, isObject, objectAt, type Json, type JsonObject } from '../json.ts'
import { completionsIn } from '../normalise/conditional.ts'
import { normaliseSpec, withoutKeys } from '../normalise/normalise.ts'
import { configMember, type Policy } from './policy.ts'

/**
 * What the Job does: its normalised spec, without what can be changed in the Job as it stands and
 * changes nothing that runs. Of a CronJob the job template, because its other fields say when.
 * A label that only carries the chart's or the program's version does not count, unless the pod
 * can see it; the API server still refuses to change it under one name (see `fixedDigest`).
 */
export const intentPolicy: Policy = {
  id: 'intent',
  domain: 'semel.fingerprint/v1/intent',
  cover(kind, spec, config) {
    const whole = normaliseSpec(kind, spec)
    const covered =
      kind === 'Job'
        ? coverJobSpec(whole)
        : { jobTemplate: { spec: coverJobSpec(objectAt(whole, ['jobTemplate', 'spec']) ?? {}) } }
    return { kind, spec: covered, ...configMember(config) }
  },
}

export interface LeftOut {
  readonly field: string
  readonly why: string
}

/** Fields of the Job's spec that the intent leaves out. */
export const INTENT_LEAVES_OUT: readonly LeftOut[] = [
  {
    field: 'ttlSecondsAfterFinished',
    why: 'says how long the finished object is kept',
  },
  { field: 'suspend', why: 'says when the Job may run; Kueue and people switch it' },
  {
    field: 'backoffLimit',
    why: 'how many failed pods are replaced: a running Job takes the new limit, a finished one has no use for it',
  },
  {
    field: 'maxFailedIndexes',
    why: 'a limit like `backoffLimit`',
  },
  {
    field: 'activeDeadlineSeconds',
    why: 'how long a run may take: a running Job takes the new limit, a finished one has no use for it',
  },
  {
    field: 'parallelism',
    why: 'how many of the `completions` run at a time; without `completions` it is the number of workers and counts',
  },
  {
    field: 'podReplacementPolicy',
    why: 'whether a failing pod is replaced before or after it has stopped',
  },
  { field: 'managedBy', why: 'names the controller, not the work' },
]

/** Well-known labels that carry versions and tools, not meaning. */
export const RELEASE_LABELS: readonly string[] = [
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/version',
  'chart',
  'helm.sh/chart',
  'heritage',
]

const LEFT_OUT: ReadonlySet<string> = new Set(INTENT_LEAVES_OUT.map(({ field }) => field))

function coverJobSpec(spec: JsonObject): JsonObject {
  const { parallelism, template } = spec
  const completions = completionsIn(spec)
  const kept = Object.entries(spec).filter(([field]) => !LEFT_OUT.has(field))
  return {
    ...Object.fromEntries(kept),
    completions: completions ?? undefined,
    ...(completions === null ? { parallelism } : {}),
    template: isObject(template) ? withoutReleaseLabels(template) : template,
  }
}

function withoutReleaseLabels(template: JsonObject): JsonObject {
  const { metadata, spec } = template
  if (!isObject(metadata)) return template
  const unseen = RELEASE_LABELS.filter((label) => !canSee(spec, label))
  const kept = withoutKeys(metadata, 'labels', new Set(unseen))
  const { metadata: _, ...rest } = template
  return Object.keys(kept).length === 0 ? rest : { ...template, metadata: kept }
}

/**
 * Whether a pod spec names the label anywhere (a field reference, a selector, a script), or reads
 * all labels through the downward API.
 */
function canSee(value: Json | undefined, label: string): boolean {
  if (typeof value === 'string') return names(value, label)
  if (isList(value)) return value.some((item) => canSee(item, label))
  if (!isObject(value)) return false
  if (value['fieldPath'] === 'metadata.labels') return true
  return Object.entries(value).some(([key, item]) => key === label || canSee(item, label))
}

/** A label without a prefix is an everyday word, so the word alone does not name it. */
function names(text: string, label: string): boolean {
  if (label.includes('/')) return text.includes(label)
  return text === label || text.includes(`['${label}']`)
}
