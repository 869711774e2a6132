// `semel/lint`: the rules, what they ask of a repository, and the run over all of it. Pure.
export type { Engine, EngineId, Setting, Traits } from '../engines/engine.ts'
export { engines } from '../engines/index.ts'
export { buildRepository, type RepositoryInput } from '../ownership/repository.ts'
export type { Link, Repository, Subject } from '../ownership/subject.ts'
export { builtinRules } from './builtin.ts'
export {
  coveredBy,
  NO_CONFIG,
  type Level,
  type Levels,
  type LintConfig,
  type Scope,
} from './config.ts'
export {
  clashingEntries,
  staleEntries,
  type StaleEntry,
  type StaleOptions,
} from './contract-entries.ts'
export type { ReadyFix, RuleFix } from './fix.ts'
export type { Edit } from '../core/edits.ts'
export type { FieldEdit } from './fix-edits.ts'
export type {
  Contract,
  FixKind,
  Rule,
  RuleContext,
  RuleFinding,
  TtlContract,
  TtlEntry,
} from './rule.ts'
export { rules } from './rules/index.ts'
export { lint, type LintResult, type SuppressedFinding } from './run.ts'
