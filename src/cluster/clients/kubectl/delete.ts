import { stringAt, type JsonObject } from '../../../core/json.ts'
import { succeeded } from '../../api/request.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf } from '../../api/registry.ts'
import { printedKind } from '../discovery.ts'
import type { KubectlCommand } from './command.ts'
import { dryRunWords } from './dry-run.ts'
import { errorOf, withSource, type KubectlError } from './messages.ts'
import type { StepInput, StepResult } from './run.ts'
import { isTarget, placeOf, targetOf, type Target } from './target.ts'
import { timeoutOf } from './timeout.ts'

/** Without --timeout kubectl waits a week. */
const WEEK = 7 * 24 * 3600 * 1000

/** `kubectl delete`: Background unless --cascade says more, then waits until the object is gone. */
export function deleteOne(input: StepInput): StepResult {
  const target = namedTarget(input)
  if (!isTarget(target)) return { kind: 'failed', error: target }
  if (input.step !== undefined) return waitGone(input, target, input.step)
  const sent = sendDelete(input, target)
  if (sent.kind !== 'sent') return sent
  if (input.dryRun !== 'none' || input.command.flags['wait'] === 'false') {
    return { kind: 'done', out: sent.out, warnings: sent.warnings }
  }
  const until = input.io.now + (timeoutOf(input.command) || WEEK)
  const result = waitGone(input, target, { until, uid: sent.uid })
  return result.kind === 'failed'
    ? { ...result, out: sent.out }
    : { ...result, out: sent.out, warnings: sent.warnings }
}

export interface Sent {
  readonly kind: 'sent'
  readonly uid: string
  readonly out: string
  readonly warnings: readonly string[]
}

export function sendDelete(input: StepInput, target: Target): Sent | StepResult {
  const out = deletedWords(input, target)
  if (input.dryRun === 'client') return { kind: 'sent', uid: '', out, warnings: [] }
  const got = input.io.request({ verb: 'get', user: 'kubectl', ...placeOf(target) })
  const grace = input.command.flags['grace-period']
  const body = {
    propagationPolicy: policyOf(input.command),
    ...(grace === undefined ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(input.dryRun === 'server' ? { dryRun: ['All'] } : {}),
  }
  const answer = input.io.request({
    verb: 'delete',
    user: 'kubectl',
    ...placeOf(target),
    body,
  })
  if (!succeeded(answer)) {
    const error = errorOf(answer)
    const isFile = input.command.flags['filename'] !== undefined
    return { kind: 'failed', error: isFile ? withSource(error, 'deleting "STDIN"') : error }
  }
  const uid = stringAt(got.body, ['metadata', 'uid']) ?? ''
  return { kind: 'sent', uid, out, warnings: answer.warnings.map((text) => `Warning: ${text}`) }
}

/** `job.batch "one" deleted from shop namespace`, as kubectl 1.34 and newer say it. */
function deletedWords({ dryRun }: StepInput, { kind, name, namespace }: Target): string {
  const where = namespace === undefined ? '' : ` from ${namespace} namespace`
  return `${printedKind(kind)} "${name}" deleted${where}${dryRunWords(dryRun)}`
}

function waitGone(input: StepInput, target: Target, step: JsonObject): StepResult {
  const place = placeOf(target)
  const got = input.io.request({ verb: 'get', user: 'kubectl', ...place })
  const isGone = got.code === 404 || stringAt(got.body, ['metadata', 'uid']) !== step['uid']
  if (isGone) return { kind: 'done' }
  const until = Number(step['until'])
  if (input.io.now >= until) {
    const { kind, name } = target
    const message = `timed out waiting for the condition on ${kind.resource}/${name}`
    return { kind: 'failed', error: { message } }
  }
  return { kind: 'wait', at: until, step, watches: { ...place.resource, ...watchedName(target) } }
}

export function watchedName({ namespace, name }: Target): {
  readonly namespace?: string
  readonly name: string
} {
  return namespace === undefined ? { name } : { namespace, name }
}

function policyOf({ flags }: KubectlCommand): 'Background' | 'Foreground' | 'Orphan' {
  if (flags['cascade'] === 'foreground') return 'Foreground'
  return flags['cascade'] === 'orphan' ? 'Orphan' : 'Background'
}

/** `job one two` and `job/one`: one stand-in object each, found by its words. */
export function deleteTargets({ args }: KubectlCommand): readonly JsonObject[] {
  const [first, ...names] = args
  if (first === undefined) return []
  if (first.includes('/')) {
    return args.map((arg) => {
      const [word = '', name = ''] = arg.split('/')
      return { word, metadata: { name } }
    })
  }
  return names.map((name) => ({ word: first, metadata: { name } }))
}

/** The object of a file, or one named on the command line. */
export function namedTarget(input: StepInput): Target | KubectlError {
  const word = stringAt(input.object, ['word'])
  if (word === undefined) return targetOf(input)
  const kind = input.discovery.byWord(word)
  if (kind === undefined) return { message: `the server doesn't have a resource type "${word}"` }
  return targetOf({ ...input, object: standIn(kind, input.object) })
}

function standIn(kind: Kind, object: JsonObject): JsonObject {
  return { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind }
}
