import { stringAt, type JsonObject } from '../../../core/json.ts'
import { succeeded } from '../../api/request.ts'
import { optionsOf } from './apply.ts'
import { sendDelete } from './delete.ts'
import { errorOf, withSource } from './messages.ts'
import type { StepInput, StepResult } from './run.ts'
import { folderOf, isTarget, nameOf, placeOf, printed, targetOf, type Target } from './target.ts'
import { timeoutOf } from './timeout.ts'

const MANAGER = 'kubectl-replace'
const FIVE_MINUTES = 300_000

/** `kubectl replace`: a PUT, which every plain Job manifest is refused for (K-10). */
export function replaceOne(input: StepInput): StepResult {
  const target = targetOf(input)
  if (!isTarget(target)) return { kind: 'failed', error: target }
  const answer = input.io.request({
    verb: 'update',
    user: 'kubectl',
    ...placeOf(target),
    body: target.object,
    options: { ...optionsOf(input), fieldManager: MANAGER },
  })
  if (!succeeded(answer)) {
    return { kind: 'failed', error: withSource(errorOf(answer), 'replacing "STDIN"') }
  }
  const warnings = answer.warnings.map((text) => `Warning: ${text}`)
  return { kind: 'done', out: printed(target, target.name, 'replaced', input), warnings }
}

/** `--force`: deletes Background, looks once a second for the absence, then creates (K-35). */
export function replaceForced(input: StepInput): StepResult {
  const target = targetOf(input)
  if (!isTarget(target)) return { kind: 'failed', error: target }
  if (input.step !== undefined) return createWhenGone(input, target, input.step)
  if (target.name === '') {
    const message = 'error when deleting "STDIN": resource name may not be empty'
    return { kind: 'failed', error: { message } }
  }
  const sent = sendDelete(input, target)
  const until = input.io.now + (timeoutOf(input.command) || FIVE_MINUTES)
  if (sent.kind !== 'sent') {
    const isAbsent = sent.kind === 'failed' && sent.error.status?.reason === 'NotFound'
    return isAbsent ? createWhenGone(input, target, { until }) : sent
  }
  const result = createWhenGone(input, target, { until })
  const out = [sent.out, ...('out' in result && result.out !== undefined ? [result.out] : [])]
  return { ...result, out: out.join('\n') }
}

function createWhenGone(input: StepInput, target: Target, step: JsonObject): StepResult {
  const { io } = input
  const got = io.request({ verb: 'get', user: 'kubectl', ...placeOf(target) })
  if (got.code !== 404) {
    const until = Number(step['until'])
    if (io.now >= until) {
      return { kind: 'failed', error: { message: 'context deadline exceeded' } }
    }
    return { kind: 'wait', at: Math.min(io.now + 1000, until), step }
  }
  const place = folderOf(target)
  const body = target.object
  const options = { fieldManager: MANAGER }
  const answer = io.request({ verb: 'create', user: 'kubectl', ...place, body, options })
  if (!succeeded(answer)) return { kind: 'failed', error: errorOf(answer) }
  const name = nameOf(answer) || (stringAt(target.object, ['metadata', 'name']) ?? '')
  return { kind: 'done', out: printed(target, name, 'replaced', input) }
}
