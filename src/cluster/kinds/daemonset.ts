import type { JsonObject } from '../../core/json.ts'
import type { FieldError, Kind, Rules } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import {
  APPS,
  amountOf,
  checkAmount,
  checkAtMostAll,
  checkLabelsText,
  checkLasting,
  checkSelectorKept,
  decoded,
  judgesChange,
  judgesSpec,
  prepared,
  rollingDefaults,
  specOf,
  workloadWarnings,
} from './apps/workload.ts'
import { Complaints, objectOf, objectsOf, textOf } from './complaints.ts'
import { checkLabelSelector, selectorMatches } from './labels.ts'
import { changeIn, fill } from './pod-template/defaults.ts'
import { checkTemplate } from './pod-template/template.ts'
import { equalValues } from './wire/equal.ts'
import { externalText, internalText } from './wire/internal.ts'

/** How the first version of the API counted templates; still shown. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

export const daemonset: Kind = {
  ...APPS,
  resource: 'daemonsets',
  kind: 'DaemonSet',
  singular: 'daemonset',
  shortNames: ['ds'],
  type: 'io.k8s.api.apps.v1.DaemonSet',
  defaults,
  prepareForCreate: (object, rules) =>
    withTemplateGeneration(prepared(object, firstStatus(), rules), 1),
  prepareForUpdate,
  validateCreate: judgesSpec(checkSpec),
  validateUpdate: judgesChange((out, spec, old, rules) => {
    checkSelectorKept(out, spec, old)
    checkSpec(out, spec, rules)
  }),
  validateStatusUpdate,
  warnings: workloadWarnings,
}

function firstStatus(): JsonObject {
  return {
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    desiredNumberScheduled: 0,
    numberReady: 0,
  }
}

function defaults(object: JsonObject): JsonObject {
  const filled = changeIn(decoded(object, 'DaemonSet'), 'spec', (spec) =>
    fill(changeIn(spec, 'updateStrategy', STRATEGY), { revisionHistoryLimit: 10 }),
  )
  return changeIn(filled, 'metadata', withCounter)
}

/** Reading a DaemonSet already brings the annotation, so it belongs to whoever wrote the object. */
function withCounter(metadata: JsonObject): JsonObject {
  const annotations = objectOf(metadata, 'annotations') ?? {}
  if (annotations[TEMPLATE_GENERATION] !== undefined) return metadata
  return { ...metadata, annotations: { ...annotations, [TEMPLATE_GENERATION]: '0' } }
}

const STRATEGY = rollingDefaults({ maxUnavailable: 1, maxSurge: 0 })

function withTemplateGeneration(object: KubeObject, generation: number): KubeObject {
  const annotations = { ...object.metadata.annotations, [TEMPLATE_GENERATION]: `${generation}` }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

function prepareForUpdate(next: KubeObject, old: KubeObject, rules: Rules): KubeObject {
  const kept = prepared(next, old['status'] ?? {}, rules)
  const before = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 1)
  const changed = !equalValues(specOf(next)['template'], specOf(old)['template'])
  return withTemplateGeneration(kept, changed ? before + 1 : before)
}

function checkSpec(out: Complaints, spec: JsonObject, rules: Rules): void {
  const selector = objectOf(spec, 'selector')
  checkLabelSelector(out, selector, 'spec.selector')
  const labels = objectOf(objectOf(objectOf(spec, 'template'), 'metadata'), 'labels')
  if (selectorMatches(selector, labels ?? {}) === false) checkLabelsText(out, labels)
  const count =
    Object.keys(objectOf(selector, 'matchLabels') ?? {}).length +
    objectsOf(selector, 'matchExpressions').length
  if (selector !== undefined && count === 0) {
    const text = externalText('LabelSelector', selector)
    out.invalidRendered('spec.selector', text, 'empty selector is invalid for daemonset')
  }
  checkTemplate(out, objectOf(spec, 'template'), 'spec.template', rules)
  checkLasting(out, spec, 'DaemonSet')
  out.nonNegative('spec.minReadySeconds', spec['minReadySeconds'])
  checkStrategy(out, objectOf(spec, 'updateStrategy') ?? {})
  out.nonNegative('spec.revisionHistoryLimit', spec['revisionHistoryLimit'])
}

function checkStrategy(out: Complaints, strategy: JsonObject): void {
  const type = textOf(strategy, 'type')
  if (type === 'OnDelete') return
  if (type !== 'RollingUpdate') {
    out.list.push({
      type: 'NotSupported',
      field: 'spec.updateStrategy',
      rendered: internalText('DaemonSetUpdateStrategy', strategy),
      detail: 'supported values: "RollingUpdate", "OnDelete"',
    })
    return
  }
  const path = 'spec.updateStrategy.rollingUpdate'
  const { maxUnavailable, maxSurge } = objectOf(strategy, 'rollingUpdate') ?? {}
  checkAmount(out, maxUnavailable, `${path}.maxUnavailable`)
  checkAmount(out, maxSurge, `${path}.maxSurge`)
  checkAtMostAll(out, maxUnavailable, `${path}.maxUnavailable`)
  checkAtMostAll(out, maxSurge, `${path}.maxSurge`)
  const isDown = amountOf(maxUnavailable) !== 0
  const isUp = amountOf(maxSurge) !== 0
  if (isDown && isUp) {
    const detail = 'may not be set when maxUnavailable is non-zero'
    out.invalidNamed(`${path}.maxSurge`, maxSurge ?? 0, detail)
  } else if (!isDown && !isUp) {
    out.required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')
  }
}

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
]

function validateStatusUpdate(next: KubeObject): readonly FieldError[] {
  const out = new Complaints()
  const status = objectOf(next, 'status') ?? {}
  for (const count of COUNTS) out.nonNegative(`status.${count}`, status[count])
  return out.list
}
