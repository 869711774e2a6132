import type { Conflict } from '../fields/contract.ts'
import { failure, type Refusal } from './status.ts'

/**
 * The answer to an apply that would take fields of others: one cause for each field, and a message
 * that groups them by owner.
 */
export function applyConflict(conflicts: readonly Conflict[]): Refusal {
  const causes = conflicts.map(({ owner, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${owner}`,
    field,
  }))
  return failure(409, 'Conflict', messageOf(conflicts), { causes })
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [only] = conflicts
  const counted = `Apply failed with ${conflicts.length} conflict${conflicts.length === 1 ? '' : 's'}`
  if (conflicts.length === 1 && only !== undefined) {
    return `${counted}: conflict with ${only.owner}: ${only.field}`
  }
  const byOwner = new Map<string, string[]>()
  for (const { owner, field } of conflicts) {
    const fieldsOf = byOwner.get(owner)
    if (fieldsOf === undefined) byOwner.set(owner, [field])
    else fieldsOf.push(field)
  }
  const lines = [...byOwner].map(
    ([owner, list]) => `conflicts with ${owner}:\n${list.map((field) => `- ${field}`).join('\n')}`,
  )
  return `${counted}: ${lines.join('\n')}`
}
