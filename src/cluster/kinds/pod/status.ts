import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, givenText, numberOf, objectOf, objectsOf, textOf } from '../complaints.ts'
import { labelKeyFaults } from '../names.ts'

const SYSTEM_CONDITIONS = new Set(['PodScheduled', 'Ready', 'Initialized'])

/** Changes of a pod's status that cannot happen. */
export function checkPodStatusUpdate(out: Complaints, next: JsonObject, old: JsonObject): void {
  const status = objectOf(next, 'status') ?? {}
  const before = objectOf(old, 'status') ?? {}
  objectsOf(status, 'conditions').forEach((condition, at) => {
    const type = textOf(condition, 'type')
    if (SYSTEM_CONDITIONS.has(type)) return
    out.invalidEach(`status.conditions[${at}].Type`, type, labelKeyFaults(type))
  })
  const quality = textOf(status, 'qosClass')
  if (quality !== textOf(before, 'qosClass')) {
    out.invalidNamed('status.qosClass', quality, 'field is immutable')
  }
  const spec = objectOf(old, 'spec') ?? {}
  for (const [list, containers] of LISTS) {
    checkTransitions(out, { status, before, spec }, list, containers)
  }
}

const LISTS = [
  ['containerStatuses', 'containers'],
  ['initContainerStatuses', 'initContainers'],
] as const

interface Step {
  readonly status: JsonObject
  readonly before: JsonObject
  readonly spec: JsonObject
}

/** A container that has ended stays so, unless its policy starts it again. */
function checkTransitions(
  out: Complaints,
  { status, before, spec }: Step,
  list: string,
  containers: string,
): void {
  const statuses = objectsOf(status, list)
  objectsOf(before, list).forEach((old, at) => {
    const ended = objectOf(objectOf(old, 'state'), 'terminated')
    if (ended === undefined) return
    const name = textOf(old, 'name')
    const now = statuses.find((other) => other['name'] === name)
    if (now === undefined || objectOf(now, 'state')?.['terminated'] !== undefined) return
    const container = objectsOf(spec, containers).find((other) => other['name'] === name)
    if (container !== undefined && restarts(container, spec, numberOf(ended, 'exitCode'))) return
    const detail = 'may not be transitioned to non-terminated state'
    out.forbidden(`status.${list}[${at}].state`, detail)
  })
}

function restarts(container: JsonObject, spec: JsonObject, exitCode: number): boolean {
  const policy = givenText(container, 'restartPolicy') ?? textOf(spec, 'restartPolicy')
  if (policy === 'Always') return true
  return policy === 'OnFailure' && exitCode !== 0
}
