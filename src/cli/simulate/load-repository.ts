import { GitHistory, type Commit } from '../../adapters/git-history.ts'
import { Fault } from '../../core/faults.ts'
import type { Repository } from '../../ownership/subject.ts'
import { clusterFolders } from '../../simulate/repository/clusters.ts'
import { newMemory } from '../../simulate/repository/memory.ts'
import { snapshotOf } from '../../simulate/repository/snapshot-of.ts'
import type { EngineWorld, Snapshot } from '../../simulate/repository/snapshot.ts'
import type { Io } from '../io.ts'
import { prepare, renderedOf, repositoryOf, type Run } from '../judge.ts'
import { startFolder } from '../naming.ts'
import { problemOf, type Problem } from '../problem.ts'
import { Progress } from '../progress.ts'
import { inputOf } from '../repository-input.ts'
import type { TargetOptions } from '../target.ts'
import { StateReader, type Tree } from './state-reader.ts'

/** A repository, or its way through commits, as it can be played. */
export interface LoadedRepository {
  /** At the start: the files as they are, or those of BASE. */
  readonly snapshot: Snapshot
  /** The short hash of BASE; undefined for the files as they are. */
  readonly revision?: string
  /** Of `--git`, oldest first. Each is a new revision for every source, whatever it changes. */
  readonly commits: readonly LoadedCommit[]
  readonly repository?: Repository
  readonly problems: readonly Problem[]
}

export interface LoadedCommit {
  /** Its short hash. */
  readonly revision: string
  readonly subject: string
  /** Milliseconds after BASE was committed; never before the commit that it follows. */
  readonly afterMs: number
  /** Undefined: as before. */
  readonly snapshot?: Snapshot
}

/** The files as they are. Gives only problems when semel.yaml is wrong. */
export async function loadRepository(
  options: TargetOptions,
  io: Io,
): Promise<LoadedRepository | readonly Problem[]> {
  const progress = new Progress(io)
  try {
    const run = await prepare({ options, io, overlay: new Map() }, progress)
    if (!('naming' in run)) return run
    const written = await repositoryOf(run)
    const rendered = options.render ? await renderedOf(run, written) : undefined
    const repository = rendered?.repository ?? written
    const problems = [
      ...run.listing.faults.map(problemOf),
      ...run.reading.problems,
      ...(rendered?.problems ?? []),
    ]
    const snapshot = snapshotOf(repository, inputOf(run, rendered?.folders))
    return { snapshot, commits: [], repository, problems }
  } finally {
    progress.end()
  }
}

/** BASE and each commit up to HEAD, as `BASE..HEAD` says. */
export async function loadHistory(
  range: string,
  options: TargetOptions,
  io: Io,
): Promise<LoadedRepository | readonly Problem[]> {
  const progress = new Progress(io)
  try {
    const { base, head } = rangeOf(range)
    const folder = startFolder(io.cwd, options.paths)
    const history = new GitHistory({ folder, base, head, env: io.env })
    const run = await prepare({ options, io, overlay: new Map() }, progress)
    return 'naming' in run ? await states(run, history) : run
  } finally {
    progress.end()
  }
}

function rangeOf(range: string): { readonly base: string; readonly head: string } {
  const [, base, head] = /^([^.].*?)\.\.([^.].*)?$/.exec(range) ?? []
  if (base !== undefined) return { base, head: head ?? 'HEAD' }
  throw new Fault('USAGE', {
    what: `--git ${range} is no range of commits`,
    why: 'it says from which commit to which, and the commits between them become events',
    remedy: 'write for example --git origin/main..HEAD',
  })
}

async function states(run: Run, history: GitHistory): Promise<LoadedRepository> {
  const reader = new StateReader(run, history)
  const trees = history.trees()
  reader.prepare(trees)
  let clusters: ReadonlySet<string> = new Set()
  for (;;) {
    const pass = await snapshots(trees, reader, { run, clusters })
    const [first] = pass.snapshots
    if (pass.isWhole && first !== undefined) return loadedOf(history, pass, first)
    clusters = pass.clusters
  }
}

interface Pass {
  readonly snapshots: readonly (Snapshot | undefined)[]
  readonly repository: Repository | undefined
  readonly clusters: ReadonlySet<string>
  /** False when a later state has told apart what an earlier one took for one cluster. */
  readonly isWhole: boolean
}

/** Snapshots of all states; undefined for one that reads the same files as the one before. */
async function snapshots(
  trees: readonly Tree[],
  reader: StateReader,
  { run, clusters }: { readonly run: Run; readonly clusters: ReadonlySet<string> },
): Promise<Pass> {
  const known = new Set(clusters)
  const memory = newMemory()
  const made: (Snapshot | undefined)[] = []
  let repository: Repository | undefined
  for (const [index, tree] of trees.entries()) {
    run.progress.say(`reading commit ${index + 1} of ${trees.length}`)
    const before = trees[index - 1]
    if (before !== undefined && reader.isSame(before, tree)) {
      made.push(undefined)
      continue
    }
    const state = await reader.state(tree)
    repository ??= state.repository
    const size = known.size
    for (const folder of clusterFolders(state.repository)) known.add(folder)
    if (known.size > size && index > 0) {
      return { snapshots: [], repository, clusters: known, isWhole: false }
    }
    const actors = made[0]?.actors
    const how = { clusters: known, memory, ...(actors === undefined ? {} : { actors }) }
    made.push(snapshotOf(state.repository, state.input, how))
  }
  return { snapshots: made, repository, clusters: known, isWhole: true }
}

function loadedOf(
  history: GitHistory,
  { snapshots: [, ...later], repository }: Pass,
  snapshot: Snapshot,
): LoadedRepository {
  return {
    snapshot,
    revision: short(history.base),
    commits: commitsOf(history, later, snapshot),
    problems: [],
    ...(repository === undefined ? {} : { repository }),
  }
}

function commitsOf(
  { base, commits }: GitHistory,
  later: readonly (Snapshot | undefined)[],
  start: Snapshot,
): readonly LoadedCommit[] {
  let at = base.at
  let before = start
  return commits.map((commit, index) => {
    at = Math.max(at, commit.at)
    const snapshot = later[index] ?? before
    const isAlike = isSame(before, snapshot)
    before = snapshot
    return {
      revision: short(commit),
      subject: commit.subject,
      afterMs: at - base.at,
      ...(isAlike ? {} : { snapshot }),
    }
  })
}

/** Whether the same is played. */
function isSame(one: Snapshot, other: Snapshot): boolean {
  return (
    one === other ||
    (one.worlds.length === other.worlds.length &&
      one.worlds.every((world, index) => isSameWorld(world, other.worlds[index])) &&
      lanesText(one) === lanesText(other))
  )
}

function isSameWorld(one: EngineWorld, other: EngineWorld | undefined): boolean {
  if (other === undefined || one.cluster !== other.cluster) return false
  const paths = Object.keys(one.files)
  return (
    paths.length === Object.keys(other.files).length &&
    paths.every((path) => one.files[path] === other.files[path]) &&
    JSON.stringify([one.settings, one.carriers]) ===
      JSON.stringify([other.settings, other.carriers])
  )
}

function lanesText({ lanes }: Snapshot): string {
  return JSON.stringify(
    lanes.map(({ name, cluster, appliedBy, unknown = '' }) => [name, cluster, appliedBy, unknown]),
  )
}

function short({ hash }: Commit): string {
  return hash.slice(0, 7)
}
