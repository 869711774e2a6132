import { loadFullParser } from '../../adapters/full-parser.ts'
import { STDIN_PATH } from '../../adapters/read-source.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import type { FileReading } from '../../core/yaml/document.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import { yamlStream } from '../../core/yaml/write-stream.ts'
import type { Io } from '../io.ts'
import type { ColorChoice } from '../paint.ts'
import { Tell } from '../stamp/tell.ts'
import { answerList, generate, isJobGroups, type KrmResult } from './resource-list.ts'

const DONE = 0
const FAILED = 1
const BROKEN = 2
const MAX_BYTES = 64 << 20

/**
 * Of a ResourceList with a JobGroups as functionConfig a ResourceList, also when something is
 * wrong, with the reasons in `results`; of a JobGroups by itself a stream of what it renders, or
 * nothing.
 */
export async function runRenderKrm(io: Io, color: ColorChoice): Promise<number> {
  const tell = new Tell(io, color)
  const input = await readInput(io)
  if (typeof input === 'string') {
    tell.line(input)
    return BROKEN
  }
  if (isJobGroups(input)) {
    const { objects, results, isFailed } = generate(input)
    say(results, tell)
    io.stdout.write(yamlStream(objects))
    return isFailed ? FAILED : DONE
  }
  const { list, made } = answerList(input)
  say(made.results, tell)
  io.stdout.write(yamlStream([list]))
  return made.isFailed ? FAILED : DONE
}

/** Text says why there is nothing. */
async function readInput(io: Io): Promise<JsonObject | string> {
  const source = { path: STDIN_PATH, bytes: io.readStdin(MAX_BYTES) }
  const wanted = { all: true, needles: [] }
  let reading: FileReading = readFile(source, { wanted, fullParser: undefined })
  if (reading.needsFullParser === true) {
    reading = readFile(source, { wanted, fullParser: await loadFullParser() })
  }
  const [error] = reading.errors
  if (error !== undefined) return `${error.what}: ${error.why}`
  const value = reading.documents[0]?.value()
  const isOne = reading.documents.length === 1 && isObject(value)
  if (isOne && (value['kind'] === 'ResourceList' || isJobGroups(value))) return value
  return 'the input is neither a ResourceList nor a JobGroups of semel.dev/v1alpha1'
}

function say(results: readonly KrmResult[], tell: Tell): void {
  for (const { severity, message, field } of results) {
    const where = field === undefined ? '' : ` (${field.path})`
    tell.line(`${severity} ${message}${where}`)
  }
}
