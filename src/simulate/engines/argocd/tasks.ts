import { isObject, listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { ARGO_WAVE } from '../../../engines/order.ts'
import { mergedPolicies, readArgoHook } from '../../../engines/hooks.ts'
import { annotationOf } from '../../../engines/metadata.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { App } from './application.ts'
import { isText } from './application.ts'
import { mayPrune, type Compared, type Comparison } from './compare.ts'
import type { Engine } from './engine.ts'
import { HOOK_FINALIZER, keyOf, placeOf, tracked, type Place } from './tracking.ts'

export type Phase = 'PreSync' | 'Sync' | 'PostSync' | 'SyncFail'

/** One thing that a sync has to do: apply an object, prune one, run a hook in a phase. */
export interface Task {
  readonly place: Place
  readonly key: string
  readonly phase: Phase
  readonly wave: number
  readonly isHook: boolean
  readonly target: JsonObject | undefined
  readonly live: KubeObject | undefined
  readonly policies: readonly string[]
  readonly mayPrune: boolean
  result: Result | undefined
}

/** As stored in the operation's state. */
export interface Result {
  readonly key: string
  readonly syncPhase: Phase
  readonly status: '' | 'Synced' | 'SyncFailed' | 'Pruned' | 'PruneSkipped'
  readonly hookPhase: 'Running' | 'Succeeded' | 'Failed' | 'Error'
  readonly message: string
}

const PHASES: readonly Phase[] = ['PreSync', 'Sync', 'PostSync', 'SyncFail']

/** Kinds in their order of creation; all others follow by name. */
const KINDS = [
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
]

export interface TaskInput {
  readonly operation: JsonObject
  readonly state: JsonObject
  readonly revision: string
  readonly startedAt: string
}

/** All tasks of an operation in their order: phase, wave, kind, name. */
export function tasksOf(
  engine: Engine,
  app: App,
  comparison: Comparison,
  input: TaskInput,
): readonly Task[] {
  const { operation, state } = input
  const named = listAt(operation, ['sync', 'resources']).filter(isObject)
  const options = listAt(operation, ['sync', 'syncOptions']).filter(isText)
  const results = new Map(
    resultsOf(state).map((result) => [`${result.syncPhase} ${result.key}`, result]),
  )
  const names = new Set(named.map((item) => stringAt(item, ['name'])))
  const isWanted = ({ isHook, place }: Compared): boolean => {
    if (isHook || named.length === 0) return !isHook
    return names.has(place.name) && named.some((item) => isThis(item, place))
  }
  const wanted = comparison.resources.filter(isWanted)
  const onlyChanged = options.includes('ApplyOutOfSyncOnly=true')
  const plain = wanted
    .filter((one) => !onlyChanged || one.status !== 'Synced')
    .map((one) => plainTask(one, options))
  const skipsHooks = named.length > 0 || isApplyStrategy(operation)
  const hooks = skipsHooks
    ? []
    : comparison.hooks.flatMap((hook) => hookTasks(engine, app, hook, input))
  const all = [...pruneWaves(plain, options), ...hooks]
  for (const task of all) task.result = results.get(`${task.phase} ${task.key}`)
  return all.sort(inOrder)
}

export function resultsOf(state: JsonObject): readonly Result[] {
  return listAt(state, ['syncResult', 'resources']) as unknown as readonly Result[]
}

function isApplyStrategy(operation: JsonObject): boolean {
  const strategy = operation['sync'] as JsonObject | undefined
  const chosen = strategy?.['syncStrategy']
  return isObject(chosen) && chosen['apply'] !== undefined && chosen['hook'] === undefined
}

function isThis(item: JsonObject, { group, kind, name, namespace }: Place): boolean {
  return (
    (stringAt(item, ['group']) ?? '') === group &&
    stringAt(item, ['kind']) === kind &&
    stringAt(item, ['name']) === name &&
    (stringAt(item, ['namespace']) ?? namespace) === namespace
  )
}

function plainTask(one: Compared, options: readonly string[]): Task {
  return {
    place: one.place,
    key: one.key,
    phase: 'Sync',
    wave: waveOf(one.target ?? one.live ?? {}),
    isHook: false,
    target: one.target,
    live: one.live,
    policies: [],
    mayPrune: mayPrune(one, options),
    result: undefined,
  }
}

/** Pruning goes through the waves in reverse; PruneLast puts it behind all of them. */
function pruneWaves(tasks: readonly Task[], options: readonly string[]): readonly Task[] {
  const prunes = tasks.filter(({ target }) => target === undefined)
  const waves = [...new Set(prunes.map(({ wave }) => wave))].sort((one, other) => one - other)
  const last = Math.max(0, ...tasks.map(({ wave }) => wave))
  return tasks.map((task) => {
    if (task.target !== undefined) return task
    if (options.includes('PruneLast=true')) return { ...task, wave: last + 1 }
    return { ...task, wave: waves[waves.length - 1 - waves.indexOf(task.wave)] ?? task.wave }
  })
}

function hookTasks(engine: Engine, app: App, hook: JsonObject, input: TaskInput): readonly Task[] {
  const reading = readArgoHook(hook)
  if (reading.kind !== 'hook') return []
  const kind = engine.kindOf(hook)
  if (kind === undefined) return []
  return PHASES.filter((phase) => reading.phases.includes(phase)).map((phase): Task => {
    const named = withName(hook, phase, input)
    const own = tracked(named, kind, app.name, app.namespace)
    const target = engine.version < FINALIZED ? own : withFinalizer(own)
    const place = placeOf(target, kind)
    return {
      place,
      key: keyOf(place),
      phase,
      wave: waveOf(hook),
      isHook: true,
      target,
      live: engine.live(place),
      policies: mergedPolicies(hook).deletePolicies,
      mayPrune: false,
      result: undefined,
    }
  })
}

/** The start is kept over retries, so a retry has the same name. */
function withName(hook: JsonObject, phase: Phase, { revision, startedAt }: TaskInput): JsonObject {
  const metadata = isObject(hook['metadata']) ? hook['metadata'] : {}
  const prefix = stringAt(metadata, ['generateName'])
  if (prefix === undefined || stringAt(metadata, ['name']) !== undefined) return hook
  const seconds = Math.floor(Date.parse(startedAt) / 1000)
  const name = `${prefix}${revision.slice(0, 7)}-${phase}-${seconds}`.toLowerCase()
  return { ...hook, metadata: { ...metadata, name } }
}

/** hooks have a finalizer from 2.14 on. */
const FINALIZED = 214

/** So that a TTL cannot remove the hook before its end was seen. */
function withFinalizer(object: JsonObject): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {}
  const own = listAt(metadata, ['finalizers']).filter(isText)
  if (own.includes(HOOK_FINALIZER)) return object
  return { ...object, metadata: { ...metadata, finalizers: [...own, HOOK_FINALIZER] } }
}

function waveOf(object: JsonObject): number {
  const text = annotationOf(object, ARGO_WAVE) ?? annotationOf(object, 'helm.sh/hook-weight') ?? '0'
  return /^[-+]?\d+$/.test(text.trim()) ? Number(text) : 0
}

function inOrder(one: Task, other: Task): number {
  return (
    PHASES.indexOf(one.phase) - PHASES.indexOf(other.phase) ||
    one.wave - other.wave ||
    rank(one.place.kind) - rank(other.place.kind) ||
    (one.place.name < other.place.name ? -1 : one.place.name > other.place.name ? 1 : 0)
  )
}

function rank(kind: string): number {
  const at = KINDS.indexOf(kind)
  return at < 0 ? KINDS.length : at
}

export function isPending({ result }: Task): boolean {
  return result === undefined || result.status === ''
}

export function isRunning({ result }: Task): boolean {
  return result !== undefined && result.status !== '' && result.hookPhase === 'Running'
}

export function isFailed({ result }: Task): boolean {
  return result !== undefined && (result.hookPhase === 'Failed' || result.hookPhase === 'Error')
}

/** A hook that is there from before and has to go before it is made again. */
export function isToDelete(task: Task): boolean {
  return (
    task.isHook &&
    isPending(task) &&
    task.live !== undefined &&
    task.policies.includes('before-hook-creation')
  )
}
