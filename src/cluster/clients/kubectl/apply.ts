import { at, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { succeeded } from '../../api/request.ts'
import type { KubeObject } from '../../object.ts'
import { apiVersionOf } from '../../api/registry.ts'
import { isOn } from './command.ts'
import { lastAppliedOf, withLastApplied, withoutNulls } from './last-applied.ts'
import {
  LAST_APPLIED,
  errorOf,
  isDeletingWarning,
  noLastApplied,
  withSource,
  type KubectlError,
} from './messages.ts'
import type { StepInput, StepResult } from './run.ts'
import { folderOf, isTarget, nameOf, placeOf, printed, targetOf, type Target } from './target.ts'
import { threeWayPatch } from './three-way.ts'
import { timeoutOf } from './timeout.ts'

const MANAGER = 'kubectl-client-side-apply'

/**
 * `kubectl apply`: creates what is absent, else sends the difference between what was applied
 * last, the manifest, and what is there. With --force, a refused or conflicting patch becomes a
 * Background delete, a wait for the absence and a create (K-33).
 */
export function applyOne(input: StepInput): StepResult {
  const target = targetOf(input)
  if (!isTarget(target)) return { kind: 'failed', error: target }
  const refused = generateNameRefusal(target)
  if (refused !== undefined) return { kind: 'failed', error: refused }
  if (input.step !== undefined) return createAfterDelete(input, target)

  const got = input.io.request({ verb: 'get', user: 'kubectl', ...placeOf(target) })
  if (got.code === 404) return createAbsent(input, target)
  if (!succeeded(got)) return { kind: 'failed', error: errorOf(got) }
  const live = got.body
  const warnings = [...warningsFor(target, live)]
  const modified = withLastApplied(target.object)
  const type = input.discovery.typeOf(target.kind)
  const patch = threeWayPatch(lastAppliedOf(live), modified, live, type)
  if (Object.keys(patch).length === 0) {
    warnings.push(...deletingWarning(live))
    return { kind: 'done', out: printed(target, target.name, 'unchanged', input), warnings }
  }
  if (input.dryRun === 'client') {
    return { kind: 'done', out: printed(target, target.name, 'configured', input), warnings }
  }
  const answer = input.io.request({
    verb: 'patch',
    user: 'kubectl',
    ...placeOf(target),
    patch: { type: type === undefined ? 'merge' : 'strategic', body: patch },
    options: { ...optionsOf(input), fieldManager: managerOf(input) },
  })
  if (succeeded(answer)) {
    warnings.push(...answer.warnings.map((text) => `Warning: ${text}`))
    warnings.push(...deletingWarning(answer.body))
    return { kind: 'done', out: printed(target, target.name, 'configured', input), warnings }
  }
  const isForced = isOn(input.command, 'force') && (answer.code === 409 || answer.code === 422)
  if (!isForced) return { kind: 'failed', error: patchError(errorOf(answer), target) }
  return deleteFirst(input, target, live, warnings)
}

/** Both kinds of apply need a name. */
export function generateNameRefusal({ object }: Target): KubectlError | undefined {
  const generateName = stringAt(object, ['metadata', 'generateName'])
  if (generateName === undefined || stringAt(object, ['metadata', 'name']) !== undefined) {
    return undefined
  }
  return { message: `from ${generateName}: cannot use generate name with apply` }
}

export function deletingWarning(object: KubeObject): readonly string[] {
  return object.metadata.deletionTimestamp === undefined
    ? []
    : [isDeletingWarning(object.metadata.name)]
}

function warningsFor({ kind, name }: Target, live: KubeObject): readonly string[] {
  if (at(live, ['metadata', 'annotations', LAST_APPLIED]) !== undefined) return []
  return [noLastApplied(kind.resource, name)]
}

function createAbsent(input: StepInput, target: Target): StepResult {
  if (input.dryRun !== 'client') {
    const answer = input.io.request({
      verb: 'create',
      user: 'kubectl',
      ...folderOf(target),
      body: withoutNulls(withLastApplied(target.object)),
      options: { ...optionsOf(input), fieldManager: managerOf(input) },
    })
    if (!succeeded(answer)) {
      return { kind: 'failed', error: withSource(errorOf(answer), 'creating "STDIN"') }
    }
    const warnings = answer.warnings.map((text) => `Warning: ${text}`)
    return { kind: 'done', out: printed(target, nameOf(answer), 'created', input), warnings }
  }
  return { kind: 'done', out: printed(target, target.name, 'created', input) }
}

function deleteFirst(
  input: StepInput,
  target: Target,
  live: KubeObject,
  warnings: readonly string[],
): StepResult {
  const answer = input.io.request({
    verb: 'delete',
    user: 'kubectl',
    ...placeOf(target),
    options: { propagationPolicy: 'Background' },
  })
  if (!succeeded(answer)) return { kind: 'failed', error: errorOf(answer) }
  const step = { until: input.io.now + timeoutOf(input.command), original: live }
  const result = createAfterDelete({ ...input, step }, target)
  return result.kind === 'failed' ? result : { ...result, warnings }
}

/** Looks once a second whether the name is free; without --timeout it looks once. */
function createAfterDelete(input: StepInput, target: Target): StepResult {
  const { io } = input
  const until = Number(input.step?.['until'])
  const got = io.request({ verb: 'get', user: 'kubectl', ...placeOf(target) })
  if (got.code !== 404) {
    if (io.now >= until) {
      const message = patchedTo(target, 'context deadline exceeded')
      return { kind: 'failed', error: { message } }
    }
    const at = Math.min(io.now + 1000, until)
    return { kind: 'wait', at, step: input.step ?? {} }
  }
  const body = withLastApplied(target.object)
  const options = { fieldManager: managerOf(input) }
  const place = folderOf(target)
  const answer = io.request({ verb: 'create', user: 'kubectl', ...place, body, options })
  if (succeeded(answer)) {
    return { kind: 'done', out: printed(target, target.name, 'configured', input) }
  }
  return { kind: 'failed', error: restore(input, target, errorOf(answer)) }
}

/** A refused creation puts the old object back, which is refused too for a Job (trace 087c). */
function restore(input: StepInput, target: Target, error: KubectlError): KubectlError {
  const original = objectAt(input.step, ['original'])
  if (original === undefined) return error
  const { resourceVersion: _, uid: __, ...metadata } = objectAt(original, ['metadata']) ?? {}
  const answer = input.io.request({
    verb: 'create',
    user: 'kubectl',
    ...folderOf(target),
    body: { ...original, metadata },
    options: { fieldManager: managerOf(input) },
  })
  if (succeeded(answer)) return { message: patchedTo(target, error.message) }
  const both =
    'An error occurred force-replacing the existing object with the newly provided one:\n\n' +
    `${error.message}.\n\nAdditionally, an error occurred attempting to restore the original ` +
    `object:\n\n${errorOf(answer).message}`
  return { message: patchedTo(target, both) }
}

/** Refusals as invalid keep the server's own words; others say what was tried. */
function patchError(error: KubectlError, target: Target): KubectlError {
  if (error.status?.reason === 'Invalid') return error
  const message = patchedTo(target, error.message)
  return error.status === undefined
    ? { message }
    : { status: { ...error.status, message }, message }
}

function patchedTo({ kind, name, namespace }: Target, message: string): string {
  const apiVersion = apiVersionOf(kind)
  return (
    'error when applying patch:\n{...}\nto:\n' +
    `Resource: "${apiVersion}, Resource=${kind.resource}", ` +
    `GroupVersionKind: "${apiVersion}, Kind=${kind.kind}"\n` +
    `Name: "${name}", Namespace: "${namespace ?? ''}"\nfor: "STDIN": ${message}`
  )
}

function managerOf({ command }: StepInput): string {
  return command.flags['field-manager'] ?? MANAGER
}

export function optionsOf({ dryRun }: StepInput): JsonObject & { readonly dryRun: boolean } {
  return { dryRun: dryRun === 'server' }
}
