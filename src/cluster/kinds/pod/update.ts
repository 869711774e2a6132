import { type Json, type JsonObject } from '../../../core/json.ts'
import { type Complaints, givenNumber, objectOf, objectsOf, textOf } from '../complaints.ts'
import { rangeFaults } from '../names.ts'
import { checkTolerations } from '../pod-template/tolerations.ts'
import { equalValues } from '../wire/equal.ts'
import { internalText, labelsText } from '../wire/internal.ts'
import { isGated } from './defaults.ts'
import { unifiedDiff } from './unified-diff.ts'

const MOST_SECONDS = 2_147_483_647
const MUTABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',')

/** What may change of a pod's spec after its creation. */
export function checkPodSpecUpdate(out: Complaints, next: JsonObject, old: JsonObject): void {
  for (const list of ['containers', 'initContainers']) {
    if (!checkSameContainers(out, next, old, list)) return
  }
  if (!checkDeadline(out, next, old)) return
  checkTolerationsKept(out, next, old)
  checkGatesKept(out, next, old)
  if (equalValues(next, old)) return
  const allowed = withAllowedChanges(out, next, old)
  if (equalValues(allowed, old)) return
  const diff = unifiedDiff(prettyText(old), prettyText(allowed))
  out.forbidden('spec', `pod updates may not change fields other than ${MUTABLE}\n${diff}`)
}

function prettyText(spec: JsonObject): string {
  const value: unknown = JSON.parse(internalText('PodSpec', spec))
  return JSON.stringify(value, null, 1).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function checkSameContainers(
  out: Complaints,
  next: JsonObject,
  old: JsonObject,
  list: string,
): boolean {
  const containers = objectsOf(next, list)
  if (containers.length !== objectsOf(old, list).length) {
    out.forbidden(`spec.${list}`, 'pod updates may not add or remove containers')
    return false
  }
  containers.forEach((container, at) => {
    const image = textOf(container, 'image')
    if (image === '') out.required(`spec.${list}[${at}].image`)
    if (image.trim() !== image) {
      const detail = 'must not have leading or trailing whitespace'
      out.invalid(`spec.${list}[${at}].image`, image, detail)
    }
  })
  return true
}

/** A deadline may be set and may come nearer. */
function checkDeadline(out: Complaints, next: JsonObject, old: JsonObject): boolean {
  const path = 'spec.activeDeadlineSeconds'
  const seconds = givenNumber(next, 'activeDeadlineSeconds')
  const before = givenNumber(old, 'activeDeadlineSeconds')
  if (seconds === undefined) {
    if (before !== undefined) {
      out.invalid(path, null, 'must not update from a positive integer to nil value')
    }
    return true
  }
  const faults = rangeFaults(seconds, 0, MOST_SECONDS)
  out.invalidEach(path, seconds, faults)
  if (faults.length > 0) return false
  if (before === undefined || seconds <= before) return true
  out.invalid(path, seconds, 'must be less than or equal to previous value')
  return false
}

function checkTolerationsKept(out: Complaints, next: JsonObject, old: JsonObject): void {
  const path = 'spec.tolerations'
  const tolerations = objectsOf(next, 'tolerations')
  const kept = objectsOf(old, 'tolerations').every((one) =>
    tolerations.some((other) => equalValues(withoutTime(one), withoutTime(other))),
  )
  if (!kept) {
    const detail = 'existing toleration can not be modified except its tolerationSeconds'
    return out.forbidden(path, detail)
  }
  checkTolerations(out, tolerations, path)
}

function withoutTime(toleration: JsonObject): JsonObject {
  const { tolerationSeconds: _, ...rest } = toleration
  return rest
}

function checkGatesKept(out: Complaints, next: JsonObject, old: JsonObject): void {
  const before = new Set(objectsOf(old, 'schedulingGates').map((gate) => textOf(gate, 'name')))
  objectsOf(next, 'schedulingGates').forEach((gate, at) => {
    const name = textOf(gate, 'name')
    if (before.has(name)) return
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`
    out.forbidden(`spec.schedulingGates[${at}].name`, detail)
  })
}

/** The new spec with what may change put back: what is left over is refused. */
function withAllowedChanges(out: Complaints, next: JsonObject, old: JsonObject): JsonObject {
  const images = (list: string): Json | undefined => {
    const before = objectsOf(old, list)
    const containers = objectsOf(next, list)
    if (containers.length === 0) return next[list]
    return containers.map((container, at) => ({ ...container, image: textOf(before[at], 'image') }))
  }
  const grace = givenNumber(old, 'terminationGracePeriodSeconds')
  const repaired = grace !== undefined && grace < 0 && next['terminationGracePeriodSeconds'] === 1
  const allowed: JsonObject = {
    ...next,
    containers: images('containers'),
    initContainers: images('initContainers'),
    activeDeadlineSeconds: old['activeDeadlineSeconds'],
    schedulingGates: old['schedulingGates'],
    tolerations: old['tolerations'],
    ...(repaired ? { terminationGracePeriodSeconds: grace } : {}),
  }
  return isGated(old) ? withGatedChanges(out, allowed, old) : allowed
}

/** A pod at a gate may be told more about where to go. */
function withGatedChanges(out: Complaints, next: JsonObject, old: JsonObject): JsonObject {
  const selector = objectOf(next, 'nodeSelector') ?? {}
  const before = objectOf(old, 'nodeSelector') ?? {}
  if (Object.keys(before).some((key) => selector[key] !== before[key])) {
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
    out.invalidRendered('spec.nodeSelector', labelsText(selector), detail)
  }
  const affinity = objectOf(next, 'affinity')
  const oldAffinity = objectOf(old, 'affinity')
  const nodeAffinity = oldAffinity?.['nodeAffinity']
  const selected = { ...next, nodeSelector: old['nodeSelector'] }
  if (affinity === undefined) {
    return nodeAffinity === undefined ? selected : { ...selected, affinity: { nodeAffinity } }
  }
  const { nodeAffinity: _, ...others } = affinity
  const isOnlyNode = oldAffinity === undefined && Object.keys(others).length === 0
  return { ...selected, affinity: isOnlyNode ? undefined : { ...others, nodeAffinity } }
}
