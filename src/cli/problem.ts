import type { Fault, FaultCode } from '../core/faults.ts'
import { outermost, type Place } from '../core/source.ts'

/**
 * Something of this run that failed, while the rest went on: a file that cannot be read, an entry
 * of semel.yaml that no longer holds. Every problem makes the exit code 2.
 */
export interface Problem {
  readonly code: FaultCode
  readonly what: string
  readonly why: string
  readonly remedy: string
  /** The file it is about. */
  readonly path?: string
  /** In the outermost source, where one is known. */
  readonly place?: Place
}

export function problemOf(fault: Fault): Problem {
  const { code, message, why, remedy, where } = fault
  return { code, what: message, why, remedy, ...(where === undefined ? {} : { path: where }) }
}

export function problemAt(
  code: FaultCode,
  place: Place,
  words: { readonly what: string; readonly why: string; readonly remedy: string },
): Problem {
  const outer = outermost(place)
  const { what, why, remedy } = words
  return { code, what, why, remedy, path: outer.source.path, place: outer }
}
