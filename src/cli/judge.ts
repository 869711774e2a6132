import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import {
  listFiles,
  readSource,
  shownName,
  STDIN_PATH,
  type ListedFile,
  type Listing,
} from '../adapters/files.ts'
import { Fault } from '../core/faults.ts'
import type { FullParser } from '../core/yaml/document.ts'
import { engines } from '../engines/index.ts'
import { builtinRules } from '../lint/builtin.ts'
import { engineAt, NO_CONFIG } from '../lint/config.ts'
import { staleEntries } from '../lint/contract-entries.ts'
import type { Rule } from '../lint/rule.ts'
import { rules } from '../lint/rules/index.ts'
import { lint, type LintResult } from '../lint/run.ts'
import { buildRepository } from '../ownership/repository.ts'
import type { Repository } from '../ownership/subject.ts'
import type { LoadedConfig } from './config/load.ts'
import type { Io } from './io.ts'
import { problemAt, problemOf, type Problem } from './problem.ts'
import { Progress } from './progress.ts'
import { readFiles, type Reading } from './read.ts'
import type { Note, Numbers, Report } from './report.ts'
import type { TargetOptions } from './target.ts'
import { mayHoldManifests } from './wanted.ts'

/** All rules that a report can speak of. */
export const allRules: readonly Rule[] = [...rules, ...builtinRules]

export interface Judgement extends Report {
  readonly config?: LoadedConfig
}

/**
 * Reads, asks who applies what, and judges. Gives only problems when semel.yaml is wrong, since
 * then nobody knows what was to be judged, and how.
 */
export async function judge(
  options: TargetOptions,
  io: Io,
): Promise<Judgement | readonly Problem[]> {
  const progress = new Progress(io)
  const loadFullParser = once(async () => {
    const { loadFullParser: load } = await import('../adapters/full-parser.ts')
    return load()
  })
  const config = await configFor(options, io, loadFullParser)
  if (config !== undefined && !('lint' in config)) return config
  const listing = listFiles({
    cwd: io.cwd,
    paths: options.paths,
    gitignore: options.gitignore,
    ...(config === undefined ? {} : { skip: config.ignores }),
  })
  const reading = await readFiles(listing.entries, {
    io,
    maxFileBytes: options.maxFileBytes,
    progress,
    loadFullParser,
  })
  if (reading.filesSeen === 0 && listing.faults.length === 0) throw noInput(options)
  progress.say('asking what applies each file')
  const repository = await repositoryOf({ options, config, listing, reading, loadFullParser })
  progress.say('judging')
  const result = lint(repository, rules, config?.lint ?? NO_CONFIG, io.today)
  progress.end()
  const numbers = numbersOf(repository, reading)
  return {
    repository,
    result,
    numbers,
    problems: [
      ...listing.faults.map(problemOf),
      ...reading.problems,
      ...contractProblems({ config, repository, reading, listing, io, numbers, options }),
    ],
    notes: notesOf(repository, listing),
    ...(config === undefined ? {} : { config }),
  }
}

async function configFor(
  { config: given, paths }: TargetOptions,
  io: Io,
  loadFullParser: () => Promise<FullParser>,
): Promise<LoadedConfig | readonly Problem[] | undefined> {
  // zod is slow to load, so a repository without semel.yaml does without it.
  const found = given === undefined ? configAbove(io.cwd, paths) : path.resolve(io.cwd, given)
  if (found === undefined) return undefined
  const { loadConfig } = await import('./config/load.ts')
  return loadConfig(found, {
    cwd: io.cwd,
    known: { rules: allRules, engines: engines.map(({ id }) => id) },
    shownName: (absolute) => nameBelow(io.cwd, paths, absolute),
    loadFullParser,
  })
}
