import type { Severity } from '../core/findings.ts'
import type { EngineId } from '../engines/engine.ts'
import { globToRegExp } from './glob.ts'
import type { Contract, Rule } from './rule.ts'

/**
 * semel.yaml as the rules and the runner read it, after its schema has been checked. Whatever
 * reads the file turns its paths into paths as the files of this run are named.
 */
export interface LintConfig {
  readonly levels: Levels
  /** Later scopes win over earlier ones, any scope wins over `levels`. */
  readonly scopes: readonly Scope[]
  readonly contract: Contract
}

export type Level = Severity | 'off'
export type Levels = Readonly<Record<string, Level>>

export interface Scope {
  readonly covers: (path: string) => boolean
  readonly engine?: EngineId
  readonly levels: Levels
}

export const NO_CONFIG: LintConfig = { levels: {}, scopes: [], contract: {} }

/** The level of a rule for a file; undefined leaves it to the rule and its findings. */
export function levelAt(config: LintConfig, rule: Rule, path: string): Level | undefined {
  const scope = config.scopes.findLast(
    ({ levels, covers }) => levels[rule.id] !== undefined && covers(path),
  )
  const level = scope?.levels[rule.id] ?? config.levels[rule.id]
  return level ?? (rule.offByDefault === true ? 'off' : undefined)
}

/** The same for many files, where no scope speaks of the rule without asking for each of them. */
export function levelsOf(config: LintConfig, rule: Rule): (path: string) => Level | undefined {
  const isScoped = config.scopes.some(({ levels }) => levels[rule.id] !== undefined)
  if (isScoped) return (path) => levelAt(config, rule, path)
  const level = levelAt(config, rule, '')
  return () => level
}

/** The engine that semel.yaml gives for a file, if it does. */
export function engineAt(config: LintConfig, path: string): EngineId | undefined {
  return config.scopes.findLast(({ engine, covers }) => engine !== undefined && covers(path))
    ?.engine
}

/** True for the paths (relative to semel.yaml) that any of the patterns covers. */
export function coveredBy(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map(globToRegExp)
  return (path) => expressions.some((expression) => expression.test(path))
}
