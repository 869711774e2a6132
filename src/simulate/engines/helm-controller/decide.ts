import { objectAt, stringAt } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Release } from '../helm/contract.ts'
import { digestOf, releaseDigest } from './digest.ts'
import { hasDrifted, type Difference, type Drift } from './drift.ts'
import { hasFailedTest } from './history.ts'
import type { ReleaseAction, Settings } from './settings.ts'
import type { Chart } from './state.ts'
import type { Status } from './status.ts'

/** Where a release stands against its HelmRelease. */
export type ReleaseState =
  | { readonly is: 'Absent' | 'Locked' | 'Unmanaged' | 'OutOfSync'; readonly reason: string }
  | { readonly is: 'Untested' | 'Failed' | 'InSync'; readonly reason?: string }
  | { readonly is: 'Drifted'; readonly differences: readonly Difference[] }
  | {
      readonly is: 'Unknown'
      readonly message: string
      /** Whose dry run was refused: `Job shop/migrate`. */
      readonly object?: string
    }

export interface StateInput {
  readonly object: KubeObject
  readonly settings: Settings
  readonly status: Status
  readonly chart: Chart
  /** The newest stored revision. */
  readonly last: Release | undefined
  /** Asked only when nothing else differs. */
  readonly drift: (release: Release) => Drift
}

/** R-1, in the controller's order. */
export function determine(input: StateInput): ReleaseState {
  const { status, last } = input
  if (last === undefined) return { is: 'Absent', reason: 'no release in storage for object' }
  if (last.status.startsWith('pending-')) {
    return { is: 'Locked', reason: `release with status '${last.status}'` }
  }
  const [current] = status.history
  if (current === undefined) {
    return last.status === 'uninstalled'
      ? { is: 'Absent', reason: 'found uninstalled release in storage' }
      : { is: 'Unmanaged', reason: 'found existing release in storage' }
  }
  if (current.digest !== releaseDigest(last)) {
    return { is: 'Unmanaged', reason: 'release not observed to be made for object' }
  }
  if (last.status === 'failed') return { is: 'Failed' }
  if (last.status === 'deployed') return deployedState(input, last)
  if (last.status === 'uninstalled') {
    return { is: 'Absent', reason: 'found uninstalled release in storage' }
  }
  const message = `unable to determine state for release with status '${last.status}'`
  return { is: 'Unknown', message }
}

function deployedState(input: StateInput, last: Release): ReleaseState {
  const changed = changeOf(input, last)
  if (changed !== undefined) return { is: 'OutOfSync', reason: changed }
  const { settings, status } = input
  const [current] = status.history
  if (settings.test.isEnabled && current !== undefined) {
    if (current.testHooks === undefined) return { is: 'Untested' }
    const action = activeAction(input)
    if (action !== undefined && !action.ignoresTests && hasFailedTest(current)) {
      return { is: 'Failed', reason: 'release has test in failed phase' }
    }
  }
  if (settings.drift.mode === 'disabled') return { is: 'InSync' }
  const drift = input.drift(last)
  if (drift.kind === 'unknown') {
    return { is: 'Unknown', message: drift.message, object: drift.object }
  }
  return hasDrifted(drift.differences)
    ? { is: 'Drifted', differences: drift.differences }
    : { is: 'InSync' }
}

/** Chart, values; on a new generation also post-renderers and common metadata. */
function changeOf({ object, status, chart }: StateInput, last: Release): string | undefined {
  const text = (name: string): string => stringAt(last.chart, [name]) ?? ''
  if (text('name') !== chart.name || text('version') !== chart.version) {
    return 'release chart changed'
  }
  if (status.history[0]?.configDigest !== chart.valuesDigest) {
    return 'release config values changed'
  }
  if (status.observedGeneration === object.metadata.generation) return undefined
  const digests = renderingDigests(object)
  if (digests.observedPostRenderersDigest !== status.observedPostRenderersDigest) {
    return 'postrenderers digest has changed'
  }
  return digests.observedCommonMetadataDigest === status.observedCommonMetadataDigest
    ? undefined
    : 'common metadata digest has changed'
}

export type RenderingDigests = Pick<
  Status,
  'observedPostRenderersDigest' | 'observedCommonMetadataDigest'
>

export function renderingDigests(object: KubeObject): RenderingDigests {
  const spec = objectAt(object, ['spec']) ?? {}
  const digest = (name: string): string => {
    const value = spec[name]
    return value === undefined || value === null ? '' : digestOf(value)
  }
  return {
    observedPostRenderersDigest: digest('postRenderers'),
    observedCommonMetadataDigest: digest('commonMetadata'),
  }
}

/** Of the action that was tried last. */
export function activeAction({
  status,
  settings,
}: Pick<StateInput, 'status' | 'settings'>): ReleaseAction | undefined {
  const { lastAttemptedReleaseAction: last } = status
  return last === '' ? undefined : settings[last]
}

/** more failures than retries; negative retries never end. */
export function isExhausted(
  name: 'install' | 'upgrade',
  { status, settings }: Pick<StateInput, 'status' | 'settings'>,
): boolean {
  const { retries } = settings[name]
  return retries >= 0 && failuresOf(name, status) > retries
}

export function failuresOf(name: 'install' | 'upgrade', status: Status): number {
  return name === 'install' ? status.installFailures : status.upgradeFailures
}
