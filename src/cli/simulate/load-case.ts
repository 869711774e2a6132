import * as z from 'zod'
import { loadFullParser } from '../../adapters/full-parser.ts'
import { readSource, type ListedFile } from '../../adapters/read-source.ts'
import { Fault } from '../../core/faults.ts'
import type { Source } from '../../core/source.ts'
import type { FullParser } from '../../core/yaml/document.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import type { Expectation, Scenario } from '../../simulate/scenario/format.ts'
import { problemAt, problemOf, type Problem } from '../problem.ts'
import { parseScenarioFile } from './parse-scenario.ts'
import { expectationSchema, scenarioSchema } from './scenario-schema.ts'

export interface LoadedCase {
  readonly scenario: Scenario
  readonly expect: Expectation
  readonly files: { readonly [path: string]: string }
  /** Documents that are no YAML: engines refuse them, which may be what the case is about. */
  readonly unreadable?: readonly Problem[]
}

/** The scenario of a folder with what is expected, or what is wrong with them. */
export function loadCase(
  name: string,
  entries: readonly ListedFile[],
  fullParser?: FullParser,
): LoadedCase | readonly Problem[] {
  const files: { [path: string]: string } = {}
  const sources = new Map<string, Source>()
  try {
    for (const entry of entries) {
      const source = readSource(entry, MAX_FILE_BYTES)
      sources.set(entry.path, { ...source, path: `${name}/${entry.path}` })
      files[entry.path] = textOf(entry.path, source, fullParser)
    }
  } catch (error) {
    if (error instanceof Fault) return [problemOf(error)]
    throw error
  }
  const source = sources.get('scenario.yaml')
  if (source === undefined) return []
  const scenario = parseScenarioFile(source, scenarioSchema, fullParser)
  if (Array.isArray(scenario)) return scenario as readonly Problem[]
  const read = scenario as Scenario
  const unreadable = unreadableIn(sources, fullParser)
  if (read.expect !== undefined) return { scenario: read, expect: read.expect, files, unreadable }
  const front = frontMatter(sources.get('expected.md'))
  const written = sources.get('expected.md')
  if (front === undefined && written !== undefined) return [noFrontMatter(written)]
  if (front === undefined) return { scenario: read, expect: {}, files, unreadable }
  const expected = parseScenarioFile(front, expectationFile, fullParser)
  if (Array.isArray(expected)) return expected as readonly Problem[]
  const { expect } = expected as { readonly expect: Expectation }
  return { scenario: read, expect, files, unreadable }
}

const ALL = { all: true, needles: [] }

/** YAML that is no template of a chart. */
function isPlain(path: string): boolean {
  return /\.ya?ml$/.test(path) && !/(?:^|\/)templates\//.test(path)
}

/** Anchors, tags and the like need another parser, which is loaded only for them. */
export async function parserFor(entries: readonly ListedFile[]): Promise<FullParser | undefined> {
  const needs = entries.some((entry) => {
    if (!isPlain(entry.path) && entry.path !== 'expected.md') return false
    const read = sourceIn(entry)
    const source = entry.path === 'expected.md' ? frontMatter(read) : read
    if (source === undefined) return false
    return readFile(source, { wanted: ALL, fullParser: undefined }).needsFullParser === true
  })
  return needs ? loadFullParser() : undefined
}

/** Undefined: that it cannot be read is told when the case is loaded. */
function sourceIn(entry: ListedFile): Source | undefined {
  try {
    return readSource(entry, MAX_FILE_BYTES)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** What everybody below can read: documents that need the full parser are written without it. */
function textOf(path: string, source: Source, fullParser: FullParser | undefined): string {
  const text = new TextDecoder().decode(source.bytes)
  if (fullParser === undefined || !isPlain(path)) return text
  const isPlainEnough =
    readFile(source, { wanted: ALL, fullParser: undefined }).needsFullParser !== true
  if (isPlainEnough) return text
  const { documents, errors } = readFile(source, { wanted: ALL, fullParser })
  if (errors.length > 0) return text
  return documents.map((document) => JSON.stringify(document.value())).join('\n---\n')
}

function unreadableIn(
  sources: ReadonlyMap<string, Source>,
  fullParser: FullParser | undefined,
): readonly Problem[] {
  return [...sources].flatMap(([path, source]) => {
    if (!isPlain(path) || path === 'scenario.yaml') return []
    const { errors } = readFile(source, { wanted: ALL, fullParser })
    return errors.map(({ span, what, why, remedy }) =>
      problemAt('YAML_INVALID', { source, span }, { what, why, remedy }),
    )
  })
}

/** With nothing expected, whatever comes out would be right. */
function noFrontMatter(source: Source): Problem {
  const place = { source, span: { start: 0, end: 0 } }
  return problemAt('SCENARIO_INVALID', place, {
    what: `${source.path} does not begin with what is expected`,
    why: 'without that, whatever comes out would count as expected',
    remedy: 'begin it with a line ---, then expect: with runs_7d, and another line ---',
  })
}

const expectationFile = z.looseObject({ expect: expectationSchema })

function frontMatter(source: Source | undefined): Source | undefined {
  if (source === undefined) return undefined
  const text = new TextDecoder().decode(source.bytes)
  const [, yaml] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? []
  if (yaml === undefined) return undefined
  return { path: source.path, bytes: new TextEncoder().encode(`\n${yaml}\n`) }
}

const MAX_FILE_BYTES = 16 << 20
