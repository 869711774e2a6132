import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import type { Severity } from '../../src/core/findings.ts'
import { integerAt, listAt, stringAt, type Json } from '../../src/core/json.ts'
import { positionOf, type Place, type Source } from '../../src/core/source.ts'
import { readFile } from '../../src/core/yaml/read-file.ts'
import type { LintConfig } from '../../src/lint/config.ts'
import type { Rule, TtlContract, TtlEntry } from '../../src/lint/rule.ts'
import { rules as allRules } from '../../src/lint/rules/index.ts'
import { lint } from '../../src/lint/run.ts'
import { buildRepository } from '../../src/ownership/repository.ts'

export interface Found {
  readonly rule: string
  readonly severity: Severity
  readonly path: string
  readonly line: number
  readonly column: number
  readonly what: string
  readonly why: string
  readonly remedy: string
  readonly related: readonly { readonly path: string; readonly line: number; readonly note: string }[]
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
 * semel.yaml among them only the TTL contract is read.
 */
export function lintTree(
  files: Readonly<Record<string, string>>,
  { rules = allRules, today = '2026-11-29' }: Options = {},
): readonly Found[] {
  throw new Error('not yet')
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
