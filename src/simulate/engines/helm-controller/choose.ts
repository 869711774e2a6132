import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import type { Release } from '../helm/contract.ts'
import {
  activeAction,
  failuresOf,
  isExhausted,
  type ReleaseState,
  type StateInput,
} from './decide.ts'
import { releaseDigest } from './digest.ts'
import { summaryOf, type Difference } from './drift.ts'
import { newest, previousIn, truncated } from './history.ts'
import type { ActionName } from './settings.ts'
import type { ActionType } from './state.ts'
import {
  conditionIn,
  marked,
  summarized,
  unmarked,
  type NewCondition,
  type Status,
} from './status.ts'

/** What is done next in a state, by. */
export type Choice =
  | {
      readonly kind: 'act'
      readonly act: Act
      readonly status: Status
      readonly event?: Event
    }
  | { readonly kind: 'nothing'; readonly status: Status; readonly event?: Event }
  | {
      readonly kind: 'stalled'
      readonly reason: string
      readonly message: string
      readonly status: Status
    }
  | { readonly kind: 'error'; readonly status: Status }

export type Act =
  | { readonly type: Exclude<ActionType, 'unlock' | 'drift'>; readonly name: ActionName }
  | { readonly type: 'unlock'; readonly name: 'unlock' }
  | {
      readonly type: 'drift'
      readonly name: 'correct cluster drift'
      readonly differences: readonly Difference[]
    }

export interface Event {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

export interface ChoiceInput extends Omit<StateInput, 'drift' | 'chart'> {
  readonly state: ReleaseState
  readonly now: Instant
  readonly stored: readonly Release[]
}

const INSTALL: Act = { type: 'release', name: 'install' }
const UPGRADE: Act = { type: 'release', name: 'upgrade' }

export function choose(given: ChoiceInput): Choice {
  const { isForced, status } = forced(given.object, given.status)
  const input = { ...given, status }
  const { state } = input
  switch (state.is) {
    case 'InSync':
      return inSync(input, isForced)
    case 'Locked':
      return { kind: 'act', act: { type: 'unlock', name: 'unlock' }, status }
    case 'Absent':
      return unlessExhausted('install', input, isForced)
    case 'Unmanaged':
      return { kind: 'act', act: UPGRADE, status: { ...status, history: [] } }
    case 'OutOfSync':
      return unlessExhausted('upgrade', input, isForced)
    case 'Drifted':
      return drifted(input, state.differences)
    case 'Untested':
      return { kind: 'act', act: { type: 'test', name: 'test' }, status: settledAgain(input) }
    case 'Failed':
      return failed(input, isForced)
    case 'Unknown':
    default:
      return unknown(input, state.message)
  }
}

/** forceAt counts once, and only with the same value in requestedAt (traces 008, 035). */
function forced(object: KubeObject, status: Status): { isForced: boolean; status: Status } {
  const annotations = object.metadata.annotations ?? {}
  const asked = annotations['reconcile.fluxcd.io/forceAt']
  if (asked === undefined || asked === status.lastHandledForceAt) return { isForced: false, status }
  const requested = annotations['reconcile.fluxcd.io/requestedAt']
  return {
    isForced: asked === requested && requested !== status.lastHandledReconcileAt,
    status: { ...status, lastHandledForceAt: asked },
  }
}

function unlessExhausted(
  name: 'install' | 'upgrade',
  input: ChoiceInput,
  isForced: boolean,
): Choice {
  const { status } = input
  const act = name === 'install' ? INSTALL : UPGRADE
  return isExhausted(name, input) && !isForced ? exceeded(input) : { kind: 'act', act, status }
}

function exceeded({ status }: ChoiceInput): Choice {
  const last = status.lastAttemptedReleaseAction
  const count = last === '' ? 0 : failuresOf(last, status)
  const message = `Failed to ${last} after ${count} attempt(s)`
  return { kind: 'stalled', reason: 'RetriesExceeded', message, status }
}

function inSync(input: ChoiceInput, isForced: boolean): Choice {
  const { settings } = input
  const active = activeAction(input)
  const history =
    active?.retryMs === undefined
      ? truncated(input.status.history, active?.ignoresTests ?? settings.test.ignoresFailures)
      : newest(input.status.history)
  const status = { ...input.status, history }
  if (isForced) return { kind: 'act', act: UPGRADE, status }
  const settled = readyAgain({ ...input, status: settledAgain({ ...input, status }) })
  if (settings.drift.mode === 'disabled') return { kind: 'nothing', status: settled }
  const condition: NewCondition = {
    type: 'Drifted',
    status: 'False',
    reason: 'NoDriftDetected',
    message: 'No drift detected against the cluster state',
  }
  return { kind: 'nothing', status: marked(settled, condition, markingOf(input)) }
}

/** A rollback after which the HelmRelease asks for what is there counts as an upgrade (trace 097). */
function settledAgain(input: ChoiceInput): Status {
  const { status } = input
  if (conditionIn(status, 'Remediated')?.status !== 'True') return status
  return marked(
    unmarked(status, 'Remediated'),
    released('UpgradeSucceeded', status),
    markingOf(input),
  )
}

function readyAgain(input: ChoiceInput): Status {
  const { status } = input
  const isReady = conditionIn(status, 'Ready')?.status === 'True'
  const last = conditionIn(status, 'Released')
  if (isReady && last?.status === 'True') return status
  const reason = { InstallFailed: 'InstallSucceeded', UpgradeFailed: 'UpgradeSucceeded' }[
    last?.reason ?? ''
  ]
  if (reason === undefined) return status
  const marking = markingOf(input)
  return summarized(marked(status, released(reason, status), marking), input.settings.test, marking)
}

function released(reason: string, { history: [current] }: Status): NewCondition {
  const verb = reason === 'InstallSucceeded' ? 'install' : 'upgrade'
  const of =
    current === undefined
      ? ''
      : `${current.namespace}/${current.name}.v${current.version} with chart ${current.chartName}@${current.chartVersion}`
  const message = `Helm ${verb} succeeded for release ${of}`
  return { type: 'Released', status: 'True', reason, message }
}

/** `warn` only tells. */
function drifted(input: ChoiceInput, differences: readonly Difference[]): Choice {
  const [current] = input.status.history
  const of = current === undefined ? '' : `${current.namespace}/${current.name}.v${current.version}`
  const message = `Cluster state of release ${of} has drifted from the desired state:\n${summaryOf(differences)}`
  const reason = 'DriftDetected'
  const condition: NewCondition = { type: 'Drifted', status: 'True', reason, message }
  const status = marked(input.status, condition, markingOf(input))
  const event: Event = { type: 'Warning', reason, message }
  if (input.settings.drift.mode !== 'enabled') return { kind: 'nothing', status, event }
  const act: Act = { type: 'drift', name: 'correct cluster drift', differences }
  return { kind: 'act', act, status, event }
}

/** */
function failed(input: ChoiceInput, isForced: boolean): Choice {
  const { status } = input
  const active = activeAction(input)
  if (active?.retryMs !== undefined) {
    return { kind: 'act', act: UPGRADE, status: { ...status, history: newest(status.history) } }
  }
  const last = status.lastAttemptedReleaseAction
  const isFresh = last === '' || failuresOf(last, status) <= 0
  if (active === undefined || isFresh || isForced) return { kind: 'act', act: UPGRADE, status }
  if (isExhausted(last, input) && !active.remediatesLast) return exceeded(input)
  const history = truncated(status.history, active.ignoresTests)
  const next = { ...status, history }
  if (active.strategy === 'uninstall') {
    return { kind: 'act', act: { type: 'remediate', name: 'uninstall' }, status: next }
  }
  return rollback(input, next, active.ignoresTests)
}

function rollback(input: ChoiceInput, status: Status, ignoresTests: boolean): Choice {
  const target = previousIn(status.history, ignoresTests)
  if (target === undefined) {
    const words = 'missing target release for rollback: cannot remediate failed release'
    const message = `Failed to perform remediation: ${words}`
    return { kind: 'stalled', reason: 'MissingRollbackTarget', message, status }
  }
  const stored = input.stored.find(({ version }) => version === target.version)
  const isSame = stored !== undefined && releaseDigest(stored) === target.digest
  const act: Act = isSame ? { type: 'remediate', name: 'rollback' } : UPGRADE
  return { kind: 'act', act, status }
}

function unknown(input: ChoiceInput, message: string): Choice {
  const condition: NewCondition = {
    type: 'Ready',
    status: 'False',
    reason: 'StateError',
    message: `Could not determine release state: ${message}`,
  }
  return { kind: 'error', status: marked(input.status, condition, markingOf(input)) }
}

function markingOf({ object, now }: ChoiceInput): { generation: number; now: Instant } {
  return { generation: object.metadata.generation ?? 1, now }
}
