import { equal } from '../fields/index.ts'
import type { ManagedFieldsEntry } from '../object.ts'

/** How many different entries are remembered for each manager. */
const REMEMBERED = 8

/**
 * Entries of managedFields that are equal become one object: what a manager owns of a thousand
 * objects is mostly the same, and it is the largest part of most of them. Changes no answer.
 */
export class SharedManagers {
  readonly #known = new Map<string, ManagedFieldsEntry[]>()

  share(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
    let shared: ManagedFieldsEntry[] | undefined
    for (const [at, entry] of entries.entries()) {
      const known = this.#one(entry)
      if (known === entry) continue
      shared ??= [...entries]
      shared[at] = known
    }
    return shared ?? entries
  }

  #one(entry: ManagedFieldsEntry): ManagedFieldsEntry {
    const key = `${entry.manager} ${entry.operation} ${entry.subresource ?? ''} ${entry.apiVersion}`
    const known = this.#known.get(key)
    if (known === undefined) {
      this.#known.set(key, [entry])
      return entry
    }
    for (const other of known) {
      if (other === entry) return entry
      if (!equal(other.fieldsV1, entry.fieldsV1)) continue
      if (other.time === entry.time) return other
      const { fieldsV1 } = other
      return entry.fieldsV1 === fieldsV1 ? entry : { ...entry, fieldsV1 }
    }
    if (known.length === REMEMBERED) known.pop()
    known.unshift(entry)
    return entry
  }
}
