import type { Kind } from '../api/kind.ts'
import { apiVersionOf } from '../api/registry.ts'
import type { TypeRef } from '../fields/contract.ts'

/** What a client learns from discovery and OpenAPI: how a kind is spelled, and its type. */
export interface Discovery {
  /** `batch/v1`, `Job`. */
  byKind(apiVersion: string, kind: string): Kind | undefined
  /** As people type it: `job`, `jobs`, `cj`, `jobs.batch`. */
  byWord(word: string): Kind | undefined
  typeOf(kind: Kind): TypeRef | undefined
}

export function discoveryOf(
  kinds: () => readonly Kind[],
  typeOf: (kind: Kind) => TypeRef | undefined,
): Discovery {
  return {
    byKind(apiVersion, kind) {
      return kinds().find((one) => one.kind === kind && apiVersionOf(one) === apiVersion)
    },
    byWord(word) {
      const lower = word.toLowerCase()
      return kinds().find((one) => {
        const names = [one.resource, one.singular, ...(one.shortNames ?? [])]
        return names.some((name) => name === lower || `${name}.${one.group}` === lower)
      })
    },
    typeOf,
  }
}

/** As kubectl prints it: `job.batch`, `configmap`. */
export function printedKind({ singular, group }: Kind): string {
  return group === '' ? singular : `${singular}.${group}`
}
