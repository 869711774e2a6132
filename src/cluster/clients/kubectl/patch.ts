import { succeeded } from '../../api/request.ts'
import type { PatchType } from '../../api/request.ts'
import type { Json } from '../../../core/json.ts'
import { optionsOf } from './apply.ts'
import { deleteTargets, namedTarget } from './delete.ts'
import { errorOf } from './messages.ts'
import type { StepInput, StepResult } from './run.ts'
import { isTarget, placeOf, printed } from './target.ts'

const MANAGER = 'kubectl-patch'

/** `kubectl patch job one --type=merge -p JSON`. */
export function patchNamed(input: StepInput): StepResult {
  const { command } = input
  const [object = {}] = deleteTargets(command)
  const target = namedTarget({ ...input, object })
  if (!isTarget(target)) return { kind: 'failed', error: target }
  const body = jsonOf(command.flags['patch'] ?? '')
  if (body === undefined) {
    const message = `unable to parse "${command.flags['patch'] ?? ''}": it is no JSON`
    return { kind: 'failed', error: { message } }
  }
  const before = input.io.request({ verb: 'get', user: 'kubectl', ...placeOf(target) })
  const answer = input.io.request({
    verb: 'patch',
    user: 'kubectl',
    ...placeOf(target),
    ...(command.flags['subresource'] === undefined
      ? {}
      : { subresource: command.flags['subresource'] }),
    patch: { type: typeOf(command.flags['type']), body },
    options: { ...optionsOf(input), fieldManager: command.flags['field-manager'] ?? MANAGER },
  })
  if (!succeeded(answer)) return { kind: 'failed', error: errorOf(answer) }
  const isSame =
    succeeded(before) &&
    before.body.metadata.resourceVersion === answer.body.metadata.resourceVersion
  const verb = isSame ? 'patched (no change)' : 'patched'
  return { kind: 'done', out: printed(target, target.name, verb, input) }
}

function typeOf(given: string | undefined): PatchType {
  return given === 'merge' || given === 'json' ? given : 'strategic'
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
