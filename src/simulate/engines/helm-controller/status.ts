import {
  integerAt,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { timestamp } from '../../../cluster/time.ts'
import { HELM_RELEASES } from './kinds.ts'
import { snapshotOf, writtenSnapshot, type Snapshot } from './history.ts'

const MANAGER = 'helm-controller'

export const FINALIZER = 'finalizers.fluxcd.io'

export type ConditionType =
  | 'Ready'
  | 'Reconciling'
  | 'Stalled'
  | 'Released'
  | 'Remediated'
  | 'TestSuccess'
  | 'Drifted'

export interface Condition {
  readonly type: ConditionType
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  readonly observedGeneration: number
  readonly lastTransitionTime: string
}

/** What a HelmRelease remembers between reconciles: the controller itself keeps no more. */
export interface Status {
  readonly conditions: readonly Condition[]
  /** Newest first. */
  readonly history: readonly Snapshot[]
  readonly failures: number
  readonly installFailures: number
  readonly upgradeFailures: number
  readonly observedGeneration: number
  readonly lastAttemptedGeneration: number
  readonly lastAttemptedRevision: string
  readonly lastAttemptedRevisionDigest: string
  readonly lastAttemptedConfigDigest: string
  readonly lastAttemptedReleaseAction: 'install' | 'upgrade' | ''
  readonly lastHandledReconcileAt: string
  readonly lastHandledForceAt: string
  readonly lastHandledResetAt: string
  readonly observedPostRenderersDigest: string
  readonly observedCommonMetadataDigest: string
  readonly storageNamespace: string
}

const TEXTS = [
  'lastAttemptedRevision',
  'lastAttemptedRevisionDigest',
  'lastAttemptedConfigDigest',
  'lastAttemptedReleaseAction',
  'lastHandledReconcileAt',
  'lastHandledForceAt',
  'lastHandledResetAt',
  'observedPostRenderersDigest',
  'observedCommonMetadataDigest',
  'storageNamespace',
] as const

const NUMBERS = [
  'failures',
  'installFailures',
  'upgradeFailures',
  'observedGeneration',
  'lastAttemptedGeneration',
] as const

export function statusOf(object: KubeObject): Status {
  const status = objectAt(object, ['status'])
  const text = (name: string): string => stringAt(status, [name]) ?? ''
  const action = text('lastAttemptedReleaseAction')
  return {
    conditions: listAt(status, ['conditions']).filter(isObject).map(conditionOf),
    history: listAt(status, ['history']).filter(isObject).map(snapshotOf),
    failures: integerAt(status, ['failures']) ?? 0,
    installFailures: integerAt(status, ['installFailures']) ?? 0,
    upgradeFailures: integerAt(status, ['upgradeFailures']) ?? 0,
    observedGeneration: integerAt(status, ['observedGeneration']) ?? 0,
    lastAttemptedGeneration: integerAt(status, ['lastAttemptedGeneration']) ?? 0,
    lastAttemptedRevision: text('lastAttemptedRevision'),
    lastAttemptedRevisionDigest: text('lastAttemptedRevisionDigest'),
    lastAttemptedConfigDigest: text('lastAttemptedConfigDigest'),
    lastAttemptedReleaseAction: action === 'install' || action === 'upgrade' ? action : '',
    lastHandledReconcileAt: text('lastHandledReconcileAt'),
    lastHandledForceAt: text('lastHandledForceAt'),
    lastHandledResetAt: text('lastHandledResetAt'),
    observedPostRenderersDigest: text('observedPostRenderersDigest'),
    observedCommonMetadataDigest: text('observedCommonMetadataDigest'),
    storageNamespace: text('storageNamespace'),
  }
}

function conditionOf(written: JsonObject): Condition {
  return {
    type: (stringAt(written, ['type']) ?? '') as ConditionType,
    status: (stringAt(written, ['status']) ?? 'Unknown') as Condition['status'],
    reason: stringAt(written, ['reason']) ?? '',
    message: stringAt(written, ['message']) ?? '',
    observedGeneration: integerAt(written, ['observedGeneration']) ?? 0,
    lastTransitionTime: stringAt(written, ['lastTransitionTime']) ?? '',
  }
}

/** Stores what differs from the stored status. A HelmRelease that is gone is left alone. */
export function writeStatus(
  name: { namespace: string; name: string },
  status: Status,
  io: Io<never>,
): void {
  const object = io.read.get(HELM_RELEASES, name.namespace, name.name)
  if (object === undefined) return
  const body = writtenStatus(status)
  const stored = objectAt(object, ['status']) ?? {}
  const differs = Object.keys(body).some((key) => !equal(body[key] ?? null, stored[key] ?? null))
  if (!differs) return
  io.request({
    verb: 'patch',
    resource: HELM_RELEASES,
    namespace: name.namespace,
    name: name.name,
    subresource: 'status',
    patch: { type: 'merge', body: { status: body } },
    options: { fieldManager: MANAGER },
  })
}

/** As a merge patch takes it: what is empty goes away. */
function writtenStatus(status: Status): JsonObject {
  const written: { [key: string]: JsonObject[string] } = {
    conditions: status.conditions.map((condition) => ({ ...condition })),
    history: status.history.length === 0 ? null : status.history.map(writtenSnapshot),
  }
  for (const name of TEXTS) written[name] = status[name] === '' ? null : status[name]
  for (const name of NUMBERS) written[name] = status[name] === 0 ? null : status[name]
  return written
}

export function writeFinalizers(
  object: KubeObject,
  finalizers: readonly string[],
  io: Io<never>,
): void {
  io.request({
    verb: 'patch',
    resource: HELM_RELEASES,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name,
    patch: { type: 'merge', body: { metadata: { finalizers } } },
    options: { fieldManager: MANAGER },
  })
}

export type NewCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>

/** Who marks, and when. */
export interface Marking {
  readonly generation: number
  readonly now: number
}

/** Reconciling and Stalled exclude each other. */
export function marked(status: Status, next: NewCondition, { generation, now }: Marking): Status {
  const old = conditionIn(status, next.type)
  const since = old?.status === next.status ? old.lastTransitionTime : timestamp(now)
  const condition = { ...next, observedGeneration: generation, lastTransitionTime: since }
  const rival = { Reconciling: 'Stalled', Stalled: 'Reconciling' }[next.type as string]
  const kept = status.conditions.filter(({ type }) => type !== rival)
  const conditions =
    old === undefined
      ? [...kept, condition]
      : kept.map((one) => (one.type === next.type ? condition : one))
  return { ...status, conditions }
}

export function unmarked(status: Status, ...types: readonly ConditionType[]): Status {
  if (!status.conditions.some(({ type }) => types.includes(type))) return status
  return { ...status, conditions: status.conditions.filter(({ type }) => !types.includes(type)) }
}

export function conditionIn(status: Status, type: ConditionType): Condition | undefined {
  return status.conditions.find((one) => one.type === type)
}

/**
 * Ready from Remediated, TestSuccess and Released: the newest generation first, then in that order;
 * whatever was remediated is not ready. Ready ends Stalled.
 */
export function summarized(
  status: Status,
  test: { readonly isEnabled: boolean; readonly ignoresFailures: boolean },
  marking: Marking,
): Status {
  const order: readonly ConditionType[] =
    test.isEnabled && !test.ignoresFailures
      ? ['Remediated', 'TestSuccess', 'Released']
      : ['Remediated', 'Released']
  const base = test.isEnabled ? status : unmarked(status, 'TestSuccess')
  const [first] = order
    .flatMap((type) => conditionIn(base, type) ?? [])
    .sort((one, other) => other.observedGeneration - one.observedGeneration)
  if (first === undefined) return base
  const isReady = first.type === 'Remediated' ? 'False' : first.status
  const cleared = isReady === 'True' ? unmarked(base, 'Stalled') : base
  const { reason, message } = first
  return marked(cleared, { type: 'Ready', status: isReady, reason, message }, marking)
}

export function withoutFailures(status: Status): Status {
  return { ...status, failures: 0, installFailures: 0, upgradeFailures: 0 }
}
