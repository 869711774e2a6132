import { isObject, type JsonObject } from '../../../core/json.ts'
import { readArgoHook } from '../../../engines/hooks.ts'
import { succeeded, type Status } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { lastAppliedOf } from '../../../cluster/clients/kubectl/last-applied.ts'
import { threeWayPatch } from '../../../cluster/clients/kubectl/three-way.ts'
import { equal, fields, typeOf } from '../../../cluster/fields/index.ts'
import type { App } from './application.ts'
import type { Engine } from './engine.ts'
import { healthOf, worseOf } from './health.ts'
import { withIgnoredOf, withoutIgnored } from './ignore.ts'
import type { Diff } from './state.ts'
import { keyOf, optionsOf, ownerOf, placeOf, tracked, type Place } from './tracking.ts'

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

export interface Comparison {
  readonly revision: string
  readonly resources: readonly Compared[]
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
  if ('fault' in rendered) {
    const resources = pairs(engine, app, []).map((one): Compared => ({
      ...one,
      status: one.isHook ? '' : 'Unknown',
    }))
    const fault = `Failed to load target state: ${rendered.fault}`
    const health = healthOfAll(resources)
    return { revision: app.targetRevision, resources, hooks: [], sync: 'Unknown', health, fault }
  }
  const hooks: JsonObject[] = []
  const plain: JsonObject[] = []
  for (const object of rendered.objects) {
    const reading = readArgoHook(object)
    if (reading.kind === 'none') plain.push(object)
    else if (reading.kind === 'hook') hooks.push(object)
  }
  const found = pairs(engine, app, plain, options.stale)
  const judged = judgeAll(engine, app, found, { ...options, revision })
  const isOut = judged.resources.some(({ status }) => status === 'OutOfSync')
  const health = healthOfAll(judged.resources)
  if (judged.fault !== undefined) {
    const resources = judged.resources.map((one): Compared => ({
      ...one,
      status: one.isHook ? '' : 'Unknown',
    }))
    return { revision, resources, hooks, sync: 'Unknown', health, fault: judged.fault }
  }
  return {
    revision,
    resources: judged.resources,
    hooks,
    sync: isOut ? 'OutOfSync' : 'Synced',
    health,
  }
}

/** Targets beside their live objects, then what is live and of this app but in no target. */
function pairs(
  engine: Engine,
  app: App,
  plain: readonly JsonObject[],
  stale?: ReadonlyMap<string, KubeObject | undefined>,
): readonly Compared[] {
  const all = new Map<string, Compared>()
  const liveOf = (place: Place): KubeObject | undefined => {
    const key = keyOf(place)
    return stale?.has(key) === true ? stale.get(key) : engine.live(place)
  }
  for (const object of plain) {
    const kind = engine.kindOf(object)
    if (kind === undefined) continue
    const target = tracked(object, kind, app.name, app.namespace)
    const place = placeOf(target, kind)
    const key = keyOf(place)
    const live = place.name === '' ? undefined : liveOf(place)
    all.set(key, { place, key, target, live, status: 'OutOfSync', ...PLAIN })
  }
  const known = new Map(engine.state.tracked.get(app.name))
  for (const [key, live] of stale ?? []) {
    const kind = live === undefined ? undefined : engine.kindOf(live)
    if (live !== undefined && kind !== undefined) known.set(key, placeOf(live, kind))
  }
  for (const [key, place] of known) {
    if (all.has(key)) continue
    const live = liveOf(place)
    if (live === undefined || ownerOf(live)?.app !== app.name) continue
    const isHook = readArgoHook(live).kind === 'hook'
    const isGoing = live.metadata.deletionTimestamp !== undefined
    const status = isHook ? '' : 'OutOfSync'
    all.set(key, { place, key, target: undefined, live, status, isHook, requiresPruning: !isGoing })
  }
  return [...all.values()].sort((one, other) => (one.key < other.key ? -1 : 1))
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
  { mayReuse, stale, isHard, revision }: CompareOptions & { readonly revision: string },
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
    const version = live.metadata.resourceVersion
    const known = isHard === true ? undefined : diffs.get(key)
    // A client-side diff of the same two gives the same; a server-side one is kept beyond that.
    const isKept = app.serverSideDiff ? mayReuse === true : known?.revision === revision
    let differs = isKept && known?.version === version ? known.differs : undefined
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
    next.set(key, { version, revision, differs })
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

function isExtraneousIgnored(live: KubeObject): boolean {
  const options = live.metadata.annotations?.['argocd.argoproj.io/compare-options'] ?? ''
  return options.split(',').some((word) => word.trim() === 'IgnoreExtraneous')
}

/** What a client-side apply would change, defaults and spelling aside. */
function clientSideDiffers(
  engine: Engine,
  app: App,
  target: JsonObject,
  live: KubeObject,
): boolean {
  const shown = withoutIgnored(live, app) as KubeObject
  const wanted = withoutIgnored(target, app)
  const kind = engine.kindOf(live)
  const type = kind?.type === undefined ? undefined : typeOf(kind.type)
  const original = lastAppliedOf(live)
  const before = original === undefined ? undefined : withoutIgnored(original, app)
  const patch = threeWayPatch(before, wanted, shown, type)
  if (Object.keys(patch).length === 0) return false
  if (type === undefined) return true
  const patched = fields.strategicMergePatch(shown, patch, type)
  if ('code' in patched && typeof patched['code'] === 'number') return true
  const decoded = fields.decode(patched as JsonObject, type)
  return 'message' in decoded || !equal(decoded.object, shown)
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

/** Of plain objects that are there; nothing there at all is Missing. */
function healthOfAll(resources: readonly Compared[]): string {
  const plain = resources.filter(({ isHook }) => !isHook)
  if (plain.length > 0 && plain.every(({ live }) => live === undefined)) return 'Missing'
  let health = 'Healthy'
  for (const { live } of plain) {
    if (live !== undefined) health = worseOf(health, healthOf(live)?.status ?? 'Healthy')
  }
  return health
}

/** Whether Prune=false on the object keeps it. */
export function mayPrune({ live }: Compared, appOptions: readonly string[]): boolean {
  const words = [...optionsOf(live), ...appOptions]
  const choice = words.find((word) => word.startsWith('Prune='))
  return choice !== 'Prune=false' && choice !== 'Prune=confirm'
}
