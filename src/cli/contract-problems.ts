import { existsSync } from 'node:fs'
import { staleEntries, type StaleOptions } from '../lint/contract-entries.ts'
import type { Repository } from '../ownership/subject.ts'
import type { LoadedConfig } from './config/load.ts'
import type { Run } from './judge.ts'
import { problemAt, type Problem } from './problem.ts'
import type { Numbers } from './report.ts'

/** What semel.yaml promises and the repository does not keep. */
export function contractProblems(
  run: Run,
  repository: Repository,
  numbers: Numbers,
): readonly Problem[] {
  const { config, options, io } = run
  if (config === undefined) return []
  const { ttl } = config.lint.contract
  const seen = ttl === undefined ? numbers.jobs + numbers.cronJobs : numbers.jobs
  const problems: Problem[] = []
  if (seen === 0 && !options.allowEmpty) problems.push(noJobs(config, numbers, ttl !== undefined))
  if (ttl === undefined) return problems
  const stale = staleEntries(ttl, repository, { today: io.today, fileState: fileState(run) })
  return [
    ...problems,
    ...stale.map(({ place, ...words }) => problemAt('CONFIG_STALE', place, words)),
  ]
}

function noJobs(config: LoadedConfig, numbers: Numbers, hasContract: boolean): Problem {
  return {
    code: 'NO_JOBS',
    what: `no Job was found in ${numbers.files} files with ${numbers.documents} documents`,
    why: `${config.path} ${hasContract ? 'has a TTL contract for Jobs' : 'exists'}, so some were expected; perhaps the wrong folder was given, or the Jobs have moved`,
    remedy: 'give the right folder, or --allow-empty if the last Job is really gone',
    path: config.path,
  }
}

function fileState({ naming, listing, reading, config }: Run): StaleOptions['fileState'] {
  const listed = new Set(listing.entries.map((entry) => entry.path))
  return (shown) => {
    const absolute = naming.absolute(shown)
    if (listed.has(shown)) return reading.unread.has(shown) ? 'unknown' : 'read'
    if (config?.ignores(absolute) === true) return 'ignored'
    if (!existsSync(absolute)) return 'missing'
    return naming.covers(absolute) ? 'ignored' : 'unknown'
  }
}
