import { objectAt } from '../../core/json.ts'
import type { Manifest } from '../../core/manifest.ts'
import type { EngineId } from '../../engines/engine.ts'
import { entryOf } from '../kustomize/built.ts'
import { load, type Load, type Surroundings } from './carrier.ts'

/** What an engine would apply if somebody told it to. */
export interface Unowned {
  readonly engine: EngineId
  readonly load: Load
}

/**
 * Jobs that no carrier of this repository applies: below kustomizations that nobody builds, in
 * charts that nobody installs from here, and loose files. Such a chart is taken for Helm's own,
 * unless its Jobs carry annotations of Argo CD: then somebody else's Application may install it.
 * Files that are only patches hold no Jobs, and a Job that a kustomization deletes is none any more.
 */
export function unowned(
  isOwned: (manifest: Manifest) => boolean,
  repo: Surroundings,
): readonly Unowned[] {
  const { kustomize, charts, world } = repo
  const taken = new Set<Manifest>()
  const take = (
    engine: EngineId,
    loads: readonly Omit<Load, 'isForeign'>[],
  ): readonly Unowned[] => {
    const found = loads.flatMap(({ entries, generated }) => {
      const free = entries.filter(
        ({ manifest, role }) => role === 'job' && !isOwned(manifest) && !taken.has(manifest),
      )
      return free.length === 0 ? [] : [{ engine, load: load({ entries: free, generated }) }]
    })
    for (const { load: own } of found) {
      for (const { manifest } of own.entries) taken.add(manifest)
    }
    return found
  }
  const included = kustomize.included()
  const roots = kustomize.folders.filter((folder) => !included.has(folder))
  const patches = kustomize.patchFiles()
  const files = world.heldFiles.filter((path) => !patches.has(path))
  const chartLoads = charts.folders.map((folder) => charts.load(folder))
  return [
    ...take(
      'unknown',
      roots.map((folder) => kustomize.build(folder)),
    ),
    ...take(
      'helm',
      chartLoads.filter((load) => !isForArgo(load)),
    ),
    ...take('unknown', chartLoads.filter(isForArgo)),
    ...take(
      'unknown',
      files.map((path) => ({
        entries: world
          .heldIn(path)
          .filter((manifest) => !world.removed.has(manifest))
          .map((manifest) => entryOf(manifest, 'kubernetes')),
        generated: [],
      })),
    ),
  ]
}

function isForArgo({ entries }: Omit<Load, 'isForeign'>): boolean {
  return entries.some(({ manifest }) =>
    Object.keys(objectAt(manifest.object, ['metadata', 'annotations']) ?? {}).some((key) =>
      key.startsWith('argocd.argoproj.io/'),
    ),
  )
}
