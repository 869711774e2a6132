import path from 'node:path'
import { listFiles, type Listing } from '../adapters/files.ts'
import { gitRootOf } from '../adapters/gitignore.ts'
import { Fault } from '../core/faults.ts'
import { stringAt } from '../core/json.ts'
import { outermost, type Source } from '../core/source.ts'
import type { FileReading, FullParser } from '../core/yaml/document.ts'
import { engines } from '../engines/index.ts'
import { builtinRules } from '../lint/builtin.ts'
import { NO_CONFIG } from '../lint/config.ts'
import type { Rule } from '../lint/rule.ts'
import { rules } from '../lint/rules/index.ts'
import { lint, type LintResult } from '../lint/run.ts'
import type { RenderedFolders } from '../ownership/rendered.ts'
import { buildRepository, type RepositoryInput } from '../ownership/repository.ts'
import type { Repository } from '../ownership/subject.ts'
import { findConfig } from './config/find.ts'
import type { LoadedConfig } from './config/load.ts'
import type { Io } from './io.ts'
import { namingOf, startFolder, type Naming } from './naming.ts'
import { contractProblems } from './contract-problems.ts'
import { problemOf, type Problem } from './problem.ts'
import { Progress } from './progress.ts'
import { inputOf } from './repository-input.ts'
import { readAgain, readFiles, type Overlay, type Reading } from './read.ts'
import type { Note, Numbers, Report } from './report.ts'
import type { TargetOptions } from './target.ts'

/** All rules that a report can speak of. */
export const allRules: readonly Rule[] = [...rules, ...builtinRules]

export interface Judgement extends Report {
  readonly config?: LoadedConfig
  readonly naming: Naming
  readonly listing: Listing
  readonly reading: Reading
  /** What the repository was built from. */
  readonly input: RepositoryInput
  /** Reads another text of a file of this run. */
  readonly reread: (source: Source) => Promise<FileReading>
}

/**
 * Reads, asks who applies what, and judges. Gives only problems when semel.yaml is wrong, since
 * then nobody knows what was to be judged, and how. `overlay` holds files as they would be.
 */
export async function judge(
  options: TargetOptions,
  io: Io,
  overlay: Overlay = new Map(),
): Promise<Judgement | readonly Problem[]> {
  const progress = new Progress(io)
  try {
    const run = await prepare({ options, io, overlay }, progress)
    return 'naming' in run ? await judgeAll(run) : run
  } finally {
    progress.end()
  }
}

async function judgeAll(run: Run): Promise<Judgement> {
  const { options, io, config, listing, reading, progress } = run
  progress.say('asking what applies each file')
  const written = await repositoryOf(run)
  const rendered = options.render ? await renderedOf(run, written) : undefined
  const repository = rendered?.repository ?? written
  progress.say('judging')
  const judged = lint(repository, rules, config?.lint ?? NO_CONFIG, io.today)
  const result = rendered === undefined ? judged : rendered.say(judged)
  const numbers = numbersOf(repository, reading)
  return {
    repository,
    result,
    numbers,
    problems: [
      ...listing.faults.map(problemOf),
      ...reading.problems.filter((problem) => rendered?.replaces(problem) !== true),
      ...(rendered?.problems ?? []),
      ...contractProblems(run, repository, numbers),
    ],
    notes: [
      ...partNote(run, repository),
      ...notesOf(repository, listing),
      ...(rendered?.notes ?? []),
    ],
    ...(config === undefined ? {} : { config }),
    naming: run.naming,
    listing,
    reading,
    get input(): RepositoryInput {
      return inputOf(run, rendered?.folders)
    },
    reread: (source) => readAgain(source, listing.entries, run.loadFullParser),
  }
}

interface RenderedRepository {
  readonly repository: Repository
  readonly folders: RenderedFolders
  readonly problems: readonly Problem[]
  readonly notes: readonly Note[]
  /** A template that cannot be read as it is written has been read by its engine. */
  replaces(problem: Problem): boolean
  say(result: LintResult): LintResult
}

export async function renderedOf(run: Run, written: Repository): Promise<RenderedRepository> {
  const [{ renderAll }, { sayRendered, withRendered }] = await Promise.all([
    import('./render/render.ts'),
    import('./render/apply.ts'),
  ])
  const { naming, listing, reading, io, progress, loadFullParser } = run
  const charts = installableCharts(listing, reading)
  const base = { repository: written, naming, io, progress, loadFullParser }
  const rendered = await renderAll({ ...base, charts })
  const built = await repositoryOf(run, rendered.folders)
  return {
    repository: withRendered(written, built, rendered, naming.relative),
    folders: rendered.folders,
    problems: rendered.problems,
    notes: rendered.notes,
    replaces: ({ path: shown }) => {
      const name = shown === undefined ? '' : naming.relative(shown)
      const chart = name.slice(0, Math.max(0, name.search(/(?:^|\/)templates\//)))
      return /(?:^|\/)templates\//.test(name) && rendered.folders.has(chart)
    },
    say: (result) => sayRendered(result, rendered),
  }
}

/** Charts of their own: no subcharts, and no libraries, which cannot be installed. */
function installableCharts(listing: Listing, reading: Reading): readonly string[] {
  const all = listing.entries
    .map((entry) => entry.path)
    .filter((name) => /(?:^|\/)Chart\.yaml$/.test(name))
  const folders = new Set(all.map((name) => name.slice(0, -'Chart.yaml'.length)))
  const libraries = new Set(
    reading.files
      .filter(({ documents }) => stringAt(documents[0]?.value(), ['type']) === 'library')
      .map(({ source }) => source.path),
  )
  return all.filter((name) => {
    const above = /^(.*?)charts\/[^/]+\/Chart\.yaml$/.exec(name)?.[1]
    return !libraries.has(name) && (above === undefined || !folders.has(above))
  })
}

/** What is known before anybody is asked who applies what. */
export interface Run {
  readonly options: TargetOptions
  readonly io: Io
  readonly overlay: Overlay
  readonly naming: Naming
  readonly config: LoadedConfig | undefined
  readonly listing: Listing
  readonly reading: Reading
  readonly progress: Progress
  /** Set once a file has needed it. */
  readonly parser: { readonly loaded?: FullParser }
  readonly loadFullParser: () => Promise<FullParser>
}

export async function prepare(
  { options, io, overlay }: Pick<Run, 'options' | 'io' | 'overlay'>,
  progress: Progress,
): Promise<Run | readonly Problem[]> {
  const { paths, gitignore, maxFileBytes } = options
  const naming = namingOf(io.cwd, paths)
  const parser: { loaded?: FullParser } = {}
  const loadFullParser = async (): Promise<FullParser> => {
    const { loadFullParser: load } = await import('../adapters/full-parser.ts')
    return (parser.loaded ??= await load())
  }
  const config = await configFor({ options, io, naming, loadFullParser })
  if (config !== undefined && !('lint' in config)) return config
  const leftOut = new Set(options.leftOut)
  const skip = (file: string): boolean => leftOut.has(file) || config?.skips(file) === true
  const listing = listFiles({ cwd: io.cwd, paths, gitignore, skip })
  const how = { io, maxFileBytes, progress, loadFullParser, overlay }
  const reading = await readFiles(listing.entries, how)
  if (sawNothing(paths, reading) && listing.faults.length === 0 && !options.allowEmpty) {
    throw noInput(paths)
  }
  const made = { naming, config, listing, reading, progress, parser, loadFullParser }
  return { options, io, overlay, ...made }
}

/** zod is slow to load, so a repository without semel.yaml does without it. */
async function configFor({
  options,
  io,
  naming,
  loadFullParser,
}: Pick<Run, 'options' | 'io' | 'naming' | 'loadFullParser'>): Promise<
  LoadedConfig | readonly Problem[] | undefined
> {
  if (!options.useConfig) return undefined
  const given = options.config === undefined ? undefined : path.resolve(io.cwd, options.config)
  const found = given ?? findConfig(io.cwd, startFolder(io.cwd, options.paths))
  if (found === undefined) return undefined
  const { loadConfig } = await import('./config/load.ts')
  const known = { rules: allRules, engines: engines.map(({ id }) => id) }
  return loadConfig(found, { cwd: io.cwd, known, shownName: naming.shown, loadFullParser })
}

export async function repositoryOf(run: Run, rendered?: RenderedFolders): Promise<Repository> {
  const input = inputOf(run, rendered)
  const repository = buildRepository(input)
  if (repository.needsFullParser !== true) return repository
  return buildRepository({ ...input, fullParser: await run.loadFullParser() })
}

/** An empty stream is no success: whatever should have written it may have failed. */
function sawNothing(paths: readonly string[], reading: Reading): boolean {
  if (reading.filesSeen === 0) return true
  const { documentsSeen, problems } = reading
  return paths.includes('-') && documentsSeen === 0 && problems.length === 0
}

function noInput(paths: readonly string[]): Fault {
  if (paths.includes('-')) {
    return new Fault('NO_INPUT', {
      what: 'the standard input is empty',
      why: 'whatever should have written manifests to it has perhaps failed',
      remedy: 'look at the command before the pipe; --allow-empty accepts an empty stream',
    })
  }
  return new Fault('NO_INPUT', {
    what: `there is no YAML or JSON file in ${paths.join(', ')}`,
    why: 'without manifests there is nothing to judge, and a guard that sees nothing must not pass',
    remedy: 'name the folder that holds the manifests; --no-gitignore also reads what git ignores',
  })
}

function numbersOf({ subjects }: Repository, reading: Reading): Numbers {
  const jobs = new Set(subjects.filter(({ kind }) => kind === 'Job').map((one) => one.manifest))
  const cronJobs = new Set(
    subjects.filter(({ kind }) => kind === 'CronJob').map((one) => one.manifest),
  )
  return {
    files: reading.filesSeen,
    documents: reading.documentsSeen,
    jobs: jobs.size,
    cronJobs: cronJobs.size,
  }
}

/** Somebody who gives one folder of a repository may wonder where the engines are. */
function partNote({ io, naming, options }: Run, { subjects }: Repository): readonly Note[] {
  if (!subjects.some(({ traits, engineGiven }) => traits.assumed && !engineGiven)) return []
  const folder = startFolder(io.cwd, options.paths)
  const top = gitRootOf(folder)
  if (top === undefined || options.paths.includes('-') || naming.covers(top)) return []
  const better = path.relative(io.cwd, top) || '.'
  return [
    {
      path: options.paths.join(', '),
      what: 'only a part of the repository was read',
      why: `what applies these Jobs may stand outside of it, so try ${better}`,
    },
  ]
}

function notesOf(repository: Repository, listing: Listing): readonly Note[] {
  return [
    ...listing.notes.map(({ path: shown, what }) => ({
      path: shown,
      what,
      why: 'what is behind it was not judged',
    })),
    ...repository.notes
      .map((note) => ({ ...note, place: outermost(note.place) }))
      .map((note) => ({ ...note, path: note.place.source.path }))
      .sort((one, other) => byPath(one, other) || one.place.span.start - other.place.span.start),
  ]
}

function byPath(one: Note, other: Note): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0
}
