import type { Place } from './source.ts'

export type Severity = 'error' | 'warning' | 'info'

/** A fault in the user's manifests. Always what, why and remedy. */
export interface Finding {
  readonly rule: string
  readonly severity: Severity
  readonly place: Place
  /** `Job shop/migrate`, or the file's path when no object is meant. */
  readonly object: string
  /** JSON pointer into the object; empty for the whole object. */
  readonly pointer: string
  readonly what: string
  readonly why: string
  readonly remedy: string
  /** Other places that explain the finding: the interval, the second owner. */
  readonly related: readonly { readonly place: Place; readonly note: string }[]
}
