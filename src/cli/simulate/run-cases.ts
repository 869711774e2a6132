import path from 'node:path'
import { createCel } from '../../adapters/cel.ts'
import { kindOfPath, listFiles, shownName } from '../../adapters/files.ts'
import type { ListedFile } from '../../adapters/read-source.ts'
import { Fault } from '../../core/faults.ts'
import { compareText } from '../../core/text.ts'
import { missesOf, type Miss } from '../../simulate/scenario/expect.ts'
import { playScenario, scenarioWorlds, type ScenarioRun } from '../../simulate/scenario/play.ts'
import { whoIs } from '../../simulate/tell/who.ts'
import { startOf } from '../../simulate/scenario/span.ts'
import { rulePage } from '../../simulate/history/rule-pages.ts'
import { DEFAULT_BUDGET } from '../../simulate/world/world.ts'
import { loadCase, parserFor, type LoadedCase } from './load-case.ts'
import type { SimulateOptions } from './options.ts'
import { show, type Playable } from './show.ts'
import { scenarioEngines } from '../../simulate/scenario/stages/index.ts'
import type { Io } from '../io.ts'
import { paintFor, type Paint } from '../paint.ts'
import type { Problem } from '../problem.ts'
import { Tell } from '../stamp/tell.ts'
import { printable } from '../words.ts'

export { loadCase, type LoadedCase } from './load-case.ts'

/** What came out of one folder with a scenario. */
export interface CaseVerdict {
  readonly id: string
  readonly agreed: boolean
  readonly misses: readonly Miss[]
  readonly played: readonly ScenarioRun[]
}

/** Plays the scenarios of folders. 0: as expected; 1: some were not; 2: a folder is no case. */
export async function runCases(
  paths: readonly string[],
  options: SimulateOptions,
  io: Io,
): Promise<number> {
  const folders = paths.flatMap((given) => caseFolders(given, io))
  const loaded: [string, LoadedCase][] = []
  const problems: Problem[] = []
  for (const { name, files } of folders) {
    const one = loadCase(name, files, await parserFor(files))
    if ('scenario' in one) loaded.push([name, one])
    else problems.push(...one)
  }
  const unreadable = loaded.flatMap(([, one]) => one.unreadable ?? [])
  new Tell(io, options.color).problems([...problems, ...unreadable])
  if (isAnswer(options)) {
    const shown = show(playablesOf(loaded), options, io)
    return problems.length > 0 ? 2 : shown
  }
  const verdicts = loaded.map(([name, one]) => judgeCase(name, one, options))
  const outputs = options.outputs.filter(({ format }) => format !== 'json')
  // A single case is shown in full before it is judged.
  if (verdicts.length === 1 && outputs.length > 0) {
    const [first] = verdicts
    if (first !== undefined) showPlayed(first, { ...options, outputs }, io)
  }
  const agreed = tellVerdicts(verdicts, options, io)
  if (problems.length > 0) return 2
  return agreed === verdicts.length ? 0 : 1
}

/** Somebody wants to see what happens, not whether it is as expected. */
function isAnswer({ why, whyNot, drills, plays, outputs }: SimulateOptions): boolean {
  const isPage = outputs.every(({ format }) => format === 'html')
  return why !== undefined || whyNot !== undefined || drills.length > 0 || plays > 1 || isPage
}

function playablesOf(loaded: readonly [string, LoadedCase][]): readonly Playable[] {
  return loaded.flatMap(([name, { scenario, files }]) =>
    scenarioWorlds(scenario, files, scenarioEngines).flatMap(
      ({ variant, world, declared, unplayable }): readonly Playable[] => {
        const title = titleOf(name, variant)
        if (world !== undefined) {
          return [{ title, world, ...(declared === undefined ? {} : { declared }) }]
        }
        throw new Fault('SCENARIO_INVALID', {
          what: `${title} cannot be played`,
          why: unplayable ?? 'its engine has no model',
          remedy: 'docs/reference/job-scenario.md lists engines and events',
          where: name,
        })
      },
    ),
  )
}

/** Shows what was played for the verdict; what could not be played stands in the verdict alone. */
function showPlayed({ id, played }: CaseVerdict, options: SimulateOptions, io: Io): void {
  const playables = played.flatMap(({ variant, world, history }) =>
    world === undefined || history === undefined
      ? []
      : [{ title: titleOf(id, variant), world, history }],
  )
  if (playables.length > 0) show(playables, options, io)
}

function titleOf(name: string, variant: string): string {
  return [name, variant].filter((part) => part !== '').join(', ')
}

/** How many came out as expected. */
function tellVerdicts(
  verdicts: readonly CaseVerdict[],
  { outputs, color }: SimulateOptions,
  io: Io,
): number {
  const agreed = verdicts.filter((verdict) => verdict.agreed).length
  if (outputs.some(({ format, file }) => format === 'json' && file === undefined)) {
    const cases = verdicts.map(({ id, agreed: isAgreed, misses, played }) => ({
      id,
      agreed: isAgreed,
      misses,
      played: played.map(({ variant, runs, unplayable }) => ({ variant, runs, unplayable })),
    }))
    const all = { format: 'semel-case-verdicts/1', agreed, of: verdicts.length, cases }
    io.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`)
    return agreed
  }
  const paint = paintFor(io.stdout, color, io.env)
  for (const verdict of verdicts) io.stdout.write(`${blockOf(verdict, paint)}\n`)
  io.stdout.write(`cases: ${agreed} of ${verdicts.length}\n`)
  return agreed
}

export function judgeCase(
  id: string,
  { scenario, expect, files }: LoadedCase,
  { timing, maxRuns }: Partial<Pick<SimulateOptions, 'timing' | 'maxRuns'>> = {},
): CaseVerdict {
  const played = playScenario(scenario, files, scenarioEngines, {
    tools: { cel: createCel() },
    rules: rulePage,
    titleOf: (actor) => whoIs(actor).name,
    ...(timing === undefined ? {} : { timing }),
    ...(maxRuns === undefined ? {} : { budget: { ...DEFAULT_BUDGET, livesOfLane: maxRuns } }),
  })
  const start = startOf(scenario)
  const misses = missesOf(played, expect, { start, hasNamed: scenario.variants !== undefined })
  return { id, agreed: misses.length === 0, misses, played }
}

interface CaseFolder {
  readonly name: string
  readonly files: readonly ListedFile[]
}

/** A folder with a scenario.yaml, or every such folder below. */
function caseFolders(given: string, io: Io): readonly CaseFolder[] {
  const absolute = path.resolve(io.cwd, given)
  const shown = shownName(given)
  if (kindOfPath(absolute) !== 'folder') {
    throw new Fault('PATH_NOT_FOUND', {
      what: `${shown} is no folder`,
      why: 'a case is a folder with a scenario.yaml in it',
      remedy: 'give the folder of a case, or one that holds several',
      where: shown,
    })
  }
  const { entries } = listFiles({ cwd: io.cwd, paths: [given], gitignore: false })
  const folders = entries
    .filter((entry) => path.basename(entry.absolute) === 'scenario.yaml')
    .map((entry) => path.dirname(entry.absolute))
    .sort(compareText)
  if (folders.length === 0) {
    throw new Fault('NO_INPUT', {
      what: `${shown} holds no scenario.yaml`,
      why: 'a run that saw no case must not pass',
      remedy: 'give the folder that holds the cases',
      where: shown,
    })
  }
  return folders.map((folder) => ({
    name: path.basename(folder),
    files: entries.flatMap((entry) => {
      const below = path.relative(folder, entry.absolute).replaceAll(path.sep, '/')
      return below.startsWith('..') ? [] : [{ ...entry, path: below }]
    }),
  }))
}

function blockOf({ id, agreed, misses, played }: CaseVerdict, paint: Paint): string {
  const runs = played.reduce((sum, one) => sum + one.runs.length, 0)
  if (agreed) return `${paint.good('as expected')}  ${printable(id)} (${runs} runs)`
  const lines = [`${paint.error('differs')}      ${printable(id)}`]
  for (const { where, expected, got } of misses) {
    lines.push(
      `             ${printable(where)}`,
      `               expected  ${printable(expected)}`,
      `               got       ${printable(got)}`,
    )
  }
  return lines.join('\n')
}
