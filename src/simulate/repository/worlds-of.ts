import type { Workload } from '../../cluster/kubelet/scenario-script.ts'
import type { Instant } from '../../cluster/time.ts'
import type { Declared } from '../history/history-of.ts'
import type { Warning } from '../history/history.ts'
import type { ScenarioEngine } from '../scenario/stage.ts'
import type { CommitEvent, EngineSetup, World } from '../world/world.ts'
import type { EngineWorld, Snapshot } from './snapshot.ts'

/** One cluster of a repository, ready to be played. */
export interface ClusterWorld {
  /** Empty for the only one. */
  readonly cluster: string
  readonly world: World
  readonly declared: readonly Declared[]
  readonly warnings: readonly Warning[]
}

/** A state of the repository: at the start, or after a commit. */
export interface RepositoryState {
  readonly revision: string
  readonly words: string
  readonly afterMs: number
  /** Undefined: as before. */
  readonly snapshot?: Snapshot
}

export interface RepositoryPlay {
  readonly start: Instant
  readonly end: Instant
  readonly engines: readonly ScenarioEngine[]
  readonly workloads: readonly Workload[]
  readonly minor?: number
}

/** The worlds of a repository, one for each cluster; commits are events in all of them. */
export function worldsOf(
  first: Snapshot,
  states: readonly RepositoryState[],
  play: RepositoryPlay,
): readonly ClusterWorld[] {
  const snapshots = [first, ...states.flatMap(({ snapshot = [] }) => snapshot)]
  const clusters = new Set(
    snapshots.flatMap(({ worlds, lanes }) => [...worlds, ...lanes].map(({ cluster }) => cluster)),
  )
  return [...clusters].map((cluster) => clusterWorld(cluster, { first, states, snapshots, play }))
}

interface Making {
  readonly first: Snapshot
  readonly states: readonly RepositoryState[]
  readonly snapshots: readonly Snapshot[]
  readonly play: RepositoryPlay
}

function clusterWorld(cluster: string, { first, states, snapshots, play }: Making): ClusterWorld {
  const { start, end, engines, workloads, minor } = play
  const own = ({ worlds }: Snapshot): readonly EngineWorld[] =>
    worlds.filter((world) => world.cluster === cluster)
  const kinds = new Map(snapshots.flatMap((one) => own(one).map((world) => [keyOf(world), world])))
  const setups: EngineSetup[] = []
  const played: string[] = []
  const warnings: Warning[] = notesOf(first, cluster)
  for (const [key, { kind, settings }] of kinds) {
    const engine = engines.find((one) => one.kinds.includes(kind))
    if (engine === undefined) {
      warnings.push(unmodelled(kind))
      continue
    }
    const { carriers = [], files = {} } = worldOf(own(first), key) ?? {}
    setups.push({ engine, input: { settings, carriers, changes: {}, files } })
    played.push(key)
  }
  const events: CommitEvent[] = []
  let current: Snapshot | undefined
  for (const state of states) {
    const before = current
    current = state.snapshot ?? current ?? first
    for (const [engine, key] of played.entries()) {
      const next = worldOf(own(current), key)
      const last = before === undefined ? undefined : worldOf(own(before), key)
      const event = commitOf(state, engine, next, start)
      if (next?.isAssumed !== true && last?.isAssumed !== true) events.push(event)
      else if (next !== undefined && !isSame(next, last)) events.push(changedIn(event, last))
    }
  }
  const world: World = {
    start,
    end,
    engines: setups,
    workloads,
    namespaces: namespacesIn(snapshots.flatMap(own)),
    events,
    isPartial: true,
    actors: first.actors,
    ...(minor === undefined ? {} : { minor }),
  }
  return { cluster, world, declared: declaredOf(snapshots, cluster), warnings }
}

/** One engine of a cluster; each chart that somebody installs is one by itself. */
function keyOf({ kind, settings, isAssumed }: EngineWorld): string {
  return JSON.stringify([kind, settings, isAssumed === true])
}

function worldOf(worlds: readonly EngineWorld[], key: string): EngineWorld | undefined {
  return worlds.find((world) => keyOf(world) === key)
}

function isSame(one: EngineWorld, other: EngineWorld | undefined): boolean {
  return JSON.stringify(one.files) === JSON.stringify(other?.files)
}

/** Of files that nobody is known to apply, somebody applies those that change; of a chart, all. */
function changedIn(event: CommitEvent, before: EngineWorld | undefined): CommitEvent {
  if (before === undefined || before.kind === 'helm') return event
  const changed = Object.entries(event.files).filter(([path, text]) => before.files[path] !== text)
  return { ...event, files: Object.fromEntries(changed) }
}

function commitOf(
  { revision, words, afterMs }: RepositoryState,
  engine: number,
  world: EngineWorld | undefined,
  start: Instant,
): CommitEvent {
  return {
    kind: 'commit',
    at: start + afterMs,
    engine,
    revision,
    files: world?.files ?? {},
    carriers: world?.carriers ?? [],
    words,
  }
}

function namespacesIn(worlds: readonly EngineWorld[]): readonly string[] {
  const names = new Set(worlds.flatMap(({ namespaces }) => namespaces))
  for (const known of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    names.delete(known)
  }
  return [...names]
}

/** Each lane as the last state that has it declares it. */
function declaredOf(snapshots: readonly Snapshot[], cluster: string): readonly Declared[] {
  const byName = new Map<string, Declared>()
  for (const { lanes } of snapshots) {
    for (const lane of lanes) {
      if (lane.cluster !== cluster) continue
      const { name, kind, appliedBy, contract, ttlSeconds, schedule, unknown } = lane
      byName.set(name, {
        name,
        kind,
        appliedBy,
        contract,
        ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
        ...(schedule === undefined ? {} : { schedule }),
        ...(unknown === undefined ? {} : { unknown }),
      })
    }
  }
  return [...byName.values()]
}

function notesOf({ notes, lanes }: Snapshot, cluster: string): Warning[] {
  const own = new Set(lanes.filter((lane) => lane.cluster === cluster).map(({ name }) => name))
  return notes.flatMap(({ id, what, why, lanes: about }) => {
    const named = about?.filter((name) => own.has(name)) ?? []
    if (about !== undefined && about.length > 0 && named.length === 0) return []
    return [{ id, lanes: named, what, why }]
  })
}

function unmodelled(kind: string): Warning {
  return {
    id: 'not-followed',
    lanes: [],
    what: `what ${kind} applies is not played`,
    why: 'this engine has no model for repositories yet',
  }
}
