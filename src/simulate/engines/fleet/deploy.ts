import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { resumeAction, startAction } from '../helm/action.ts'
import type {
  ActionEnded,
  ActionInput,
  ActionOptions,
  ActionPorts,
  Progress,
} from '../helm/contract.ts'
import { shortWords } from '../words.ts'
import { deployedOf, historyOf, lastOf } from '../helm/storage.ts'
import { contentOf, deploymentId, settingsOf, type Settings } from './bundle.ts'
import { carrierOf, CHANGED_MEANWHILE, retryOf, tell } from './causes.ts'
import { BUNDLES } from './kinds.ts'
import { drop, put, targetsFor, type Context } from './records.ts'
import type { Record, Running, Wake } from './state.ts'
import { isReadyBundle, standingOf, writeStanding } from './status.ts'

/** Fleet embeds Helm 4.2 (E-1). */
const HELM = { major: 4, minor: 2 } as const

/** Fault texts that are told and not tried again (E-5); a Job's immutable field is none of them. */
const TOLD_ONLY = [
  'timed out waiting for the condition',
  'spec is immutable after creation',
  'unknown field',
]

export function bundleFor({ io }: Context, { namespace, name }: Record): KubeObject | undefined {
  return io.read.get(BUNDLES, namespace, name)
}

/** Deploys when content or options are not those of the last deployment, or the release is gone (E-1). */
export function deploy(context: Context, record: Record, trigger?: Trigger): void {
  const bundle = bundleFor(context, record)
  if (bundle === undefined || record.running !== undefined) return
  const settings = settingsOf(bundle)
  const id = deploymentId(bundle)
  const waits = waitsFor(context, record, settings)
  if (waits === undefined) context.state.waiting.delete(record.key)
  else context.state.waiting.add(record.key)
  if (settings.isPaused || waits !== undefined) return report(context, record, bundle)
  const history = historyOf(context.io, settings.namespace, settings.release)
  if (appliedId(bundle) === id && lastOf(history) !== undefined) {
    return report(context, record, bundle)
  }
  const content = contentOf(bundle)
  if (typeof content === 'string') {
    const unknown = { ...record, error: `cannot predict: ${content}` }
    put(context, unknown)
    return report(context, unknown, bundle)
  }
  createNamespace(context.io, settings.namespace)
  const isFirst = deployedOf(history) === undefined
  const effect = `${isFirst ? 'installed' : 'upgraded'} release ${settings.release}`
  tell(record, { rule: 'E-1', effect, ...(trigger === undefined ? {} : { trigger }) }, context.io)
  const input: ActionInput = {
    action: isFirst ? 'install' : 'upgrade',
    version: HELM,
    release: settings.release,
    namespace: settings.namespace,
    carrier: carrierOf(record),
    chart: content.chart,
    options: optionsOf(settings, isFirst),
  }
  const ports = { kindOf: context.tools.find, render: content.render }
  advance(context, record, { does: 'deploy', id }, startAction(input, context.io, ports))
}

function appliedId(bundle: KubeObject): unknown {
  const { status } = bundle
  return typeof status === 'object' && status !== null && 'appliedDeploymentID' in status
    ? status['appliedDeploymentID']
    : undefined
}

/** E-2: an installation applies server-side, an upgrade as the release was applied before. */
function optionsOf(settings: Settings, isFirst: boolean): ActionOptions {
  const { force, takeOwnership, atomic, timeoutMs, waitForJobs } = settings
  return {
    wait: timeoutMs === undefined ? 'none' : 'watcher',
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    waitForJobs: waitForJobs && timeoutMs !== undefined,
    serverSide: isFirst ? !(takeOwnership || force) : 'auto',
    takeOwnership: takeOwnership || !isFirst,
    forceReplace: force || (settings.driftForce && !isFirst),
    rollbackOnFailure: atomic,
    ...(isFirst ? { replace: true } : {}),
    fieldManager: 'fleetagent',
  }
}

/** E-4: Helm rolls back to the revision that is there, by client-side merge, with its hooks. */
export function correct(context: Context, record: Record, trigger?: Trigger): void {
  const bundle = bundleFor(context, record)
  const { release } = record
  if (bundle === undefined || release === undefined || record.running !== undefined) return
  const settings = settingsOf(bundle)
  if (!settings.correctsDrift || settings.isPaused || record.modified.size === 0) return
  const effect = `rolled back release ${release.name}`
  tell(record, { rule: 'E-4', effect, ...(trigger === undefined ? {} : { trigger }) }, context.io)
  const input: ActionInput = {
    action: 'rollback',
    version: HELM,
    release: release.name,
    namespace: release.namespace,
    carrier: carrierOf(record),
    options: {
      toRevision: release.version,
      serverSide: false,
      forceReplace: settings.driftForce,
      wait: 'none',
      fieldManager: 'fleetagent',
    },
  }
  const ports = { kindOf: context.tools.find }
  const id = deploymentId(bundle)
  advance(context, record, { does: 'drift', id }, startAction(input, context.io, ports))
}

/** The bundle is gone: its release goes too, unless keepResources (E-1). */
export function remove(context: Context, record: Record, trigger?: Trigger): void {
  const { release } = record
  if (release === undefined) return drop(context, record)
  const effect = `uninstalled release ${release.name}`
  tell(record, { rule: 'E-1', effect, ...(trigger === undefined ? {} : { trigger }) }, context.io)
  const input: ActionInput = {
    action: 'uninstall',
    version: HELM,
    release: release.name,
    namespace: release.namespace,
    carrier: carrierOf(record),
    options: { fieldManager: 'fleetagent' },
  }
  const ports = { kindOf: context.tools.find }
  advance(context, record, { does: 'remove', id: '' }, startAction(input, context.io, ports))
}

export function resume(context: Context, record: Record): void {
  const { running } = record
  if (running === undefined) return
  advance(
    context,
    record,
    running,
    resumeAction(running.action, context.io, portsFor(context, record)),
  )
}

function portsFor(context: Context, record: Record): ActionPorts {
  const bundle = bundleFor(context, record)
  const content = bundle === undefined ? '' : contentOf(bundle)
  const { find } = context.tools
  return typeof content === 'string' ? { kindOf: find } : { kindOf: find, render: content.render }
}

function advance(
  context: Context,
  record: Record,
  { does, id }: Pick<Running, 'does' | 'id'>,
  progress: Progress,
): void {
  const { io } = context
  if (progress.kind === 'waiting') {
    const running = { action: progress.state, does, id, watches: progress.watches }
    put(context, { ...record, running })
    io.wakeAt(progress.at, { kind: 'resume', key: record.key }, `resume ${record.key}`)
    return
  }
  io.cancel(`resume ${record.key}`)
  const { running: _, error: __, ...rest } = record
  if (does === 'remove') return drop(context, record)
  ended(context, { ...rest, again: false }, { does, id, isRepeated: record.again }, progress)
}

interface End {
  readonly does: Running['does']
  readonly id: string
  readonly isRepeated: boolean
}

function ended(context: Context, record: Record, end: End, { error, release }: ActionEnded): void {
  const { io, tools } = context
  const bundle = bundleFor(context, record)
  if (bundle === undefined) return
  const deployed = error === undefined ? release : record.release
  const kept = deployed === undefined ? {} : { release: deployed }
  const isTold = error !== undefined && TOLD_ONLY.some((text) => error.includes(text))
  const next: Record = {
    ...record,
    ...kept,
    modified: error === undefined ? new Set<string>() : record.modified,
    retries: error === undefined ? 0 : record.retries + 1,
    ...(error === undefined ? {} : { error }),
  }
  put(context, next)
  if (error !== undefined) {
    tell(next, { rule: 'E-5', effect: `failed: ${shortWords(error)}` }, io)
  }
  const id = error === undefined || isTold ? end.id : undefined
  report(context, next, bundle, id)
  const kind = end.does === 'drift' ? 'drift' : 'deploy'
  if (error !== undefined && !isTold) {
    const { retry, mostRetry } = tools.timing
    const wait = Math.min(retry * 2 ** Math.min(record.retries, 30), mostRetry)
    const wake = { kind, key: next.key, trigger: retryOf(wait) } as const
    io.wakeAt(io.now + wait, wake, `${kind} ${next.key}`)
  }
  if (!end.isRepeated) return
  const again = { kind: 'deploy', key: next.key, trigger: CHANGED_MEANWHILE } as const
  io.wakeAt(io.now, again, `deploy ${next.key}`)
}

/** Why it may not be deployed yet: bundles that it depends on are not ready. */
function waitsFor(
  { io }: Context,
  { namespace }: Record,
  { dependsOn }: Settings,
): string | undefined {
  const missing = dependsOn.filter((name) => !isReadyBundle(io.read.get(BUNDLES, namespace, name)))
  return missing.length === 0
    ? undefined
    : `dependent bundle(s) are not ready: [${missing.join(', ')}]`
}

/** Writes what is to be seen now; `applied`: the deployment that is done. */
export function report(
  context: Context,
  record: Record,
  bundle: KubeObject,
  applied?: string,
): void {
  const settings = settingsOf(bundle)
  const last = appliedId(bundle)
  const appliedDeploymentID = applied ?? (typeof last === 'string' ? last : undefined)
  const isDeployed = record.release !== undefined
  const waits = isDeployed ? undefined : waitsFor(context, record, settings)
  const standing = standingOf(record, targetsFor(context, record), waits, context.io)
  const shown =
    isDeployed || record.error !== undefined || waits !== undefined
      ? standing
      : ({ state: 'WaitApplied', message: 'not deployed' } as const)
  const fields = {
    observedGeneration: bundle.metadata.generation ?? 0,
    ...(appliedDeploymentID === undefined ? {} : { appliedDeploymentID }),
  }
  writeStanding(bundle, shown, fields, context.io)
}

function createNamespace(io: Io<Wake>, name: string): void {
  const resource = { group: '', version: 'v1', resource: 'namespaces' }
  if (io.read.get(resource, undefined, name) !== undefined) return
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  io.request({ verb: 'create', resource, body })
}
