import path from 'node:path'
import { Fault } from '../../core/faults.ts'
import type { Workload } from '../../cluster/kubelet/scenario-script.ts'
import { worldsOf, type RepositoryState } from '../../simulate/repository/worlds-of.ts'
import { scenarioEngines } from '../../simulate/scenario/stages/index.ts'
import type { Io } from '../io.ts'
import type { Problem } from '../problem.ts'
import { Tell } from '../stamp/tell.ts'
import type { TargetOptions } from '../target.ts'
import { loadHistory, loadRepository, type LoadedRepository } from './load-repository.ts'
import { loadWorkloads } from './load-workloads.ts'
import type { SimulateOptions, SpanOptions } from './options.ts'
import { show, type Playable } from './show.ts'

/** Plays a repository from now on, or from a commit through the ones after it. */
export async function runRepository(
  target: TargetOptions,
  span: SpanOptions,
  options: SimulateOptions,
  io: Io,
): Promise<number> {
  const workloads = workloadsOf(span, io)
  const tell = new Tell(io, options.color)
  if (!('workloads' in workloads)) {
    tell.problems(workloads)
    return 2
  }
  const loaded =
    span.git === undefined
      ? await loadRepository(target, io)
      : await loadHistory(span.git, target, io)
  if (!('snapshot' in loaded)) {
    tell.problems(loaded)
    return 2
  }
  if (loaded.snapshot.lanes.length === 0 && !target.allowEmpty) {
    throw new Fault('NO_INPUT', {
      what: 'no Job and no CronJob was found',
      why: 'a run that saw no Job must not pass',
      remedy: 'give the folder that holds them, or --allow-empty if there may be none',
      where: path.resolve(io.cwd, target.paths[0] ?? '.'),
    })
  }
  tell.problems(loaded.problems)
  const code = show(playablesOf(loaded, span, workloads.workloads), options, io)
  return loaded.problems.length > 0 ? 2 : code
}

/** BASE has been in the cluster for at least so long when the first commit comes. */
const SETTLED_MS = 3_600_000

function playablesOf(
  { snapshot, revision = 'HEAD', commits }: LoadedRepository,
  { start, forMs, minor }: SpanOptions,
  workloads: readonly Workload[],
): readonly Playable[] {
  const shift = Math.max(0, SETTLED_MS - (commits[0]?.afterMs ?? SETTLED_MS))
  const last = commits.length === 0 ? 0 : (commits.at(-1)?.afterMs ?? 0) + shift
  const states: readonly RepositoryState[] = [
    { revision, words: `${revision} is in Git`, afterMs: 0, snapshot },
    ...commits.map((commit) => ({
      revision: commit.revision,
      words: `commit ${commit.revision}: ${commit.subject}`,
      afterMs: commit.afterMs + shift,
      ...(commit.snapshot === undefined ? {} : { snapshot: commit.snapshot }),
    })),
  ]
  const worlds = worldsOf(snapshot, states, {
    start,
    end: start + last + forMs,
    engines: scenarioEngines,
    workloads,
    ...(minor === undefined ? {} : { minor }),
  })
  return worlds.map(({ cluster, world, declared, warnings }) => ({
    title: cluster,
    world,
    declared,
    warnings: [...warnings],
  }))
}

/** What is not told of the work is assumed: it takes its time, and succeeds. */
function workloadsOf(
  { durationMs, fails, workloads }: SpanOptions,
  io: Io,
): { readonly workloads: readonly Workload[] } | readonly Problem[] {
  const told = workloads === undefined ? { workloads: [] } : loadWorkloads(workloads, io)
  if (!('workloads' in told)) return told
  return {
    workloads: [
      ...fails.map((name): Workload => ({ name, durationMs, exits: 'fail' })),
      ...told.workloads,
      { name: '*', durationMs },
    ],
  }
}
