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
import { playScenario, type ScenarioRun } from '../../simulate/scenario/play.ts'
import { scenarioEngines } from '../../simulate/scenario/stages/index.ts'
import { schemaProblems, type Wording } from '../config/issues.ts'
import type { Io } from '../io.ts'
import { paintFor, type Paint } from '../paint.ts'
import { problemAt, problemOf, type Problem } from '../problem.ts'
import { Tell } from '../stamp/tell.ts'
import { printable } from '../words.ts'
import { expectationSchema, scenarioSchema } from './scenario-schema.ts'

export interface CaseOptions {
  readonly paths: readonly string[]
  readonly output: 'text' | 'json'
  readonly color: 'auto' | 'always' | 'never'
}

/** What came out of one folder with a scenario. */
export interface CaseVerdict {
  readonly id: string
  readonly agreed: boolean
  readonly misses: readonly Miss[]
  readonly played: readonly ScenarioRun[]
}

/** Plays the scenarios of folders. 0: as expected; 1: some were not; 2: a folder is no case. */
export function runCases({ paths, output, color }: CaseOptions, io: Io): number {
  const folders = paths.flatMap((given) => caseFolders(given, io))
  const verdicts: CaseVerdict[] = []
  const problems: Problem[] = []
  for (const { name, files } of folders) {
    const loaded = loadCase(name, files)
    if ('scenario' in loaded) verdicts.push(judgeCase(name, loaded))
    else problems.push(...loaded)
  }
  new Tell(io, color).problems(problems)
  const agreed = verdicts.filter((verdict) => verdict.agreed).length
  if (output === 'json') {
    const all = { format: 'semel-case-verdicts/1', agreed, of: verdicts.length, cases: verdicts }
    io.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`)
  } else {
    const paint = paintFor(io.stdout, color, io.env)
    for (const verdict of verdicts) io.stdout.write(`${blockOf(verdict, paint)}\n`)
    io.stdout.write(`cases: ${agreed} of ${verdicts.length}\n`)
  }
  if (problems.length > 0) return 2
  return agreed === verdicts.length ? 0 : 1
}

export interface LoadedCase {
  readonly scenario: Scenario
  readonly expect: Expectation
  readonly files: { readonly [path: string]: string }
}

export function judgeCase(id: string, { scenario, expect, files }: LoadedCase): CaseVerdict {
  const played = playScenario(scenario, files, scenarioEngines, {
    tools: { cel: createCel() },
  })
  const start = Date.parse(scenario.start ?? '2026-01-05T00:00:00Z')
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
  const scenario = parse(source, scenarioSchema)
  if (Array.isArray(scenario)) return scenario as readonly Problem[]
  const read = scenario as Scenario
  if (read.expect !== undefined) return { scenario: read, expect: read.expect, files }
  const front = frontMatter(sources.get('expected.md'))
  if (front === undefined) return { scenario: read, expect: {}, files }
  const expected = parse(front, expectationFile)
  if (Array.isArray(expected)) return expected as readonly Problem[]
  const { expect } = expected as { readonly expect: Expectation }
  return { scenario: read, expect, files }
}

const expectationFile = z.looseObject({ expect: expectationSchema })

function frontMatter(source: Source | undefined): Source | undefined {
  if (source === undefined) return undefined
  const text = new TextDecoder().decode(source.bytes)
  const [, yaml] = /^---\n([\s\S]*?)\n---/.exec(text) ?? []
  if (yaml === undefined) return undefined
  return { path: source.path, bytes: new TextEncoder().encode(`\n${yaml}\n`) }
}

type Schema = Parameters<typeof schemaProblems>[2]

function parse(source: Source, schema: Schema): unknown {
  const reading = readFile(source, { wanted: { all: true, needles: [] }, fullParser: undefined })
  if (reading.errors.length > 0) {
    return reading.errors.map(({ span, what, why, remedy }) =>
      problemAt('SCENARIO_INVALID', { source, span }, { what, why, remedy }),
    )
  }
  const document = reading.documents.find((one) => one.value() !== null)
  if (document === undefined) {
    const place = { source, span: { start: 0, end: 0 } }
    return [
      problemAt('SCENARIO_INVALID', place, {
        what: `${source.path} is empty`,
        why: 'a scenario says at least its engine and how long it goes on',
        remedy: 'write format: job-scenario/1, horizon and engine into it',
      }),
    ]
  }
  const parsed = schema.safeParse(document.value())
  if (parsed.success) return parsed.data
  return schemaProblems(parsed.error.issues, document, schema, WORDING)
}

const MAX_FILE_BYTES = 16 << 20

const WORDING: Wording = {
  code: 'SCENARIO_INVALID',
  name: 'the scenario',
  missing: {
    format: 'it tells what kind of file it is, and in which version',
    horizon: 'without it the run has no end',
    engine: 'without it nobody applies anything',
  },
  examples: { format: 'job-scenario/1', horizon: '168h', engine: '{kind: flux-kustomization}' },
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
