import path from 'node:path'
import { readSource } from '../../adapters/read-source.ts'
import { Fault } from '../../core/faults.ts'
import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Source } from '../../core/source.ts'
import type { FullParser, YamlDocument } from '../../core/yaml/document.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import { coveredBy, type LintConfig, type Scope } from '../../lint/config.ts'
import { clashingEntries } from '../../lint/contract-entries.ts'
import type { TtlContract, TtlEntry } from '../../lint/rule.ts'
import { problemAt, problemOf, type Problem } from '../problem.ts'
import { isBelow } from './find.ts'
import { placeIn, schemaProblems } from './issues.ts'
import { configSchema, type ConfigFile, type JobEntry, type Known } from './schema.ts'

/** A semel.yaml that has passed all checks which need no other file. */
export interface LoadedConfig {
  /** As shown to the user. */
  readonly path: string
  /** Absolute: paths in the file start here. */
  readonly folder: string
  readonly file: ConfigFile
  readonly lint: LintConfig
  /** By `ignore`; absolute path. */
  readonly ignores: (absolute: string) => boolean
  /** What is not read as a manifest: the ignored files, and this one. */
  readonly skips: (absolute: string) => boolean
}

export interface ConfigOptions {
  readonly cwd: string
  readonly known: Known
  /** Paths as files of this run are named. */
  readonly shownName: (absolute: string) => string
  readonly loadFullParser: () => Promise<FullParser>
}

export async function loadConfig(
  absolute: string,
  options: ConfigOptions,
): Promise<LoadedConfig | readonly Problem[]> {
  const shown = path.relative(options.cwd, absolute).replaceAll(path.sep, '/')
  let source: Source
  try {
    source = readSource({ path: shown, absolute, isNamed: true }, MAX_CONFIG_BYTES)
  } catch (error) {
    if (error instanceof Fault) return [problemOf(error)]
    throw error
  }
  const document = await oneDocument(source, options.loadFullParser)
  if (!('span' in document)) return document
  const problems = duplicateKeyProblems(document)
  const schema = configSchema(options.known)
  const parsed = schema.safeParse(withoutNulls(document.value()))
  if (!parsed.success) problems.push(...schemaProblems(parsed.error.issues, document, schema))
  if (problems.length > 0 || !parsed.success) return problems
  const config = configOf(parsed.data, { absolute, shown, document, options })
  const clashes = clashingEntries(config.lint.contract.ttl ?? NO_ENTRIES)
  if (clashes.length === 0) return config
  return clashes.map(({ place, ...words }) => problemAt('CONFIG_INVALID', place, words))
}

const MAX_CONFIG_BYTES = 1 << 20
const NO_ENTRIES: TtlContract = { seconds: 0, none: [], value: [] }

async function oneDocument(
  source: Source,
  loadFullParser: () => Promise<FullParser>,
): Promise<YamlDocument | readonly Problem[]> {
  const wanted = { all: true, needles: [] }
  let reading = readFile(source, { wanted, fullParser: undefined })
  if (reading.needsFullParser === true) {
    reading = readFile(source, { wanted, fullParser: await loadFullParser() })
  }
  if (reading.errors.length > 0) {
    return reading.errors.map(({ span, what, remedy }) =>
      problemAt(
        'CONFIG_INVALID',
        { source, span },
        {
          what: `${source.path}: ${what}`,
          why: 'semel cannot read its settings from it, so it did not start',
          remedy,
        },
      ),
    )
  }
  const [document, second] = reading.documents.filter((one) => one.value() !== null)
  const start = { source, span: { start: 0, end: 0 } }
  if (document === undefined) {
    return [
      problemAt('CONFIG_INVALID', start, {
        what: `${source.path} is empty`,
        why: 'it must say at least which version of the format it has',
        remedy: 'write version: 1 into it, or run semel init --force',
      }),
    ]
  }
  if (second === undefined) return document
  return [
    problemAt(
      'CONFIG_INVALID',
      { source, span: second.span },
      {
        what: `${source.path} holds more than one document`,
        why: 'only one can be meant',
        remedy: 'remove the line --- and what is too much',
      },
    ),
  ]
}

function duplicateKeyProblems(document: YamlDocument): Problem[] {
  return document.duplicateKeys.map(({ key, again }) =>
    problemAt(
      'CONFIG_INVALID',
      { source: document.source, span: again },
      {
        what: `the key ${key} stands twice in one mapping`,
        why: 'only one of the two would count',
        remedy: 'merge them into one',
      },
    ),
  )
}

/** `scopes:` with nothing behind it, or with all of its entries commented out, is no scopes. */
function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const kept: { [key: string]: Json } = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === null || item === undefined) continue
    const read = key === 'rules' && isObject(item) ? levelsAsWritten(item) : withoutNulls(item)
    Object.defineProperty(kept, key, { value: read, enumerable: true, configurable: true })
  }
  return kept
}

/** YAML as Kubernetes reads it takes a plain `off` for false. */
function levelsAsWritten(levels: JsonObject): JsonObject {
  const written = Object.entries(levels).map(([id, level]) => [id, level === false ? 'off' : level])
  return Object.fromEntries(written) as JsonObject
}

interface Made {
  readonly absolute: string
  readonly shown: string
  readonly document: YamlDocument
  readonly options: ConfigOptions
}

function configOf(file: ConfigFile, made: Made): LoadedConfig {
  const { absolute, shown, options } = made
  const folder = path.dirname(absolute)
  const inFolder = (other: string): string | undefined =>
    isBelow(other, folder) ? path.relative(folder, other).replaceAll(path.sep, '/') : undefined
  const scopes = (file.scopes ?? []).map(({ path: pattern, engine, rules }): Scope => {
    const isCovered = coveredBy([pattern])
    const covers = (name: string): boolean => {
      const below = inFolder(path.resolve(options.cwd, name))
      return below !== undefined && isCovered(below)
    }
    return { covers, levels: rules ?? {}, ...(engine === undefined ? {} : { engine }) }
  })
  const isIgnored = coveredBy(file.ignore ?? [])
  const ttl = ttlContractOf(file, folder, made)
  const ignores = (other: string): boolean => {
    const below = inFolder(other)
    return below !== undefined && below !== '' && isIgnored(below)
  }
  return {
    path: shown,
    folder,
    file,
    // To write a contract down is to switch its rule on.
    lint: {
      levels: { ...(ttl === undefined ? {} : { 'ttl-contract': 'error' as const }), ...file.rules },
      scopes,
      contract: ttl === undefined ? {} : { ttl },
    },
    ignores,
    skips: (other) => other === absolute || ignores(other),
  }
}

function ttlContractOf(file: ConfigFile, folder: string, made: Made): TtlContract | undefined {
  const { ttlContract } = file
  if (ttlContract === undefined) return undefined
  const { document, options } = made
  const entryOf = (entry: JobEntry, list: string, index: number): TtlEntry => {
    const { expires, issue, job, reason } = entry
    return {
      file: options.shownName(path.resolve(folder, entry.file)),
      job,
      reason,
      ...(expires === undefined ? {} : { expires }),
      ...(issue === undefined ? {} : { issue }),
      place: placeIn(document, ['ttlContract', list, index, 'job'], 'value'),
    }
  }
  return {
    seconds: ttlContract.seconds,
    none: (ttlContract.none ?? []).map((entry, index) => entryOf(entry, 'none', index)),
    value: (ttlContract.value ?? []).map((entry, index) => ({
      ...entryOf(entry, 'value', index),
      seconds: entry.seconds,
    })),
  }
}
