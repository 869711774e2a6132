import { canonicalJson } from '../../../core/canonical-json.ts'
import { listAt, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { conditionOf, isTrue } from '../../health/health.ts'
import { kstatus } from '../../health/index.ts'
import { liveOf, type Target } from '../helm/objects.ts'
import { BUNDLES } from './kinds.ts'
import type { Record } from './state.ts'

/** As `display.state` of a bundle says it, worst first. */
export type BundleState = 'ErrApplied' | 'WaitApplied' | 'Modified' | 'NotReady' | 'Ready'

export interface Standing {
  readonly state: BundleState
  readonly message: string
}

/** Where a bundle stands: failed, waiting, changed, not ready, ready (E-4). */
export function standingOf(
  record: Record,
  targets: readonly Target[],
  waits: string | undefined,
  io: Io<never>,
): Standing {
  if (record.error !== undefined) return { state: 'ErrApplied', message: record.error }
  if (waits !== undefined) return { state: 'WaitApplied', message: waits }
  const [modified] = record.modified
  if (modified !== undefined) return { state: 'Modified', message: modified }
  for (const target of targets) {
    const live = liveOf(target, io)
    const why = live === undefined ? undefined : whyNotReady(live)
    if (why !== undefined) return { state: 'NotReady', message: why }
  }
  return { state: 'Ready', message: '' }
}

/** A Job is ready when it is complete: a suspended one never is (case 037), a failed one neither. */
function whyNotReady(live: KubeObject): string | undefined {
  const { namespace = '', name } = live.metadata
  const label = `${live.kind.toLowerCase()} ${namespace}/${name}`
  if (live.kind === 'Job') {
    if (isTrue(conditionOf(live, 'Complete'))) return undefined
    if (isTrue(conditionOf(live, 'Failed'))) return `${label} failed`
    if (isTrue(conditionOf(live, 'Suspended'))) return `${label} is suspended`
    return `${label} is not complete`
  }
  const { status, message } = kstatus(live)
  return status === 'Current' ? undefined : `${label}: ${message}`
}

export function writeStanding(
  bundle: KubeObject,
  { state, message }: Standing,
  fields: JsonObject,
  io: Io<never>,
): void {
  const isReady = state === 'Ready'
  const count = (of: BundleState): number => (state === of ? 1 : 0)
  const status: JsonObject = {
    ...fields,
    display: { state, readyClusters: isReady ? '1/1' : '0/1' },
    summary: {
      desiredReady: 1,
      ready: count('Ready'),
      notReady: count('NotReady'),
      modified: count('Modified'),
      errApplied: count('ErrApplied'),
      waitApplied: count('WaitApplied'),
    },
    conditions: [
      {
        type: 'Ready',
        status: isReady ? 'True' : 'False',
        message: isReady ? '' : `${state}(1) [Bundle ${bundle.metadata.name}]; ${message}`,
      },
    ],
  }
  const { namespace, name } = bundle.metadata
  const live = io.read.get(BUNDLES, namespace, name)
  if (live === undefined) return
  if (canonicalJson(status) === canonicalJson(live['status'] ?? {})) return
  io.request({
    verb: 'update',
    resource: BUNDLES,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    subresource: 'status',
    body: { ...live, status },
    options: { fieldManager: 'fleet' },
  })
}

export function isReadyBundle(bundle: KubeObject | undefined): boolean {
  const conditions: readonly Json[] = listAt(bundle, ['status', 'conditions'])
  const ready = conditions.find((one) => stringAt(one, ['type']) === 'Ready')
  return stringAt(ready, ['status']) === 'True'
}
