import path from 'node:path'
import { Fault } from '../core/faults.ts'
import type { FolderWatch } from '../adapters/watch.ts'
import type { Finish } from './finish.ts'
import type { FormatContext } from './formats/format.ts'
import { compactRow } from './formats/compact.ts'
import { findingBlock } from './formats/findings.ts'
import { summaryLine } from './formats/text.ts'
import type { Io } from './io.ts'
import { judge } from './judge.ts'
import type { LintOptions } from './lint-options.ts'
import { scopeOf } from './lint-once.ts'
import { startFolder } from './naming.ts'
import { narrowed } from './narrow.ts'
import { problemOf, type Problem } from './problem.ts'
import type { Report } from './report.ts'

/**
 * Judges once, and again whenever a file has changed, until somebody ends it. The first time all
 * is printed, later only what is new or gone; nothing where nothing is. Gives the exit code of the
 * last look.
 */
export function watchLint(options: LintOptions, finish: Finish, io: Io): Promise<number> {
  return new Promise((resolve, reject) => {
    const session = new Session({ options, finish, io }, { resolve, reject })
    session.start()
  })
}

interface World {
  readonly options: LintOptions
  readonly finish: Finish
  readonly io: Io
}

interface End {
  readonly resolve: (code: number) => void
  readonly reject: (error: unknown) => void
}

/** Editors write a file in several steps, and git writes many files. */
const QUIET_MS = 100

class Session {
  private readonly world: World
  private readonly end: End
  private readonly folders: FolderWatch
  private readonly stopListening: () => void
  private watched: ReadonlySet<string> = new Set()
  private shown: Report | undefined
  private told: readonly Problem[] = []
  private code = 0
  private isLooking = false
  private isStale = false
  private isOver = false
  private cancel: (() => void) | undefined

  constructor(world: World, end: End) {
    this.world = world
    this.end = end
    const { waiting } = world.io
    this.folders = waiting.watch((file) => this.changed(file))
    this.stopListening = waiting.interrupted(() => this.stop())
  }

  start(): void {
    void this.look()
  }

  private changed(file: string): void {
    const { options, io } = this.world
    if (options.leftOut.includes(file) || PASSING.test(path.basename(file))) return
    this.isStale = true
    this.cancel?.()
    this.cancel = io.waiting.after(QUIET_MS, () => void this.look())
  }

  private stop(): void {
    this.isOver = true
    this.cancel?.()
    this.folders.stop()
    this.stopListening()
    if (this.world.io.stdout.isTerminal) this.world.io.stdout.write('\n')
    this.end.resolve(this.code)
  }

  /** One at a time: what changes meanwhile is looked at afterwards. */
  private async look(): Promise<void> {
    if (this.isLooking || this.isOver) return
    this.isLooking = true
    try {
      do {
        this.isStale = false
        await this.lookOnce()
      } while (this.isStale && !this.isOver)
    } catch (error) {
      this.isOver = true
      this.cancel?.()
      this.folders.stop()
      this.stopListening()
      this.end.reject(error)
    } finally {
      this.isLooking = false
    }
  }

  private async lookOnce(): Promise<void> {
    const { options, finish, io } = this.world
    const found = await this.judged()
    if (this.isOver) return
    const own = startFolder(io.cwd, options.paths)
    if (!('report' in found)) {
      this.code = finish.stopped(this.newProblems(found))
      this.watch([own])
      return
    }
    const { report, folders } = found
    const before = this.shown
    const problems = this.newProblems(report.problems)
    const isFirst = before === undefined
    const instead = {
      problems,
      text: (context: FormatContext) => news(before, report, context, options),
    }
    this.code = isFirst ? finish.report(report) : finish.report(report, instead)
    this.shown = report
    this.watch([own, ...folders])
    if (isFirst) finish.note('Waiting for changes; Ctrl-C ends it.')
  }

  /** What happened in a folder before it was watched is looked for once more. */
  private watch(folders: readonly string[]): void {
    if (folders.some((folder) => !this.watched.has(folder))) this.isStale = true
    this.watched = new Set(folders)
    this.folders.set(folders)
  }

  /** What stops a single run is no reason to stop watching: it is what is being corrected. */
  private async judged(): Promise<
    { report: Report; folders: readonly string[] } | readonly Problem[]
  > {
    const { options, io } = this.world
    try {
      const scope = await scopeOf(options, io)
      if (!('changes' in scope)) return scope
      const found = await judge(options, io)
      if (!('repository' in found)) return found
      const { report } = narrowed(found, scope, options)
      const config = found.config === undefined ? [] : [found.config.folder]
      const baseline = scope.baseline === undefined ? [] : [scope.baseline.folder]
      return { report, folders: [...found.listing.folders, ...config, ...baseline] }
    } catch (error) {
      if (error instanceof Fault) return [problemOf(error)]
      throw error
    }
  }

  private newProblems(problems: readonly Problem[]): readonly Problem[] {
    const before = new Set(this.told.map(problemKey))
    this.told = problems
    return problems.filter((problem) => !before.has(problemKey(problem)))
  }
}

/** What editors and semel itself leave for a moment. */
const PASSING = /(?:~|\.sw[a-z]|\.tmp|\.semel-\d+)$/

function problemKey({ code, path: where, what }: Problem): string {
  return JSON.stringify([code, where, what])
}

function news(
  before: Report | undefined,
  now: Report,
  context: FormatContext,
  { outputs }: LintOptions,
): string {
  const old = before?.result.findings ?? []
  const added = without(now.result.findings, old)
  const gone = without(old, now.result.findings)
  if (added.length + gone.length === 0) return ''
  const isCompact = outputs.includes('compact')
  const fixes = now.result.fixes
  const rows = [
    ...added.flatMap((finding) =>
      isCompact
        ? [compactRow(finding, context)]
        : findingBlock(finding, context, { withPath: true, fix: fixes.get(finding) }),
    ),
    ...gone.map((finding) => `${context.paint.good('gone')} ${compactRow(finding, context)}`),
    summaryLine(now, context),
  ]
  return `${rows.join('\n')}\n`
}

/** Those of `findings` that `others` lacks; a finding that only moved is the same one. */
function without(
  findings: Report['result']['findings'],
  others: Report['result']['findings'],
): Report['result']['findings'] {
  const left = new Map<string, number>()
  for (const other of others) left.set(keyOf(other), (left.get(keyOf(other)) ?? 0) + 1)
  return findings.filter((finding) => {
    const key = keyOf(finding)
    const number = left.get(key) ?? 0
    left.set(key, number - 1)
    return number <= 0
  })
}

function keyOf({
  rule,
  severity,
  object,
  pointer,
  what,
  place,
}: Report['result']['findings'][number]): string {
  return JSON.stringify([rule, severity, place.source.path, object, pointer, what])
}
