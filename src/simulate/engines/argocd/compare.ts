import { succeeded, type Status } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { isObject, type JsonObject } from '../../../core/json.ts'
import { readArgoHook } from '../../../engines/hooks.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { App } from './application.ts'
import { clientSideDiffers, isSameForDiff } from './client-side-diff.ts'
import type { Engine } from './engine.ts'
import { worstHealth } from './health.ts'
import { withIgnoredOf, withoutIgnored } from './ignore.ts'
import { keep, keptComparison, rowOf } from './kept.ts'
import type { Diff } from './state.ts'
import { byKey, type Targets } from './targets.ts'
import { optionsOf, ownerOf, placeOf, type Place } from './tracking.ts'

/** One object of an app: what Git says, what the cluster has, and how they stand. */
export interface Compared {
  readonly place: Place
  readonly key: string
  /** As Git says, with namespace and tracking id. */
  readonly target: JsonObject | undefined
  readonly live: KubeObject | undefined
  /** Empty for hooks, which take no part. */
  readonly status: '' | 'Synced' | 'OutOfSync' | 'Unknown'
  readonly isHook: boolean
  readonly requiresPruning: boolean
}

/** Where nothing has changed, the same one is handed out again. */
export interface Comparison {
  readonly revision: string
  /** In the order of their keys. */
  readonly resources: readonly Compared[]
  /** The same as `status.resources` lists them. */
  readonly rows: readonly JsonObject[]
  /** Hooks of all phases as Git says them. */
  readonly hooks: readonly JsonObject[]
  readonly sync: 'Synced' | 'OutOfSync' | 'Unknown'
  readonly health: string
  /** In place of a result: the text behind `ComparisonError: `. */
  readonly fault?: string
}

export interface CompareOptions {
  /** Manifests and results of earlier comparisons are not used. */
  readonly isHard?: boolean
  /** Results of earlier comparisons may be used (server-side diff). */
  readonly mayReuse?: boolean
  /** The objects as an old cache shows them. */
  readonly stale?: ReadonlyMap<string, KubeObject | undefined>
}

/** Holds an app's revision against the cluster. */
export function compare(
  engine: Engine,
  app: App,
  revision: string,
  options: CompareOptions = {},
): Comparison {
  const rendered = engine.render(app, revision, options.isHard === true)
  if ('fault' in rendered) return incomparable(engine, app, rendered.fault)
  const targets = engine.targetsOf(rendered.objects, app)
  const isPlain = options.stale === undefined && options.isHard !== true && !app.serverSideDiff
  const kept = isPlain ? keptComparison(engine, app, { revision, targets }) : undefined
  if (kept !== undefined) return kept
  const found = pairs(engine, app, targets, options.stale)
  const judged = judgeAll(engine, app, found, options)
  const { hooks } = targets
  const health = worstHealth(judged.resources)
  if (judged.fault !== undefined) {
    const resources = unknown(judged.resources)
    const rows = resources.map(rowOf)
    return { revision, resources, rows, hooks, sync: 'Unknown', health, fault: judged.fault }
  }
  const isOut = judged.resources.some(({ status }) => status === 'OutOfSync')
  const sync = isOut ? 'OutOfSync' : 'Synced'
  const { resources } = judged
  const rows = resources.map(rowOf)
  const comparison: Comparison = { revision, resources, rows, hooks, sync, health }
  if (isPlain) keep(engine, app, { comparison, targets })
  return comparison
}

/** There are no manifests to compare with: what is live stands as Unknown. */
export function incomparable(engine: Engine, app: App, why: string): Comparison {
  const resources = unknown(pairs(engine, app, NOTHING))
  const fault = `Failed to load target state: ${why}`
  const health = worstHealth(resources)
  const rows = resources.map(rowOf)
  const base = { revision: app.targetRevision, resources, rows, hooks: [] }
  return { ...base, sync: 'Unknown', health, fault }
}

const NOTHING: Targets = { plain: [], hooks: [] }

function unknown(resources: readonly Compared[]): readonly Compared[] {
  return resources.map((one): Compared => ({ ...one, status: one.isHook ? '' : 'Unknown' }))
}

/** Targets beside their live objects, then what is live and of this app but in no target. */
function pairs(
  engine: Engine,
  app: App,
  { plain }: Targets,
  stale?: ReadonlyMap<string, KubeObject | undefined>,
): readonly Compared[] {
  const all: Compared[] = []
  const declared = new Set<string>()
  const liveOf = (place: Place, key: string): KubeObject | undefined =>
    stale?.has(key) === true ? stale.get(key) : engine.live(place)
  for (const { place, key, object } of plain) {
    declared.add(key)
    const live = place.name === '' ? undefined : liveOf(place, key)
    all.push({ place, key, target: object, live, status: 'OutOfSync', ...PLAIN })
  }
  const known = new Map(engine.state.tracked.get(app.name))
  for (const [key, live] of stale ?? []) {
    const kind = live === undefined ? undefined : engine.kindOf(live)
    if (live !== undefined && kind !== undefined) known.set(key, placeOf(live, kind))
  }
  for (const [key, place] of known) {
    if (declared.has(key)) continue
    const live = liveOf(place, key)
    if (live === undefined || ownerOf(live)?.app !== app.name) continue
    const isHook = readArgoHook(live).kind === 'hook'
    const isGoing = live.metadata.deletionTimestamp !== undefined
    const status = isHook ? '' : 'OutOfSync'
    all.push({ place, key, target: undefined, live, status, isHook, requiresPruning: !isGoing })
  }
  return all.length === plain.length ? all : all.sort(byKey)
}

const PLAIN = { isHook: false, requiresPruning: false } as const

interface Judged {
  readonly resources: readonly Compared[]
  readonly fault?: string
}

function judgeAll(
  engine: Engine,
  app: App,
  found: readonly Compared[],
  { mayReuse, stale, isHard }: CompareOptions,
): Judged {
  const { diffs } = engine.app(app.name)
  const next = new Map<string, Diff>()
  const resources: Compared[] = []
  let fault: string | undefined
  for (const one of found) {
    const { target, live, key } = one
    if (one.isHook || target === undefined || live === undefined) {
      const isIgnored = live !== undefined && isExtraneousIgnored(live)
      resources.push(isIgnored && target === undefined ? { ...one, status: 'Synced' } : one)
      continue
    }
    const known = isHard === true ? undefined : diffs.get(key)
    let differs = isReusable(app, known, { live, mayReuse, target }) ? known?.differs : undefined
    if (differs === undefined) {
      const answer = app.serverSideDiff
        ? serverSideDiffers(engine, app, one.place, target, live)
        : clientSideDiffers(engine, app, target, live)
      if (typeof answer === 'string') {
        fault ??= answer
        resources.push(one)
        continue
      }
      differs = answer
    }
    next.set(key, { live, target, differs })
    resources.push({ ...one, status: differs ? 'OutOfSync' : 'Synced' })
  }
  // Results are kept only of comparisons that had no error: surprise 2 of the traces (077, 094).
  if (fault !== undefined) return { resources, fault }
  if (stale === undefined) {
    diffs.clear()
    for (const [key, diff] of next) diffs.set(key, diff)
  }
  return { resources }
}

interface Present {
  readonly live: KubeObject
  readonly target: JsonObject
  readonly mayReuse: boolean | undefined
}

/** A client-side diff of the same two gives the same; a server-side one is kept beyond that. */
function isReusable(
  app: App,
  known: Diff | undefined,
  { live, target, mayReuse }: Present,
): boolean {
  if (known === undefined) return false
  if (!app.serverSideDiff) return known.target === target && isSameForDiff(known.live, live, target)
  return mayReuse === true && known.live.metadata.resourceVersion === live.metadata.resourceVersion
}

function isExtraneousIgnored(live: KubeObject): boolean {
  const options = live.metadata.annotations?.['argocd.argoproj.io/compare-options'] ?? ''
  return options.split(',').some((word) => word.trim() === 'IgnoreExtraneous')
}

/** A dry run of the server-side apply; its refusal is the comparison's error. */
function serverSideDiffers(
  engine: Engine,
  app: App,
  place: Place,
  target: JsonObject,
  live: KubeObject,
): boolean | string {
  const { name, namespace, resource } = place
  const answer = engine.io.request({
    verb: 'patch',
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    patch: { type: 'apply', body: withIgnoredOf(target, live, app, false) },
    options: { dryRun: true, force: true, fieldManager: 'argocd-controller' },
  })
  if (!succeeded(answer)) {
    const words = (answer.body as Status).message ?? ''
    return (
      'Failed to compare desired state to live state: failed to calculate diff: error calculating ' +
      'server side diff: serverSideDiff error: error running server side apply in dryrun mode for ' +
      `resource ${place.kind}/${name}: ${words}`
    )
  }
  return !equal(plainOf(withoutIgnored(answer.body, app)), plainOf(withoutIgnored(live, app)))
}

function plainOf(object: JsonObject): JsonObject {
  const {
    managedFields: _,
    resourceVersion: __,
    generation: ___,
    ...metadata
  } = isObject(object['metadata']) ? object['metadata'] : {}
  const { status: ____, ...rest } = object
  return { ...rest, metadata }
}

/** Whether Prune=false on the object keeps it. */
export function mayPrune({ live }: Compared, appOptions: readonly string[]): boolean {
  const words = [...optionsOf(live), ...appOptions]
  const choice = words.find((word) => word.startsWith('Prune='))
  return choice !== 'Prune=false' && choice !== 'Prune=confirm'
}
