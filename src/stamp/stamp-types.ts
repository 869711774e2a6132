import type { Edit } from '../core/edits.ts'
import type { FaultCode } from '../core/faults.ts'
import type { Finding } from '../core/findings.ts'
import type { ConfigDigests, Fingerprint, PolicyId } from '../core/fingerprint.ts'
import type { JsonObject } from '../core/json.ts'
import type { Place, Source } from '../core/source.ts'
import type { FullParser } from '../core/yaml/document.ts'
import type { ReadLimits } from '../core/yaml/read-file.ts'
import type { FieldChange } from './fields.ts'

export interface StampOptions {
  /** Without one: the policy that a stamped Job was stamped with, else `intent`. */
  readonly policy?: PolicyId
  /** Also CronJobs, also hooks, also Jobs with `generateName`, which are left alone otherwise. */
  readonly cronJobs?: boolean
  readonly hooks?: boolean
  readonly generateNames?: boolean
  /**
   * The text is what the API server will see: a rendered stream. Then `${HOME}` in a script is the
   * script's own; in files that are still to be rendered it may be anything.
   */
  readonly rendered?: boolean
  /** The output takes the place of the input, so what stamp writes down is still there next time. */
  readonly inPlace?: boolean
  /** What is otherwise left alone because it is not rendered, or not certain, is refused. */
  readonly strict?: boolean
  /** For the content of followed Secrets; whoever has it can test guesses of the content. */
  readonly secretKey?: string
  /** Needed where `needsFullParser` comes back; `semel` loads it then and stamps again. */
  readonly fullParser?: FullParser
  readonly limits?: Partial<ReadLimits>
}

export interface StampResult {
  /** One for each source, in the same order. All edits are empty when there is a fault. */
  readonly files: readonly StampedFile[]
  /** The Jobs and CronJobs whose names follow their content, in the order of the stream. */
  readonly objects: readonly StampedObject[]
  /** The other fields, names and texts that were rewritten because a name changed. */
  readonly references: readonly RewrittenReference[]
  readonly notes: readonly StampNote[]
  /** What looks like a reference to a renamed Job and could not be rewritten. */
  readonly findings: readonly Finding[]
  /** When there is one, nothing may be written. */
  readonly faults: readonly StampFault[]
  /** Set when nothing was done, because a document needs the full parser. */
  readonly needsFullParser: boolean
  readonly documentsSeen: number
}

export interface StampedFile {
  readonly source: Source
  /** In the order of the file; see `applyEdits`. */
  readonly edits: readonly Edit[]
}

export interface StampedObject {
  readonly kind: 'Job' | 'CronJob'
  readonly namespace: string | undefined
  /** As it came; undefined where `generateName` is what it has. */
  readonly name: string | undefined
  readonly newName: string
  readonly base: string
  /** Of the name. */
  readonly place: Place
  /** What the fingerprint is of: the object with the new names of those that it refers to. */
  readonly content: JsonObject
  readonly fingerprint: Fingerprint
  /** ConfigMaps, Secrets and the salt that are part of the fingerprint. */
  readonly inputs: ConfigDigests
  /** What the object says that it was stamped with; undefined before the first time. */
  readonly recorded: RecordedStamp | undefined
  /** Against the recorded fields; empty where nothing is recorded. */
  readonly changes: readonly FieldChange[]
  readonly state: StampState
}

/**
 * unstamped: had no stamp so far. renamed: its content has changed. annotated: the name is right,
 * an annotation or the label is not. current: nothing to write.
 */
export type StampState = 'unstamped' | 'renamed' | 'annotated' | 'current'

export interface RecordedStamp {
  readonly policy: PolicyId
  readonly algorithm: string
  readonly digest: string
  readonly base: string | undefined
}

export interface RewrittenReference {
  readonly place: Place
  /** `Role shop/waiter`, or the path of the file. */
  readonly object: string
  /** `a health check`, `an argument of wait-for` ... */
  readonly role: string
  readonly from: string
  readonly to: string
}

export type NoteCode =
  | 'cron-job'
  | 'embedded'
  | 'fixed-name'
  | 'generate-name'
  | 'hook'
  | 'no-name'
  | 'not-rendered'
  | 'opted-out'
  | 'patch'
  | 'template'
  | 'version-label'
  | 'was-kept'
  | 'was-not-pinned'
  | 'was-spent'

/** What a person should know about one object; nothing that forbids to write. */
export interface StampNote {
  readonly code: NoteCode
  readonly severity: 'info' | 'warning'
  readonly place: Place
  /** `Job shop/migrate`. */
  readonly object: string
  /** `left alone: it is a hook ...` */
  readonly text: string
  /** What to do to get something else. */
  readonly remedy: string
}

export interface StampFault {
  readonly code: FaultCode
  readonly place: Place
  readonly object: string | undefined
  readonly what: string
  readonly why: string
  readonly remedy: string
}
