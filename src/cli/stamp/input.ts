import { listFiles } from '../../adapters/files.ts'
import { readSource, STDIN_PATH } from '../../adapters/read-source.ts'
import { loadFullParser } from '../../adapters/full-parser.ts'
import { Fault } from '../../core/faults.ts'
import type { Source } from '../../core/source.ts'
import type { StampOptions } from '../../stamp/stamp-types.ts'
import type { Io } from '../io.ts'
import { problemOf, type Problem } from '../problem.ts'
import { mayHoldManifests } from '../wanted.ts'
import type { Asked } from './options.ts'

export interface Input {
  readonly sources: readonly Source[]
  /** Absolute, in the same order. */
  readonly files: readonly string[]
  readonly problems: readonly Problem[]
}

/** Everything is read before anything is done: one file that cannot be read stops the run. */
export function readInput({ paths, gitignore, maxFileBytes }: Asked, io: Io): Input {
  const { entries, faults } = listFiles({ cwd: io.cwd, paths, gitignore })
  const problems = faults.map(problemOf)
  const sources: Source[] = []
  const files: string[] = []
  for (const entry of entries) {
    if (!entry.isNamed && !mayHoldManifests(entry.path)) continue
    try {
      const isStdin = entry.path === STDIN_PATH
      const bytes = isStdin ? io.readStdin(maxFileBytes) : undefined
      sources.push(
        bytes === undefined ? readSource(entry, maxFileBytes) : { path: STDIN_PATH, bytes },
      )
      files.push(entry.absolute)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      problems.push(problemOf(error))
    }
  }
  if (sources.length === 0 && problems.length === 0) problems.push(problemOf(noInput(paths)))
  return { sources, files, problems }
}

function noInput(paths: readonly string[]): Fault {
  return new Fault('NO_INPUT', {
    what: `there is no YAML or JSON file in ${paths.join(', ')}`,
    why: 'so there is nothing to stamp',
    remedy: 'name another folder, or the files themselves',
  })
}

/** Runs again with the full parser where a document needs it: it is slow to load. */
export async function withFullParser<T extends { readonly needsFullParser: boolean }>(
  options: StampOptions,
  run: (options: StampOptions) => T,
): Promise<T> {
  const result = run(options)
  if (!result.needsFullParser) return result
  return run({ ...options, fullParser: await loadFullParser() })
}
