import path from 'node:path'
import * as z from 'zod'
import { createCel } from '../../adapters/cel.ts'
import { kindOfPath, listFiles, shownName } from '../../adapters/files.ts'
import { readSource, type ListedFile } from '../../adapters/read-source.ts'
import { Fault } from '../../core/faults.ts'
import type { Source } from '../../core/source.ts'
import { compareText } from '../../core/text.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import { missesOf, type Miss } from '../../simulate/scenario/expect.ts'
import type { Expectation, Scenario } from '../../simulate/scenario/format.ts'
import {
  playScenario,
  scenarioWorlds,
  startOf,
  type ScenarioRun,
} from '../../simulate/scenario/play.ts'
import { rulePage } from '../../simulate/history/rule-pages.ts'
import { DEFAULT_BUDGET } from '../../simulate/world/world.ts'
import type { SimulateOptions } from './options.ts'
import { show } from './show.ts'
import { scenarioEngines } from '../../simulate/scenario/stages/index.ts'
import type { Io } from '../io.ts'
import { paintFor, type Paint } from '../paint.ts'
import { problemAt, problemOf, type Problem } from '../problem.ts'
import { Tell } from '../stamp/tell.ts'
import { printable } from '../words.ts'
import { parseScenarioFile } from './parse-scenario.ts'
import { expectationSchema, scenarioSchema } from './scenario-schema.ts'

/** What came out of one folder with a scenario. */
export interface CaseVerdict {
  readonly id: string
  readonly agreed: boolean
  readonly misses: readonly Miss[]
  readonly played: readonly ScenarioRun[]
}

/** Plays the scenarios of folders. 0: as expected; 1: some were not; 2: a folder is no case. */
export function runCases(paths: readonly string[], options: SimulateOptions, io: Io): number {
  const folders = paths.flatMap((given) => caseFolders(given, io))
  const loaded: [string, LoadedCase][] = []
  const problems: Problem[] = []
  for (const { name, files } of folders) {
    const one = loadCase(name, files)
    if ('scenario' in one) loaded.push([name, one])
    else problems.push(...one)
  }
  const unreadable = loaded.flatMap(([, one]) => one.unreadable ?? [])
  new Tell(io, options.color).problems([...problems, ...unreadable])
  const shown = isShown(options, loaded.length) ? showCases(loaded, options, io) : 0
  if (shown === 2) return 2
  if (isAnswer(options)) return problems.length > 0 ? 2 : shown
  const verdicts = loaded.map(([name, one]) => judgeCase(name, one, options))
  const agreed = tellVerdicts(verdicts, options, io)
  if (problems.length > 0) return 2
  return agreed === verdicts.length ? 0 : 1
}

/** Somebody wants to see what happens, not whether it is as expected. */
function isAnswer({ why, whyNot, drills, plays, outputs }: SimulateOptions): boolean {
  const isPage = outputs.every(({ format }) => format === 'html')
  return why !== undefined || whyNot !== undefined || drills.length > 0 || plays > 1 || isPage
}

/** A single case is shown in full before it is judged. */
function isShown(options: SimulateOptions, cases: number): boolean {
  if (isAnswer(options)) return true
  return cases === 1 && options.outputs.some(({ format }) => format !== 'json')
}

function showCases(
  loaded: readonly [string, LoadedCase][],
  options: SimulateOptions,
  io: Io,
): number {
  const playables = loaded.flatMap(([name, { scenario, files }]) =>
    scenarioWorlds(scenario, files, scenarioEngines).flatMap(
      ({ variant, world, declared, unplayable }) => {
        const title = [name, variant].filter((part) => part !== '').join(', ')
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
  const outputs = options.outputs.filter(({ format }) => format !== 'json')
  return show(playables, isAnswer(options) ? options : { ...options, outputs }, io)
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

export interface LoadedCase {
  readonly scenario: Scenario
  readonly expect: Expectation
  readonly files: { readonly [path: string]: string }
  /** Documents that are no YAML: engines refuse them, which may be what the case is about. */
  readonly unreadable?: readonly Problem[]
}

export function judgeCase(
  id: string,
  { scenario, expect, files }: LoadedCase,
  { timing, maxRuns }: Partial<Pick<SimulateOptions, 'timing' | 'maxRuns'>> = {},
): CaseVerdict {
  const played = playScenario(scenario, files, scenarioEngines, {
    tools: { cel: createCel() },
    rules: rulePage,
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

/** The scenario of a folder with what is expected, or what is wrong with them. */
export function loadCase(
  name: string,
  entries: readonly ListedFile[],
): LoadedCase | readonly Problem[] {
  const files: { [path: string]: string } = {}
  const sources = new Map<string, Source>()
  try {
    for (const entry of entries) {
      const source = readSource(entry, MAX_FILE_BYTES)
      sources.set(entry.path, { ...source, path: `${name}/${entry.path}` })
      files[entry.path] = new TextDecoder().decode(source.bytes)
    }
  } catch (error) {
    if (error instanceof Fault) return [problemOf(error)]
    throw error
  }
  const source = sources.get('scenario.yaml')
  if (source === undefined) return []
  const scenario = parseScenarioFile(source, scenarioSchema)
  if (Array.isArray(scenario)) return scenario as readonly Problem[]
  const read = scenario as Scenario
  const unreadable = unreadableIn(sources)
  if (read.expect !== undefined) return { scenario: read, expect: read.expect, files, unreadable }
  const front = frontMatter(sources.get('expected.md'))
  const written = sources.get('expected.md')
  if (front === undefined && written !== undefined) return [noFrontMatter(written)]
  if (front === undefined) return { scenario: read, expect: {}, files, unreadable }
  const expected = parseScenarioFile(front, expectationFile)
  if (Array.isArray(expected)) return expected as readonly Problem[]
  const { expect } = expected as { readonly expect: Expectation }
  return { scenario: read, expect, files, unreadable }
}

function unreadableIn(sources: ReadonlyMap<string, Source>): readonly Problem[] {
  return [...sources].flatMap(([path, source]) => {
    if (!/\.ya?ml$/.test(path) || path === 'scenario.yaml' || /(?:^|\/)templates\//.test(path)) {
      return []
    }
    const { errors } = readFile(source, {
      wanted: { all: true, needles: [] },
      fullParser: undefined,
    })
    return errors.map(({ span, what, why, remedy }) =>
      problemAt('YAML_INVALID', { source, span }, { what, why, remedy }),
    )
  })
}

/** With nothing expected, whatever comes out would be right. */
function noFrontMatter(source: Source): Problem {
  const place = { source, span: { start: 0, end: 0 } }
  return problemAt('SCENARIO_INVALID', place, {
    what: `${source.path} does not begin with what is expected`,
    why: 'without that, whatever comes out would count as expected',
    remedy: 'begin it with a line ---, then expect: with runs_7d, and another line ---',
  })
}

const expectationFile = z.looseObject({ expect: expectationSchema })

function frontMatter(source: Source | undefined): Source | undefined {
  if (source === undefined) return undefined
  const text = new TextDecoder().decode(source.bytes)
  const [, yaml] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? []
  if (yaml === undefined) return undefined
  return { path: source.path, bytes: new TextEncoder().encode(`\n${yaml}\n`) }
}

const MAX_FILE_BYTES = 16 << 20

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
