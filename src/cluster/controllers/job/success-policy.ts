import { countOf, overlap, readIndexes, type Indexes } from './indexes.ts'
import type { Job } from './job.ts'

/** K-20: the message of the first success rule that the succeeded indexes fulfil. */
export function metSuccessRule(job: Job, succeeded: Indexes): string | undefined {
  if (succeeded.length === 0) return undefined
  for (const [at, rule] of (job.spec.successPolicy?.rules ?? []).entries()) {
    const { succeededIndexes, succeededCount } = rule
    if (succeededIndexes === undefined) {
      if (succeededCount === undefined || countOf(succeeded) < succeededCount) continue
      return `Matched rules at index ${at}`
    }
    const wanted = readIndexes(succeededIndexes, job.spec.completions ?? 0)
    if (wanted.length === 0) continue
    const count = overlap(wanted, succeeded)
    if (count === countOf(wanted) || (succeededCount !== undefined && count >= succeededCount)) {
      return `Matched rules at index ${at}`
    }
  }
  return undefined
}
