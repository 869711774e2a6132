import type { JsonObject } from '../../../core/json.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { App } from './application.ts'
import { clientSideDiffers, isSameForDiff } from './client-side-diff.ts'
import type { Compared, Comparison } from './compare.ts'
import type { Engine } from './engine.ts'
import { healthIn, worstOf } from './health.ts'
import type { State } from './state.ts'
import type { Targets } from './targets.ts'
import { keyOf, ownerOf, placeOfLive } from './tracking.ts'

/**
 * The last comparison of an app and the keys of what was written since: only that is compared anew,
 * so an event costs the same in an app of ten objects and in one of ten thousand.
 */
export interface Kept {
  readonly targets: Targets
  readonly ignoreDifferences: App['ignoreDifferences']
  /** By key: the place in `comparison.resources`. */
  readonly index: ReadonlyMap<string, number>
  /** How many objects there are of each health. */
  readonly tally: Map<string, number>
  out: number
  comparison: Comparison
  readonly dirty: Set<string>
}

/** The last comparison brought up to date; undefined where all has to be compared. */
export function keptComparison(
  engine: Engine,
  app: App,
  { revision, targets }: { readonly revision: string; readonly targets: Targets },
): Comparison | undefined {
  const { kept } = engine.app(app.name)
  if (kept === undefined || kept.targets !== targets) return undefined
  if (kept.comparison.revision !== revision) return undefined
  if (!equal(kept.ignoreDifferences, app.ignoreDifferences)) return undefined
  return update(engine, app, kept) ? kept.comparison : undefined
}

export function keep(
  engine: Engine,
  app: App,
  { comparison, targets }: { readonly comparison: Comparison; readonly targets: Targets },
): void {
  const { resources } = comparison
  const tally = new Map<string, number>()
  for (const one of resources) count(tally, healthIn(one), 1)
  engine.app(app.name).kept = {
    targets,
    ignoreDifferences: app.ignoreDifferences,
    index: new Map(resources.map(({ key }, at) => [key, at])),
    tally,
    out: resources.filter(({ status }) => status === 'OutOfSync').length,
    comparison,
    dirty: new Set(),
  }
  declare(engine.state, app.name, targets)
}

/** Who declares an object: also one that carries another app's tracking id, or none. */
function declare({ declared }: State, name: string, { plain }: Targets): void {
  for (const { key } of plain) {
    const names = declared.get(key)
    if (names === undefined) declared.set(key, [name])
    else if (!names.includes(name)) declared.set(key, [...names, name])
  }
}

/** A write concerns the comparisons in which its object has a part. */
export function soil(
  { apps, declared }: State,
  { resource, object, before }: Pick<WatchEvent, 'resource' | 'object' | 'before'>,
): void {
  const key = keyOf(placeOfLive(resource, object))
  for (const name of declared.get(key) ?? NOBODY) apps.get(name)?.kept?.dirty.add(key)
  const owner = ownerOf(object)?.app
  if (owner !== undefined) apps.get(owner)?.kept?.dirty.add(key)
  const old = before === undefined ? undefined : ownerOf(before)?.app
  if (old !== undefined && old !== owner) apps.get(old)?.kept?.dirty.add(key)
}

const NOBODY: readonly string[] = []

/** False when an object came or went that Git does not name: the list becomes another one. */
function update(engine: Engine, app: App, kept: Kept): boolean {
  const changed: [number, Compared][] = []
  for (const key of kept.dirty) {
    const at = kept.index.get(key)
    const before = at === undefined ? undefined : kept.comparison.resources[at]
    if (at === undefined || before?.target === undefined) return false
    const live = engine.live(before.place)
    if (live !== before.live) {
      changed.push([at, judge(engine, app, { ...before, target: before.target }, live)])
    }
  }
  kept.dirty.clear()
  if (changed.length > 0) put(kept, changed)
  return true
}

function put(kept: Kept, changed: readonly (readonly [number, Compared])[]): void {
  const { tally, comparison } = kept
  const resources = [...comparison.resources]
  let { rows } = comparison
  for (const [at, one] of changed) {
    const before = resources[at]
    resources[at] = one
    if (before === undefined) continue
    count(tally, healthIn(before), -1)
    count(tally, healthIn(one), 1)
    if (before.status === one.status) continue
    kept.out += Number(one.status === 'OutOfSync') - Number(before.status === 'OutOfSync')
    rows = rows.with(at, rowOf(one))
  }
  const sync = kept.out > 0 ? 'OutOfSync' : 'Synced'
  kept.comparison = { ...comparison, resources, rows, sync, health: worstOf(tally) }
}

function judge(
  engine: Engine,
  app: App,
  before: Compared & { readonly target: JsonObject },
  live: KubeObject | undefined,
): Compared {
  if (live === undefined) return { ...before, live, status: 'OutOfSync' }
  const { target } = before
  if (before.live !== undefined && isSameForDiff(before.live, live, target)) {
    return { ...before, live }
  }
  const differs = clientSideDiffers(engine, app, target, live)
  engine.app(app.name).diffs.set(before.key, { live, target, differs })
  return { ...before, live, status: differs ? 'OutOfSync' : 'Synced' }
}

function count(tally: Map<string, number>, health: string | undefined, by: number): void {
  if (health !== undefined) tally.set(health, (tally.get(health) ?? 0) + by)
}

/** An object as `status.resources` lists it. */
export function rowOf({ place, status, requiresPruning, isHook }: Compared): JsonObject {
  return {
    ...(place.group === '' ? {} : { group: place.group }),
    kind: place.kind,
    ...(place.namespace === undefined ? {} : { namespace: place.namespace }),
    name: place.name,
    ...(status === '' ? {} : { status }),
    ...(requiresPruning ? { requiresPruning } : {}),
    ...(isHook ? { hook: true } : {}),
  }
}
