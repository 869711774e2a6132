import type { Path } from '../../core/json.ts'
import type { NamedKind } from '../../core/names.ts'

/** A place in a document that names a Job or CronJob. */
export interface Mention {
  /** Of the text, in the document. */
  readonly path: Path
  readonly text: string
  /** Of the name in the text. */
  readonly start: number
  readonly end: number
  readonly kind: NamedKind
  /** Undefined where the reference leaves it open. */
  readonly namespace: string | undefined
  /** `a health check`, `an argument of kubectl` ... */
  readonly role: string
  /** Why it may be something else than a reference, so that it must not be rewritten. */
  readonly doubt?: string
}

/** Whether an object of the stream has this name, or had it before it was stamped. */
export type IsName = (kind: NamedKind, name: string) => boolean

export function whole(path: Path, text: string): Pick<Mention, 'path' | 'text' | 'start' | 'end'> {
  return { path, text, start: 0, end: text.length }
}

/** `job`, `jobs.batch`, `cj` ...: what kubectl takes for the kind. */
export function kindOfResource(word: string): NamedKind | undefined {
  const match = /^(jobs?|cronjobs?|cj)(?:\.(?:v\d\w*\.)?batch)?$/i.exec(word)
  if (match === null) return undefined
  return match[1]?.toLowerCase().startsWith('job') === true ? 'Job' : 'CronJob'
}
