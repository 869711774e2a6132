import { createCel } from '../../src/adapters/cel.ts'
import { worldsOf } from '../../src/simulate/repository/worlds-of.ts'
import { snapshotOf } from '../../src/simulate/repository/snapshot-of.ts'
import { scenarioEngines } from '../../src/simulate/scenario/stages/index.ts'
import { Play } from '../../src/simulate/world/play.ts'
import type { World } from '../../src/simulate/world/world.ts'
import type { Declared } from '../../src/simulate/history/history-of.ts'
import type { Workload } from '../../src/cluster/kubelet/scenario-script.ts'
import { buildRepository } from '../../src/ownership/repository.ts'
import type { EngineId } from '../../src/engines/engine.ts'
import type { Subject } from '../../src/ownership/subject.ts'
import { inputOf, type Files } from '../ownership/harness.ts'

/** A repository that was made in a test: what `semel check` sees, and what `semel simulate` plays. */
export interface PlayableFiles {
  readonly subjects: readonly Subject[]
  readonly world: World
  readonly declared: readonly Declared[]
}

export interface PlayableOptions {
  readonly workloads: readonly Workload[]
  readonly days?: number
  /** For all files, as `--engine` says it. */
  readonly engine?: EngineId | undefined
}

export const START: number = Date.UTC(2026, 0, 5)
const DAY_MS = 86_400_000

export function playableFiles(
  files: Files,
  { workloads, days = 7, engine }: PlayableOptions,
): PlayableFiles {
  const input = inputOf(files, engine === undefined ? {} : { engine })
  const repository = buildRepository(input)
  const snapshot = snapshotOf(repository, input)
  const [made] = worldsOf(
    snapshot,
    [{ revision: 'HEAD', words: 'a start', afterMs: 0, snapshot }],
    {
      start: START,
      end: START + days * DAY_MS,
      engines: scenarioEngines,
      workloads,
    },
  )
  if (made === undefined) throw new Error('nothing to play')
  return { subjects: repository.subjects, world: made.world, declared: made.declared }
}

/** Somebody asks for the first sync, where nothing happens before that. */
export function syncedByHand(world: World): World {
  const sync = { kind: 'sync', at: world.start, engine: 0, event: {}, words: 'a sync' } as const
  return { ...world, events: [...world.events, sync] }
}

export function played(world: World): Play {
  const play = new Play(world, { timing: { mode: 'idealised' } }, { cel: createCel() })
  play.finish()
  return play
}
