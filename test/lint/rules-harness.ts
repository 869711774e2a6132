import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import type { Severity } from '../../src/core/findings.ts'
import { integerAt, listAt, objectAt, stringAt, type Json } from '../../src/core/json.ts'
import { outermost, positionOf, type Place, type Source } from '../../src/core/source.ts'
import { isKnownByName, mayHoldManifests, OBJECTS, WHOLE } from '../../src/cli/wanted.ts'
import { readFile } from '../../src/core/yaml/read-file.ts'
import type { LintConfig } from '../../src/lint/config.ts'
import type { Rule, TtlContract, TtlEntry } from '../../src/lint/rule.ts'
import { rules as allRules } from '../../src/lint/rules/index.ts'
import { lint } from '../../src/lint/run.ts'
import { buildRepository } from '../../src/ownership/repository.ts'
import type { Repository } from '../../src/ownership/subject.ts'

export interface Found {
  readonly rule: string
  readonly severity: Severity
  readonly path: string
  readonly line: number
  readonly column: number
  readonly what: string
  readonly why: string
  readonly remedy: string
  readonly related: readonly {
    readonly path: string
    readonly line: number
    readonly note: string
  }[]
}

export interface Options {
  /** All of them when left out. */
  readonly rules?: readonly Rule[]
  readonly today?: string
}

const fullParser = await loadFullParser()
const encoder = new TextEncoder()

/**
 * Lints a repository that is given as path -> text, as `semel lint` would, without a file. Of a
 * semel.yaml among them only the TTL contract and the levels of rules are read.
 */
export function lintTree(
  files: Readonly<Record<string, string>>,
  { rules = allRules, today = '2026-11-29' }: Options = {},
): readonly Found[] {
  const repository = repositoryOfTree(files)
  const { findings } = lint(repository, rules, configOf(files), today)
  return findings.map(({ rule, severity, place, what, why, remedy, related }) => ({
    rule,
    severity,
    ...shown(place),
    what,
    why,
    remedy,
    related: related.map((other) => ({ ...shown(other.place), note: other.note })),
  }))
}

/** What ownership makes of such a repository. */
export function repositoryOfTree(files: Readonly<Record<string, string>>): Repository {
  const listing = Object.keys(files).toSorted()
  const sources = new Map(listing.map((file) => [file, sourceOf(file, files[file] ?? '')]))
  const charts = listing.filter((file) => /(?:^|\/)Chart\.yaml$/.test(file))
  const templates = charts.map((file) => `${file.slice(0, -'Chart.yaml'.length)}templates/`)
  const readings = [...sources].flatMap(([file, source]) => {
    if (!mayHoldManifests(file) || file === 'semel.yaml') return []
    const isTemplate = templates.some((folder) => file.startsWith(folder))
    return [
      readFile(source, {
        wanted: isKnownByName(file) ? WHOLE : OBJECTS,
        fullParser,
        ...(isTemplate ? { template: 'helm' } : {}),
      }),
    ]
  })
  return buildRepository({
    files: readings.filter(
      ({ documents, droppedText }) => documents.length + droppedText.length > 0,
    ),
    listing,
    root: '',
    read: (file) => sources.get(file),
    fullParser,
  })
}

function configOf(files: Readonly<Record<string, string>>): LintConfig {
  const source = sourceOf('semel.yaml', files['semel.yaml'] ?? '')
  const contract = readFile(source, { wanted: WHOLE, fullParser }).documents[0]?.value() ?? null
  const ttl = ttlContractOf(contract, { source, span: { start: 0, end: 0 } })
  return {
    levels: { ...(ttl === undefined ? {} : { 'ttl-contract': 'error' }), ...levelsOf(contract) },
    scopes: [],
    contract: ttl === undefined ? {} : { ttl },
  }
}

function levelsOf(config: Json): Record<string, Severity> {
  const isLevel = (word: unknown): word is Severity =>
    word === 'error' || word === 'warning' || word === 'info'
  const levels = Object.entries(objectAt(config, ['rules']) ?? {})
  return Object.fromEntries(
    levels.flatMap(([id, level]): [string, Severity][] => (isLevel(level) ? [[id, level]] : [])),
  )
}

function ttlContractOf(config: Json, place: Place): TtlContract | undefined {
  const seconds = integerAt(config, ['ttlContract', 'seconds'])
  if (seconds === undefined) return undefined
  const entries = (list: string): readonly (TtlEntry & { seconds: number })[] =>
    listAt(config, ['ttlContract', list]).map((entry) => ({
      file: stringAt(entry, ['file']) ?? '',
      job: stringAt(entry, ['job']) ?? '',
      reason: stringAt(entry, ['reason']) ?? '',
      seconds: integerAt(entry, ['seconds']) ?? 0,
      place,
    }))
  return { seconds, none: entries('none'), value: entries('value') }
}

function sourceOf(file: string, text: string): Source {
  return { path: file, bytes: encoder.encode(text) }
}

function shown(place: Place): Pick<Found, 'path' | 'line' | 'column'> {
  const { source, span } = outermost(place)
  return { path: source.path, ...positionOf(source, span.start) }
}

/** The text files below a folder, as `lintTree` takes them. */
export function readTree(
  folder: string,
  wanted: (file: string) => boolean = () => true,
): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, '/'),
    )
    .filter(wanted)
    .toSorted()
  return Object.fromEntries(
    files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]),
  )
}
