import { at, stringAt, type JsonObject } from '../../../core/json.ts'
import { succeeded, type Answer } from '../../api/request.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../object.ts'
import { apiVersionOf } from '../../api/registry.ts'
import { takeOverPatch } from '../take-over.ts'
import { deletingWarning, generateNameRefusal, optionsOf } from './apply.ts'
import { isOn } from './command.ts'
import { CONFLICT_HELP, LAST_APPLIED, errorOf, type KubectlError } from './messages.ts'
import type { StepInput, StepResult } from './run.ts'
import { isTarget, nameOf, placeOf, printed, targetOf, type Target } from './target.ts'

const MANAGER = 'kubectl'
const ANNOTATION_MANAGER = 'kubectl-last-applied'

/**
 * `kubectl apply --server-side`: one apply patch. Over an object that was applied client-side
 * before, it then keeps the annotation by a manager of its own and takes over the fields of the
 * old manager, so that later applies can drop fields.
 */
export function applyServerSide(input: StepInput): StepResult {
  const target = targetOf(input)
  if (!isTarget(target)) return { kind: 'failed', error: target }
  const refused = generateNameRefusal(target)
  if (refused !== undefined) return { kind: 'failed', error: refused }
  const isForced = isOn(input.command, 'force-conflicts')
  const send = (): Answer => patchWith(input, target, target.object, managerOf(input), isForced)
  const answer = send()
  if (!succeeded(answer)) return { kind: 'failed', error: applyError(answer) }
  const warnings = answer.warnings.map((text) => `Warning: ${text}`)
  const problem = keepAnnotation(input, target, answer.body)
  if (problem !== undefined) warnings.push(problem)
  else if (takeOver(input, target)) send()
  warnings.push(...deletingWarning(answer.body))
  return {
    kind: 'done',
    out: printed(target, nameOf(answer), 'serverside-applied', input),
    warnings,
  }
}

function applyError(answer: Answer): KubectlError {
  const error = errorOf(answer)
  if (answer.code !== 409 || error.status?.reason !== 'Conflict') return error
  return { message: `${error.message}${CONFLICT_HELP}` }
}

function patchWith(
  input: StepInput,
  target: Target,
  body: JsonObject,
  fieldManager: string,
  force: boolean,
): Answer {
  return input.io.request({
    verb: 'patch',
    user: 'kubectl',
    ...placeOf(target),
    patch: { type: 'apply', body },
    options: { ...optionsOf(input), fieldManager, force },
  })
}

/** The words of a warning when the server refuses; kubectl goes on without the migration. */
function keepAnnotation(input: StepInput, target: Target, live: KubeObject): string | undefined {
  const text = live.metadata.annotations?.[LAST_APPLIED]
  if (managerOf(input) !== MANAGER || text === undefined) return undefined
  if (ownersOf(live, 'Apply').length > 0) return undefined
  const { kind, name, namespace } = target
  const body: JsonObject = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      annotations: { [LAST_APPLIED]: text },
    },
  }
  const answer = patchWith(input, target, body, ANNOTATION_MANAGER, false)
  if (succeeded(answer)) return undefined
  return (
    `Warning: failed to migrate ${LAST_APPLIED} for Server-Side Apply. This is non-fatal and ` +
    `will be retried next time you apply. Error: ${errorOf(answer).message}`
  )
}

/** Gives the client-side manager's fields to the server-side one; false when there is none. */
function takeOver(input: StepInput, target: Target): boolean {
  const got = input.io.request({ verb: 'get', user: 'kubectl', ...placeOf(target) })
  if (!succeeded(got)) return false
  const old = ownersOf(got.body, 'Update')
  if (old.length === 0) return false
  const manager = managerOf(input)
  const answer = input.io.request({
    verb: 'patch',
    user: 'kubectl',
    ...placeOf(target),
    patch: { type: 'json', body: takeOverPatch(got.body, old, manager) },
    options: { ...optionsOf(input), fieldManager: manager },
  })
  return succeeded(answer)
}

/** Managers of one operation that own the annotation of client-side apply. */
function ownersOf(
  live: KubeObject,
  operation: ManagedFieldsEntry['operation'],
): readonly ManagedFieldsEntry[] {
  const field = ['f:metadata', 'f:annotations', `f:${LAST_APPLIED}`]
  return (live.metadata.managedFields ?? []).filter(
    (entry) => entry.operation === operation && at(entry.fieldsV1, field) !== undefined,
  )
}

function managerOf({ command }: StepInput): string {
  return stringAt(command.flags, ['field-manager']) ?? MANAGER
}
