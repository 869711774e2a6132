import type { Json, JsonObject } from '../../../core/json.ts'
import type { Rules } from '../../api/kind.ts'
import { type Complaints, numberOf, objectOf, objectsOf, textOf } from '../complaints.ts'
import { equalValues } from '../wire/equal.ts'
import { externalText, internalText } from '../wire/internal.ts'
import { isTrue } from './status.ts'

const IMMUTABLE = 'field is immutable'

/** What a Job's spec may become (table 1.2; K-8, K-9). */
export function checkSpecUpdate(
  out: Complaints,
  next: JsonObject,
  old: JsonObject,
  rules: Rules,
): void {
  const spec = objectOf(next, 'spec') ?? {}
  const before = objectOf(old, 'spec') ?? {}
  checkCompletions(out, spec, before)
  unchanged(out, spec, before, 'selector', (value) => externalText('LabelSelector', value))
  checkTemplateUpdate(out, spec, before, mutabilityOf(old, rules))
  unchanged(out, spec, before, 'completionMode', scalarText)
  unchanged(out, spec, before, 'podFailurePolicy', (value) =>
    internalText('PodFailurePolicy', value),
  )
  unchanged(out, spec, before, 'backoffLimitPerIndex', scalarText)
  unchanged(out, spec, before, 'managedBy', scalarText)
  unchanged(out, spec, before, 'successPolicy', (value) => internalText('SuccessPolicy', value))
}

function unchanged(
  out: Complaints,
  spec: JsonObject,
  before: JsonObject,
  field: string,
  text: (value: Json | undefined) => string,
): void {
  if (equalValues(spec[field], before[field])) return
  out.invalidRendered(`spec.${field}`, text(spec[field]), IMMUTABLE)
}

function scalarText(value: Json | undefined): string {
  return JSON.stringify(value ?? null)
}

/** An Indexed Job may grow and shrink, both numbers together (ElasticIndexedJob). */
function checkCompletions(out: Complaints, spec: JsonObject, before: JsonObject): void {
  if (textOf(spec, 'completionMode') !== 'Indexed') {
    return unchanged(out, spec, before, 'completions', scalarText)
  }
  const { completions, parallelism } = spec
  if (completions === undefined || completions === before['completions']) return
  if (completions === parallelism) return
  const detail = 'can only be modified in tandem with spec.parallelism'
  out.invalidRendered('spec.completions', scalarText(completions), detail)
}

interface Mutability {
  readonly suspended: boolean
  readonly scheduling: boolean
  readonly resources: boolean
}

/**
 * Suspended Jobs: before their first start the scheduling directives may change (K-8); since 1.36
 * both these and the resources may, also after a run, once no pod is left (K-9).
 */
function mutabilityOf(old: JsonObject, rules: Rules): Mutability {
  const status = objectOf(old, 'status') ?? {}
  const suspended = objectOf(old, 'spec')?.['suspend'] === true
  const notStarted = status['startTime'] === undefined
  if (rules.minor < 36) {
    return { suspended, scheduling: suspended && notStarted, resources: false }
  }
  const settled = notStarted || isTrue(status, 'Suspended')
  const idle = suspended && settled && numberOf(status, 'active') === 0
  return { suspended, scheduling: idle, resources: idle }
}

function checkTemplateUpdate(
  out: Complaints,
  spec: JsonObject,
  before: JsonObject,
  mutability: Mutability,
): void {
  const template = objectOf(spec, 'template') ?? {}
  const old = objectOf(before, 'template') ?? {}
  if (template === old) return
  const allowed = mutability.scheduling ? withDirectives(old, template) : old
  if (mutability.suspended && mutability.resources) {
    // The server compares the pod specs only: metadata was allowed above.
    const podSpec = objectOf(template, 'spec') ?? {}
    const allowedSpec = withResources(objectOf(allowed, 'spec') ?? {}, podSpec)
    if (equalValues(podSpec, allowedSpec)) return
    out.invalidRendered('spec.template.spec', internalText('PodSpec', podSpec), IMMUTABLE)
  } else if (!equalValues(template, allowed)) {
    out.invalidRendered('spec.template', internalText('PodTemplateSpec', template), IMMUTABLE)
  }
}

/** The old template with what may change taken from the new one. */
function withDirectives(old: JsonObject, next: JsonObject): JsonObject {
  const spec = objectOf(old, 'spec') ?? {}
  const nextSpec = objectOf(next, 'spec') ?? {}
  const metadata = objectOf(old, 'metadata') ?? {}
  const nextMetadata = objectOf(next, 'metadata') ?? {}
  return {
    ...old,
    metadata: {
      ...metadata,
      labels: nextMetadata['labels'],
      annotations: nextMetadata['annotations'],
    },
    spec: {
      ...spec,
      affinity: withNodeAffinity(objectOf(spec, 'affinity'), objectOf(nextSpec, 'affinity')),
      nodeSelector: nextSpec['nodeSelector'],
      tolerations: nextSpec['tolerations'],
      schedulingGates: nextSpec['schedulingGates'],
    },
  }
}

function withNodeAffinity(
  old: JsonObject | undefined,
  next: JsonObject | undefined,
): JsonObject | undefined {
  if (next !== undefined) return { ...old, nodeAffinity: next['nodeAffinity'] }
  if (old === undefined) return undefined
  const { nodeAffinity: _, ...rest } = old
  return Object.keys(rest).length === 0 ? undefined : rest
}

function withResources(old: JsonObject, next: JsonObject): JsonObject {
  const changed: { [list: string]: Json } = {}
  for (const list of ['containers', 'initContainers']) {
    const before = objectsOf(old, list)
    const after = objectsOf(next, list)
    if (before.length !== after.length || before.length === 0) continue
    changed[list] = before.map((container, at) => {
      const other = after[at]
      if (other === undefined || other['name'] !== container['name']) return container
      return { ...container, resources: other['resources'] ?? {} }
    })
  }
  return { ...old, ...changed }
}
