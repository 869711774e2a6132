import type { Json, JsonObject } from '../../../core/json.ts'
import type { FieldError, Kind, Rules } from '../../api/kind.ts'
import type { KubeObject } from '../../object.ts'
import { Complaints, givenNumber, objectOf, objectsOf, textOf } from '../complaints.ts'
import { checkLabelSelector, selectorMatches } from '../labels.ts'
import { withStruct } from '../job/defaults.ts'
import { nameWarnings } from '../job/warnings.ts'
import { changeIn, fill } from '../pod-template/defaults.ts'
import { dropDisabled } from '../pod-template/disabled.ts'
import { checkTemplate } from '../pod-template/template.ts'
import { templateWarnings } from '../pod-template/warnings.ts'
import { equalValues } from '../wire/equal.ts'
import { externalText, labelsText } from '../wire/internal.ts'

/** What the kinds of the group apps have in common. */
export const APPS: Pick<
  Kind,
  | 'group'
  | 'version'
  | 'namespaced'
  | 'hasStatus'
  | 'hasGeneration'
  | 'defaultPropagation'
  | 'createsOnUpdate'
  | 'nameRule'
  | 'prepareForStatusUpdate'
> = {
  group: 'apps',
  version: 'v1',
  namespaced: true,
  hasStatus: true,
  hasGeneration: true,
  defaultPropagation: 'Background',
  createsOnUpdate: false,
  nameRule: 'subdomain',
  prepareForStatusUpdate: (next, old) => ({ ...next, spec: old['spec'] ?? {} }),
}

export function specOf(object: JsonObject): JsonObject {
  return objectOf(object, 'spec') ?? {}
}

/** With spec and status there, as the Go struct has them. `kind`: `DeploymentSpec` without `Spec`. */
export function decoded(object: JsonObject, kind: string): JsonObject {
  return withStruct(withStruct(object, 'spec', `${kind}Spec`), 'status', `${kind}Status`)
}

/** A strategy that is not named is RollingUpdate, with the numbers that it lacks. */
export function rollingDefaults(numbers: JsonObject): (strategy: JsonObject) => JsonObject {
  return (strategy) => {
    const typed = fill(strategy, { type: 'RollingUpdate' })
    if (typed['type'] !== 'RollingUpdate') return typed
    const rollingUpdate = fill(objectOf(typed, 'rollingUpdate') ?? {}, numbers)
    return rollingUpdate === typed['rollingUpdate'] ? typed : { ...typed, rollingUpdate }
  }
}

export function judgesSpec(
  check: (out: Complaints, spec: JsonObject, rules: Rules) => void,
): (object: KubeObject, rules: Rules) => readonly FieldError[] {
  return (object, rules) => {
    const out = new Complaints()
    check(out, specOf(object), rules)
    return out.list
  }
}

/** A spec that stays as it was is not judged again. */
export function judgesChange(
  check: (out: Complaints, next: JsonObject, old: JsonObject, rules: Rules) => void,
): (next: KubeObject, old: KubeObject, rules: Rules) => readonly FieldError[] {
  return (next, old, rules) => {
    const out = new Complaints()
    if (next['spec'] !== old['spec']) check(out, specOf(next), specOf(old), rules)
    return out.list
  }
}

export function judgesCounts(
  counts: readonly string[],
  bounded: readonly string[],
): (next: KubeObject) => readonly FieldError[] {
  return (next) => {
    const out = new Complaints()
    checkCounts(out, objectOf(next, 'status') ?? {}, counts, bounded)
    return out.list
  }
}

/** Of the pod template, when it is new or something of the spec changed. */
export function workloadWarnings(
  object: KubeObject,
  old: KubeObject | undefined,
  rules: Rules,
): readonly string[] {
  if (old !== undefined && object.metadata.generation === old.metadata.generation) return []
  return templateWarnings(objectOf(specOf(object), 'template') ?? {}, 'spec.template', rules)
}

/** For kinds whose name becomes part of their pods' names: that, too. */
export function namedWarnings(
  object: KubeObject,
  old: KubeObject | undefined,
  rules: Rules,
): readonly string[] {
  const ofName = old === undefined ? nameWarnings(object.metadata.name) : []
  return [...ofName, ...workloadWarnings(object, old, rules)]
}

/** Without fields of the pod template that this version ignores, and with the status that counts. */
export function prepared(object: KubeObject, status: Json, rules: Rules): KubeObject {
  const kept = changeIn(object, 'spec', (spec) =>
    changeIn(spec, 'template', (template) => dropDisabled(template, rules)),
  )
  return { ...(kept as KubeObject), status }
}

/** `what`: the kind as the complaint about an empty selector calls it. */
export function checkSelector(
  out: Complaints,
  spec: JsonObject,
  what: string,
  required: boolean,
): void {
  const selector = objectOf(spec, 'selector')
  if (selector === undefined) {
    if (required) out.required('spec.selector')
    return
  }
  checkLabelSelector(out, selector, 'spec.selector')
  if (isEmpty(selector)) {
    const text = externalText('LabelSelector', selector)
    out.invalidRendered('spec.selector', text, `empty selector is invalid for ${what}`)
  }
}

function isEmpty(selector: JsonObject): boolean {
  const labels = Object.keys(objectOf(selector, 'matchLabels') ?? {})
  return labels.length + objectsOf(selector, 'matchExpressions').length === 0
}

/** False: the selector cannot be used, and the server goes no further. */
export function checkMatch(out: Complaints, spec: JsonObject, detail: string): boolean {
  const selector = objectOf(spec, 'selector')
  const labels = objectOf(objectOf(objectOf(spec, 'template'), 'metadata'), 'labels')
  const matches = selectorMatches(selector, labels ?? {})
  if (matches === undefined) {
    const text = externalText('LabelSelector', selector)
    out.invalidRendered('spec.selector', text, detail)
    return false
  }
  if (!matches) checkLabelsText(out, labels)
  return true
}

export function checkLabelsText(out: Complaints, labels: JsonObject | undefined): void {
  const detail = '`selector` does not match template `labels`'
  out.invalidRendered('spec.template.metadata.labels', labelsText(labels), detail)
}

/** These pods run for ever. `what`: the kind as the complaint about a deadline calls it. */
export function checkLasting(out: Complaints, spec: JsonObject, what: string): void {
  const pod = objectOf(objectOf(spec, 'template'), 'spec')
  const policy = textOf(pod, 'restartPolicy')
  const path = 'spec.template.spec'
  if (policy !== 'Always') out.notSupported(`${path}.restartPolicy`, policy, ['Always'])
  if (pod?.['activeDeadlineSeconds'] === undefined) return
  const detail = `activeDeadlineSeconds in ${what} is not Supported`
  out.forbidden(`${path}.activeDeadlineSeconds`, detail)
}

export function checkReplicaTemplate(out: Complaints, spec: JsonObject, rules: Rules): void {
  if (!checkMatch(out, spec, 'invalid label selector')) return
  checkTemplate(out, objectOf(spec, 'template'), 'spec.template', rules)
  checkLasting(out, spec, 'ReplicaSet')
}

export function checkSelectorKept(out: Complaints, spec: JsonObject, old: JsonObject): void {
  const selector = spec['selector']
  if (equalValues(selector, old['selector'])) return
  const text = externalText('LabelSelector', selector)
  out.invalidRendered('spec.selector', text, 'field is immutable')
}

const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"

export function checkAmount(out: Complaints, value: Json | undefined, path: string): void {
  if (typeof value === 'number') out.nonNegative(path, value)
  else if (typeof value === 'string' && !/^[0-9]+%$/.test(value)) {
    out.invalidNamed(path, value, PERCENT)
  }
}

export function checkAtMostAll(out: Complaints, value: Json | undefined, path: string): void {
  if (typeof value !== 'string' || !/^[0-9]+%$/.test(value) || amountOf(value) <= 100) return
  out.invalidNamed(path, value, 'must not be greater than 100%')
}

export function amountOf(value: Json | undefined): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^[-+]?\d+%?$/.test(value) ? Number.parseInt(value, 10) : 0
}

/** Numbers of a status, none negative and none above the replicas that there are. */
export function checkCounts(
  out: Complaints,
  status: JsonObject,
  counts: readonly string[],
  bounded: readonly string[],
): void {
  for (const count of counts) out.nonNegative(`status.${count}`, status[count])
  const number = (field: string): number => givenNumber(status, field) ?? 0
  for (const count of bounded) {
    if (number(count) <= number('replicas')) continue
    const detail = 'cannot be greater than status.replicas'
    out.invalid(`status.${count}`, number(count), detail)
  }
  if (number('availableReplicas') <= number('readyReplicas')) return
  const detail = 'cannot be greater than readyReplicas'
  out.invalid('status.availableReplicas', number('availableReplicas'), detail)
}
