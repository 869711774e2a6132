import type { Finding } from '../core/findings.ts'
import { asUtf8 } from '../core/yaml/utf16.ts'
import { changesSince } from './changes.ts'
import type { Finish } from './finish.ts'
import { fixAll, writeFixes, type FixRun } from './fix/fix-files.ts'
import { unifiedDiff } from './fix/unified-diff.ts'
import type { Io } from './io.ts'
import { judge, type Judgement } from './judge.ts'
import type { LintOptions } from './lint-options.ts'
import { narrowed, seenFindings, type Scope } from './narrow.ts'
import type { Problem } from './problem.ts'
import { count } from './words.ts'

/** One look at everything: judge, fix where asked, leave out what is known, and report. */
export async function lintOnce(options: LintOptions, finish: Finish, io: Io): Promise<number> {
  const scope = await scopeOf(options, io)
  if (!('changes' in scope)) return finish.stopped(scope)
  const found = await judge(options, io)
  if (!('repository' in found)) return finish.stopped(found)
  if (options.fix !== undefined) return fixAndReport(found, scope, { options, finish, io })
  const { report, said } = narrowed(found, scope, options)
  noteWhenEmpty(found, finish)
  const code = finish.report(report)
  if (said !== undefined) finish.note(said)
  return code
}

/** Everything beside the files that a look needs; problems when the baseline is none. */
export async function scopeOf(options: LintOptions, io: Io): Promise<Scope | readonly Problem[]> {
  const { baseline, write, since, paths } = options
  const changes = since === undefined ? undefined : changesSince(since, paths, io)
  if (baseline === undefined) return { baseline: undefined, changes }
  const { loadBaseline } = await import('./baseline/load.ts')
  const loaded = loadBaseline(baseline, { cwd: io.cwd, mayBeMissing: write !== undefined })
  return 'folder' in loaded ? { baseline: loaded, changes } : loaded
}

interface Tools {
  readonly options: LintOptions
  readonly finish: Finish
  readonly io: Io
}

async function fixAndReport(
  found: Judgement,
  scope: Scope,
  { options, finish, io }: Tools,
): Promise<number> {
  const objects = new Set(seenFindings(found, scope, options).map(objectKey))
  const wished = (judged: Judgement): readonly Finding[] =>
    judged === found || !options.changed
      ? seenFindings(judged, scope, options)
      : // The lines that git speaks of have moved; the objects are still the same.
        seenFindings(judged, scope, { ...options, changed: false }).filter((finding) =>
          objects.has(objectKey(finding)),
        )
  const run = await fixAll(found, options, { io, wished })
  if (!('judged' in run)) return finish.stopped(run)
  if (options.diff) return finish.difference(differences(run), [...found.problems, ...run.problems])
  const problems = [...run.problems, ...writeFixes(run)]
  const lost = new Set(problems.map(({ path }) => path))
  const fixed = run.fixed.filter(({ path }) => !lost.has(path))
  for (const { path, title, rule } of fixed) finish.note(`Fixed ${path}: ${title} (${rule})`)
  // The fixes have moved lines, so what git says about them is asked again.
  const fresh = await scopeOf(options, io)
  const { report } = narrowed(run.judged, 'changes' in fresh ? fresh : scope, options)
  noteWhenEmpty(run.judged, finish)
  return finish.report({ ...report, fixed, problems: [...report.problems, ...problems] })
}

function objectKey({ place, object }: Finding): string {
  return JSON.stringify([place.source.path, object])
}

function differences({ files }: FixRun): string {
  const decode = (bytes: Uint8Array): string =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(asUtf8({ path: '', bytes }).bytes)
  return files
    .map(({ path, before, after }) => unifiedDiff(path, decode(before), decode(after)))
    .join('')
}

function noteWhenEmpty({ numbers, problems }: Judgement, finish: Finish): void {
  const { jobs, cronJobs, documents } = numbers
  if (jobs + cronJobs > 0 || problems.length > 0) return
  finish.note(`No Job or CronJob was found in ${count(documents, 'document')}.`)
}
