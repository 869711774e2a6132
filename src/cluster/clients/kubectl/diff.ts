import { succeeded } from '../../api/request.ts'
import { equal } from '../../fields/equal.ts'
import { isOn } from './command.ts'
import { lastAppliedOf, withLastApplied } from './last-applied.ts'
import { errorOf } from './messages.ts'
import type { StepInput, StepResult } from './run.ts'
import { isTarget, placeOf, targetOf } from './target.ts'
import { threeWayPatch } from './three-way.ts'

/**
 * `kubectl diff`: a dry run of the apply; nothing is written, and a refusal shows. The text of the
 * difference itself is diff's, not ours, so it is left out: exit code 1 says that there is one.
 */
export function diffOne(input: StepInput): StepResult {
  const target = targetOf(input)
  if (!isTarget(target)) return { kind: 'failed', error: target }
  const { io, command } = input
  const place = placeOf(target)
  const got = io.request({ verb: 'get', user: 'kubectl', ...place })
  const type = input.discovery.typeOf(target.kind)
  const isServerSide = isOn(command, 'server-side')
  if (got.code === 404) return DIFFERENT
  if (!succeeded(got)) return { kind: 'failed', error: errorOf(got) }
  const live = got.body
  const body = isServerSide
    ? target.object
    : threeWayPatch(lastAppliedOf(live), withLastApplied(target.object), live, type)
  const patchType = isServerSide ? 'apply' : type === undefined ? 'merge' : 'strategic'
  if (Object.keys(body).length === 0) return { kind: 'done' }
  const answer = io.request({
    verb: 'patch',
    user: 'kubectl',
    ...place,
    patch: { type: patchType, body },
    options: {
      dryRun: true,
      fieldManager: isServerSide ? 'kubectl' : 'kubectl-client-side-apply',
      ...(isServerSide ? { force: isOn(command, 'force-conflicts') } : {}),
    },
  })
  if (!succeeded(answer)) return { kind: 'failed', error: errorOf(answer) }
  return equal(withoutManagers(answer.body), withoutManagers(live)) ? { kind: 'done' } : DIFFERENT
}

/** diff itself ends with 1, and kubectl says nothing more. */
const DIFFERENT: StepResult = { kind: 'failed', error: { message: '' }, exit: 1 }

function withoutManagers({
  metadata,
  ...rest
}: {
  readonly metadata: object
  readonly [key: string]: unknown
}): never {
  const {
    managedFields: _,
    resourceVersion: __,
    ...kept
  } = metadata as {
    readonly managedFields?: unknown
    readonly resourceVersion?: unknown
  }
  return { ...rest, metadata: kept } as never
}
