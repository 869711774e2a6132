import path from 'node:path'
import { loadFullParser } from '../../adapters/full-parser.ts'
import { pathFault, readSource, STDIN_PATH } from '../../adapters/read-source.ts'
import { Fault } from '../../core/faults.ts'
import { fieldPath, isObject } from '../../core/json.ts'
import type { Source } from '../../core/source.ts'
import type { FileReading, YamlDocument } from '../../core/yaml/document.ts'
import { bytesOf, findBytes } from '../../core/yaml/bytes.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import { SetFault, type SetExpression } from '../../render/values/set.ts'
import { Values } from '../../render/values/values.ts'
import type { Io } from '../io.ts'
import { problemAt, problemOf, type Problem } from '../problem.ts'

export interface ValuesInput {
  /** As given; `-` is the standard input. */
  readonly files: readonly string[]
  /** In the order in which they count. */
  readonly sets: readonly SetExpression[]
}

export interface ReadValues {
  readonly values: Values
  readonly problems: readonly Problem[]
}

/** Everything is read before anything is done, so that all problems are told at once. */
export async function readValues({ files, sets }: ValuesInput, io: Io): Promise<ReadValues> {
  const problems: Problem[] = []
  let values = Values.none()
  for (const file of files) {
    const document = await documentOf(file, io, problems)
    if (document !== undefined) values = values.withDocument(document)
  }
  for (const expression of sets) {
    try {
      values = values.withSet(expression, (file) => textOf(file, io))
    } catch (error) {
      problems.push(setProblem(expression, error))
    }
  }
  return { values, problems }
}

const MAX_BYTES = 16 << 20

async function documentOf(
  file: string,
  io: Io,
  problems: Problem[],
): Promise<YamlDocument | undefined> {
  let source: Source
  try {
    source = sourceOf(file, io)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    problems.push(problemOf(error))
    return undefined
  }
  const wanted = { all: true, needles: [] }
  let reading = readFile(source, { wanted, fullParser: undefined })
  if (reading.needsFullParser === true) {
    reading = readFile(source, { wanted, fullParser: await loadFullParser() })
  }
  const found = problemsIn(reading)
  problems.push(...found)
  return found.length > 0 ? undefined : reading.documents[0]
}

function sourceOf(file: string, io: Io): Source {
  if (file === '-') return { path: STDIN_PATH, bytes: io.readStdin(MAX_BYTES) }
  const absolute = path.resolve(io.cwd, file)
  return readSource({ path: file, absolute, isNamed: true }, MAX_BYTES)
}

function problemsIn(reading: FileReading): readonly Problem[] {
  const { source, errors, documents } = reading
  if (errors.length > 0) {
    return errors.map(({ code, span, what, why, remedy }) =>
      problemAt(code, { source, span }, { what, why, remedy }),
    )
  }
  const problems: Problem[] = []
  const say = (
    at: { start: number; end: number },
    what: string,
    why: string,
    remedy: string,
  ): void => {
    problems.push(problemAt('VALUES_INVALID', { source, span: at }, { what, why, remedy }))
  }
  if (reading.template !== undefined) {
    const start = Math.max(0, findBytes(source.bytes, bytesOf('{{'), 0))
    say(
      { start, end: start + 2 },
      `${source.path} holds {{ }}, and nobody fills it in`,
      'values are read as they stand, by Helm too; templates belong into templates/',
      'write the value itself; or put it into quotes if the text is meant for the program that runs',
    )
    return problems
  }
  for (const span of reading.droppedText) {
    say(
      span,
      `${source.path} ends at the line ... and more text follows`,
      'what stands behind it is dropped without a word',
      'remove the line, or the text',
    )
  }
  const [first, second] = documents
  if (second !== undefined) {
    const { start } = second.span
    say(
      { start, end: start + 1 },
      `${source.path} holds more than one document`,
      'Helm would read the first one only, and nobody would notice',
      'give each document as a file of its own, with -f for each',
    )
  }
  if (first === undefined) return problems
  const value = first.value()
  if (value !== null && !isObject(value)) {
    const { start } = first.span
    say(
      { start, end: start + 1 },
      `${source.path} holds no mapping of keys to values`,
      'values are keys such as jobGroups, with what belongs to them below',
      'write key: value',
    )
  }
  for (const { key, path: at, again } of first.duplicateKeys) {
    const owner = at.length === 0 ? 'the values' : fieldPath(at)
    say(
      again,
      `the key ${key} stands twice in ${owner}`,
      'only the last of the two would count',
      'merge them into one',
    )
  }
  for (const { isKey, span, text, kubernetes } of first.ambiguousScalars()) {
    if (!isKey) continue
    say(
      span,
      `the key ${text} is read as ${JSON.stringify(kubernetes)}`,
      'Helm and Kubernetes take such words for true and false, also as keys',
      `put it into quotes: "${text}"`,
    )
  }
  return problems
}

function textOf(file: string, io: Io): string {
  const source = readSource(
    { path: file, absolute: path.resolve(io.cwd, file), isNamed: true },
    MAX_BYTES,
  )
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(source.bytes)
  } catch (error) {
    throw pathFault(error, file)
  }
}

function setProblem({ flag, text }: SetExpression, error: unknown): Problem {
  if (error instanceof Fault) return problemOf(error)
  if (!(error instanceof SetFault)) throw error
  return {
    code: 'VALUES_INVALID',
    what: `--${flag} ${text}: ${error.message}`,
    why: 'Helm refuses it too, so it would mean nothing in a chart',
    remedy: String.raw`write --${flag} path.to.key=value; a backslash goes before a comma or dot that is meant`,
  }
}
