import { isList, isObject, objectAt, stringAt } from '../../../core/json.ts'
import { succeeded } from '../../api/request.ts'
import type { KubeObject } from '../../object.ts'
import { printedKind } from '../discovery.ts'
import { namedTarget, watchedName } from './delete.ts'
import { errorOf } from './messages.ts'
import type { StepInput, StepResult } from './run.ts'
import { isTarget, placeOf } from './target.ts'
import { timeoutOf } from './timeout.ts'

const THIRTY_SECONDS = 30_000

/**
 * `kubectl wait --for=condition=complete job/one`. It watches, so it sees an end even when the
 * object goes in the same instant; an object that is absent at the start is an error.
 */
export function waitFor(input: StepInput): StepResult {
  const target = namedTarget(input)
  if (!isTarget(target)) return { kind: 'failed', error: target }
  const { io, command } = input
  const place = placeOf(target)
  const goal = command.flags['for'] ?? ''
  const got = io.request({ verb: 'get', user: 'kubectl', ...place })
  const label = `${printedKind(target.kind)}/${target.name}`
  const seen = input.step?.['met'] === true
  if (!succeeded(got)) {
    if (goal === 'delete' && got.code === 404) return { kind: 'done', out: `${label} deleted` }
    if (!seen && (input.step === undefined || got.code !== 404)) {
      return { kind: 'failed', error: errorOf(got) }
    }
  }
  if (seen || (succeeded(got) && isMet(got.body, goal))) {
    return { kind: 'done', out: `${label} condition met` }
  }
  const until = Number(input.step?.['until'] ?? io.now + (timeoutOf(command) || THIRTY_SECONDS))
  if (io.now >= until) {
    const message = `timed out waiting for the condition on ${target.kind.resource}/${target.name}`
    return { kind: 'failed', error: { message } }
  }
  const watches = { ...place.resource, ...watchedName(target) }
  return { kind: 'wait', at: until, step: { until }, watches }
}

/** `condition=complete`, `condition=Ready=false`: names regardless of case, default status true. */
function isMet(object: KubeObject, goal: string): boolean {
  const [, name = '', status = 'true'] = /^condition=([^=]+)(?:=(.*))?$/.exec(goal) ?? []
  const conditions = objectAt(object, ['status'])?.['conditions']
  if (!isList(conditions)) return false
  return conditions
    .filter(isObject)
    .some(
      (condition) =>
        stringAt(condition, ['type'])?.toLowerCase() === name.toLowerCase() &&
        stringAt(condition, ['status'])?.toLowerCase() === status.toLowerCase(),
    )
}
