import type { Request } from '../../../src/cluster/api/request.ts'
import type { Difference } from './compare.ts'

/** A difference that stays, with the reason. A script has to show it, so that it is still one. */
export interface KnownDifference {
  readonly id: string
  readonly reason: string
  readonly is: (request: Request, difference: Difference) => boolean
}

export const knownDifferences: readonly KnownDifference[] = []

/** At most this share of the steps of a run may differ in a known way. */
export const MOST_KNOWN = 0.03

export function knownAs(request: Request, difference: Difference): KnownDifference | undefined {
  return knownDifferences.find(({ is }) => is(request, difference))
}
