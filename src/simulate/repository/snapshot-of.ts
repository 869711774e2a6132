import { outermost } from '../../core/source.ts'
import type { JsonObject } from '../../core/json.ts'
import type { RepositoryInput } from '../../ownership/repository.ts'
import type { Repository } from '../../ownership/subject.ts'
import { createWorld } from '../../ownership/world.ts'
import { argocd } from './carriers/argocd.ts'
import { fleet } from './carriers/fleet.ts'
import { fluxHelmRelease } from './carriers/flux-helmrelease.ts'
import { fluxKustomization } from './carriers/flux-kustomization.ts'
import { fluxResourceSet } from './carriers/flux-resourceset.ts'
import { helm } from './carriers/helm.ts'
import { kro } from './carriers/kro.ts'
import { kubectl } from './carriers/kubectl.ts'
import { clustersOf, type ClusterOf } from './clusters.ts'
import { unknownLanes } from './jobs.ts'
import { lanesOf, lineOf, laneName } from './lanes.ts'
import { identityOf, loadsOf, type PlacedLoad } from './loads.ts'
import { keeper, newMemory, type Memory } from './memory.ts'
import type { Around, Load, Part } from './part.ts'
import type { DeclaredLane, EngineWorld, Snapshot, SnapshotNote } from './snapshot.ts'

export interface SnapshotOptions {
  /** Which subjects share a cluster; for several states of one repository the same one. */
  readonly clusterOf?: ClusterOf
  /** What was made of files that have not changed since. */
  readonly memory?: Memory
}

/**
 * What can be played of a repository. Each carrier gets a folder with the Jobs that it applies, as
 * ownership has followed them; what only rendering can tell is never guessed.
 */
export function snapshotOf(
  repository: Repository,
  input: RepositoryInput,
  options: SnapshotOptions = {},
): Snapshot {
  const { clusterOf = clustersOf([repository]), memory = newMemory() } = options
  const world = createWorld(input)
  const loads = loadsOf(repository, clusterOf)
  const names = namesOf(repository, loads)
  const base = { world, fullParser: input.fullParser, kept: keeper(memory, world) }
  const parts = loads.map((load): PlacedPart => {
    const isPlayed = (kind: string, namespace: string, name: string): boolean =>
      names.isPlayed(load.cluster, kind, namespace, name)
    const around = { ...base, carrierNamed: names.carrierNamed, isPlayed }
    return { cluster: load.cluster, part: partOf(load, around) }
  })
  const lanes = lanesOf(
    parts.flatMap(({ cluster, part }) => part.lanes.map((lane) => ({ cluster, lane }))),
  ).toSorted(byPlace)
  return { worlds: worldsOf(parts), lanes, notes: notesOf(repository, parts) }
}

interface PlacedPart {
  readonly cluster: string
  readonly part: Part
}

function partOf(load: Load, around: Around): Part {
  const [first] = load.subjects
  const engine = first?.engine.id ?? 'unknown'
  if (load.applied === undefined) {
    if (engine === 'helm') return helm(load, around)
    if (engine === 'unknown' || engine === 'kubectl') return kubectl(load)
    const why = `--engine or semel.yaml says ${first?.engine.title ?? ''}, and nothing here says how it is set up`
    return { kind: engine, carriers: [], files: {}, lanes: unknownLanes(load.subjects, why) }
  }
  switch (engine) {
    case 'argocd':
      return argocd(load, around)
    case 'flux':
      return fluxKustomization(load, around)
    case 'helm-controller':
      return fluxHelmRelease(load, around)
    case 'resourceset':
      return fluxResourceSet(load, around)
    case 'kro':
      return kro(load, around)
    case 'fleet':
      return fleet(load, around)
    default:
      return kubectl(load)
  }
}

interface Names {
  isPlayed(cluster: string, kind: string, namespace: string, name: string): boolean
  carrierNamed: Around['carrierNamed']
}

function namesOf({ manifests }: Repository, loads: readonly PlacedLoad[]): Names {
  const played = new Set(
    loads.map(({ cluster, carrier }) => {
      const { kind, namespace, name = '' } = identityOf(carrier)
      return `${cluster} ${kind} ${namespace}/${name}`
    }),
  )
  let written: ReadonlyMap<string, JsonObject> | undefined
  return {
    isPlayed: (cluster, kind, namespace, name) =>
      played.has(`${cluster} ${kind} ${namespace}/${name}`),
    carrierNamed: (kind, namespace, name) => {
      written ??= new Map(
        manifests.map(({ object }) => {
          const one = identityOf(object)
          return [`${one.kind} ${one.namespace}/${one.name ?? ''}`, object]
        }),
      )
      return written.get(`${kind} ${namespace}/${name}`)
    },
  }
}

/** A chart by itself is a world of its own; all other carriers of an engine share one. */
function worldsOf(parts: readonly PlacedPart[]): readonly EngineWorld[] {
  const worlds = new Map<string, EngineWorld>()
  for (const { cluster, part } of parts) {
    const { kind, settings = { kind } } = part
    if (part.carriers.length === 0 && Object.keys(part.files).length === 0) continue
    const key = `${cluster} ${JSON.stringify(settings)}`
    const known = worlds.get(key)
    worlds.set(key, {
      kind,
      cluster,
      settings,
      carriers: [...(known?.carriers ?? []), ...part.carriers],
      files: { ...known?.files, ...part.files },
      namespaces: [...new Set([...(known?.namespaces ?? []), ...(part.namespaces ?? [])])],
    })
  }
  return [...worlds.values()]
}

function notesOf(repository: Repository, parts: readonly PlacedPart[]): readonly SnapshotNote[] {
  const assumed = parts.flatMap(({ part }) =>
    (part.notes ?? []).map(({ subjects = [], ...note }): SnapshotNote => {
      const own = part.lanes.filter(({ subject }) => subjects.includes(subject))
      const names = [...new Set(own.map(({ object }) => laneName(object)))]
      return { ...note, ...(names.length === 0 ? {} : { lanes: names }) }
    }),
  )
  const unfollowed = repository.notes.map(({ place, what, why }): SnapshotNote => {
    return { id: 'not-followed', what, why, place: lineOf(outermost(place)) }
  })
  return [...(parts.length === 0 ? [] : [OTHERS]), ...assumed, ...unfollowed]
}

const OTHERS: SnapshotNote = {
  id: 'assumed',
  what: 'all that is applied beside Jobs and CronJobs is taken to be there and ready',
  why: 'only Jobs and CronJobs are played',
}

function byPlace(one: DeclaredLane, other: DeclaredLane): number {
  const [a, b] = [one.place, other.place]
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line
}
