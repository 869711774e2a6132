import { replaceFile } from '../../adapters/replace-file.ts'
import { applyEdits, pieceBytes } from '../../core/edits.ts'
import { Fault } from '../../core/faults.ts'
import { asUtf8 } from '../../core/yaml/utf16.ts'
import { stampResourceList } from '../../stamp/krm.ts'
import { stamp } from '../../stamp/stamp.ts'
import type { StampResult, StampedObject } from '../../stamp/stamp-types.ts'
import { unifiedDiff } from '../fix/unified-diff.ts'
import type { Io } from '../io.ts'
import { problemOf, type Problem } from '../problem.ts'
import { count } from '../words.ts'
import { readInput, withFullParser, type Input } from './input.ts'
import type { Asked } from './options.ts'
import { stampJson } from './report.ts'
import { objectLabel, problemsOf, Tell } from './tell.ts'

export interface StampRequest extends Asked {
  /** From stdin to stdout; otherwise files in place. */
  readonly isStream: boolean
  readonly mode: 'write' | 'check' | 'diff' | 'krm'
}

/** Runs one `semel stamp`. Whatever is refused, nothing is written at all. */
export async function runStamp(request: StampRequest, io: Io): Promise<number> {
  const input = readInput(request, io)
  if (request.mode === 'krm') return runKrm(request, input, io)
  const run = new Run(request, input, io)
  if (input.problems.length > 0) return run.stopped(input.problems)
  const result = await withFullParser(request.stamp, (options) => stamp(input.sources, options))
  const problems = problemsOf(result.faults)
  if (problems.length > 0) return run.stopped(problems, result)
  return run.finish(result)
}

const CLEAN = 0
const FOUND = 1
const BROKEN = 2

class Run {
  private readonly request: StampRequest
  private readonly input: Input
  private readonly io: Io
  private readonly tell: Tell

  constructor(request: StampRequest, input: Input, io: Io) {
    this.request = request
    this.input = input
    this.io = io
    this.tell = new Tell(io, request.color)
  }

  stopped(problems: readonly Problem[], result?: StampResult): number {
    if (this.request.json) this.json(result, problems, [])
    else this.tell.problems(problems)
    return BROKEN
  }

  finish(result: StampResult): number {
    const { mode, isStream, json } = this.request
    if (!json) {
      this.tell.notes(result.notes)
      this.tell.findings(result.findings)
    }
    if (mode === 'check') return this.check(result)
    if (mode === 'diff') return this.diff(result)
    return isStream ? this.stream(result) : this.files(result)
  }

  private stream({ files }: StampResult): number {
    for (const { source, edits } of files) {
      for (const piece of pieceBytes(asUtf8(source).bytes, edits)) {
        this.io.stdout.write(piece)
      }
    }
    return CLEAN
  }

  private files(result: StampResult): number {
    const problems: Problem[] = []
    const written: string[] = []
    for (const [index, { source, edits }] of result.files.entries()) {
      if (edits.length === 0) continue
      try {
        replaceFile({
          file: this.input.files[index] ?? '',
          shown: source.path,
          before: source.bytes,
          after: applyEdits(source.bytes, edits),
        })
        written.push(source.path)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        problems.push(problemOf(error))
      }
    }
    if (this.request.json) this.json(result, problems, written)
    else {
      this.sayRenamed(result, new Set(problems.map(({ path }) => path)))
      this.tell.problems(problems)
    }
    return problems.length > 0 ? BROKEN : CLEAN
  }

  private sayRenamed({ objects, documentsSeen }: StampResult, lost: ReadonlySet<unknown>): void {
    const changed = objects.filter(({ state }) => state !== 'current')
    for (const object of changed) {
      const at = this.tell.at(object.place)
      if (!lost.has(at.replace(/:\d+:\d+$/, ''))) this.out(`${at}  ${wordsOf(object)}`)
    }
    const rest = count(objects.length, 'object')
    if (objects.length === 0) this.out(`No Job to stamp in ${count(documentsSeen, 'document')}.`)
    else if (changed.length === 0) this.out(`Nothing to write: ${rest} checked.`)
  }

  private check(result: StampResult): number {
    const { objects, references } = result
    const stale = objects.filter(({ state }) => state !== 'current')
    const isClean = stale.length + references.length === 0
    if (this.request.json) this.json(result, [], [])
    else {
      for (const object of stale) this.out(`${this.tell.at(object.place)}  ${staleWords(object)}`)
      for (const { place, object, role, from, to } of references) {
        this.out(`${this.tell.at(place)}  ${object} refers to ${from}, should be ${to} (${role})`)
      }
      this.out(
        isClean
          ? `All names follow their content: ${count(objects.length, 'object')} checked.`
          : `Run semel stamp on the same paths to correct this.`,
      )
    }
    return isClean ? CLEAN : FOUND
  }

  private diff({ files }: StampResult): number {
    const text = files
      .filter(({ edits }) => edits.length > 0)
      .map(({ source, edits }) => {
        const { bytes } = asUtf8(source)
        return unifiedDiff(source.path, decode(bytes), decode(applyEdits(bytes, edits)))
      })
      .join('')
    this.io.stdout.write(text)
    return text === '' ? CLEAN : FOUND
  }

  private json(
    result: StampResult | undefined,
    problems: readonly Problem[],
    written: readonly string[],
  ): void {
    this.io.stdout.write(stampJson(result, problems, { tell: this.tell, written }))
  }

  private out(text: string): void {
    this.io.stdout.write(`${text}\n`)
  }
}

function wordsOf(object: StampedObject): string {
  const label = objectLabel(object)
  return object.name === object.newName
    ? `${label}  annotations written, the name stays`
    : `${label} -> ${object.newName}`
}

function staleWords(object: StampedObject): string {
  const label = objectLabel(object)
  const fields = object.changes.map(({ path }) => path)
  const because = fields.length === 0 ? '' : ` (changed: ${fields.join(', ')})`
  if (object.state === 'unstamped') {
    return `${label} is not stamped yet, would be called ${object.newName}`
  }
  return object.state === 'renamed'
    ? `${label} does not follow its content, should be called ${object.newName}${because}`
    : `${label} has the right name, and annotations of other content${because}`
}

/** A KRM function answers with a ResourceList also when it failed; the exit code says so. */
async function runKrm(request: StampRequest, input: Input, io: Io): Promise<number> {
  const tell = new Tell(io, request.color)
  const [source] = input.sources
  if (source === undefined) {
    tell.problems(input.problems)
    return BROKEN
  }
  // Whether the items are rendered is the functionConfig's to say.
  const { rendered: _, inPlace: __, ...options } = request.stamp
  const outcome = await withFullParser(options, (given) => stampResourceList(source, given))
  // What is no ResourceList is not handed on: somebody might apply it as it is.
  const isAnswer = !outcome.isFailed || outcome.bytes !== source.bytes
  if (isAnswer) io.stdout.write(asUtf8({ path: '', bytes: outcome.bytes }).bytes)
  for (const { severity, message } of outcome.results) {
    if (severity === 'error') tell.line(message)
  }
  return outcome.isFailed ? FOUND : CLEAN
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
