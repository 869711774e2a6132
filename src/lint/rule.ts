import type { Path } from '../core/json.ts'
import type { Severity } from '../core/findings.ts'
import type { Place } from '../core/source.ts'
import type { FileReading } from '../core/yaml/document.ts'
import type { Repository, Subject } from '../ownership/subject.ts'
import type { RuleFix } from './fix.ts'

/**
 * A rule sees one subject (a Job or CronJob with the engine that carries it), one file, or the
 * whole repository, and returns what is wrong. It asks the engine for traits, never for its name,
 * and returns early for what is not its case.
 */
export interface Rule {
  /** States the fault: `ttl-causes-rerun`. Legal in an annotation key. */
  readonly id: string
  readonly severity: Severity
  /** One sentence for lists and `semel explain`. */
  readonly summary: string
  /** Off unless semel.yaml switches it on (or gives its settings). */
  readonly offByDefault?: true
  readonly kinds: readonly ('Job' | 'CronJob')[]
  /** What kinds of fixes its findings can carry; none when left out. */
  readonly fixes?: readonly FixKind[]
  check?(subject: Subject, context: RuleContext): readonly RuleFinding[]
  checkFile?(file: FileReading, context: RuleContext): readonly RuleFinding[]
  checkRepository?(repository: Repository, context: RuleContext): readonly RuleFinding[]
}

export type FixKind = 'safe' | 'unsafe'

export interface RuleContext {
  readonly contract: Contract
}

/** The part of semel.yaml that rules read; see config/. */
export interface Contract {
  readonly ttl?: TtlContract
}

export interface TtlContract {
  readonly seconds: number
  readonly none: readonly TtlEntry[]
  readonly value: readonly (TtlEntry & { readonly seconds: number })[]
}

export interface TtlEntry {
  readonly file: string
  readonly job: string
  readonly reason: string
  /** Last day on which the entry holds, YYYY-MM-DD. */
  readonly expires?: string
  readonly issue?: string
  /** Of the entry in semel.yaml. */
  readonly place: Place
}

/** What a rule returns; the runner adds rule id, severity, object and pointer. */
export interface RuleFinding {
  /** In the subject's object: the finding is shown at its value (or key). */
  readonly at?: Path
  /** `key`: point at the key, for what is missing below it or wrong as a whole. */
  readonly show?: 'key' | 'value'
  /** Instead of `at`, for findings on files. */
  readonly place?: Place
  /** For repository rules: whose finding it is. */
  readonly subject?: Subject
  readonly what: string
  readonly why: string
  readonly remedy: string
  /** Another severity than the rule's own, in this case. */
  readonly severity?: Severity
  /** Only where one answer is right whatever was meant; its kind stands in the rule's `fixes`. */
  readonly fix?: RuleFix
  readonly related?: readonly { readonly place: Place; readonly note: string }[]
}
