import {
  at,
  booleanAt,
  integerAt,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../../../core/json.ts'
import { apiDurationSeconds } from '../../../engines/duration.ts'
import type { KubeObject } from '../../../cluster/object.ts'

/** A HelmRelease's spec with its defaults. Milliseconds. */
export interface Settings {
  readonly releaseName: string
  readonly releaseNamespace: string
  readonly storageNamespace: string
  /** Undefined: the interval never comes. */
  readonly intervalMs: number | undefined
  readonly isSuspended: boolean
  readonly source: SourceName
  /** `namespace/name` of what has to be ready first. */
  readonly dependsOn: readonly string[]
  readonly drift: {
    readonly mode: 'disabled' | 'warn' | 'enabled'
    readonly ignore: readonly JsonObject[]
  }
  readonly install: ReleaseAction
  readonly upgrade: ReleaseAction
  readonly test: { readonly isEnabled: boolean; readonly ignoresFailures: boolean }
  readonly maxHistory: number
}

export interface SourceName {
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

/** What follows a failed install or upgrade. */
export interface ReleaseAction {
  /** Negative: without an end. */
  readonly retries: number
  readonly strategy: 'rollback' | 'uninstall'
  readonly remediatesLast: boolean
  readonly ignoresTests: boolean
  /** Of the strategy RetryOnFailure, which goes before remediation; undefined: another strategy. */
  readonly retryMs: number | undefined
}

export type ActionName = 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'test'

const TIMEOUT_MS = 300_000
const RETRY_MS = 300_000

/** `retriesByDefault`: the feature gate DefaultToRetryOnFailure. */
export function settingsOf(object: KubeObject, retriesByDefault: boolean): Settings {
  const spec = objectAt(object, ['spec']) ?? {}
  const namespace = object.metadata.namespace ?? ''
  const target = stringAt(spec, ['targetNamespace']) ?? ''
  const prefixed = target === '' ? object.metadata.name : `${target}-${object.metadata.name}`
  const mode = stringAt(spec, ['driftDetection', 'mode'])
  const test = objectAt(spec, ['test'])
  const ignoresFailures = booleanAt(test, ['ignoreFailures']) ?? false
  const action = (name: 'install' | 'upgrade'): ReleaseAction =>
    releaseAction(name, objectAt(spec, [name]), { retriesByDefault, ignoresFailures })
  return {
    releaseName: stringAt(spec, ['releaseName']) ?? prefixed,
    releaseNamespace: target === '' ? namespace : target,
    storageNamespace: stringAt(spec, ['storageNamespace']) ?? namespace,
    intervalMs: positive(millisecondsAt(spec, 'interval')),
    isSuspended: at(spec, ['suspend']) === true,
    source: sourceOf(object),
    dependsOn: listAt(spec, ['dependsOn']).map(
      (one) => `${stringAt(one, ['namespace']) ?? namespace}/${stringAt(one, ['name']) ?? ''}`,
    ),
    drift: {
      mode: mode === 'warn' || mode === 'enabled' ? mode : 'disabled',
      ignore: listAt(spec, ['driftDetection', 'ignore']).filter(isObject),
    },
    install: action('install'),
    upgrade: action('upgrade'),
    test: { isEnabled: at(test, ['enable']) === true, ignoresFailures },
    maxHistory: integerAt(spec, ['maxHistory']) ?? 5,
  }
}

/** The timeout of an action, else that of the HelmRelease. */
export function timeoutMsOf(object: KubeObject, action: ActionName | undefined): number {
  const spec = objectAt(object, ['spec']) ?? {}
  const own = action === undefined ? undefined : objectAt(spec, [action])
  return (
    (own === undefined ? undefined : millisecondsAt(own, 'timeout')) ??
    millisecondsAt(spec, 'timeout') ??
    TIMEOUT_MS
  )
}

function releaseAction(
  name: 'install' | 'upgrade',
  spec: JsonObject | undefined,
  of: { readonly retriesByDefault: boolean; readonly ignoresFailures: boolean },
): ReleaseAction {
  const remediation = objectAt(spec, ['remediation'])
  const retries = integerAt(remediation, ['retries']) ?? 0
  const isUpgrade = name === 'upgrade'
  const remediates = booleanAt(remediation, ['remediateLastFailure'])
  const strategy = objectAt(spec, ['strategy'])
  const retriesOnFailure =
    strategy === undefined ? of.retriesByDefault : stringAt(strategy, ['name']) === 'RetryOnFailure'
  const isRollback = isUpgrade && stringAt(remediation, ['strategy']) !== 'uninstall'
  return {
    retries,
    strategy: isRollback ? 'rollback' : 'uninstall',
    remediatesLast: remediates ?? (isUpgrade && retries > 0),
    ignoresTests: booleanAt(remediation, ['ignoreTestFailures']) ?? of.ignoresFailures,
    retryMs: retriesOnFailure
      ? (millisecondsAt(strategy ?? {}, 'retryInterval') ?? RETRY_MS)
      : undefined,
  }
}

/** `chartRef`, or the HelmChart that source-controller keeps for `chart`. */
export function sourceOf(object: KubeObject): SourceName {
  const namespace = object.metadata.namespace ?? ''
  const reference = objectAt(object, ['spec', 'chartRef'])
  if (reference !== undefined) {
    return {
      kind: stringAt(reference, ['kind']) ?? '',
      namespace: stringAt(reference, ['namespace']) ?? namespace,
      name: stringAt(reference, ['name']) ?? '',
    }
  }
  const own = stringAt(object, ['spec', 'chart', 'spec', 'sourceRef', 'namespace']) ?? namespace
  return { kind: 'HelmChart', namespace: own, name: `${namespace}-${object.metadata.name}` }
}

function millisecondsAt(spec: JsonObject, field: string): number | undefined {
  const seconds = apiDurationSeconds(spec[field])
  return seconds === undefined ? undefined : Math.round(seconds * 1000)
}

function positive(milliseconds: number | undefined): number | undefined {
  return milliseconds !== undefined && milliseconds > 0 ? milliseconds : undefined
}
