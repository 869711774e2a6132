import { outermost } from '../../core/source.ts'
import { stringAt, type JsonObject } from '../../core/json.ts'
import type { EngineId } from '../../engines/engine.ts'
import type { RepositoryInput } from '../../ownership/repository.ts'
import type { Repository } from '../../ownership/subject.ts'
import { createWorld, kept as keptIn, type World } from '../../ownership/world.ts'
import { argocd } from './carriers/argocd.ts'
import { fleet } from './carriers/fleet.ts'
import { fluxHelmRelease } from './carriers/flux-helmrelease.ts'
import { fluxKustomization } from './carriers/flux-kustomization.ts'
import { fluxResourceSet } from './carriers/flux-resourceset.ts'
import { helm } from './carriers/helm.ts'
import { kro } from './carriers/kro.ts'
import { kubectl } from './carriers/kubectl.ts'
import { clusterFolders, clustersBy, clustersOf } from './clusters.ts'
import { unknownLanes } from './jobs.ts'
import { lanesOf, lineOf, laneName } from './lanes.ts'
import { identityOf, loadsOf, type PlacedLoad } from './loads.ts'
import { keptFor, madeOf, newMemory, type Memory } from './memory.ts'
import type { Around, Load, Part, PartNote } from './part.ts'
import { actorsIn } from './second-actors.ts'
import type { DeclaredLane, EngineWorld, Snapshot, SnapshotNote } from './snapshot.ts'

export interface SnapshotOptions {
  /** The folders that stand for clusters: those of this and of other states of the repository. */
  readonly clusters?: ReadonlySet<string>
  /** What was made of files that have not changed since. */
  readonly memory?: Memory
  /** Those of an earlier state, so that they are not looked for once more. */
  readonly actors?: readonly JsonObject[]
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
  const { clusters = clusterFolders(repository), memory = newMemory() } = options
  const loads = playedLoads(loadsOf(repository, clustersBy(clusters)))
  const names = namesOf(repository, loads)
  let world: World | undefined
  const worldOnce = (): World => (world ??= createWorld(input))
  const kept = keptFor(memory, worldOnce)
  const parts = loads.map((load): PlacedPart => {
    const around: Around = {
      get world(): World {
        return worldOnce()
      },
      fullParser: input.fullParser,
      kept,
      madeOf: madeOf(memory),
      isPlayed: (kind, namespace, name) => names.isPlayed(load.cluster, kind, namespace, name),
      carrierNamed: names.carrierNamed,
    }
    return { cluster: load.cluster, part: partOf(load, around), alike: alikeIn(load, clusters) }
  })
  const lanes = lanesOf(
    parts.flatMap(({ cluster, part }) => part.lanes.map((lane) => ({ cluster, lane }))),
  ).toSorted(byPlace)
  const shared = {
    get world(): World {
      return worldOnce()
    },
    fullParser: input.fullParser,
    kept,
  }
  const actors = options.actors ?? actorsIn(repository, shared)
  return { worlds: worldsOf(parts), lanes, actors, notes: notesOf(repository, parts) }
}

/** Of a Job that is carried, a copy that nobody applies is left out. */
function playedLoads(loads: readonly PlacedLoad[]): readonly PlacedLoad[] {
  const carried = new Set(
    loads.flatMap(({ cluster, applied, subjects }) =>
      applied === undefined ? [] : subjects.map(({ object }) => `${cluster} ${nameOf(object)}`),
    ),
  )
  return loads.flatMap((load) => {
    if (load.applied !== undefined) return [load]
    const subjects = load.subjects.filter(
      ({ object }) => !carried.has(`${load.cluster} ${nameOf(object)}`),
    )
    return subjects.length === 0 ? [] : [{ ...load, subjects }]
  })
}

function nameOf(object: JsonObject): string {
  return `${stringAt(object, ['kind']) ?? ''} ${laneName(object)}`
}

interface PlacedPart {
  readonly cluster: string
  readonly part: Part
  /** Clusters that have the same carrier in the same form. */
  readonly alike: readonly string[]
}

function alikeIn({ subjects }: Load, folders: ReadonlySet<string>): readonly string[] {
  const [first] = subjects
  const all = first === undefined ? [] : clustersOf(first, folders)
  return all.length > 1 ? all : []
}

function partOf(load: Load, around: Around): Part {
  const [first] = load.subjects
  const engine = first?.engine.id ?? 'unknown'
  if (load.applied === undefined) {
    if (engine === 'helm') return helm(load, around)
    if (engine === 'unknown' || engine === 'kubectl') return kubectl(load, around)
    const why = `--engine or semel.yaml says ${first?.engine.title ?? ''}, and nothing here says how it is set up`
    return { kind: engine, carriers: [], files: {}, lanes: unknownLanes(load.subjects, why) }
  }
  return (CARRIERS[engine] ?? kubectl)(load, around)
}

const CARRIERS: { readonly [engine in EngineId]?: (load: Load, around: Around) => Part } = {
  argocd,
  flux: fluxKustomization,
  'helm-controller': fluxHelmRelease,
  resourceset: fluxResourceSet,
  kro,
  fleet,
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
  const groups = new Map<string, PlacedPart[]>()
  for (const placed of parts) {
    const { kind, settings = { kind }, isAssumed = false, carriers, files } = placed.part
    if (carriers.length === 0 && Object.keys(files).length === 0) continue
    const key = JSON.stringify([placed.cluster, settings, isAssumed])
    keptIn(groups, key, () => []).push(placed)
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { kind, settings = { kind }, isAssumed = false } = first.part
    const own = group.map(({ part }) => part)
    return [
      {
        kind,
        cluster: first.cluster,
        settings,
        ...(isAssumed ? { isAssumed } : {}),
        carriers: own.flatMap(({ carriers }) => carriers),
        files: Object.fromEntries(own.flatMap(({ files }) => Object.entries(files))),
        namespaces: [...new Set(own.flatMap(({ namespaces = [] }) => namespaces))],
      },
    ]
  })
}

function notesOf(repository: Repository, parts: readonly PlacedPart[]): readonly SnapshotNote[] {
  const assumed = parts.flatMap(({ part, alike }) =>
    [...(part.notes ?? []), ...leftOutNotes(part), ...alikeNotes(part, alike)].map(
      ({ subjects = [], ...note }): SnapshotNote => {
        const own = part.lanes.filter(({ subject }) => subjects.includes(subject))
        const names = [...new Set(own.map(({ object }) => laneName(object)))]
        return { ...note, ...(names.length === 0 ? {} : { lanes: names }) }
      },
    ),
  )
  const unfollowed = repository.notes.map(({ place, what, why }): SnapshotNote => {
    return { id: 'not-followed', what, why, place: lineOf(outermost(place)) }
  })
  return [...(parts.length === 0 ? [] : [OTHERS]), ...assumed, ...unfollowed]
}

function leftOutNotes({ lanes }: Part): readonly PartNote[] {
  return lanes.flatMap(({ subject, leftOut = [] }) =>
    leftOut.length === 0
      ? []
      : [
          {
            id: 'assumed' as const,
            what: `${leftOut.join(', ')} is known only after rendering`,
            why: 'the default of the field was taken',
            subjects: [subject],
          },
        ],
  )
}

function alikeNotes({ lanes }: Part, alike: readonly string[]): readonly PartNote[] {
  const [first = '', ...others] = alike
  if (others.length === 0) return []
  return [
    {
      id: 'assumed',
      what: `${others.join(', ')} carries it in the same way as ${first === '' ? 'the rest' : first}`,
      why: 'it was played in one of them',
      subjects: lanes.map(({ subject }) => subject),
    },
  ]
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
