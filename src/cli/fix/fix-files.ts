import { readFileSync, realpathSync } from 'node:fs'
import { STDIN_PATH } from '../../adapters/read-source.ts'
import { replaceFile } from '../../adapters/replace-file.ts'
import { applyEdits } from '../../core/edits.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/findings.ts'
import type { Source } from '../../core/source.ts'
import type { FileReading } from '../../core/yaml/document.ts'
import { asUtf8 } from '../../core/yaml/utf16.ts'
import { isAsMeant, standApart, type ReadyFix } from '../../lint/fix.ts'
import type { Io } from '../io.ts'
import { judge, type Judgement } from '../judge.ts'
import type { LintOptions } from '../lint-options.ts'
import { problemOf, type Problem } from '../problem.ts'
import type { FixedFinding } from '../report.ts'

export interface FixRun {
  /** As it is after the fixes. */
  readonly judged: Judgement
  readonly fixed: readonly FixedFinding[]
  readonly files: readonly FixedFile[]
  readonly problems: readonly Problem[]
}

export interface FixedFile {
  readonly path: string
  readonly before: Uint8Array
  readonly after: Uint8Array
}

/**
 * Makes the wished fixes in memory, judges again, and goes on until nothing is left to fix, so that
 * a second run has nothing to do. Each changed file is read again, and a fix by which anything else
 * than meant became another value is left out. `wished` picks the findings that the user sees.
 */
export async function fixAll(
  first: Judgement,
  options: LintOptions,
  { io, wished }: { readonly io: Io; readonly wished: (judged: Judgement) => readonly Finding[] },
): Promise<FixRun | readonly Problem[]> {
  const desk = new Desk()
  let judged = first
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const found = wished(judged).flatMap((finding) => {
      const fix = judged.result.fixes.get(finding)
      const isWished = fix !== undefined && (fix.safe || options.fix === 'all')
      return isWished ? [{ finding, fix }] : []
    })
    if (!(await desk.make(found, judged))) break
    const again = await judge(options, io, desk.overlay)
    if (!('repository' in again)) return again
    judged = again
  }
  return { judged, fixed: desk.fixed, files: desk.files(), problems: desk.problems }
}

/** Fixes that make room for others settle in two or three passes. */
const MAX_PASSES = 10

/** Writes what was fixed; a file that somebody else has changed is left as it is, and said. */
export function writeFixes({ files, judged }: FixRun): readonly Problem[] {
  return files.flatMap(({ path: shown, before, after }) => {
    try {
      replaceFile({ file: judged.naming.absolute(shown), shown, before, after })
      return []
    } catch (error) {
      if (error instanceof Fault) return [problemOf(error)]
      throw error
    }
  })
}

interface Found {
  readonly finding: Finding
  readonly fix: ReadyFix
}

/** The files that are being changed, before anything is written. */
class Desk {
  readonly overlay: Map<string, Uint8Array> = new Map()
  readonly fixed: FixedFinding[] = []
  readonly problems: Problem[] = []
  private readonly originals = new Map<string, Uint8Array>()
  /** By real path: under which of its names a file is changed, as links may lead to it too. */
  private readonly owners = new Map<string, string>()
  private readonly refused = new Set<string>()

  files(): readonly FixedFile[] {
    return [...this.originals].flatMap(([path, before]) => {
      const after = this.overlay.get(path)
      return after === undefined ? [] : [{ path, before, after }]
    })
  }

  /** True when any bytes have changed. */
  async make(found: readonly Found[], judged: Judgement): Promise<boolean> {
    const bySource = new Map<Source, Found[]>()
    for (const one of found) {
      const key = keyOf(one)
      if (this.refused.has(key) || one.fix.source.path === STDIN_PATH) continue
      const own = bySource.get(one.fix.source)
      if (own === undefined) bySource.set(one.fix.source, [one])
      else own.push(one)
    }
    let hasChanged = false
    for (const [source, own] of bySource) {
      const owner = this.ownerOf(source.path, judged)
      const isMade =
        owner === source.path
          ? await this.makeInFile(source, own, judged)
          : this.follow(source.path, owner)
      if (isMade) hasChanged = true
    }
    return hasChanged
  }

  private ownerOf(path: string, { naming }: Judgement): string {
    const absolute = naming.absolute(path)
    let real = absolute
    try {
      real = realpathSync(absolute)
    } catch {
      // It has gone since; writing to it will say so.
    }
    const owner = this.owners.get(real) ?? path
    this.owners.set(real, owner)
    return owner
  }

  /** Another name of a file sees what became of it. */
  private follow(path: string, owner: string): boolean {
    const bytes = this.overlay.get(owner)
    if (bytes === undefined || this.overlay.get(path) === bytes) return false
    this.overlay.set(path, bytes)
    return true
  }

  private async makeInFile(
    source: Source,
    found: readonly Found[],
    judged: Judgement,
  ): Promise<boolean> {
    const bytes = this.bytesOf(source, judged)
    const before = readingOf(source, judged)
    if (bytes === undefined || before === undefined) return false
    const attempt = async (wanted: readonly Found[]): Promise<Uint8Array | undefined> => {
      const fixes = wanted.map(({ fix }) => fix)
      const next = applyEdits(bytes, splicesOf(fixes))
      const reading = await judged.reread({ path: source.path, bytes: next })
      return isAsMeant(before, reading, fixes) ? next : undefined
    }
    const together = apartFrom(found)
    let chosen = together
    let after = await attempt(together)
    if (after === undefined) {
      // One of them does more than it should, so each is tried for itself.
      chosen = []
      for (const one of together) {
        const next = await attempt([...chosen, one])
        if (next === undefined) this.refused.add(keyOf(one))
        else {
          chosen = [...chosen, one]
          after = next
        }
      }
    }
    if (after === undefined) return false
    this.overlay.set(source.path, after)
    for (const { finding, fix } of chosen) {
      this.fixed.push({ path: source.path, rule: finding.rule, title: fix.title })
    }
    return true
  }

  /** The file as it is on the disk, or as the pass before has left it. */
  private bytesOf(source: Source, { naming }: Judgement): Uint8Array | undefined {
    const known = this.overlay.get(source.path)
    if (known !== undefined) return known
    let bytes: Uint8Array
    try {
      bytes = readFileSync(naming.absolute(source.path))
    } catch {
      bytes = new Uint8Array()
    }
    if (Buffer.compare(asUtf8({ path: '', bytes }).bytes, source.bytes) !== 0) {
      this.problems.push(problemOf(changedMeanwhile(source.path)))
      return undefined
    }
    this.originals.set(source.path, bytes)
    return bytes
  }
}

/** Those that can be made in one go; the others have their turn in the next pass. */
function apartFrom(found: readonly Found[]): readonly Found[] {
  const chosen: Found[] = []
  for (const one of found) {
    if (chosen.every(({ fix }) => standApart(fix, one.fix))) chosen.push(one)
  }
  return chosen
}

function keyOf({ finding, fix }: Found): string {
  const [first] = fix.splices
  return JSON.stringify([fix.source.path, finding.rule, finding.object, fix.title, first?.text])
}

function splicesOf(fixes: readonly ReadyFix[]): ReadyFix['splices'] {
  return fixes.flatMap(({ splices }) => splices).sort((one, other) => one.start - other.start)
}

function readingOf(source: Source, { repository }: Judgement): FileReading | undefined {
  const has = (file: FileReading): boolean => file.source === source
  return repository.files.find(has) ?? repository.manifests.find(({ file }) => has(file))?.file
}

function changedMeanwhile(shown: string): Fault {
  return new Fault('FILE_CHANGED', {
    what: `${shown} was changed while semel was at work`,
    why: 'the fixes were made for the text that was read, so nothing was written to it',
    remedy: 'run the command again',
    where: shown,
  })
}
