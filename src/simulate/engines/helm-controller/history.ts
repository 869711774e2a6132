import { integerAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'

/** A release as the controller last saw it in Helm's storage: an entry of `status.history`. */
export interface Snapshot {
  readonly name: string
  readonly namespace: string
  readonly version: number
  readonly status: string
  readonly chartName: string
  readonly chartVersion: string
  readonly configDigest: string
  /** Of the stored release: it differs when anybody else has written it. */
  readonly digest: string
  readonly ociDigest: string
  /** Phase by the name of the test; undefined: not tested. */
  readonly testHooks?: { readonly [hook: string]: string }
}

/** Without a better one, this many are kept. */
const KEPT = 5

export function snapshotOf(written: JsonObject): Snapshot {
  const text = (name: string): string => stringAt(written, [name]) ?? ''
  const hooks = objectAt(written, ['testHooks'])
  const snapshot = {
    name: text('name'),
    namespace: text('namespace'),
    version: integerAt(written, ['version']) ?? 0,
    status: text('status'),
    chartName: text('chartName'),
    chartVersion: text('chartVersion'),
    configDigest: text('configDigest'),
    digest: text('digest'),
    ociDigest: text('ociDigest'),
  }
  if (hooks === undefined) return snapshot
  const phases = Object.keys(hooks).map((hook) => [hook, stringAt(hooks, [hook, 'phase']) ?? ''])
  return { ...snapshot, testHooks: Object.fromEntries(phases) as { [hook: string]: string } }
}

export function writtenSnapshot({ testHooks, ociDigest, ...rest }: Snapshot): JsonObject {
  const hooks = Object.entries(testHooks ?? {}).map(([hook, phase]) => [hook, { phase }])
  return {
    ...rest,
    ...(ociDigest === '' ? {} : { ociDigest }),
    ...(testHooks === undefined ? {} : { testHooks: Object.fromEntries(hooks) as JsonObject }),
  }
}

export function hasFailedTest({ testHooks }: Snapshot): boolean {
  return Object.values(testHooks ?? {}).includes('Failed')
}

/** The newest before the latest that was good: what a rollback goes back to. */
export function previousIn(
  history: readonly Snapshot[],
  ignoresTests: boolean,
): Snapshot | undefined {
  return history.slice(1).find((one) => isGood(one, ignoresTests))
}

/** Everything older than the last good one is forgotten. */
export function truncated(
  history: readonly Snapshot[],
  ignoresTests: boolean,
): readonly Snapshot[] {
  const good = previousIn(history, ignoresTests)
  return good === undefined ? newest(history) : history.slice(0, history.indexOf(good) + 1)
}

export function newest(history: readonly Snapshot[]): readonly Snapshot[] {
  return history.slice(0, KEPT)
}

function isGood(snapshot: Snapshot, ignoresTests: boolean): boolean {
  if (snapshot.status !== 'deployed' && snapshot.status !== 'superseded') return false
  return ignoresTests || !hasFailedTest(snapshot)
}

/**
 * What an action wrote to the storage, newest first: the newest is always remembered, older ones
 * where they were before.
 */
export function recorded(
  history: readonly Snapshot[],
  written: readonly Snapshot[],
): readonly Snapshot[] {
  const byVersion = new Map(history.map((one) => [one.version, one]))
  written.forEach((snapshot, at) => {
    const old = byVersion.get(snapshot.version)
    if (old === undefined && at > 0) return
    const kept = old?.testHooks === undefined ? {} : { testHooks: old.testHooks }
    byVersion.set(snapshot.version, { ...kept, ...snapshot })
  })
  return [...byVersion.values()].sort((one, other) => other.version - one.version)
}
