import { equal } from '../fields/index.ts'
import type { OwnerReference } from '../object.ts'

export interface Deduplicated {
  readonly owners: readonly OwnerReference[]
  /** The Warning header, when something was left out. */
  readonly warning?: string
}

/** The server drops owner references that stand twice, and says so. */
export function withoutDuplicates(
  owners: readonly OwnerReference[],
  isAfterAdmission: boolean,
): Deduplicated {
  if (owners.length < 2) return { owners }
  const kept: OwnerReference[] = []
  const dropped: string[] = []
  for (const owner of owners) {
    if (kept.some((other) => equal(other, owner))) dropped.push(owner.uid)
    else kept.push(owner)
  }
  if (dropped.length === 0) return { owners }
  const when = isAfterAdmission ? ' after mutating admission happens' : ''
  const rule =
    'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests'
  const warning = `.metadata.ownerReferences contains duplicate entries${when}; ${rule}; duplicate UID(s) observed: ${dropped.join(', ')}`
  return { owners: kept, warning }
}
